import { createHash } from 'node:crypto';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { EpochMs } from '../../domain/clock.ts';
import { readListing } from '../../strategy/read-listing.ts';
import { keptJson } from '../listing-text.ts';
import type { Sink } from '../merge.ts';
import type { RecordedEvent, RecordedPoll, RecordedSession } from '../moment.ts';
import type { Unit } from '../session-units.ts';
import {
  GROUP_ROWS,
  LIST_FILE,
  PARQUET_FORM,
  type Row,
  type TableName,
  partName,
  schemaOf,
  tableNames,
  tables,
} from './tables.ts';
import type { Zstd } from './zstd.ts';

/** A part ends with the poll at which one of these is reached: what is in memory at once, and what one damaged file costs. */
export interface PartBounds {
  readonly events: number;
  /** Characters of listings and inputs. */
  readonly text: number;
}

const BOUNDS: PartBounds = { events: 131_072, text: 32 * 1024 * 1024 };

/** Writes one file of an export. */
export type WriteFile = (name: string, bytes: Uint8Array) => void;

/** One file, as the list of them names it. */
export interface ListedFile {
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Writes what it is told as Parquet, part by part: in each a file for each table. The same recording gives the same bytes. `finish` writes
 * the rest, and the list of the files. Throws what `write` throws.
 */
export class ParquetSink implements Sink {
  readonly #zstd: Zstd;
  readonly #write: WriteFile;
  readonly #bounds: PartBounds;
  readonly #files: ListedFile[] = [];
  #part = 0;
  #session = 0;
  #poll = 0;
  #offer = 0;
  #rows = emptyRows();
  /** What was offered in this part, by its text. */
  #offers = new Map<string, Row>();
  #textLength = 0;

  constructor(zstd: Zstd, write: WriteFile, bounds: PartBounds = BOUNDS) {
    this.#zstd = zstd;
    this.#write = write;
    this.#bounds = bounds;
  }

  session(session: RecordedSession): void {
    this.#session++;
    const { startedAt, stoppedAt, version, mode } = session;
    this.#rows.sessions.push({
      ...{ session: this.#session, started: time(startedAt), stopped: time(stoppedAt), version, mode },
      ...{ started_at: startedAt, stopped_at: stoppedAt },
    });
  }

  unit({ ground, inputs, gaps, poll }: Unit): void {
    const own = { poll: ++this.#poll, session: this.#session };
    for (const event of ground?.standing ?? []) this.#rows.standing.push({ ...own, ...this.#event(event) });
    for (const { kind, at, value } of [...(ground?.inForce ?? []), ...inputs]) {
      this.#rows.inputs.push({ ...own, time: time(at), kind, value, at });
      this.#textLength += value.length;
    }
    for (const { from, to, ...gap } of gaps)
      this.#rows.gaps.push({ ...own, begins: time(from), ends: time(to), ...gap, from_at: from, to_at: to });
    if (poll !== undefined) this.#rows.polls.push({ ...own, ...pollRow(poll) });
    for (const event of poll?.events ?? []) this.#rows.events.push({ ...own, ...this.#event(event) });
    const { events, standing, inputs: noted } = this.#rows;
    const size = events.length + standing.length + noted.length;
    if (size >= this.#bounds.events || this.#textLength >= this.#bounds.text) this.#endPart();
  }

  finish(): void {
    if (this.#part === 0 || tableNames.some((table) => this.#rows[table].length > 0)) this.#endPart();
    const list = { recording: 'magpie', form: PARQUET_FORM, files: this.#files };
    this.#write(LIST_FILE, Buffer.from(`${JSON.stringify(list, undefined, 2)}\n`));
  }

  #event({ kind, at, afterPollAt, market, id, position, chunk, reason, text }: RecordedEvent): Row {
    const offered = text === undefined ? undefined : this.#offered(text);
    const { offer, name, price, cost, steam_price } = offered ?? {};
    return {
      ...{ time: time(at), not_before: time(afterPollAt), kind, market, listing: id, name, price, cost, steam_price },
      ...{ position, chunk, reason, offer, at },
    };
  }

  #offered(text: string): Row {
    const known = this.#offers.get(text);
    if (known !== undefined) return known;
    const row = { offer: ++this.#offer, ...judged(text), json: text };
    this.#offers.set(text, row);
    this.#rows.listings.push(row);
    this.#textLength += text.length;
    return row;
  }

  /** Tables that have nothing have a file in the first part all the same: who asks for all files of a table finds one. */
  #endPart(): void {
    this.#part++;
    for (const table of tableNames) {
      const rows = this.#rows[table];
      if (rows.length === 0 && this.#part > 1) continue;
      const bytes = packed(table, rows, this.#zstd);
      const file = partName(table, this.#part);
      this.#write(file, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      this.#files.push({ file, rows: rows.length, bytes: bytes.length, sha256 });
    }
    this.#rows = emptyRows();
    this.#offers = new Map();
    this.#textLength = 0;
  }
}

function emptyRows(): Record<TableName, Row[]> {
  return { sessions: [], polls: [], events: [], standing: [], listings: [], gaps: [], inputs: [] };
}

function packed(table: TableName, rows: readonly Row[], zstd: Zstd): Uint8Array {
  const columnData = Object.entries(tables[table]).map(([name, type]) => ({
    name,
    data: rows.map((row) => (type === 'whole' ? whole(row[name]) : row[name])),
  }));
  return new Uint8Array(
    parquetWriteBuffer({
      ...{ columnData, schema: schemaOf(table), codec: 'ZSTD', compressors: { ZSTD: zstd.compress } },
      ...{ rowGroupSize: GROUP_ROWS, createdBy: 'magpie' },
    }),
  );
}

function whole(value: Row[string]): bigint | undefined {
  return typeof value === 'number' ? BigInt(value) : undefined;
}

function pollRow(poll: RecordedPoll): Row {
  const { seq, beganAt, endedAt, outcome, complete, first, status, bytes, count, bad, requestId, serviceDate, message } = poll;
  return {
    ...{ seq, began: time(beganAt), ended: time(endedAt), outcome, complete, first, status, bytes, count, bad, message },
    ...{ request_id: requestId, events: poll.events.length, began_at: beganAt, ended_at: endedAt, service_date: serviceDate },
  };
}

/** What a listing says, where it can be judged. */
function judged(text: string): Row {
  const read = readListing(keptJson(text));
  if (!read.ok) return {};
  const { market, id, name, itemId, priceMicros, cost, steam, wear, paintSeed } = read.listing;
  return {
    ...{ market, listing: id, name, item_id: itemId, price: BigInt(priceMicros), cost: BigInt(cost) },
    ...{ steam_price: steam === undefined ? undefined : BigInt(steam), wear, paint_seed: paintSeed },
  };
}

/** No date reaches further from 1970. */
const DATE_MS_MAX = 8.64e15;

/** Microseconds; undefined too where it is no date. */
function time(at: EpochMs | undefined): bigint | undefined {
  return at === undefined || !(Math.abs(at) <= DATE_MS_MAX) ? undefined : BigInt(Math.round(at * 1_000));
}

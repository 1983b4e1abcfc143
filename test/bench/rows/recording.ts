import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Recording } from '../../../src/replay/recordings.ts';
import type { Column } from '../../../src/replay/segment/columns.ts';
import { SegmentStore } from '../../../src/replay/segment/store.ts';
import { openForReading } from '../../../src/replay/tape-schema.ts';
import { type Figure, figure, time } from '../figure.ts';
import { SqliteRows } from '../floors/rows.ts';
import { recordMarket } from '../recorded/record.ts';

const POLLS = 700;
const PACE = 3;
const LISTINGS = 1_000;
const LOADS = 5;
const MILLION = 1e6;

/** Recording a market, what it takes on the disk, and reading its columns again, beside SQLite with a row for each event. */
export function recordingRows(place: string, part: number): readonly Figure[] {
  const polls = Math.max(600, Math.ceil(POLLS * part));
  const path = join(place, 'recording.db');
  const options = { path, seed: 3, listings: LISTINGS, pace: PACE, polls, everyMs: 1_000 };
  const rows = new SqliteRows(join(place, 'rows.db'));
  const { events, marketMs, ms } = recordMarket({ ...options, onPoll: (result) => rows.poll(result) });
  const floor = rows.close();
  const { columnBytes, textBytes, loadMs, sum } = loaded(path);
  mustBeEqual(path, join(place, 'rows.db'), sum);
  const perMillion = (taken: number, of = events): number => (taken / of) * MILLION;
  const what = (words: string): string => `recording ${events.toLocaleString('en-US')} events: ${words}`;
  const bytes = statSync(path).size / events;
  return [
    figure(
      {
        ...{
          id: 'recording-write',
          what: what('written and compacted, CPU for a million'),
          unit: 'ms',
          value: perMillion(ms - marketMs),
        },
        ...{ floor: time(perMillion(floor.ms)), ours: time(perMillion(ms - marketMs)) },
      },
      MILLION / 3_000,
    ),
    figure(
      {
        ...{ id: 'recording-bytes', what: what('bytes an event, without the texts of listings'), value: columnBytes / events },
        ...{ floor: `${(floor.bytes / events).toFixed(1)} B`, ours: `${(columnBytes / events).toFixed(1)} B` },
        note: `${bytes.toFixed(1)} B with them, of which texts ${(textBytes / events).toFixed(1)} B; the floor keeps none`,
      },
      40,
    ),
    figure(
      {
        ...{
          id: 'recording-load',
          what: what('columns loaded and added up, CPU for a million'),
          unit: 'ms',
          value: perMillion(loadMs),
        },
        ...{ floor: time(perMillion(floor.loadMs)), ours: time(perMillion(loadMs)) },
      },
      MILLION / 20_000,
    ),
  ];
}

/** Of all segments: how many bytes columns and texts take, and what it costs to load the columns and add up every price. */
function loaded(path: string): { columnBytes: number; textBytes: number; loadMs: number; sum: number } {
  const db = openForReading(path);
  try {
    const [columnBytes, textBytes] = sizes(db);
    const taken: number[] = [];
    let sum = 0;
    for (let load = 0; load < LOADS; load++) {
      const before = cpuMs();
      sum = summed(db);
      taken.push(cpuMs() - before);
    }
    return { columnBytes, textBytes, loadMs: taken.toSorted((a, b) => a - b)[LOADS >> 1] as number, sum };
  } finally {
    db.close();
  }
}

function summed(db: Database.Database): number {
  const store = new SegmentStore(db);
  let sum = 0;
  for (const row of store.between(0, Number.MAX_SAFE_INTEGER)) {
    const { columns } = store.load(row);
    const [offer, cost] = [numbersOf(columns.get('offer')), numbersOf(columns.get('cost'))];
    for (let index = 0; index < row.events; index++) {
      const place = offer.base + offer.scale * (offer.data[index] as number);
      if (place >= 0) sum += cost.base + cost.scale * (cost.data[place] as number);
    }
  }
  return sum;
}

/** A column as whoever goes through all of it takes it. */
function numbersOf(column: Column | undefined): { data: ArrayLike<number>; base: number; scale: number } {
  if (column?.data === undefined) throw new Error('a segment without its columns');
  return { data: column.data, base: column.layout.base, scale: column.layout.scale };
}

function sizes(db: Database.Database): readonly [columns: number, texts: number] {
  const store = new SegmentStore(db);
  const pieces = db.prepare('SELECT length(data) FROM piece WHERE id BETWEEN ? AND ? ORDER BY id').pluck();
  let [columns, texts] = [0, 0];
  for (const { id, shape } of store.between(0, Number.MAX_SAFE_INTEGER)) {
    const lengths = pieces.all(id * 65_536, id * 65_536 + 65_535) as number[];
    for (const [n, length] of lengths.entries()) {
      if (n <= shape.columns.length) columns += length;
      else texts += length;
    }
  }
  return [columns, texts];
}

/** The same events in both, and the same prices. */
function mustBeEqual(path: string, rows: string, sum: number): void {
  const recording = new Recording(path);
  const db = new Database(rows, { readonly: true });
  try {
    const { events } = recording.counts();
    const floor = db.prepare('SELECT count(*) AS events, sum(cost) AS sum FROM event').get() as { events: number; sum: number };
    if (floor.events !== events || floor.sum !== sum)
      throw new Error(`${events} events for ${sum} in columns, ${floor.events} for ${floor.sum} in rows`);
  } finally {
    recording.close();
    db.close();
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

import type { EpochMs } from '../domain/clock.ts';
import type { Micros } from '../domain/money.ts';
import type { DaySample } from '../domain/reference.ts';
import type { MarketFall } from '../risk/market-fall.ts';
import type { Meta } from './meta.ts';
import type { Store } from './store.ts';

/** What the newest look at a name's live listings has shown. */
export interface Reading {
  readonly at: EpochMs;
  /** What the cheapest of them cost, and the second cheapest; undefined where there was one only. */
  readonly floor: Micros;
  readonly nextFloor: Micros | undefined;
}

/** What is kept of one name, as `foldCase` makes it. */
export interface NamedSamples {
  readonly name: string;
  readonly reading: Reading;
  /** Oldest first. */
  readonly samples: readonly DaySample[];
}

/** One name's day so far, and the reading it ends with. */
export interface NamedDay {
  readonly name: string;
  readonly reading: Reading;
  readonly sample: DaySample;
}

export interface ReferenceQueries {
  /** What is kept of a name; undefined when it was never seen. */
  referenceOf(name: string): NamedSamples | undefined;
  /** The fall that was last reported and is not over; undefined while there is none. */
  marketFall(): MarketFall | undefined;
}

export interface References extends ReferenceQueries {
  /** Everything that is kept of days from the first to the last, name by name. */
  everyReference(firstDay: number, lastDay: number): Iterable<NamedSamples>;
  /** Keeps days as they are by now, each in the place of what was known of it before; a day's first forgets what is older than `firstDay`. */
  keepReferences(days: readonly NamedDay[], firstDay: number): void;
  /** Forgets at most `limit` names that were last seen before the first day, or after the last. Returns how many. */
  pruneReferences(firstDay: number, lastDay: number, limit: number): number;
  /** Undefined: it is over. */
  saveMarketFall(fall: MarketFall | undefined): void;
}

interface NameRow {
  readonly name: string;
  readonly read_at: EpochMs;
  readonly floor: Micros;
  readonly next_floor: Micros | null;
}

interface DayRow {
  readonly day: number;
  readonly readings: number;
  readonly steam: Micros | null;
  readonly day_floor: Micros;
}

type Row = NameRow & DayRow;

/** Names read in one go. */
const BATCH = 500;

const COLUMNS =
  'names.name, names.read_at, names.floor, names.next_floor, days.day, days.readings, days.steam, days.floor AS day_floor';

export function createReferenceQueries(store: Store, meta: Meta): ReferenceQueries {
  const ofName = store.reading<[string], Row>(
    `SELECT ${COLUMNS} FROM reference_names AS names JOIN reference_days AS days ON days.name = names.id
     WHERE names.name = ? ORDER BY days.day`,
  );
  return {
    referenceOf: (name) => [...grouped(ofName.all(name))][0],
    marketFall() {
      const text = meta.text('marketFall');
      if (text === undefined || text === '') return undefined;
      const { since, why, calmSince, resumed } = JSON.parse(text) as Omit<MarketFall, 'calmSince'> & { calmSince?: EpochMs };
      return { since, why, calmSince, resumed };
    },
  };
}

/** Like decisions they are kept on the connection that does not wait for the disk: a power cut may cost the last of them. */
export function createReferences(relaxed: Store, meta: Meta): References {
  const batch = relaxed.reading<[number, number, number, number], Row & { readonly id: number }>(
    `SELECT names.id, ${COLUMNS}
     FROM (SELECT * FROM reference_names WHERE id > ? ORDER BY id LIMIT ?) AS names JOIN reference_days AS days ON days.name = names.id
     WHERE days.day BETWEEN ? AND ? ORDER BY names.id, days.day`,
  );
  const lastOf = relaxed.value<[number, number], number | null>(
    'SELECT max(id) FROM (SELECT id FROM reference_names WHERE id > ? ORDER BY id LIMIT ?)',
  );
  const keepName = relaxed.writing<[string, number, EpochMs, Micros, Micros | null]>(
    `INSERT INTO reference_names (name, last_day, read_at, floor, next_floor) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET last_day = excluded.last_day, read_at = excluded.read_at, floor = excluded.floor,
       next_floor = excluded.next_floor`,
  );
  const keepDay = relaxed.writing<[number, number, Micros | null, Micros, string]>(
    `INSERT INTO reference_days (day, name, readings, steam, floor) SELECT ?, id, ?, ?, ? FROM reference_names WHERE name = ?
     ON CONFLICT (day, name) DO UPDATE SET readings = excluded.readings, steam = excluded.steam, floor = excluded.floor`,
  );
  const trim = relaxed.writing<[string, number, number]>(
    'DELETE FROM reference_days WHERE name = (SELECT id FROM reference_names WHERE name = ?) AND (day < ? OR day > ?)',
  );
  const unseen = relaxed.reading<[number, number, number], { readonly id: number }>(
    'SELECT id FROM reference_names WHERE last_day < ? OR last_day > ? ORDER BY id LIMIT ?',
  );
  const dropDays = relaxed.writing<[number]>('DELETE FROM reference_days WHERE name = ?');
  const dropName = relaxed.writing<[number]>('DELETE FROM reference_names WHERE id = ?');
  return {
    ...createReferenceQueries(relaxed, meta),
    *everyReference(firstDay, lastDay) {
      let after = 0;
      for (let last = lastOf(after, BATCH); typeof last === 'number'; last = lastOf(after, BATCH)) {
        yield* grouped(batch.all(after, BATCH, firstDay, lastDay));
        after = last;
      }
    },
    keepReferences(days, firstDay) {
      if (days.length === 0) return;
      relaxed.transaction('references', () => {
        for (const { name, reading, sample } of days) {
          keepName(name, sample.day, reading.at, reading.floor, reading.nextFloor ?? null);
          keepDay(sample.day, sample.readings, sample.steam ?? null, sample.floor, name);
          if (sample.readings === 1) trim(name, firstDay, sample.day);
        }
      });
    },
    pruneReferences(firstDay, lastDay, limit) {
      const names = unseen.all(firstDay, lastDay, limit);
      if (names.length === 0) return 0;
      relaxed.transaction('prune-references', () => {
        for (const { id } of names) {
          dropDays(id);
          dropName(id);
        }
      });
      return names.length;
    },
    saveMarketFall: (fall) =>
      relaxed.transaction('market-fall', () => meta.set('marketFall', fall === undefined ? '' : JSON.stringify(fall))),
  };
}

/** Rows of one name after the other, as one each. */
function* grouped(rows: Iterable<Row>): Generator<NamedSamples, undefined> {
  let group: { row: Row; samples: DaySample[] } | undefined;
  for (const row of rows) {
    if (group?.row.name !== row.name) {
      if (group !== undefined) yield namedSamples(group.row, group.samples);
      group = { row, samples: [] };
    }
    group.samples.push({ day: row.day, readings: row.readings, steam: row.steam ?? undefined, floor: row.day_floor });
  }
  if (group !== undefined) yield namedSamples(group.row, group.samples);
  return undefined;
}

function namedSamples({ name, read_at, floor, next_floor }: Row, samples: readonly DaySample[]): NamedSamples {
  return { name, reading: { at: read_at, floor, nextFloor: next_floor ?? undefined }, samples };
}

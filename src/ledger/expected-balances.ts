import type { EpochMs } from '../domain/clock.ts';
import { type Micros, add, sum } from '../domain/money.ts';
import type { BalanceReading } from '../domain/readings.ts';
import type { Store } from './store.ts';

/** Money that moved at a moment of which only bounds are known. */
export interface Movement {
  /** Added to the balance: negative for a debit. */
  readonly amount: Micros;
  /** It had not moved before this; undefined where nothing but being late to be seen bounds it. */
  readonly notBefore: EpochMs | undefined;
  /** When it was known to have moved. */
  readonly knownAt: EpochMs;
  /** The service's own date of it, which may be minutes before it was seen. */
  readonly bookedAt?: EpochMs | undefined;
  /** Of money that came back: when the purchase was written that it came back for, by our own clock. */
  readonly owedSince?: EpochMs | undefined;
  /** Where it stands in the order of evidence. */
  readonly seq?: number | undefined;
}

/** A reading with its place in the order of evidence: the newest that was written before it. */
export interface PlacedReading extends BalanceReading {
  readonly afterSeq?: number | undefined;
}

/** How long a balance may lag behind a movement, and a movement be there before it is seen: the clearest readings are asked first. */
const margins = [
  { lagMs: 60_000, unseenMs: 600_000 },
  { lagMs: 60_000, unseenMs: 60_000 },
  { lagMs: 2_000, unseenMs: 5_000 },
  { lagMs: 0, unseenMs: 0 },
] as const;

type Margin = (typeof margins)[number];

/** Readings that are asked, the newest first, and how many are enough: one alone may lag or be wrong. */
const READINGS_ASKED = 9;
const ENOUGH = 3;

/**
 * What the balance should be now if a purchase written at `createdAt` was not debited: a reading from before it, and everything that
 * moved since. A reading counts only when each movement lies clearly before or after it, since what was on its way just then may or
 * may not be in it. Of the readings that count most voices win, of equally many the newest. Undefined when none counts.
 * `readings` are the newest first; `movements` are all but the purchase's own.
 */
export function expectedBalance(
  createdAt: EpochMs,
  readings: readonly PlacedReading[],
  movements: readonly Movement[],
): Micros | undefined {
  const before = readings.filter(({ endedAt }) => endedAt <= createdAt);
  // A clear reading is asked again at each wider margin, so that its voice outweighs that of a doubtful one.
  const voices: Micros[] = [];
  for (const margin of margins) {
    const heard = voicesOf(before, movements, margin);
    voices.push(...heard);
    if (heard.length >= ENOUGH) break;
  }
  return mostHeard(voices);
}

function voicesOf(readings: readonly PlacedReading[], movements: readonly Movement[], margin: Margin): Micros[] {
  const voices: Micros[] = [];
  for (const reading of readings) {
    const since = movedSince(reading, movements, margin);
    if (since !== undefined) voices.push(add(reading.amount, sum(since)));
    if (voices.length === READINGS_ASKED) break;
  }
  return voices;
}

/** What moved after a reading; undefined when of some movement nobody can say on which side of it it lies. */
function movedSince(reading: PlacedReading, movements: readonly Movement[], { lagMs, unseenMs }: Margin): Micros[] | undefined {
  const after: Micros[] = [];
  for (const movement of movements) {
    const { amount, knownAt, seq } = movement;
    if (knownAt < reading.beganAt - lagMs) continue;
    // Known before the reading was, by a clock that has been set back since.
    if (seq !== undefined && seq <= (reading.afterSeq ?? 0) && knownAt > reading.endedAt) return undefined;
    if (soonest(movement, unseenMs) < reading.endedAt) return undefined;
    after.push(amount);
  }
  return after;
}

/** The service's clock may be minutes behind ours: what came back did not do so before its purchase was written, whatever it is dated. */
function soonest({ notBefore, knownAt, bookedAt, owedSince }: Movement, unseenMs: number): EpochMs {
  if (notBefore !== undefined) return notBefore;
  return Math.max(owedSince ?? Number.NEGATIVE_INFINITY, Math.min(knownAt, bookedAt ?? knownAt) - unseenMs);
}

function mostHeard(values: readonly Micros[]): Micros | undefined {
  const counts = new Map<Micros, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: Micros | undefined;
  for (const [value, count] of counts) if (count > (counts.get(best ?? value) ?? 0) || best === undefined) best = value;
  return best;
}

export interface ExpectedBalances {
  /** By purchase of unknown outcome: what the balance should be now if it was not debited. */
  expectedBalances(): ReadonlyMap<number, Micros>;
}

/** What is looked at: from a day before the oldest purchase in doubt, at most so many readings from before the newest was written. */
const SINCE_MS = 86_400_000;
const READINGS_MAX = 3_000;

interface ReadingRow {
  readonly amount: Micros;
  readonly began_at: EpochMs;
  readonly ended_at: EpochMs;
  /** The newest evidence that was written before it. */
  readonly after_seq: number | null;
}

interface MovementRow {
  readonly id: number | null;
  readonly amount: Micros;
  readonly not_before: EpochMs | null;
  readonly known_at: EpochMs;
  readonly booked_at: EpochMs | null;
  readonly owed_since: EpochMs | null;
  /** Where it stands in the order of evidence. */
  readonly seq: number | null;
}

const MOVEMENTS = `
  SELECT id, -amount AS amount, created_at AS not_before, accepted_at AS known_at, NULL AS booked_at, NULL AS owed_since, accepted_seq AS seq
    FROM purchases
    WHERE lane = 'live' AND accepted_seq IS NOT NULL AND (accepted_at >= @since OR accepted_seq >= @sinceSeq)
  UNION ALL SELECT NULL, -amount, NULL, first_seen, NULL, NULL, NULL FROM orders WHERE known_as = 'adopted' AND first_seen >= @since
  UNION ALL SELECT NULL, amount, NULL, at, booked_at, (SELECT created_at FROM purchases WHERE id = purchase_id), after_seq + 1
    FROM transactions_used WHERE used_as = 'refund' AND (at >= @since OR after_seq >= @sinceSeq)`;

export function createExpectedBalances(store: Store): ExpectedBalances {
  const doubtful = store.reading<[], { id: number; created_at: EpochMs; seq: number }>(
    `SELECT id, created_at, (SELECT min(seq) FROM evidence WHERE purchase_id = purchases.id) AS seq FROM purchases
      WHERE lane = 'live' AND state = 'unknown' ORDER BY created_at`,
  );
  const readingsSince = store.reading<[EpochMs, number, number], ReadingRow>(
    'SELECT amount, began_at, ended_at, after_seq FROM balances WHERE ended_at >= ? AND coalesce(after_seq, 0) < ? ORDER BY seq DESC LIMIT ?',
  );
  // No reading is added to those before a purchase once it is written: each look asks for the same ones as the last.
  let kept: { readonly since: EpochMs; readonly newestSeq: number; readonly rows: readonly ReadingRow[] } | undefined;
  const rowsBefore = (since: EpochMs, newestSeq: number): readonly ReadingRow[] => {
    if (kept?.since !== since || kept.newestSeq !== newestSeq) {
      kept = { since, newestSeq, rows: inOrder(readingsSince.all(since, newestSeq, READINGS_MAX)) };
    }
    return kept.rows;
  };
  const movementsSince = store.reading<[{ since: EpochMs; sinceSeq: number }], MovementRow>(MOVEMENTS);
  return {
    expectedBalances() {
      const inDoubt = doubtful.all();
      const [oldest] = inDoubt;
      if (oldest === undefined) {
        kept = undefined;
        return new Map();
      }
      const since = oldest.created_at - SINCE_MS;
      const newestSeq = Math.max(...inDoubt.map(({ seq }) => seq));
      const rows = rowsBefore(since, newestSeq);
      const readings = rows.map(readingOf);
      const sinceSeq = rows.at(-1)?.after_seq ?? Number.MAX_SAFE_INTEGER;
      const movements = movementsSince.all({ since, sinceSeq }).map((row) => movementOf(row, rows));
      return new Map(
        inDoubt.flatMap(({ id, created_at, seq }) => {
          const others = movements.filter((one) => one.id !== id);
          // By its place too: one that was read later may seem earlier where the clock was set back.
          const earlier = readings.filter(({ afterSeq = 0 }) => afterSeq < seq);
          const expected = expectedBalance(created_at, earlier, others);
          return expected === undefined ? [] : [[id, expected] as const];
        }),
      );
    },
  };
}

/** Without those that seem older than one kept before them: the clock was set back in between, and nothing can be said of them. */
function inOrder(newestFirst: readonly ReadingRow[]): ReadingRow[] {
  let newest = Number.NEGATIVE_INFINITY;
  const kept = newestFirst.toReversed().filter(({ ended_at }) => {
    if (ended_at <= newest) return false;
    newest = ended_at;
    return true;
  });
  return kept.reverse();
}

/**
 * A movement that became known after a reading was known later than it, whatever its own time says: the clock was set back in
 * between. `readings` are the newest first.
 */
function movementOf(
  { id, amount, not_before, known_at, booked_at, owed_since, seq }: MovementRow,
  readings: readonly ReadingRow[],
): Movement & { readonly id: number | null } {
  const before = seq === null ? undefined : readings.find(({ after_seq }) => after_seq !== null && after_seq < seq);
  const knownAt = Math.max(known_at, before?.ended_at ?? known_at);
  return {
    ...{ id, amount, notBefore: not_before ?? undefined, knownAt, bookedAt: booked_at ?? undefined },
    owedSince: owed_since ?? undefined,
    seq: seq ?? undefined,
  };
}

function readingOf({ amount, began_at, ended_at, after_seq }: ReadingRow): PlacedReading {
  return { amount, beganAt: began_at, endedAt: ended_at, afterSeq: after_seq ?? undefined };
}

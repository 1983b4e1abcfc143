import type { EpochMs } from '../domain/clock.ts';
import { type Lags, latestTime } from '../domain/lag.ts';
import { type Micros, micros, subtract } from '../domain/money.ts';
import { type PurchaseState, committedAmount, isReserved } from '../domain/purchase.ts';
import type { BalanceReading } from '../domain/readings.ts';
import type { Journal } from '../engine/journal.ts';
import { BALANCE_MAX_AGE_MS, type Hold, believedReading, debitsShown, reachBack, spendableReading } from '../risk/balance.ts';
import { netAmount } from '../risk/usage.ts';
import type { Moves } from './moves.ts';
import type { Store } from './store.ts';

/** Readings that are kept, the very first besides; a reading each ten seconds fills this in two days. */
const READINGS_MAX = 20_000;

/** Readings that are asked for at first: more than are ordinarily taken in a minute. */
const READINGS_LATELY = 16;

/** Somebody else whose order was seen within this time may be about still: a fall of the balance may be theirs. */
const OTHERS_ABOUT_MS = 86_400_000;

/** What the money at the service looks like by the reading that may be spent from. */
export interface Funds {
  /** What may be spent: the reading minus every hold. */
  readonly available: Micros;
  /** What the service should show once it has debited everything that is known to be bought. */
  readonly expected: Micros;
  readonly amount: Micros;
}

export interface BalanceQueries {
  /** The newest reading that may be believed; undefined before the first. */
  balance(): BalanceReading | undefined;
  /** The same at the least that was read within the minute before it: what may be spent from. */
  spendable(): BalanceReading | undefined;
  /** Money that the newest reading does not show as gone yet: reserved, or bought and not seen as debited. */
  holds(): readonly Hold[];
}

export interface Balances extends BalanceQueries, Pick<Journal, 'recordBalance'> {
  /** By the reading that may be spent from; undefined when that is older than a minute or from another time. */
  funds(now: EpochMs): Funds | undefined;
}

interface ReadingRow {
  readonly amount: Micros;
  readonly began_at: EpochMs;
  readonly ended_at: EpochMs;
}

interface HoldRow {
  readonly id: number;
  readonly state: PurchaseState;
  readonly held: 0 | 1;
  readonly cost: Micros;
  readonly paid: Micros | null;
  readonly refunded: Micros;
  readonly accepted_at: EpochMs | null;
}

/**
 * Reserved money counts in full. What was bought counts from when that was known (which may be later than the answer) until a
 * reading has shown the debit, less what has come back already.
 */
const HOLDS = `
  SELECT id, state, held, cost, paid, refunded, accepted_at FROM purchases
  WHERE id IN (
    SELECT id FROM purchases WHERE lane = 'live' AND state IN ('intended', 'unknown')
    UNION SELECT id FROM purchases WHERE held = 1
    UNION SELECT id FROM purchases INDEXED BY purchases_undebited WHERE lane = 'live' AND debit_seen = 0 AND state IN ('bought', 'completed', 'refunded')
  )`;

/** The same, summed. */
const HELD = `
  SELECT (SELECT coalesce(sum(cost), 0) FROM purchases WHERE lane = 'live' AND state IN ('intended', 'unknown'))
      + (SELECT coalesce(sum(cost), 0) FROM purchases WHERE held = 1) AS reserved,
    (SELECT coalesce(sum(net), 0) FROM purchases INDEXED BY purchases_undebited
     WHERE lane = 'live' AND debit_seen = 0 AND state IN ('bought', 'completed', 'refunded')) AS undebited`;

export function createBalances(store: Store, moves: Moves, lags: () => Lags): Balances {
  const lately = latelyRead(store, lags);
  const insert = store.writing<[Micros, EpochMs, EpochMs]>(
    'INSERT INTO balances (amount, began_at, ended_at, after_seq) VALUES (?, ?, ?, (SELECT coalesce(max(seq), 0) FROM evidence))',
  );
  const prune = store.writing<[number]>(
    'DELETE FROM balances WHERE seq <= (SELECT max(seq) FROM balances) - ? AND seq > (SELECT min(seq) FROM balances)',
  );
  const held = store.reading<[], { reserved: number; undebited: number }>(HELD);
  const holdRows = store.reading<[], HoldRow>(HOLDS);

  const othersSeen = store.value<[EpochMs], 0 | 1>(
    `SELECT EXISTS (SELECT 1 FROM orders WHERE known_as = 'adopted' AND first_seen >= ?)`,
  );
  const spendable = (): BalanceReading | undefined => spendableReading(lately(), lags());
  const holds = (): Hold[] => holdRows.all().map((row) => holdOf(row, lags()));
  return {
    balance: () => believedReading(lately()),
    spendable,
    holds,
    funds(now) {
      const reading = spendable();
      if (reading === undefined || now < reading.beganAt || now - reading.beganAt > BALANCE_MAX_AGE_MS) return undefined;
      const { reserved = 0, undebited = 0 } = held.get() ?? {};
      const expected = subtract(reading.amount, micros(undebited));
      return { amount: reading.amount, expected, available: subtract(expected, micros(reserved)) };
    },
    recordBalance: (reading) =>
      store.transaction('balance', () => {
        const before = lately();
        const last = before.at(-1);
        if (last !== undefined && isOvertaken(reading, last)) return [];
        insert(reading.amount, reading.beganAt, reading.endedAt);
        prune(READINGS_MAX);
        const isAlone = othersSeen(reading.endedAt - OTHERS_ABOUT_MS) !== 1;
        return debitsShown(before, reading, holds(), isAlone, lags()).map((id) =>
          moves.change(
            moves.mustFind(id),
            { debitSeen: true },
            { kind: 'debit', note: undefined, json: reading },
            reading.endedAt,
          ),
        );
      }),
  };
}

/** The newest readings, oldest first, as many as tell what may be spent from. */
function latelyRead(store: Store, lags: () => Lags): () => readonly BalanceReading[] {
  const newestFirst = store.reading<[number], ReadingRow>(
    'SELECT amount, began_at, ended_at FROM balances ORDER BY seq DESC LIMIT ?',
  );
  const after = store.reading<[number], ReadingRow>('SELECT amount, began_at, ended_at FROM balances WHERE seq > ? ORDER BY seq');
  const newestSeq = store.value<[], number>('SELECT seq FROM balances ORDER BY seq DESC LIMIT 1');
  const read = (known: readonly BalanceReading[]): readonly BalanceReading[] => {
    for (let limit = READINGS_LATELY; ; limit *= 4) {
      const readings = known.length < limit ? newestFirst.all(limit).map(readingOf).reverse() : known.slice(-limit);
      if (readings.length < limit || reachBack(readings, lags())) return readings;
    }
  };
  // Rows of readings never change, and every intent asks: only those that are new are read. Never asked for between the insert of
  // one and its commit, since a place that is rolled back is taken again.
  let kept: { readonly newest: number; readonly readings: readonly BalanceReading[] } | undefined;
  return () => {
    const newest = newestSeq() ?? 0;
    if (kept?.newest === newest) return kept.readings;
    const known = kept === undefined || newest < kept.newest ? [] : [...kept.readings, ...after.all(kept.newest).map(readingOf)];
    kept = { newest, readings: read(known) };
    return kept.readings;
  };
}

function readingOf(row: ReadingRow): BalanceReading {
  return { amount: row.amount, beganAt: row.began_at, endedAt: row.ended_at };
}

function holdOf(row: HoldRow, lags: Lags): Hold {
  const amount = committedAmount({ paid: row.paid ?? undefined, cost: row.cost });
  if (isReserved({ state: row.state, held: row.held === 1 })) return { purchaseId: row.id, amount, answeredAt: undefined };
  const answeredAt = row.accepted_at === null ? undefined : latestTime(row.accepted_at, lags);
  return { purchaseId: row.id, amount: netAmount(amount, row.refunded), answeredAt };
}

/** An answer that was asked for earlier says less. One that seems much earlier comes from a clock that was set back in between. */
function isOvertaken(reading: BalanceReading, previous: BalanceReading): boolean {
  const lead = previous.beganAt - reading.beganAt;
  return lead > 0 && lead <= BALANCE_MAX_AGE_MS;
}

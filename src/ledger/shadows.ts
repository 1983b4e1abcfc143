import type { EpochMs } from '../domain/clock.ts';
import { type Micros, ZERO, micros } from '../domain/money.ts';
import { type Shadow, type ShadowFigures, type ShadowReason, type ShadowSum, shadowReasons } from '../domain/shadow.ts';
import type { Store } from './store.ts';

export interface ShadowQueries {
  /** What became of the listings of these purchases; what was not checked is not in the map. */
  shadowsOf(ids: readonly number[]): ReadonlyMap<number, Shadow>;
  /** Of all purchases on paper that were made since then. */
  shadowFigures(since: EpochMs): ShadowFigures;
}

export interface Shadows extends ShadowQueries {
  /** Keeps what was learnt. What is known of a purchase already stays. */
  keepShadows(shadows: readonly Shadow[]): void;
  /** What is unchecked now was left so by an earlier process, and is unknown. */
  leaveShadows(now: EpochMs): void;
}

interface Row {
  readonly purchase_id: number;
  readonly reason: ShadowReason;
  readonly detail: string | null;
  readonly latency_ms: number | null;
  readonly measured_on: number | null;
  readonly asked_after_ms: number | null;
  readonly at: EpochMs;
}

const COLUMNS = 'purchase_id, reason, detail, latency_ms, measured_on, asked_after_ms, at';

export function createShadowQueries(store: Store): ShadowQueries {
  const some = store.reading<[string], Row>(
    `SELECT ${COLUMNS} FROM shadows WHERE purchase_id IN (SELECT value FROM json_each(?))`,
  );
  const figures = store.reading<[EpochMs], { reason: ShadowReason | null; count: number; amount: Micros }>(
    `SELECT shadows.reason AS reason, count(*) AS count, sum(amount) AS amount
     FROM purchases LEFT JOIN shadows ON shadows.purchase_id = purchases.id
     WHERE lane = 'paper' AND created_at >= ? GROUP BY shadows.reason`,
  );
  return {
    shadowsOf: (ids) =>
      new Map(some.all(JSON.stringify(ids)).flatMap((row) => (isKnown(row.reason) ? [[row.purchase_id, shadowFrom(row)]] : []))),
    shadowFigures(since) {
      const by = new Map<ShadowReason, ShadowSum>();
      let open: ShadowSum = { count: 0, amount: ZERO };
      for (const { reason, count, amount } of figures.all(since)) {
        const sum = { count, amount: micros(amount) };
        if (reason === null) open = sum;
        else if (isKnown(reason)) by.set(reason, sum);
      }
      return { by, open };
    },
  };
}

/** They are kept on the connection that does not wait for the disk: what a power cut costs is unknown at the next start. */
export function createShadows(relaxed: Store): Shadows {
  const insert = relaxed.writing<[number, string, string | null, number | null, number | null, number | null, EpochMs]>(
    `INSERT OR IGNORE INTO shadows (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const leave = relaxed.writing<[EpochMs]>(
    `INSERT INTO shadows (purchase_id, reason, at) SELECT id, 'stopped', ? FROM purchases
     WHERE lane = 'paper' AND id NOT IN (SELECT purchase_id FROM shadows)`,
  );
  return {
    ...createShadowQueries(relaxed),
    keepShadows(shadows) {
      relaxed.transaction('shadows', () => {
        for (const { purchaseId, reason, detail, latency, askedAfterMs, at } of shadows) {
          const { ms = null, measuredOn = null } = latency ?? {};
          insert(purchaseId, reason, detail ?? null, ms, measuredOn ?? null, askedAfterMs ?? null, at);
        }
      });
    },
    leaveShadows: (now) => relaxed.transaction('left-shadows', () => void leave(now)),
  };
}

function isKnown(reason: string): reason is ShadowReason {
  return Object.hasOwn(shadowReasons, reason);
}

function shadowFrom(row: Row): Shadow {
  const { latency_ms: ms, measured_on: measuredOn } = row;
  return {
    purchaseId: row.purchase_id,
    reason: row.reason,
    detail: row.detail ?? undefined,
    latency: ms === null ? undefined : { ms, measuredOn: measuredOn ?? undefined },
    at: row.at,
    askedAfterMs: row.asked_after_ms ?? undefined,
  };
}

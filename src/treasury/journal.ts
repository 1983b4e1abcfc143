import type { EpochMs } from '../domain/clock.ts';
import { type Micros, micros } from '../domain/money.ts';
import type { Connection } from '../ledger/connection.ts';
import { refusalOf } from './decide/caps.ts';
import type { TreasuryPolicy } from './decide/policy.ts';
import type { Intended, Reading } from './decide/step.ts';
import type { TransferRow, TransferState } from './decide/transfer.ts';

/** Who a transfer goes to: exactly one of the two. */
export type Recipient =
  | { readonly email: string; readonly keyId?: undefined }
  | { readonly keyId: string; readonly email?: undefined };

/** A transfer with all that is needed to send it again. */
export interface KeptTransfer extends TransferRow {
  readonly idempotencyKey: string;
  readonly to: Recipient;
  readonly amountCents: number;
  /** Requests that left, or may have left, and were not told to have moved nothing. */
  readonly attempts: number;
  /** When it may be sent again, while it is open. */
  readonly nextAt: EpochMs;
  readonly settledBy: string | undefined;
  readonly requestId: string | undefined;
  /** What was last said of it. */
  readonly said: string | undefined;
}

export interface TreasuryHalt {
  readonly reason: string;
  /** `person`, or `treasury` where it tripped by itself. */
  readonly by: string;
  readonly at: EpochMs;
}

export interface Settling {
  readonly state: Exclude<TransferState, 'open'>;
  readonly by: 'service' | 'person';
  readonly requestId?: string | undefined;
  readonly said?: string | undefined;
}

export type Written = { readonly ok: true; readonly transfer: KeptTransfer } | { readonly ok: false; readonly why: string };

interface Row {
  readonly id: number;
  readonly idempotency_key: string;
  readonly child: string;
  readonly to_email: string | null;
  readonly to_key_id: string | null;
  readonly amount_cents: number;
  readonly state: TransferState;
  readonly attempts: number;
  readonly created_at: EpochMs;
  readonly next_at: EpochMs;
  readonly settled_at: EpochMs | null;
  readonly settled_by: string | null;
  readonly request_id: string | null;
  readonly said: string | null;
}

const STANDING_HALTS = 'SELECT reason, by_whom AS by, at FROM halts WHERE resumed_at IS NULL ORDER BY id';

/**
 * What the treasury has sent and what became of it. A commit is on the disk when a function returns. Every function throws what SQLite
 * throws; whoever may send must then send nothing.
 */
export class TreasuryJournal {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Every open transfer, and those that were settled since a moment, oldest first. */
  transfers(since: EpochMs): readonly KeptTransfer[] {
    const rows = this.#db.prepare<[EpochMs], Row>(
      'SELECT * FROM transfers WHERE settled_at IS NULL OR settled_at >= ? ORDER BY id',
    );
    return rows.all(since).map(kept);
  }

  open(): readonly KeptTransfer[] {
    return this.#db.prepare<[], Row>("SELECT * FROM transfers WHERE state = 'open' ORDER BY id").all().map(kept);
  }

  /** How many transfers there are of each state, and what they come to, whole cents. A state without any is not there. */
  totals(): ReadonlyMap<TransferState, { readonly count: number; readonly cents: number }> {
    const sums = this.#db.prepare<[], { state: TransferState; count: number; cents: number }>(
      'SELECT state, count(*) AS count, sum(amount_cents) AS cents FROM transfers GROUP BY state',
    );
    return new Map(sums.all().map(({ state, count, cents }) => [state, { count, cents }]));
  }

  /** The newest moment that any transfer was written or settled at; undefined: there is none. */
  newestAt(): EpochMs | undefined {
    const newest = this.#db.prepare<[], number | null>('SELECT max(max(created_at, coalesce(settled_at, 0))) FROM transfers');
    return newest.pluck().get() ?? undefined;
  }

  /** undefined: there is no such. */
  transfer(id: number): KeptTransfer | undefined {
    const row = this.#db.prepare<[number], Row>('SELECT * FROM transfers WHERE id = ?').get(id);
    return row && kept(row);
  }

  /**
   * Writes a transfer down before it is sent, with its first attempt counted. Caps, halt and what is open are held against the rows in the
   * same transaction: that answer is the one that counts.
   */
  write(policy: TreasuryPolicy, intended: Intended, to: Recipient, idempotencyKey: string, now: EpochMs): Written {
    return this.#db
      .transaction((): Written => {
        const halt = this.halted();
        // By who gets the money: a child that is called otherwise now is the same in every cap.
        const rows = this.transfers(now - 2 * 86_400_000).map((row) =>
          recipientOf(row.to) === recipientOf(to) ? { ...row, child: intended.child } : row,
        );
        const why = halt === undefined ? refusalOf(policy, intended, rows, now) : `halted: ${halt.reason}`;
        if (why !== undefined) return { ok: false, why };
        const { lastInsertRowid } = this.#db
          .prepare(
            `INSERT INTO transfers (idempotency_key, child, to_email, to_key_id, amount_cents, state, attempts, created_at, next_at)
             VALUES (?, ?, ?, ?, ?, 'open', 1, ?, ?)`,
          )
          .run(
            idempotencyKey,
            intended.child,
            to.email ?? null,
            to.keyId ?? null,
            intended.amount / 10_000,
            whole(now),
            whole(now),
          );
        const transfer = this.transfer(Number(lastInsertRowid));
        if (transfer === undefined) throw new Error('a transfer that was just written is not there');
        return { ok: true, transfer };
      })
      .immediate();
  }

  /** Counts one more attempt of an open transfer, before it leaves. False: it is settled or halted meanwhile, and must not leave. */
  attempting(id: number): boolean {
    return this.#db
      .transaction(() => {
        if (this.halted() !== undefined) return false;
        return (
          this.#db.prepare("UPDATE transfers SET attempts = attempts + 1 WHERE id = ? AND state = 'open'").run(id).changes === 1
        );
      })
      .immediate();
  }

  /** Notes what became of an attempt that settled nothing. `hasLeft` false: it certainly moved nothing, and counts as none. */
  note(
    id: number,
    { said, nextAt, hasLeft }: { readonly said: string; readonly nextAt: EpochMs; readonly hasLeft: boolean },
  ): void {
    this.#db
      .prepare("UPDATE transfers SET said = ?, next_at = ?, attempts = attempts - ? WHERE id = ? AND state = 'open'")
      .run(said, whole(nextAt), hasLeft ? 0 : 1, id);
  }

  /** False: it was settled before. */
  settle(id: number, { state, by, requestId, said }: Settling, now: EpochMs): boolean {
    const update = this.#db.prepare(
      `UPDATE transfers SET state = ?, settled_by = ?, request_id = ?, said = coalesce(?, said), settled_at = max(?, created_at)
       WHERE id = ? AND state = 'open'`,
    );
    return update.run(state, by, requestId ?? null, said ?? null, whole(now), id).changes === 1;
  }

  /** The first cause of those that stand; undefined: none. */
  halted(): TreasuryHalt | undefined {
    return this.#db.prepare<[], TreasuryHalt>(`${STANDING_HALTS} LIMIT 1`).get();
  }

  /** Every halt that stands, the first cause first. A resume ends them all. */
  halts(): readonly TreasuryHalt[] {
    return this.#db.prepare<[], TreasuryHalt>(STANDING_HALTS).all();
  }

  halt(reason: string, by: 'person' | 'treasury', now: EpochMs): void {
    this.#db
      .transaction(() => {
        const same = this.#db
          .prepare('SELECT 1 FROM halts WHERE resumed_at IS NULL AND reason = ? AND by_whom = ?')
          .get(reason, by);
        if (same === undefined)
          this.#db.prepare('INSERT INTO halts (reason, by_whom, at) VALUES (?, ?, ?)').run(reason, by, whole(now));
      })
      .immediate();
  }

  /** Ends every halt that stands. What the top-level balance was before counts no more: a person has looked. */
  resume(now: EpochMs): void {
    this.#db
      .transaction(() => {
        this.#db.prepare('UPDATE halts SET resumed_at = ? WHERE resumed_at IS NULL').run(whole(now));
        this.#db.prepare("DELETE FROM facts WHERE name = 'top'").run();
      })
      .immediate();
  }

  /** What was learnt of an account: `partner`, `child NAME`. */
  fact(name: string): string | undefined {
    return this.#db.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck().get(name);
  }

  learn(name: string, value: string): void {
    this.#db
      .prepare('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
      .run(name, value);
  }

  /** The last reading of the top-level balance; undefined: none since the last resume. */
  topReading(): Reading | undefined {
    const text = this.fact('top');
    if (text === undefined) return undefined;
    const { balance, askedAt } = JSON.parse(text) as { readonly balance: number; readonly askedAt: EpochMs };
    return { balance: micros(balance), askedAt };
  }

  keepTopReading({ balance, askedAt }: Reading): void {
    this.learn('top', JSON.stringify({ balance, askedAt }));
  }

  close(): void {
    this.#db.close();
  }
}

/** Who it is, whatever it is called. */
export function recipientOf({ email, keyId }: Recipient): string {
  return (email ?? keyId).toLowerCase();
}

/** The clock tells fractions of a millisecond; later rather than sooner, so that nothing counts too short. */
function whole(at: EpochMs): EpochMs {
  return Math.ceil(at);
}

function kept(row: Row): KeptTransfer {
  const { id, child, state, attempts } = row;
  return {
    ...{ id, child, state, attempts },
    amount: amountOf(row.amount_cents),
    amountCents: row.amount_cents,
    idempotencyKey: row.idempotency_key,
    to: row.to_email === null ? { keyId: row.to_key_id ?? '' } : { email: row.to_email },
    createdAt: row.created_at,
    nextAt: row.next_at,
    settledAt: row.settled_at ?? undefined,
    settledBy: row.settled_by ?? undefined,
    requestId: row.request_id ?? undefined,
    said: row.said ?? undefined,
  };
}

function amountOf(cents: number): Micros {
  return micros(cents * 10_000);
}

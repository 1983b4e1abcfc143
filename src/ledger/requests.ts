import type { EpochMs } from '../domain/clock.ts';
import type { Store } from './store.ts';

export type RequestKind = 'buy' | 'reconcile' | 'audit';

/** What another command asks the daemon to do. */
export interface DaemonRequest {
  readonly id: number;
  readonly kind: RequestKind;
  /** As it was asked, from JSON. */
  readonly args: unknown;
  readonly at: EpochMs;
}

export type RequestState =
  | { /** Nobody has taken it up. */ readonly kind: 'waiting' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'answered'; /** From JSON. */ readonly answer: unknown }
  | { readonly kind: 'missing' };

/** Requests between a command and the daemon of the same data folder; each is taken up once, if at all. */
export interface Requests {
  /** For the command: asks. Returns the number to wait for. */
  ask(kind: RequestKind, args: unknown, now: EpochMs): number;
  requestState(id: number): RequestState;
  /** For the command that waits no longer: takes the request back. False when the daemon has taken it up already. */
  withdraw(id: number, now: EpochMs): boolean;
  /**
   * For the daemon: takes up the oldest request that waits, if any. One that is older than `maxAgeMs` is answered with an error
   * instead: whoever asked has gone, and a purchase an hour later is nobody's wish. So is one from as far ahead: its clock was set since, and
   * nobody knows how old it is. `now` by the machine's clock, as whoever asks has it.
   */
  takeUp(now: EpochMs, maxAgeMs: number): DaemonRequest | undefined;
  answer(id: number, answer: unknown, now: EpochMs): void;
  /** For the daemon, at start: what an earlier process took up and never answered is answered with an error, not done again. */
  abandonRequests(now: EpochMs): number;
}

/** Requests that are kept. */
const REQUESTS_MAX = 10_000;

interface RequestRow {
  readonly id: number;
  readonly kind: RequestKind;
  readonly args: string;
  readonly at: EpochMs;
}

export function createRequests(store: Store): Requests {
  const insert = store.writing<[string, string, EpochMs]>('INSERT INTO requests (kind, args, at) VALUES (?, ?, ?)');
  const prune = store.writing<[number]>('DELETE FROM requests WHERE id <= (SELECT max(id) FROM requests) - ?');
  const oldest = store.reading<[], RequestRow>(
    'SELECT id, kind, args, at FROM requests WHERE answer IS NULL AND claimed_at IS NULL ORDER BY id LIMIT 1',
  );
  const claim = store.writing<[EpochMs, number]>(
    'UPDATE requests SET claimed_at = ? WHERE id = ? AND claimed_at IS NULL AND answer IS NULL',
  );
  const close = store.writing<[string, EpochMs, number]>(
    'UPDATE requests SET answer = ?, answered_at = ? WHERE id = ? AND answer IS NULL',
  );
  const abandon = store.writing<[string, EpochMs]>(
    'UPDATE requests SET answer = ?, answered_at = ? WHERE answer IS NULL AND claimed_at IS NOT NULL',
  );
  const drop = store.writing<[string, EpochMs, number]>(
    'UPDATE requests SET answer = ?, answered_at = ? WHERE id = ? AND answer IS NULL AND claimed_at IS NULL',
  );
  const failure = (error: string): string => JSON.stringify({ ok: false, error });
  const takeOne = (now: EpochMs, maxAgeMs: number): DaemonRequest | undefined => {
    for (let row = oldest.get(); row; row = oldest.get()) {
      if (Math.abs(now - row.at) > maxAgeMs) close(failure('no daemon took it up in time'), now, row.id);
      else {
        claim(now, row.id);
        return { id: row.id, kind: row.kind, args: JSON.parse(row.args) as unknown, at: row.at };
      }
    }
    return undefined;
  };
  return {
    ask: (kind, args, now) =>
      store.transaction('ask', () => {
        const { lastInsertRowid } = insert(kind, JSON.stringify(args ?? null), now);
        prune(REQUESTS_MAX);
        return Number(lastInsertRowid);
      }),
    requestState: createStateQuery(store),
    withdraw: (id, now) => store.transaction('withdraw', () => drop(failure('withdrawn'), now, id).changes > 0),
    takeUp: (now, maxAgeMs) => (oldest.get() ? store.transaction('take-up', () => takeOne(now, maxAgeMs)) : undefined),
    answer: (id, answer, now) => store.transaction('answer', () => void close(JSON.stringify(answer ?? null), now, id)),
    abandonRequests: (now) =>
      store.transaction(
        'abandon',
        () => abandon(failure('Magpie stopped before it was done: see `magpie purchases`'), now).changes,
      ),
  };
}

function createStateQuery(store: Store): Requests['requestState'] {
  const select = store.reading<[number], { claimed_at: EpochMs | null; answer: string | null }>(
    'SELECT claimed_at, answer FROM requests WHERE id = ?',
  );
  return (id) => {
    const row = select.get(id);
    if (!row) return { kind: 'missing' };
    if (row.answer !== null) return { kind: 'answered', answer: JSON.parse(row.answer) as unknown };
    return { kind: row.claimed_at === null ? 'waiting' : 'taken' };
  };
}

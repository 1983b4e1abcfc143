import type { Purchase } from '../../domain/purchase.ts';
import type { Attempt } from '../inputs.ts';

/** What became of our own live purchases while it was recorded. */
export interface OwnPast {
  /** Live ones that were followed to their end. */
  readonly completed: number;
  readonly refunded: number;
  /** Requests that were answered: bought, lost to somebody (gone or repriced), refused for another reason. */
  readonly won: number;
  readonly lost: number;
  readonly refused: number;
}

type Row = Pick<Purchase, 'id' | 'lane' | 'state'>;

/** Gathers it from what the engine was told of. */
export class OwnPastReader {
  readonly #states = new Map<string, Purchase['state']>();
  readonly attempts: Attempt[] = [];

  /** `recording` tells apart the ledgers of several. */
  event(recording: string, value: unknown): void {
    const { type, purchases } = (value ?? {}) as { type?: unknown; purchases?: unknown };
    if (type !== 'purchases' || !Array.isArray(purchases)) return;
    for (const row of purchases as Partial<Row>[]) {
      if (row?.lane === 'live' && typeof row.id === 'number' && row.state !== undefined)
        this.#states.set(`${recording}:${row.id}`, row.state);
    }
  }

  attempt(value: unknown): void {
    const attempt = value as Partial<Attempt> | null;
    if (attempt?.lane === 'live' && attempt.timings !== undefined && typeof attempt.listingId === 'string')
      this.attempts.push(attempt as Attempt);
  }

  get past(): OwnPast {
    const states = [...this.#states.values()];
    const count = (state: Purchase['state']): number => states.filter((each) => each === state).length;
    const kinds = this.attempts.map(({ outcome }) => outcome);
    const lost = kinds.filter((outcome) => outcome?.kind === 'refused' && isLoss(outcome.cause)).length;
    return {
      completed: count('completed'),
      refunded: count('refunded'),
      won: kinds.filter((outcome) => outcome?.kind === 'bought').length,
      lost,
      refused: kinds.filter((outcome) => outcome?.kind === 'refused').length - lost,
    };
  }
}

/** Somebody was faster, or the seller moved the price. */
export function isLoss(cause: string): boolean {
  return cause === 'gone' || cause === 'repriced';
}

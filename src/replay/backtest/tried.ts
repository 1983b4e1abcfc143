import type { EpochMs } from '../../domain/clock.ts';
import { type ListingKey, listingKey } from '../../domain/listing.ts';
import type { Attempt } from '../inputs.ts';
import { isLoss } from './own-past.ts';

/** A live buy of ours that was answered. lost: somebody was faster, or the price moved. failed: refused for another reason. */
export interface Tried {
  readonly key: ListingKey;
  readonly strategy: string;
  /** When it was last seen before it was decided on. */
  readonly seenAt: EpochMs;
  readonly decidedAt: EpochMs;
  readonly answeredAt: EpochMs;
  readonly result: 'won' | 'lost' | 'failed';
}

/** What a recording tells of our own live buys, oldest first: those that were answered, and clearly. */
export function triedIn(attempts: readonly Attempt[]): readonly Tried[] {
  return attempts
    .flatMap(({ market, listingId, strategy, timings, outcome }): Tried[] => {
      const { seenAt, decidedAt, answeredAt } = timings;
      const result = resultOf(outcome);
      if (result === undefined || answeredAt === undefined) return [];
      return [{ key: listingKey(market, listingId), strategy, seenAt, decidedAt, answeredAt, result }];
    })
    .toSorted((a, b) => a.decidedAt - b.decidedAt);
}

function resultOf(outcome: Attempt['outcome']): Tried['result'] | undefined {
  if (outcome?.kind === 'bought') return 'won';
  if (outcome?.kind !== 'refused') return undefined;
  return isLoss(outcome.cause) ? 'lost' : 'failed';
}

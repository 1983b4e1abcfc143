import type { EpochMs } from './clock.ts';
import type { Micros } from './money.ts';
import type { Lane } from './purchase.ts';
import type { ReasonCode } from './reason.ts';

/** What was decided about one match of a listing and a strategy, kept so that a person can ask why. */
export interface Decision {
  readonly at: EpochMs;
  readonly lane: Lane;
  readonly market: string;
  readonly listingId: string;
  readonly marketHashName: string;
  readonly strategy: string;
  readonly strategyHash: string;
  readonly cost: Micros;
  readonly verdict: 'admitted' | 'refused';
  /** undefined when admitted. */
  readonly reason: ReasonCode | undefined;
  /** The figures behind the reason, in words: "spend in the last 24 h $480.00 + $25.00 > $500.00". */
  readonly detail: string | undefined;
}

import type { Alert } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Decision } from '../domain/decision.ts';
import type { Refusal } from '../risk/caps.ts';
import type { Approved, Intent } from '../risk/intent.ts';

/** What is to be done outside, in this order. Only `buy` and `simulate` come near money, and both need an approved intent. */
export type Effect =
  | {
      /** Journal, then send, as one: the permit is held, the row is committed, the request leaves. */
      readonly type: 'buy';
      readonly intent: Approved<Intent>;
      readonly requestId: number | undefined;
    }
  | {
      /** Written as simulated; nothing leaves. */ readonly type: 'simulate';
      readonly intent: Approved<Intent>;
      readonly requestId: number | undefined;
    }
  | { readonly type: 'decide'; readonly decisions: readonly Decision[] }
  | { readonly type: 'halt'; readonly reason: string; readonly by: string }
  | { readonly type: 'alert'; readonly alert: Alert }
  | {
      /** A purchase by hand was not admitted. */ readonly type: 'refuse-by-hand';
      readonly requestId: number;
      readonly refusal: Refusal;
    }
  | {
      /** Live offers that matched in the hour that began then, for what is usual. */ readonly type: 'count-matches';
      readonly hour: EpochMs;
      readonly matches: number;
    };

import type { FaultCause } from './fault.ts';

/** What one buy request came to. A union holds only what is legal in that case. */
export type BuyOutcome =
  | {
      readonly kind: 'bought';
      readonly serviceOrderId: string;
      readonly upstreamOrderId: string | undefined;
      /** The order result's own status, SUCCESS or otherwise. */
      readonly orderStatus: string;
      readonly message: string | undefined;
      /** What the answer says was bought differs from what was asked for, in words; undefined when it agrees or says nothing. */
      readonly mismatch: string | undefined;
      readonly requestId: string | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly cause: FaultCause;
      readonly status: number;
      readonly code: string | undefined;
      readonly message: string;
      readonly requestId: string | undefined;
      /** Milliseconds the service asked us to wait; undefined when it did not. */
      readonly retryAfterMs: number | undefined;
    }
  | {
      readonly kind: 'unknown';
      readonly cause: FaultCause;
      readonly message: string;
      readonly status: number | undefined;
      /** An order reference that alone proves nothing, kept for matching. */
      readonly upstreamOrderId: string | undefined;
      readonly requestId: string | undefined;
    }
  | {
      /** The headers provably never left. */
      readonly kind: 'unsent';
      readonly cause: FaultCause;
      readonly message: string;
    };

/** When each stage of a purchase passed, steady epoch milliseconds with a fraction; undefined when it was not reached. */
export interface Timings {
  /** The bytes that show the listing had been received. */
  readonly seenAt: number;
  /** It was judged, had its turn, and was handed on to be written. */
  readonly decidedAt: number;
  /** Its row was on the disk; kept with the outcome. */
  readonly committedAt: number | undefined;
  /** The headers of its request left. */
  readonly sentAt: number | undefined;
  /** The last byte of the answer was there. */
  readonly answeredAt: number | undefined;
}

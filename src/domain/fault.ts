/**
 * A failure of the outside world, as a value.
 * refused: the service said no, whole and readable. transient: nothing is known, asking again later may help.
 * unknown: a request that changes something may or may not have taken effect.
 */
export type FaultClass = 'refused' | 'transient' | 'unknown';

/** What a refusal or failure was about, as far as its status, code and words tell. */
export type FaultCause =
  | 'gone' // the listing is not there any more
  | 'repriced' // the price is not the one we sent
  | 'funds' // our balance does not allow it
  | 'owner' // a person must act: trade URL, restricted account
  | 'key' // the key is missing, wrong or may not do this
  | 'rate' // too many requests
  | 'ban' // a 403 that is not about this request
  | 'request' // the service calls our request wrong
  | 'service' // 5xx and the like
  | 'timeout'
  | 'connection'
  | 'unreadable' // not JSON, cut off, too large, wrong type, wrong schema
  | 'redirect'
  | 'stale' // an old answer given again, by a cache on the way
  | 'other';

export interface Fault {
  readonly class: FaultClass;
  readonly cause: FaultCause;
  /** Whether the request's headers may have left this machine. */
  readonly sent: boolean;
  readonly status: number | undefined;
  /** The service's own code and words, cleaned and cut; undefined when it gave none. */
  readonly code: string | undefined;
  readonly message: string;
  readonly requestId: string | undefined;
  /** Milliseconds the service asked us to wait, clamped; undefined when it did not. */
  readonly retryAfterMs: number | undefined;
}

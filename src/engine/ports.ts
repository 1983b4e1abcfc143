import type { BodyOf, DataOf, QueryOf, ReadingName } from '../api/endpoints.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Fault } from '../domain/fault.ts';
import type { BuyOutcome } from '../domain/outcome.ts';

/** What goes on the wire for one purchase: id, market and price travel as one immutable value. */
export interface BuyOrder {
  readonly listingId: string;
  readonly itemId: string;
  readonly market: string;
  /** Base price in dollars, exactly as received in the listing. */
  readonly price: number;
}

/** How a request went on the wire, steady epoch milliseconds; undefined for what did not happen. */
export interface WireTimes {
  readonly sentAt: EpochMs | undefined;
  readonly answeredAt: EpochMs | undefined;
}

/** Where a purchase is sent. It is asked once for each purchase and never repeats anything by itself. */
export interface Venue {
  /**
   * Never rejects. `late` is called at most once, when an answer arrives after the outcome was already given as unknown:
   * the socket is read on for a minute, since a late answer is evidence.
   */
  buy(order: BuyOrder, late: (outcome: BuyOutcome) => void): Promise<{ outcome: BuyOutcome; times: WireTimes }>;
}

/** Leave to send one buy now. Between `take` and `begin` it may be held for as long as nothing is worth buying. */
export interface Permit {
  /** The request is about to leave: the spacing to the next permit counts from here. */
  begin(): void;
  /** The request has an outcome (or will never leave): frees the slot. Calling it twice does nothing. */
  done(): void;
}

/** Holds the rate of buys: in any window of w seconds at most perSecond × w + 1 of them begin. */
export interface Permits {
  /** Resolves when a buy may leave; rejects only with the signal's reason. */
  take(signal: AbortSignal): Promise<Permit>;
}

export type ReadName = ReadingName;

export interface ReadRequest<N extends ReadName> {
  /**
   * For the live listings: called while their answer still arrives, whenever more of them have come whole, with the answer as it would be
   * had it ended there. It may be called never, and what ends up as a failure may have begun well. It must not throw.
   */
  readonly early?: (reply: EarlyReply<DataOf<N>>) => void;
  readonly query?: QueryOf<N>;
  readonly body?: BodyOf<N>;
  readonly signal?: AbortSignal;
  /** Reconciling goes before polling; polling before what can wait. */
  readonly urgency?: 'reconcile' | 'poll' | 'spare';
  /** Ask with the top-level key (market health) instead of the account's. */
  readonly key?: 'account' | 'partner';
}

interface Times {
  /**
   * When the request left the limiter, steady epoch milliseconds; earlier where the answer lay in a cache before that. What has
   * happened since may be missing in it.
   */
  readonly beganAt: EpochMs;
  readonly endedAt: EpochMs;
}

export type Reply<T> =
  | (Times & {
      readonly ok: true;
      readonly data: T;
      readonly status: number;
      readonly requestId: string | undefined;
      /** The answer's Date header, epoch milliseconds; undefined when missing or no date. */
      readonly serviceDate: EpochMs | undefined;
      /** How long the answer says that it lay in caches on its way, milliseconds; missing: nothing is said. */
      readonly ageMs?: number;
      /** Size of the decoded body in bytes. */
      readonly bytes: number;
      /** When its last byte was there, which is before it was read; missing: not known. */
      readonly receivedAt?: EpochMs;
    })
  | (Times & { readonly ok: false; readonly fault: Fault });

/** An answer that still arrives: `endedAt` is now, and the same list in its data grows from call to call. */
export type EarlyReply<T> = Extract<Reply<T>, { ok: true }>;

/** The partner API's reading side. Never rejects: the outside world's failures are values. */
export interface Service {
  read<N extends ReadName>(name: N, request?: ReadRequest<N>): Promise<Reply<DataOf<N>>>;
}

type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Logging never throws and never waits. `event` is a short constant; what varies goes into fields. */
export interface Log {
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
}

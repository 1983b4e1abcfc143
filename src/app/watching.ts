import { Observable, type Subscription, concatMap, from, map, merge, take } from 'rxjs';
import type { Clock } from '../domain/clock.ts';
import type { HealthMissing, HealthReading } from '../domain/readings.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { StandingListing } from '../engine/event.ts';
import type { Service } from '../engine/ports.ts';
import type { EarlyChange, PollResult } from '../engine/snapshot.ts';
import type { BalanceAnswer } from '../engine/balance-answer.ts';
import type { Micros } from '../domain/money.ts';
import type { Watched, Watchlist } from '../feed/watchlist.ts';
import { BALANCE_INTERVAL_MS, type Parse, watchBalance, watchHealth, watchListings } from '../feed/watch.ts';

/** What the service was heard to say. */
export type Heard =
  | { readonly of: 'listings'; readonly poll: PollResult }
  | { readonly of: 'early'; readonly change: EarlyChange }
  | { readonly of: 'watched'; readonly watched: Watched }
  | { readonly of: 'health'; readonly health: HealthReading | HealthMissing }
  | { readonly of: 'balance'; readonly answer: BalanceAnswer };

/** Somebody who reads listings and health for several. */
export interface MarketSource {
  listings(onEarly: (change: EarlyChange) => void): Observable<PollResult>;
  health(): Observable<HealthReading | HealthMissing>;
  /** What the answers that have ended show: the same for all, so that a thousand need not keep it a thousand times. */
  readonly shown: ReadonlyMap<ListingKey, StandingListing>;
}

/** How listings and health are asked for. */
export interface MarketReading {
  readonly service: Service;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly healthIntervalMs: number;
  readonly parse: Parse;
  /** Whether anybody wants to know of the health. */
  readonly health: boolean;
}

export interface WatchingOptions extends MarketReading {
  /** Given: the listings are polled only once, when this resolves. Otherwise at once, and on and on. */
  readonly onceAfter: Promise<void> | undefined;
  /** Items that are looked at beside the live listings; not where those are polled only once. */
  readonly watchlist?: Watchlist | undefined;
  /** What costs more is wanted by nobody now; undefined, or left out: nobody can tell. */
  readonly costMax?: () => Micros | undefined;
  /** Who reads listings and health; left out: they are asked for here. */
  readonly market?: MarketSource | undefined;
}

/** Everything that is polled, each at its own pace, as one stream that neither ends nor errs. */
export function watching(options: WatchingOptions): Observable<Heard> {
  const { service, clock, healthIntervalMs } = options;
  const streams: Observable<Heard>[] = [
    watchBalance({ service, clock, intervalMs: BALANCE_INTERVAL_MS }).pipe(map((answer): Heard => ({ of: 'balance', answer }))),
  ];
  if (options.health) {
    const heard = options.market?.health() ?? watchHealth({ service, clock, intervalMs: healthIntervalMs });
    streams.push(heard.pipe(map((health): Heard => ({ of: 'health', health }))));
  }
  const { watchlist, costMax = () => undefined, onceAfter } = options;
  if (watchlist !== undefined && onceAfter === undefined) {
    streams.push(watchlist.watch(service, costMax).pipe(map((watched): Heard => ({ of: 'watched', watched }))));
  }
  // Last, so that what a listing is judged by has been asked for before it.
  streams.push(listings(options));
  return merge(...streams);
}

/** What an answer shows before its end comes before the answer. */
function listings({ service, clock, intervalMs, parse, onceAfter, market }: WatchingOptions): Observable<Heard> {
  return new Observable((listener) => {
    const onEarly = (change: EarlyChange): void => listener.next({ of: 'early', change });
    const polls = market?.listings(onEarly) ?? watchListings({ service, clock, intervalMs, parse, onEarly });
    const asked = onceAfter === undefined ? polls : from(onceAfter).pipe(concatMap(() => polls.pipe(take(1))));
    listener.add(asked.pipe(map((poll): Heard => ({ of: 'listings', poll }))).subscribe(listener));
  });
}

/** Ends a subscription when the signal is aborted. */
export function until(signal: AbortSignal, subscription: Pick<Subscription, 'unsubscribe'>): void {
  if (signal.aborted) subscription.unsubscribe();
  else signal.addEventListener('abort', () => subscription.unsubscribe(), { once: true });
}

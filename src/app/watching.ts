import { Observable, type Subscription, concatMap, from, map, merge, take } from 'rxjs';
import type { Clock } from '../domain/clock.ts';
import type { HealthMissing, HealthReading } from '../domain/readings.ts';
import type { Service } from '../engine/ports.ts';
import type { EarlyChange, PollResult } from '../engine/snapshot.ts';
import type { BalanceAnswer } from '../engine/balance-answer.ts';
import { BALANCE_INTERVAL_MS, type Parse, watchBalance, watchHealth, watchListings } from '../feed/watch.ts';

/** What the service was heard to say. */
export type Heard =
  | { readonly of: 'listings'; readonly poll: PollResult }
  | { readonly of: 'early'; readonly change: EarlyChange }
  | { readonly of: 'health'; readonly health: HealthReading | HealthMissing }
  | { readonly of: 'balance'; readonly answer: BalanceAnswer };

export interface WatchingOptions {
  readonly service: Service;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly healthIntervalMs: number;
  readonly parse: Parse;
  /** Whether anybody wants to know of the health. */
  readonly health: boolean;
  /** Given: the listings are polled only once, when this resolves. Otherwise at once, and on and on. */
  readonly onceAfter: Promise<void> | undefined;
}

/** Everything that is polled, each at its own pace, as one stream that neither ends nor errs. */
export function watching(options: WatchingOptions): Observable<Heard> {
  const { service, clock, healthIntervalMs } = options;
  const streams: Observable<Heard>[] = [
    watchBalance({ service, clock, intervalMs: BALANCE_INTERVAL_MS }).pipe(map((answer): Heard => ({ of: 'balance', answer }))),
  ];
  if (options.health) {
    streams.push(
      watchHealth({ service, clock, intervalMs: healthIntervalMs }).pipe(map((health): Heard => ({ of: 'health', health }))),
    );
  }
  // Last, so that what a listing is judged by has been asked for before it.
  streams.push(listings(options));
  return merge(...streams);
}

/** What an answer shows before its end comes before the answer. */
function listings({ service, clock, intervalMs, parse, onceAfter }: WatchingOptions): Observable<Heard> {
  return new Observable((listener) => {
    const onEarly = (change: EarlyChange): void => listener.next({ of: 'early', change });
    const polls = watchListings({ service, clock, intervalMs, parse, onEarly });
    const asked = onceAfter === undefined ? polls : from(onceAfter).pipe(concatMap(() => polls.pipe(take(1))));
    listener.add(asked.pipe(map((poll): Heard => ({ of: 'listings', poll }))).subscribe(listener));
  });
}

/** Ends a subscription when the signal is aborted. */
export function until(signal: AbortSignal, subscription: Subscription): void {
  if (signal.aborted) subscription.unsubscribe();
  else signal.addEventListener('abort', () => subscription.unsubscribe(), { once: true });
}

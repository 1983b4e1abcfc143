import { AsyncLocalStorage } from 'node:async_hooks';
import { Observable } from 'rxjs';
import type { MarketSource } from '../watching.ts';

/** Told of what somebody's work has left unhandled. */
type OnRejection = (error: unknown) => void;

/**
 * Whose work a promise belongs to that nobody handles: without it one account's forgotten rejection would end the process, and all others
 * with it. What is nobody's ends the process as ever.
 */
export class Rejections {
  readonly #whose = new AsyncLocalStorage<OnRejection>();
  readonly #listener = (error: unknown): void => this.heard(error);

  /** Does work, and whatever comes of it later, in the name of somebody who is told what it leaves unhandled. */
  of<T>(onRejection: OnRejection, work: () => T): T {
    return this.#whose.run(onRejection, work);
  }

  /** Takes the rejections of this process until the returned function is called. */
  listen(): () => void {
    process.on('unhandledRejection', this.#listener);
    return () => process.off('unhandledRejection', this.#listener);
  }

  /** Node calls it in the context of the promise. Throws what is nobody's. */
  heard(error: unknown): void {
    const onRejection = this.#whose.getStore();
    if (onRejection === undefined) throw error;
    onRejection(error);
  }
}

/** Runs work in somebody's name. */
export type InName = <T>(work: () => T) => T;

/** The same market, of which whoever listens hears in a name of its own, whoever tells. */
export function heardInName(market: MarketSource, inName: InName): MarketSource {
  return {
    listings: (onEarly) =>
      toldInName(
        market.listings((change) => inName(() => onEarly(change))),
        inName,
      ),
    health: () => toldInName(market.health(), inName),
    shown: market.shown,
  };
}

function toldInName<T>(source: Observable<T>, inName: InName): Observable<T> {
  return new Observable((listener) =>
    source.subscribe({
      next: (value) => inName(() => listener.next(value)),
      error: (error) => listener.error(error),
      complete: () => listener.complete(),
    }),
  );
}

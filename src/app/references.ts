import type { Clock } from '../domain/clock.ts';
import type { StandingListing } from '../engine/event.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { FallPolicy } from '../risk/market-fall.ts';
import type { Bell } from './bell.ts';
import type { Posted } from './engine-loop.ts';
import { FallWatch } from './fall-watch.ts';
import type { JournalGuard } from './journal-guard.ts';
import { ReferenceBook } from './reference-book.ts';

/** What is kept of prices, and what pauses buying when all of them fall. */
export interface ReferenceKeeping {
  /** So many past days count, and are kept. */
  readonly days: number;
  /** undefined: a fall of the market pauses nothing. */
  readonly fall: FallPolicy | undefined;
}

export interface ReferencesOptions extends ReferenceKeeping {
  readonly clock: Clock;
  readonly bell: Bell;
  readonly ledger: Ledger;
  readonly journal: Pick<JournalGuard, 'attempt'>;
  readonly post: (event: Posted) => void;
  /** The listings as the newest answers show them. */
  readonly shelf: ReadonlyMap<unknown, StandingListing>;
  readonly facts: { readonly lastCompleteAt: number | undefined };
}

/** Our own record of prices beside the bot: warm from disk at the start, and fed by what the answers have shown. */
export class References {
  readonly #book: ReferenceBook;
  readonly #fall: FallWatch;

  constructor({ shelf, facts, journal, ...options }: ReferencesOptions) {
    const attempt = <T>(work: () => T): T | undefined => journal.attempt(work);
    const fall = new FallWatch({ ...options, attempt, policy: options.fall });
    this.#fall = fall;
    this.#book = new ReferenceBook({
      ...options,
      attempt,
      shelf: () => shelf.values(),
      lastCompleteAt: () => facts.lastCompleteAt,
      onMeasured: (worst, at) => fall.measured(worst, at),
    });
  }

  start(): void {
    this.#book.start();
    this.#fall.start();
  }

  tick(): void {
    this.#book.tick();
    this.#fall.tick();
  }
}

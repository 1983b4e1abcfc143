import type { Clock, EpochMs } from '../domain/clock.ts';
import type { ReferenceRecord } from '../domain/reference.ts';
import type { StandingListing } from '../engine/event.ts';
import type { NamedRecord } from '../engine/references.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NamedSamples } from '../ledger/references.ts';
import type { FallPolicy, MarketMeasure } from '../risk/market-fall.ts';
import type { Bell } from './bell.ts';
import type { Posted } from './engine-loop.ts';
import { FallWatch } from './fall-watch.ts';
import type { JournalGuard } from './journal-guard.ts';
import { ReferenceBook } from './reference-book.ts';
import type { StartGate } from './start-gate.ts';
import { until } from './watching.ts';

/** What is kept of prices, and what pauses buying when all of them fall. */
export interface ReferenceKeeping {
  /** So many past days count, and are kept. */
  readonly days: number;
  /** undefined: a fall of the market pauses nothing. */
  readonly fall: FallPolicy | undefined;
  /** Who keeps the record for this account and others; left out: it is kept here. */
  readonly prices?: PriceSource | undefined;
}

/** Somebody who keeps the record of prices for several. */
export interface PriceSource {
  /** Tells of what is known at once, and of what is new until the returned function is called. */
  join(listener: PriceListener): () => void;
}

export interface PriceListener {
  /** These are others from now on; `all`, the very same value each time, is every record as it is by now. */
  records(records: readonly NamedRecord[], all: ReadonlyMap<string, ReferenceRecord>): void;
  /** The market was measured; true: the next answer is to be measured too. */
  measured(worst: MarketMeasure['worst'], at: EpochMs): boolean;
  /** The service has borne out the clock, as far as this one was told. */
  isTimeKnown(): boolean;
  /** What it has kept by itself before, of days from the first to the last. */
  kept(firstDay: number, lastDay: number): Iterable<NamedSamples>;
}

export interface ReferencesOptions extends ReferenceKeeping {
  readonly clock: Clock;
  readonly bell: Bell;
  readonly ledger: Ledger;
  readonly journal: Pick<JournalGuard, 'attempt'>;
  readonly post: (event: Posted) => void;
  /** Does what is told from outside, and tells what it fails with to whom it concerns. */
  readonly guard: (work: () => void) => void;
  /** The listings as the newest answers show them. */
  readonly shelf: ReadonlyMap<unknown, StandingListing>;
  readonly facts: { readonly lastCompleteAt: number | undefined };
  readonly gate: Pick<StartGate, 'isTimeKnown'>;
}

/** Our own record of prices beside the bot: warm from disk at the start, and fed by what the answers have shown. */
export class References {
  readonly #book: ReferenceBook | undefined;
  readonly #fall: FallWatch;
  readonly #options: Pick<ReferencesOptions, 'prices' | 'post' | 'guard' | 'ledger' | 'gate'>;

  constructor({ shelf, facts, journal, ...options }: ReferencesOptions) {
    this.#options = options;
    const attempt = <T>(work: () => T): T | undefined => journal.attempt(work);
    const fall = new FallWatch({ ...options, attempt, policy: options.fall });
    this.#fall = fall;
    if (options.prices !== undefined) return;
    this.#book = new ReferenceBook({
      ...options,
      attempt,
      tell: (records) => options.post({ type: 'references', records }),
      shelf: () => shelf.values(),
      lastCompleteAt: () => facts.lastCompleteAt,
      isTimeKnown: () => options.gate.isTimeKnown,
      onMeasured: (worst, at) => fall.measured(worst, at),
    });
  }

  start(signal: AbortSignal): void {
    this.#book?.start();
    this.#fall.start();
    const { prices } = this.#options;
    if (prices === undefined) return;
    const leave = prices.join(this.#listener());
    until(signal, { unsubscribe: leave });
  }

  tick(): void {
    this.#book?.tick();
    this.#fall.tick();
  }

  #listener(): PriceListener {
    const { post, guard, ledger, gate } = this.#options;
    return {
      records: (records, all) => guard(() => post({ type: 'references', records, all })),
      measured: (worst, at) => {
        let again = false;
        guard(() => void (again = this.#fall.measured(worst, at)));
        return again;
      },
      isTimeKnown: () => gate.isTimeKnown,
      kept: (firstDay, lastDay) => ledger.everyReference(firstDay, lastDay),
    };
  }
}

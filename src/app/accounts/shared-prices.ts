import type { Clock, EpochMs } from '../../domain/clock.ts';
import { dayOf } from '../../domain/reference.ts';
import { JournalFailure } from '../../engine/journal.ts';
import type { Log } from '../../engine/ports.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { openLedger } from '../../ledger/open.ts';
import { pricesFolder } from '../../settings/prices-folder.ts';
import { ReferenceBook } from '../reference-book.ts';
import type { PriceListener, PriceSource, ReferenceKeeping } from '../references.ts';
import type { InName } from './rejections.ts';
import type { SharedMarket } from './shared-market.ts';

export interface SharedPricesOptions extends Pick<ReferenceKeeping, 'days' | 'fall'> {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Holds nothing but these records. */
  readonly ledger: Ledger;
  readonly log: Pick<Log, 'warn'>;
  readonly market: Pick<SharedMarket, 'shown' | 'lastCompleteAt'>;
  /** Runs what tells all listeners of one thing; nobody acts before it returns. */
  readonly afterAll: (work: () => void) => void;
}

/** As often as an account by itself looks for what there is to do. */
const TICK_MS = 250;

/** It is told anew that it cannot be kept after this. */
const TOLD_MS = 24 * 3_600_000;

/**
 * The record of prices of all accounts of a process: all see the same listings, so what follows from these is read once, kept once and
 * held once. Each account is told of it as of one of its own.
 */
export class SharedPrices implements PriceSource {
  readonly #options: SharedPricesOptions;
  readonly #listeners = new Set<PriceListener>();
  readonly #book: ReferenceBook;
  /** Why it could not be kept when that was told last, and when. */
  #told: { readonly why: string; readonly at: EpochMs } | undefined;

  constructor(options: SharedPricesOptions) {
    this.#options = options;
    const { clock, ledger, market, days, fall, afterAll } = options;
    this.#book = new ReferenceBook({
      ...{ clock, ledger, days, fall },
      attempt: (work) => this.#attempt(work),
      tell: (records) => afterAll(() => this.#listeners.forEach((each) => each.records(records, this.#book.records))),
      shelf: () => market.shown.values(),
      lastCompleteAt: () => market.lastCompleteAt,
      isTimeKnown: () => [...this.#listeners].some((each) => each.isTimeKnown()),
      onMeasured: (worst, at) => {
        let again = false;
        afterAll(() => this.#listeners.forEach((each) => void (again = each.measured(worst, at) || again)));
        return again;
      },
    });
  }

  /** Takes what is on disk, and goes on until the signal is aborted. */
  start(signal: AbortSignal): void {
    this.#book.start();
    const next = (): (() => void) =>
      this.#options.clock.after(TICK_MS, () => {
        this.#book.tick();
        if (!signal.aborted) cancel = next();
      });
    let cancel = next();
    signal.addEventListener('abort', () => cancel(), { once: true });
  }

  /** What an account has kept by itself, as a single one does, is taken over where nothing is known yet. */
  join(listener: PriceListener): () => void {
    const today = dayOf(this.#options.clock.now());
    if (this.#book.records.size === 0) this.#book.takeOver(listener.kept(today - this.#options.days, today));
    this.#listeners.add(listener);
    if (this.#book.records.size > 0) listener.records([], this.#book.records);
    // A start has the market measured at once: it may have fallen meanwhile.
    this.#book.again();
    return () => void this.#listeners.delete(listener);
  }

  /** What cannot be kept is known all the same, until the process ends; money rests on none of it. */
  #attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      this.#notKept(error.message);
      return undefined;
    }
  }

  #notKept(why: string): void {
    const { log, clock } = this.#options;
    const at = clock.now();
    if (this.#told?.why === why && at - this.#told.at < TOLD_MS) return;
    this.#told = { why, at };
    log.warn('notice', { message: `The record of prices is not kept: ${why}` });
  }
}

/**
 * Opens the ledger that holds the record of prices of several accounts, for the process that holds their folder. Throws where it cannot be
 * opened: without it a steamPrice that has jumped would be believed.
 */
export function openPrices(folder: string): Ledger {
  const opened = openLedger({ folder: pricesFolder(folder) });
  if (opened.ok) return opened.value.ledger;
  const { kind, message } = opened.fault;
  throw new Error(kind === 'damaged' ? [message, ...steps].join('\n') : message);
}

/** Unlike a ledger of purchases it can be done without: what it holds is seen again. */
const steps = [
  '→ move the folder `prices` of the data folder away: the record of prices begins anew, and a steamPrice is held against it again after',
  '  `reference.minSamples` days; until then halt what goes by steamPrice, or lower its limits',
];

/** The same record, of which whoever listens hears in a name of its own. */
export function pricesInName(prices: PriceSource, inName: InName): PriceSource {
  return {
    join: ({ records, measured, kept, isTimeKnown }) =>
      prices.join({
        records: (...told) => inName(() => records(...told)),
        measured: (...told) => inName(() => measured(...told)),
        kept,
        isTimeKnown,
      }),
  };
}

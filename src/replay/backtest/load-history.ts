import type { EpochMs } from '../../domain/clock.ts';
import { type ListingKey, listingKey } from '../../domain/listing.ts';
import type { NamedRecord } from '../../engine/references.ts';
import { isDamage } from '../damage.ts';
import type { Attempt } from '../inputs.ts';
import { keptJson } from '../listing-text.ts';
import type { Recording, SessionReading } from '../recordings.ts';
import type { Screen } from '../segment/loaded.ts';
import type { Span } from '../span.ts';
import { KeyNumbers } from './key-numbers.ts';
import { LeanOffers } from './lean-offers.ts';
import { ColumnLoad, type Unseen } from './load-columns.ts';
import { Loading, type LoadingOptions, recordsIn } from './loading.ts';
import type { MarketHistory } from './market-history.ts';
import { Offers } from './offers.ts';
import { recordedIn } from './recorded.ts';

export interface LoadOptions extends LoadingOptions {
  /** One after the other in time. */
  readonly recordings: readonly Recording[];
  /** Which entries may be of interest at all, by columns; asked anew for each page. Missing: all. */
  readonly screen?: (() => Screen | undefined) | undefined;
  /** What `onListing` need not be told of while there is no screen; missing: it is told of all. */
  readonly unseen?: Unseen | undefined;
  /** Called now and then with the time that reading has come to. */
  readonly onReached?: ((at: EpochMs) => void) | undefined;
  /** What is to be kept of what nobody wants; missing: all is read one by one, and every offer is kept. */
  readonly lean?: Lean | undefined;
}

/** Less is kept, and what is left out is never made an object of; what is made of it by strategies, models and valuations is the same. */
export interface Lean {
  /** Nothing that is bought is valued by what was offered before. */
  readonly valuedFrom: EpochMs;
  /** Listings that are asked for whether a strategy wants them or not; those of our own recorded buys are known. */
  readonly followed?: Iterable<ListingKey>;
}

const POLLS_BETWEEN_WORDS = 2_000;

/** Reads what was recorded of a time into memory: offers in columns, whole listings only where they are of interest. */
export function loadHistory(options: LoadOptions): MarketHistory {
  const { lean, recordings, from, to } = options;
  const readings = lean && readingsOf(recordings, { from, to: to + 1 });
  if (lean === undefined || readings === undefined) return loadedWhole(options);
  const once = new OnceHeard(options);
  try {
    return loadedLean({ ...options, ...once.begun() }, lean, readings);
  } catch (error) {
    if (!isDamage(error)) throw error;
    // Up to where it is damaged it is told moment by moment.
    return loadedWhole({ ...options, ...once.begun() });
  }
}

/** Every moment after the other, and every offer. */
function loadedWhole(options: LoadOptions): MarketHistory {
  const loading = new Loading(options, new Offers(), new KeyNumbers());
  loading.knownAlready(recordsBefore(options));
  let polls = 0;
  // The last poll ends the time, and belongs to it.
  for (const recorded of recordedIn(options.recordings, { from: options.from, to: options.to + 1 }, options.screen)) {
    if (recorded.of === 'gap') loading.gap(recorded.from, recorded.to, recorded.reason);
    else if (recorded.of === 'input') loading.input(recorded);
    else {
      loading.poll(recorded);
      if (++polls % POLLS_BETWEEN_WORDS === 0) options.onReached?.(recorded.endedAt);
    }
  }
  options.onReached?.(options.to);
  return loading.finish();
}

function loadedLean(options: LoadOptions, lean: Lean, readings: readonly SessionReading[]): MarketHistory {
  const { recordings, from, to, screen, unseen, onReached } = options;
  const range = { from, to: to + 1 };
  const own = recordings
    .flatMap((recording) => recording.attempts(range))
    .flatMap(({ value }) => listingOf(keptJson(value)) ?? []);
  const offers = new LeanOffers(lean.valuedFrom, [...own, ...(lean.followed ?? [])]);
  const loading = new Loading(options, offers, offers.numbers);
  loading.knownAlready(recordsBefore(options));
  const columns = new ColumnLoad({ ...range, screen, unseen, onReached }, loading, offers);
  for (const reading of readings) columns.session(reading);
  onReached?.(to);
  return loading.finish();
}

function listingOf(attempt: unknown): ListingKey | undefined {
  const { market, listingId } = (attempt ?? {}) as Partial<Attempt>;
  return typeof market === 'string' && typeof listingId === 'string' ? listingKey(market, listingId) : undefined;
}

/** Sessions that can be read one after the other; undefined where they overlap or are damaged. */
function readingsOf(recordings: readonly Recording[], range: Span): readonly SessionReading[] | undefined {
  try {
    const all = recordings.map((recording) => recording.readings(range));
    if (all.includes(undefined)) return undefined;
    const readings = all.flatMap((each) => each ?? []).toSorted((a, b) => a.from - b.from);
    const overlap = readings.some(({ from }, index) => from <= (readings[index - 1]?.to ?? -Infinity));
    return overlap ? undefined : readings;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

type Hearing = Pick<LoadOptions, 'onListing' | 'unseen'>;

/** Tells a listener of each listing once, though it is begun anew: they come in the same order. What need not be seen was told as well. */
class OnceHeard {
  readonly #hearing: Hearing;
  #heard = 0;

  constructor({ onListing, unseen }: Hearing) {
    this.#hearing = { onListing, unseen };
  }

  /** Of a reading from the beginning. */
  begun(): Hearing {
    const { onListing, unseen } = this.#hearing;
    let told = 0;
    const isNew = (): boolean => {
      if (++told <= this.#heard) return false;
      this.#heard = told;
      return true;
    };
    return {
      onListing: onListing && ((listing) => void (isNew() && onListing(listing))),
      unseen: unseen && {
        screen: unseen.screen,
        passes: (segment, offer, event) => {
          const passes = unseen.passes(segment, offer, event);
          if (passes) isNew();
          return passes;
        },
      },
    };
  }
}

/** What the session that goes on when the time begins had been told of past days' prices, by name. */
function recordsBefore({ recordings, from }: LoadOptions): readonly NamedRecord[] {
  const known = new Map<string, NamedRecord>();
  for (const recording of recordings) {
    for (const { value } of recording.toldBefore(from, 'references')) {
      for (const named of recordsIn(keptJson(value)) ?? []) {
        if (named.record === null) known.delete(named.name);
        else known.set(named.name, named);
      }
    }
  }
  return [...known.values()];
}

import type { EpochMs } from '../../domain/clock.ts';
import type { ListingKey } from '../../domain/listing.ts';
import type { ListingChange } from '../../engine/snapshot.ts';
import { keptJson } from '../listing-text.ts';
import type { RecordedEvent } from '../moment.ts';
import { recorded } from '../recorded-rows.ts';
import type { SessionReading } from '../recordings.ts';
import type { Words } from '../segment/build.ts';
import { Scratch } from '../segment/columns.ts';
import type { LoadedSegment, Screen } from '../segment/loaded.ts';
import type { PollPage, RawPoll } from '../session-moments.ts';
import type { EventSlice, StoredEvent } from '../stored-events.ts';
import type { KeyNumbers } from './key-numbers.ts';
import type { LeanOffers } from './lean-offers.ts';
import type { Loading, Look, PollTimes } from './loading.ts';
import { runOf, shownBy } from './recorded.ts';
import { SegmentNumbers } from './segment-numbers.ts';

export interface ColumnLoadOptions {
  readonly from: EpochMs;
  /** Its end is not included. */
  readonly to: EpochMs;
  readonly screen: (() => Screen | undefined) | undefined;
  readonly unseen: Unseen | undefined;
  readonly onReached: ((at: EpochMs) => void) | undefined;
}

/** What nobody has to see, where a screen gives way because every listing is to be seen. */
export interface Unseen {
  /** What this lets through is seen in any case. */
  readonly screen: Screen;
  /** Whether an offer that it passes over need not be seen, by an event that shows it; it counts as seen. */
  readonly passes: (segment: LoadedSegment, offer: number, event: number) => boolean;
}

/**
 * Reads sessions, one after the other, by their columns: an entry that the screen passes over never becomes an object, nor does a departure.
 * What it tells `loading` is what reading moment by moment tells it. Damage throws.
 */
export class ColumnLoad {
  readonly #options: ColumnLoadOptions;
  readonly #loading: Loading;
  readonly #offers: LeanOffers;
  readonly #scratch = new Scratch();
  #numbers: SegmentNumbers | undefined;
  /** Of the items of a segment: the numbers of their names. */
  #names = new Int32Array(0);
  /** And of items, which are the same in most segments. */
  readonly #nameOfWords = new WeakMap<Words['items'][number], number>();

  constructor(options: ColumnLoadOptions, loading: Loading, offers: LeanOffers) {
    this.#options = options;
    this.#loading = loading;
    this.#offers = offers;
  }

  session({ source, from, moments }: SessionReading): void {
    const { recording } = source;
    const range = { from: Math.max(from, this.#options.from), to: this.#options.to };
    const { standing, inForce } = moments.ground(range);
    for (const { at, kind, value } of inForce) this.#input(recording, at, kind, value);
    for (const moment of moments.gaps(range))
      if (moment.kind === 'gap') this.#loading.gap(moment.gap.from, moment.gap.to, moment.gap.reason);
    for (const moment of moments.inputs(range))
      if (moment.kind === 'input') this.#input(recording, moment.at, moment.input.kind, moment.input.value);
    const run = runOf(source);
    let ground: readonly RecordedEvent[] = standing;
    let last: RawPoll | undefined;
    for (const page of moments.pages(range)) {
      const screen = this.#options.screen?.();
      const events = new PageEvents(page, (segment) => this.#numbersOf(segment));
      for (const poll of page.polls) {
        if (last !== undefined && poll[0] !== last[0] + 1) this.#loading.gap(last[2], poll[1], 'trimmed while it was read');
        this.#poll(run, poll, events.of(poll[0]), ground, screen);
        ground = [];
        last = poll;
      }
      if (last !== undefined) this.#options.onReached?.(last[2]);
    }
  }

  #input(recording: string, at: EpochMs, kind: string, text: string): void {
    const value = keptJson(text);
    if (value !== undefined) this.#loading.input({ of: 'input', recording, at, kind, value });
  }

  #poll(
    run: string,
    [, beganAt, endedAt, complete, first]: RawPoll,
    own: PollEvents,
    ground: readonly RecordedEvent[],
    screen: Screen | undefined,
  ): void {
    const times: PollTimes = { run, beganAt, endedAt, complete: complete === 1, first: first === 1 };
    const { numbers, from, to, rows } = own;
    const unseen = screen === undefined ? this.#options.unseen : undefined;
    const by = screen ?? unseen?.screen;
    const wanted = by && numbers?.segment.wantedBy(by);
    const isPlain =
      rows === undefined && ground.length === 0 && !this.#loading.isRestart(run) && numbers?.tellsTwice(from, to) !== true;
    if (isPlain && (numbers === undefined || wanted !== undefined)) {
      const look = this.#loading.begin(times);
      if (numbers !== undefined && wanted !== undefined) this.#tell(numbers, { wanted, unseen }, own, look);
      return;
    }
    const events =
      rows ?? Array.from({ length: to - from }, (_, index) => (numbers as SegmentNumbers).segment.event(from + index, screen));
    const seen = events.map((event) => recorded(event, undefined, undefined));
    const isFirst = times.first || ground.length > 0;
    this.#loading.poll({ of: 'poll', seq: 0, ...times, first: isFirst, ...shownBy([...ground, ...seen]) });
  }

  /** Events of one poll, each of another listing. */
  #tell(
    numbers: SegmentNumbers,
    { wanted, unseen }: { readonly wanted: Uint8Array; readonly unseen: Unseen | undefined },
    { from, to }: PollEvents,
    look: Look,
  ): void {
    const { segment, listing, offer, at, cost, steam, item } = numbers;
    const offers = this.#offers;
    const { beganAt, endedAt, lastSeenAt, absentAt = Number.NaN } = look;
    let changed: ListingChange[] | undefined;
    let gone: ListingKey[] | undefined;
    for (let index = from; index < to; index++) {
      const own = listing[index] as number;
      const place = offers.placeOf(own);
      const offered = offer[index] as number;
      if (offered < 0) {
        if (place >= 0 && offers.isWanted(place)) (gone ??= []).push(offers.numbers.keyOf(own));
        offers.endNumber(own, place, lastSeenAt, endedAt);
      } else if (
        wanted[offered] === 1 ||
        (place >= 0 && offers.isWanted(place)) ||
        (unseen !== undefined && !unseen.passes(segment, offered, index))
      ) {
        const change = this.#change(numbers, index, look);
        if (change !== undefined) (changed ??= []).push(change);
      } else {
        // What stands was counted when it came.
        if (place < 0) this.#loading.seen(own);
        const name = this.#nameOf(item[offered] as number);
        const shownAt = Math.max(at[index] as number, beganAt);
        offers.showNumber(own, place, name, cost[offered] as number, steam[offered] as number, shownAt, absentAt, lastSeenAt);
      }
    }
    this.#loading.finished(look, to - from, changed ?? none, gone ?? none);
  }

  /** One that may be of interest, as an object. */
  #change({ segment }: SegmentNumbers, index: number, look: Look): ListingChange | undefined {
    const [change] = shownBy([recorded(segment.event(index), undefined, undefined)]).changed;
    return change && this.#loading.change(change, look);
  }

  #nameOf(item: number): number {
    const known = this.#names[item] as number;
    if (known >= 0) return known;
    const words = (this.#numbers as SegmentNumbers).segment.words.items[item] ?? nameless;
    let number = this.#nameOfWords.get(words);
    if (number === undefined) {
      number = this.#offers.nameId(words[1]);
      this.#nameOfWords.set(words, number);
    }
    return (this.#names[item] = number);
  }

  #numbersOf(segment: SegmentNumbers['segment']): SegmentNumbers {
    if (this.#numbers?.segment === segment) return this.#numbers;
    this.#names = new Int32Array(segment.words.items.length).fill(-1);
    return (this.#numbers = new SegmentNumbers(segment, this.#offers.numbers satisfies KeyNumbers, this.#scratch));
  }
}

const none: readonly never[] = [];
const nameless = ['', ''] as const;

/** The events of one poll: of a segment from one index to another, or rows. */
interface PollEvents {
  readonly numbers: SegmentNumbers | undefined;
  readonly from: number;
  readonly to: number;
  readonly rows: readonly StoredEvent[] | undefined;
}

/** Hands out the events of a page poll by poll. What is left of a trimmed poll belongs to none. */
class PageEvents {
  readonly #slices: readonly EventSlice[];
  readonly #numbersOf: (segment: SegmentNumbers['segment']) => SegmentNumbers;
  #slice = 0;
  #next = -1;

  constructor({ slices }: PollPage, numbersOf: (segment: SegmentNumbers['segment']) => SegmentNumbers) {
    this.#slices = slices;
    this.#numbersOf = numbersOf;
  }

  of(row: number): PollEvents {
    for (let slice = this.#slices[this.#slice]; slice !== undefined; slice = this.#slices[++this.#slice]) {
      if (this.#next < 0) this.#next = 'rows' in slice ? 0 : slice.from;
      const found = 'rows' in slice ? this.#inRows(slice.rows, row) : this.#inSegment(slice, row);
      if (found !== undefined) return found;
      this.#next = -1;
    }
    return nothing;
  }

  /** undefined: all that is left there is before that poll. */
  #inRows(rows: readonly StoredEvent[], row: number): PollEvents | undefined {
    while (this.#next < rows.length && (rows[this.#next] as StoredEvent).poll < row) this.#next++;
    if (this.#next === rows.length) return undefined;
    const from = this.#next;
    while (rows[this.#next]?.poll === row) this.#next++;
    return this.#next === from ? nothing : { numbers: undefined, from, to: this.#next, rows: rows.slice(from, this.#next) };
  }

  #inSegment({ segment, to }: Extract<EventSlice, { from: number }>, row: number): PollEvents | undefined {
    const numbers = this.#numbersOf(segment);
    const { poll } = numbers;
    let next = this.#next;
    while (next < to && (poll[next] as number) < row) next++;
    if (next === to) return undefined;
    const from = next;
    while (next < to && poll[next] === row) next++;
    this.#next = next;
    return next === from ? nothing : { numbers, from, to: next, rows: undefined };
  }
}

const nothing: PollEvents = { numbers: undefined, from: 0, to: 0, rows: undefined };

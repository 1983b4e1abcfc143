import { kindsInOrder } from '../segment/build.ts';
import type { LoadedSegment } from '../segment/loaded.ts';
import { KeyNumbers } from './key-numbers.ts';
import { hashOf } from './number-table.ts';

const GONE = kindsInOrder.indexOf('gone');

/** The events of a segment in numbers, as whoever goes through all of them takes them. */
export class SegmentNumbers {
  readonly segment: LoadedSegment;
  /** Of each event: the row of its poll, when it was seen, the number of its listing, and its offer; −1: it is not to be had any more. */
  readonly poll: Float64Array;
  readonly at: Float64Array;
  readonly listing: Float64Array;
  readonly offer: Float64Array;
  /** Of each offer; NaN for a steamPrice that it lacks. */
  readonly cost: Float64Array;
  readonly steam: Float64Array;
  readonly item: Float64Array;
  readonly #repeated = new Set<number>();

  constructor(segment: LoadedSegment, numbers: KeyNumbers) {
    const { columns, row } = segment;
    const all = (name: string): Float64Array => columns.get(name)?.all() ?? new Float64Array(0);
    this.segment = segment;
    const moment = all('moment');
    const [momentPoll, momentAt] = [all('momentPoll'), all('momentAt')];
    this.poll = moment.map((each) => momentPoll[each] as number);
    this.at = moment.map((each) => momentAt[each] as number);
    this.offer = all('offer').slice();
    const kind = all('kind');
    for (let index = 0; index < row.events; index++) if ((kind[index] as number) >= GONE) this.offer[index] = -1;
    this.cost = all('cost');
    this.steam = all('steam').map((each) => (each === 0 ? Number.NaN : each));
    this.item = all('item');
    this.listing = listingsOf(segment, all('listing'), all('market'), numbers);
    this.#findRepeated(row.events);
  }

  /** Whether a poll tells more than once of the same listing. */
  isRepeated(poll: number): boolean {
    return this.#repeated.size > 0 && this.#repeated.has(poll);
  }

  #findRepeated(events: number): void {
    const slots = new Float64Array(2 ** Math.ceil(Math.log2(2 * events + 2))).fill(Number.NaN);
    const owners = new Float64Array(slots.length);
    for (let index = 0; index < events; index++) {
      const [listing, poll] = [this.listing[index] as number, this.poll[index] as number];
      let slot = hashOf(listing) & (slots.length - 1);
      // Its last poll is all that has to be known of a listing.
      while (slots[slot] !== listing && slots[slot] === slots[slot]) slot = (slot + 1) & (slots.length - 1);
      if (slots[slot] === listing && owners[slot] === poll) this.#repeated.add(poll);
      slots[slot] = listing;
      owners[slot] = poll;
    }
  }
}

function listingsOf(segment: LoadedSegment, listing: Float64Array, market: Float64Array, numbers: KeyNumbers): Float64Array {
  const markets = segment.words.markets.map((name) => numbers.market(name));
  return listing.map((id, index) => {
    const own = id < 0 ? undefined : markets[market[index] as number];
    return own === undefined ? numbers.of(segment.keyAt(index)) : KeyNumbers.of(own, id);
  });
}

import { kindsInOrder } from '../segment/build.ts';
import type { LoadedSegment } from '../segment/loaded.ts';
import { KeyNumbers } from './key-numbers.ts';

const GONE = kindsInOrder.indexOf('gone');
/** So many events are held against each other sooner than they are put into a set. */
const FEW = 32;

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
  }

  /** Whether the events of one poll tell more than once of the same listing. */
  tellsTwice(from: number, to: number): boolean {
    const { listing } = this;
    if (to - from > FEW) return new Set(listing.subarray(from, to)).size < to - from;
    for (let index = from + 1; index < to; index++)
      for (let before = from; before < index; before++) if (listing[before] === listing[index]) return true;
    return false;
  }
}

function listingsOf(segment: LoadedSegment, listing: Float64Array, market: Float64Array, numbers: KeyNumbers): Float64Array {
  const markets = segment.words.markets.map((name) => numbers.market(name));
  return listing.map((id, index) => {
    const own = id < 0 ? undefined : markets[market[index] as number];
    return own === undefined ? numbers.of(segment.keyAt(index)) : KeyNumbers.of(own, id);
  });
}

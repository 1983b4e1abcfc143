import { kindsInOrder } from '../segment/build.ts';
import type { Scratch } from '../segment/columns.ts';
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

  /** Its numbers lie in `scratch`, until those of another segment do. */
  constructor(segment: LoadedSegment, numbers: KeyNumbers, scratch: Scratch) {
    const { columns } = segment;
    const all = (name: string): Float64Array => {
      const column = columns.get(name);
      return column === undefined ? new Float64Array(0) : column.all(scratch.of(name, column.layout.length));
    };
    this.segment = segment;
    const [moment, momentPoll, momentAt] = [all('moment'), all('momentPoll'), all('momentAt')];
    const [kind, offer] = [all('kind'), all('offer')];
    const events = moment.length;
    const [poll, at] = [scratch.of('poll', events), scratch.of('at', events)];
    for (let index = 0; index < events; index++) {
      poll[index] = momentPoll[moment[index] as number] as number;
      at[index] = momentAt[moment[index] as number] as number;
      if ((kind[index] as number) >= GONE) offer[index] = -1;
    }
    [this.poll, this.at, this.offer] = [poll, at, offer];
    [this.cost, this.steam, this.item] = [all('cost'), all('steam'), all('item')];
    for (let index = 0; index < this.steam.length; index++) if (this.steam[index] === 0) this.steam[index] = Number.NaN;
    this.listing = numbered(segment, all('listing'), all('market'), numbers);
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

/** Puts the numbers of listings in the place of their ids. */
function numbered(segment: LoadedSegment, listing: Float64Array, market: Float64Array, numbers: KeyNumbers): Float64Array {
  const markets = segment.words.markets.map((name) => numbers.market(name));
  for (let index = 0; index < listing.length; index++) {
    const id = listing[index] as number;
    const own = id < 0 ? undefined : markets[market[index] as number];
    listing[index] = own === undefined ? numbers.of(segment.keyAt(index)) : KeyNumbers.of(own, id);
  }
  return listing;
}

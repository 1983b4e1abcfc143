import { describe, expect, it } from 'vitest';
import { ListingsDiff } from '../../src/feed/diff.ts';
import { EntryMemory } from '../../src/feed/entry.ts';
import { START, entries, entry } from '../support/feed-entries.ts';

const times = (pollSeq: number): { pollSeq: number; beganAt: number; endedAt: number } => ({
  ...{ pollSeq, beganAt: START + pollSeq * 1_000, endedAt: START + pollSeq * 1_000 + 50 },
});

/** A feed that knows these listings; its second answer arrives. */
class Arriving {
  readonly diff = new ListingsDiff(new EntryMemory());
  readonly come: unknown[] = [];
  readonly known: readonly unknown[];

  constructor(known: readonly unknown[]) {
    this.known = known;
    this.diff.apply({ ...times(1), listings: known, listingsCount: known.length });
  }

  /** Ids of the listings that are handed on when these have come as well. */
  more(...listings: readonly unknown[]): readonly string[] {
    this.come.push(...listings);
    return this.diff.early({ pollSeq: 2, listings: this.come }, START)?.changed.map(({ listing }) => listing.id) ?? [];
  }
}

const newcomer = entry({ id: '900' });

describe('a listing on its way', () => {
  it('is handed on once half of what is known has been seen to cost about what it did', () => {
    const feed = new Arriving(entries(40));
    expect(feed.more(newcomer, ...feed.known.slice(0, 19))).toEqual([]);
    expect(feed.more(feed.known[19])).toEqual(['900']);
    expect(feed.more(entry({ id: '901' }))).toEqual(['901']);
  });

  it('is handed on at once where too few are known to tell', () => {
    expect(new Arriving(entries(19)).more(newcomer)).toEqual(['900']);
    expect(new Arriving(entries(20)).more(newcomer)).toEqual([]);
  });

  it('counts as steady with a price that moved a little, and not with one that jumped', () => {
    const feed = new Arriving(entries(40));
    const moved = entries(40).map((one) => ({ ...one, price: 12, priceWithFee: 12.6 }));
    const jumped = entries(40).map((one) => ({ ...one, price: 120, priceWithFee: 126 }));
    expect(feed.more(...jumped.slice(20), ...moved.slice(0, 19))).toEqual([]);
    expect(feed.more(moved[19])).toHaveLength(40);
  });

  it('is no sign of steady prices once its answer contradicts it', () => {
    const feed = new Arriving(entries(40));
    const twice = entries(5).map((one) => ({ ...one, price: 11 }));
    expect(feed.more(...feed.known.slice(0, 19), ...twice, feed.known[20], newcomer)).toEqual([]);
    expect(feed.more(...feed.known.slice(21, 25))).toEqual([]);
    expect(feed.more(feed.known[25])).toEqual(['900']);
  });

  it('is not handed on of the first answer, which says what stands', () => {
    expect(new ListingsDiff().early({ pollSeq: 1, listings: [newcomer] }, START)).toBeUndefined();
  });

  it('is not handed on of an answer that has ended', () => {
    const feed = new Arriving(entries(3));
    feed.diff.brokenOff(times(2));
    expect(feed.more(newcomer)).toEqual([]);
  });

  it('is not handed on under an id that belongs to another item', () => {
    const feed = new Arriving(entries(3));
    expect(feed.more(entry({ id: '2', price: 9, itemId: 'ffffffffffffffff' }))).toEqual([]);
  });

  it('is not handed on when an entry before it speaks against it, and is taken back when one after it does [money-9]', () => {
    const feed = new Arriving(entries(3));
    const cheaper = entry({ id: '900', price: 9 });
    expect(feed.more(newcomer)).toEqual(['900']);
    feed.come.push(cheaper, entry({ id: '901' }), entry({ id: '901', price: 9 }));
    const change = feed.diff.early({ pollSeq: 2, listings: feed.come }, START);
    expect(change).toMatchObject({ changed: [], gone: ['c5game:900'] });
    const whole = feed.diff.apply({ ...times(2), listings: [...feed.known, ...feed.come], listingsCount: 7 });
    expect(whole).toMatchObject({ changed: [], gone: ['c5game:900'], badCount: 2 });
  });
});

describe('an answer that comes to nothing after some of it was handed on', () => {
  it('leaves that known, and nothing gone', () => {
    const feed = new Arriving(entries(3));
    feed.more(newcomer, entry({ id: '2', price: 9 }));
    const left = feed.diff.brokenOff(times(2));
    expect(left).toMatchObject({
      complete: false,
      first: false,
      gone: [],
      changed: [{ chunk: 1 }, { kind: 'repriced', chunk: 1 }],
    });
    const next = feed.diff.apply({ ...times(3), listings: [...entries(3), newcomer], listingsCount: 4 });
    expect(next.changed.map(({ kind, listing }) => `${kind} ${listing.id}`)).toEqual(['repriced 2']);
    expect(next.gone).toEqual([]);
  });

  it('says nothing when nothing was handed on', () => {
    const feed = new Arriving(entries(40));
    feed.more(newcomer);
    expect(feed.diff.brokenOff(times(2))).toBeUndefined();
    const next = feed.diff.apply({ ...times(3), listings: [...feed.known, newcomer], listingsCount: 41 });
    expect(next.changed.map(({ kind, listing }) => `${kind} ${listing.id}`)).toEqual(['appeared 900']);
  });
});

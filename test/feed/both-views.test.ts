import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Listing, ListingKey } from '../../src/domain/listing.ts';
import type { ItemLook } from '../../src/engine/item-look.ts';
import type { SnapshotChange } from '../../src/engine/snapshot.ts';
import { BothViews } from '../../src/feed/both-views.ts';
import { ListingsDiff } from '../../src/feed/diff.ts';
import { PageReading } from '../../src/feed/item-page.ts';
import { sameListing } from '../../src/feed/same.ts';
import { entry } from '../support/feed-entries.ts';

const ITEM = '10807006fab895f4';
const OTHER = 'ffffffffffffffff';

/** Prices by id: what one view shows. */
type View = Readonly<Record<string, number>>;

const entriesOf = (view: View, item = ITEM): Record<string, unknown>[] =>
  Object.entries(view).map(([id, price]) => entry({ id, itemId: item, price, priceWithFee: price }));

/** The two views over one another, and what stands for whoever hears of the changes alone. */
class Market {
  readonly views = new BothViews();
  readonly stands = new Map<ListingKey, Listing>();
  readonly #diff = new ListingsDiff();
  #seq = 0;

  live(view: View, { from, to, complete = true }: { from: number; to: number; complete?: boolean }): SnapshotChange {
    const listings = [...entriesOf(view), ...entriesOf({ 900: 5 }, OTHER)];
    const listingsCount = complete ? listings.length : -1;
    const raw = this.#diff.apply({ pollSeq: ++this.#seq, beganAt: from, endedAt: to, listings, listingsCount });
    const change = this.views.live(raw);
    this.#hear(change);
    const told = new Set([...change.changed.map(({ listing }) => listing.key), ...change.gone, ...(change.vouched ?? [])]);
    const untold = raw.changed.filter(({ listing }) => !told.has(listing.key));
    if (untold.length > 0) throw new Error('what an answer shows is neither news, nor known, nor gone');
    return change;
  }

  look(view: View | readonly Record<string, unknown>[], times: { from: number; to: number; ends?: boolean }): ItemLook {
    const { from, to, ends = true } = times;
    const reading = new PageReading(ITEM);
    const { listings, bad } = reading.read(Array.isArray(view) ? view : entriesOf(view as View));
    const look = this.views.page({
      ...{ itemId: ITEM, page: 1, beganAt: from, endedAt: to, receivedAt: to, first: false, costMax: undefined, listings, bad },
      ends: ends ? { seen: reading.keys, beganAt: from, costMax: undefined } : undefined,
    });
    this.#hear(look);
    return look;
  }

  price(id: string): number | undefined {
    return this.stands.get(`c5game:${id}`)?.price;
  }

  #hear({ changed, gone }: Pick<SnapshotChange, 'changed' | 'gone'>): void {
    for (const { listing } of changed) this.stands.set(listing.key, listing);
    for (const key of gone) this.stands.delete(key);
  }
}

describe('the live listings and looks at an item', () => {
  it('are one market: what both show is one listing, told once', () => {
    const market = new Market();
    market.live({ 1: 10 }, { from: 0, to: 1 });
    const look = market.look({ 1: 10, 2: 20 }, { from: 2, to: 3 });
    expect(look.changed.map(({ kind, listing }) => [kind, listing.id])).toEqual([['appeared', '2']]);
    expect([look.shown, look.alone]).toEqual([['c5game:1', 'c5game:2'], ['c5game:2']]);
    const later = market.live({ 1: 10, 2: 20 }, { from: 4, to: 5 });
    expect([later.changed, later.gone, later.vouched]).toEqual([[], [], ['c5game:2']]);
  });

  it('leave an answer as it is while nothing was looked at', () => {
    const views = new BothViews();
    const change = new ListingsDiff().apply({
      pollSeq: 1,
      beganAt: 0,
      endedAt: 1,
      listings: entriesOf({ 1: 10 }),
      listingsCount: 1,
    });
    expect(views.live(change)).toBe(change);
  });

  it('go by the newer word on a price', () => {
    const market = new Market();
    market.live({ 1: 10 }, { from: 0, to: 1 });
    expect(market.look({ 1: 9 }, { from: 2, to: 3 }).changed).toMatchObject([{ kind: 'repriced' }]);
    expect(market.price('1')).toBe(9);
    market.live({ 1: 8 }, { from: 4, to: 5 });
    expect(market.price('1')).toBe(8);
  });

  it('do not let a listing be bought by two prices that were seen at the same time', () => {
    const market = new Market();
    market.live({ 1: 10 }, { from: 0, to: 10 });
    expect(market.look({ 1: 9 }, { from: 5, to: 12 }).gone).toEqual(['c5game:1']);
    expect(market.price('1')).toBeUndefined();
    market.live({ 1: 9 }, { from: 20, to: 21 });
    expect(market.price('1')).toBe(9);
    market.live({ 1: 7 }, { from: 25, to: 31 });
    market.look({ 1: 6 }, { from: 24, to: 28 });
    expect(market.price('1')).toBeUndefined();
  });

  it('tell what was kept back of an answer that then broke off, and nothing of it twice', () => {
    const views = new BothViews();
    const diff = new ListingsDiff();
    const whole = (view: View, pollSeq: number, at: number): SnapshotChange => {
      const listings = entriesOf(view);
      return views.live(diff.apply({ pollSeq, beganAt: at, endedAt: at + 1, listings, listingsCount: listings.length }));
    };
    const before = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [String(100 + index), 50]));
    whole({ ...before, 1: 10 }, 1, 0);
    const reading = new PageReading(ITEM);
    const { listings, bad } = reading.read(entriesOf({ 1: 9, 3: 30 }));
    views.page({
      itemId: ITEM,
      page: 1,
      beganAt: 2,
      endedAt: 3,
      receivedAt: 3,
      first: false,
      costMax: undefined,
      listings,
      bad,
      ends: undefined,
    });
    const arriving = entriesOf({ ...before, 1: 8, 2: 20, 3: 30 });
    const early = diff.early({ pollSeq: 2, listings: arriving }, 5);
    const idsOf = (changed: readonly { listing: Listing }[] | undefined): string[] | undefined =>
      changed?.map(({ listing }) => listing.id);
    expect(idsOf(early?.changed)).toEqual(['1', '2', '3']);
    expect(idsOf(early && views.early(early).changed)).toEqual(['2']);
    const left = diff.brokenOff({ pollSeq: 2, beganAt: 4, endedAt: 6 });
    const merged = left && views.live(left);
    expect(merged && views.brokenOff(merged)).toMatchObject({
      pollSeq: 2,
      at: 6,
      changed: [{ listing: { id: '1', price: 8 } }],
      gone: [],
      vouched: ['c5game:3'],
    });
    expect(views.standing('c5game:1')?.price).toBe(8);
  });

  it('take what a complete look lacks for gone, and what another lacks for nothing', () => {
    const market = new Market();
    market.look({ 1: 10, 2: 20 }, { from: 0, to: 1 });
    market.look({ 1: 10 }, { from: 2, to: 3, ends: false });
    expect(market.price('2')).toBe(20);
    expect(market.look({ 1: 10 }, { from: 4, to: 5 }).gone).toEqual(['c5game:2']);
  });

  it('take what left the live listings for gone until a look shows it again', () => {
    const market = new Market();
    market.live({ 1: 10 }, { from: 0, to: 1 });
    market.look({ 1: 10 }, { from: 2, to: 3 });
    market.live({}, { from: 4, to: 5 });
    expect(market.price('1')).toBeUndefined();
    expect(market.look({ 1: 10 }, { from: 6, to: 7 }).alone).toEqual(['c5game:1']);
    expect(market.price('1')).toBe(10);
    market.live({}, { from: 8, to: 9 });
    expect(market.price('1')).toBe(10);
  });

  it('believe an answer that still shows what a look lacked, and let no look take it away a second time', () => {
    const market = new Market();
    market.live({ 1: 10 }, { from: 0, to: 1 });
    market.look({}, { from: 2, to: 3 });
    expect(market.price('1')).toBeUndefined();
    market.live({ 1: 10 }, { from: 2, to: 4 });
    expect(market.price('1')).toBeUndefined();
    market.live({ 1: 10 }, { from: 5, to: 6 });
    expect(market.price('1')).toBe(10);
    expect(market.look({}, { from: 7, to: 8 }).gone).toEqual([]);
  });

  it('do not buy what the two go on telling differently, until they agree', () => {
    const market = new Market();
    market.live({ 1: 10 }, { from: 0, to: 1 });
    market.look({ 1: 9 }, { from: 2, to: 3 });
    market.live({ 1: 10 }, { from: 4, to: 5 });
    expect(market.price('1')).toBe(10);
    market.look({ 1: 9 }, { from: 6, to: 7 });
    expect(market.price('1')).toBeUndefined();
    market.live({ 1: 10 }, { from: 8, to: 9 });
    expect(market.price('1')).toBeUndefined();
    market.look({ 1: 10 }, { from: 10, to: 11 });
    expect(market.price('1')).toBe(10);
  });

  it('leave alone what came to the live listings while the pages were read', () => {
    const market = new Market();
    market.live({ 1: 10 }, { from: 0, to: 1 });
    market.live({ 1: 10, 2: 20 }, { from: 4, to: 5 });
    expect(market.look({ 1: 10 }, { from: 3, to: 9 }).gone).toEqual([]);
  });

  it('never buy an id with two prices on a page, or of another item', () => {
    const market = new Market();
    market.look({ 1: 10, 2: 20 }, { from: 0, to: 1 });
    const twice = [...entriesOf({ 1: 10 }), ...entriesOf({ 1: 11 }), ...entriesOf({ 2: 20 }, OTHER)];
    expect(new Set(market.look(twice, { from: 2, to: 3 }).gone)).toEqual(new Set(['c5game:1', 'c5game:2']));
    expect(market.stands.size).toBe(0);
  });

  it('forget what is watched no more, except what the live listings show as well', () => {
    const market = new Market();
    market.live({ 1: 10 }, { from: 0, to: 1 });
    market.look({ 1: 10, 2: 20 }, { from: 2, to: 3 });
    expect(market.views.drop(ITEM, 4).gone).toEqual(['c5game:2']);
  });
});

const view = fc.dictionary(fc.constantFrom('1', '2', '3'), fc.constantFrom(10, 11), { maxKeys: 3 });
const told = fc.record({
  of: fc.constantFrom('live', 'look'),
  view,
  whole: fc.boolean(),
  /** How long it took, and how long after the one before it ended. */
  took: fc.integer({ min: 1, max: 20 }),
  after: fc.integer({ min: 0, max: 20 }),
});

describe('whatever the two tell', () => {
  it('stands as one of them told it last, is known to all who heard of the changes, and agrees where they agree', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 25 }), (words) => {
        const market = new Market();
        const last: { live: View; look: View } = { live: {}, look: {} };
        let now = 0;
        for (const { of, view: shown, whole, took, after } of words) {
          now += after + 1;
          const from = now - took;
          if (of === 'live') market.live(shown, { from, to: now, complete: whole });
          else market.look(shown, { from, to: now, ends: whole });
          const before = last.live;
          last[of] = whole ? shown : { ...last[of], ...shown };
          for (const id of ['1', '2', '3']) {
            const standing = market.views.standing(`c5game:${id}`);
            const heard = market.stands.get(`c5game:${id}`);
            const said = { live: last.live[id], look: last.look[id], now: shown[id] };
            const rules = {
              'whoever heard of the changes knows how it stands':
                heard === standing || (heard && standing && sameListing(heard, standing)),
              'it costs what one of them said last': heard === undefined || [said.live, said.look].includes(heard.price),
              'it stands as a look shows it where the live listings agree':
                of === 'live' || said.now === undefined || said.now !== said.live || heard?.price === said.now,
              'what a whole look lacks stands only where the live listings show it':
                of === 'live' || !whole || said.now !== undefined || heard === undefined || heard.price === said.live,
              'what has left the live listings is gone':
                of === 'look' || !whole || !(id in before) || id in shown || heard === undefined,
            };
            const broken = Object.entries(rules).flatMap(([rule, holds]) => (holds === true ? [] : [rule]));
            if (broken.length > 0)
              throw new Error(`${broken.join('; ')}: ${JSON.stringify({ id, ...said, stands: heard?.price })}`);
          }
        }
      }),
      { numRuns: 400 },
    );
  });
});

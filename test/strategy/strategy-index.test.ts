import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Listing } from '../../src/domain/listing.ts';
import { compileStrategy } from '../../src/strategy/compile.ts';
import { type Strategy, anyListing } from '../../src/strategy/strategy.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { strategy } from '../support/values.ts';
import { entries, strategyDocuments, surroundings } from './anything.ts';
import { offer, strategyOf } from './offers.ts';

const strategies = fc.array(
  strategyDocuments.map((document) => compileStrategy(document, { text: '', hash: '' })),
  { minLength: 1, maxLength: 10 },
);

const fields = [
  'marketHashName',
  'type',
  'exterior',
  'rarity',
  'collection',
  'color',
  'priceWithFee',
  'steamPrice',
  'wear',
] as const;

/** What an index may be asked to do. Listings differ from one of two in a field or two: an item is met again in other words. */
const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      like: fc.constantFrom(0, 1),
      but: fc
        .tuple(entries, fc.subarray([...fields], { maxLength: 2 }))
        .map(([entry, changed]) => Object.fromEntries(changed.map((field) => [field, entry[field]]))),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom({ prepare: 1 }, { prepare: 1_000 }) },
  { weight: 1, arbitrary: strategies.map((reloaded) => ({ reloaded })) },
);

/** An index that counts what it asks. */
function counting(given: readonly Strategy[]) {
  const asked: string[] = [];
  const foreseen: string[] = [];
  const heard = given.map((each): Strategy => {
    const mayWant: Strategy['foresight']['mayWant'] = (item) => {
      foreseen.push(each.name);
      return each.foresight.mayWant(item);
    };
    return {
      ...each,
      foresight: { ...each.foresight, mayWant },
      matches: (listing, around) => {
        asked.push(each.name);
        return each.matches(listing, around);
      },
    };
  });
  return { index: new StrategyIndex(heard), heard, asked, foreseen };
}

function askedOf({ index, asked }: ReturnType<typeof counting>, listing: Listing): readonly string[] {
  asked.length = 0;
  index.wanting(listing);
  return [...asked];
}

describe('the index of strategies', () => {
  it('finds what asking each of them finds, in their order, whatever was asked, prepared, forgotten and reloaded before', () => {
    const seen = { wanted: 0, unwanted: 0, around: 0 };
    const room = fc.constantFrom(undefined, { items: 3, steps: 1_000 }, { items: 100, steps: 12 });
    fc.assert(
      fc.property(
        strategies,
        fc.tuple(entries, entries),
        fc.array(happening, { minLength: 10, maxLength: 60 }),
        room,
        fc.array(surroundings, { minLength: 1, maxLength: 3 }),
        (first, two, happenings, bounds, arounds) => {
          let index = new StrategyIndex(first, bounds);
          for (const [at, one] of happenings.entries()) {
            const around = arounds[at % arounds.length];
            if ('prepare' in one) index.prepare(one.prepare);
            else if ('reloaded' in one) index = index.renewed(one.reloaded);
            else {
              const listing = offer({ ...two[one.like], ...one.but });
              const expected = index.all.filter((each) => each.matches(listing, around));
              expect(index.wanting(listing, around)).toEqual(expected);
              seen.around += expected.filter(({ looksAround }) => looksAround !== undefined).length;
              seen[expected.length > 0 ? 'wanted' : 'unwanted'] += 1;
            }
          }
        },
      ),
      { numRuns: 250 },
    );
    expect(seen.wanted).toBeGreaterThan(500);
    expect(seen.unwanted).toBeGreaterThan(500);
    expect(seen.around).toBeGreaterThan(200);
  });

  it('finds the same for an item as it was prepared as for one that is new to it', () => {
    let wanted = 0;
    fc.assert(
      fc.property(strategies, fc.array(entries, { minLength: 1, maxLength: 10 }), (all, drawn) => {
        const index = new StrategyIndex(all);
        const listings = drawn.map(offer);
        const fresh = listings.map((listing) => new StrategyIndex(all).wanting(listing));
        for (const listing of listings) {
          index.wanting(listing);
          index.prepare(Infinity);
        }
        expect(listings.map((listing) => index.wanting(listing))).toEqual(fresh);
        wanted += fresh.filter((found) => found.length > 0).length;
      }),
      { numRuns: 250 },
    );
    expect(wanted).toBeGreaterThan(100);
  });

  it('asks only those whose item it is, at a price that they may pay', () => {
    const named = (name: string, keys: Record<string, unknown>): Strategy => ({ ...strategyOf(keys), name });
    const counted = counting([
      named('another item', { when: { name: 'AWP | *' } }),
      named('another kind', { when: { any: [{ type: 'knife', wear: { max: 1 } }, { rarity: 'Covert' }] } }),
      named('not this one', { when: { not: { name: 'AK-47 | *' } } }),
      named('no fade', { when: { fade: { min: 90 } } }),
      named('no fade to be without', { when: { not: { fade: { min: 90 } } } }),
      named('none of these', { when: { not: { any: [{ type: 'rifle' }, { wear: { max: 1 } }] } } }),
      named('cheaper', { when: { type: 'rifle' }, price: { max: 10.49 } }),
      named('a smaller share', { price: { max: 100, maxOfSteam: 0.52 } }),
      named('a larger profit', { price: { minProfit: 6.9 } }),
      named('a larger profit at a fee of its own', { price: { minProfit: 0, steamFee: 0.48 } }),
      named('less wear', { when: { wear: { below: 0.2 } } }),
      named('this one', { when: { type: 'rifle', exterior: 'Field-Tested', delivery: 'normal' }, price: { maxOfSteam: 0.53 } }),
    ]);
    const listing = offer({ priceWithFee: 10.5, steamPrice: 20 });
    expect(askedOf(counted, listing)).toEqual(counted.heard.map(({ name }) => name));
    counted.index.prepare(counted.heard.length);
    expect(askedOf(counted, listing).toSorted()).toEqual(['less wear', 'this one']);
    expect(askedOf(counted, offer({ priceWithFee: 10.5, steamPrice: null })).toSorted()).toEqual(['less wear']);
    expect(counted.index.wanting(listing).map(({ name }) => name)).toEqual(['this one']);
  });

  it('works out an item when nothing waits: not when it is built or renewed, and not at the first sight of the item', () => {
    const { index, heard, foreseen } = counting([strategy({ name: 'one' }), strategy({ name: 'two' })]);
    for (const marketHashName of ['a', 'b', 'c', 'a']) index.wanting(offer({ marketHashName }));
    expect({ foreseen, held: index.held }).toEqual({ foreseen: [], held: { items: 0, steps: 0, unprepared: 3 } });
    index.prepare(3);
    expect({ foreseen, held: index.held }).toEqual({
      foreseen: ['one', 'one', 'one'],
      held: { items: 0, steps: 0, unprepared: 3 },
    });
    index.prepare(3);
    expect(foreseen).toEqual(['one', 'one', 'one', 'two', 'two', 'two']);
    expect(index.held).toEqual({ items: 3, steps: 6, unprepared: 0 });
    const next = index.renewed(heard);
    expect(foreseen.length).toBe(6);
    expect(next.held).toEqual({ items: 0, steps: 0, unprepared: 0 });
  });

  it('works out anew what the index before it knew, what was seen since first, and nothing twice', () => {
    const { index, heard, foreseen } = counting([strategy({ name: 'one' }), strategy({ name: 'two' })]);
    const see = (into: StrategyIndex, names: readonly string[]): void => {
      for (const marketHashName of names) into.wanting(offer({ marketHashName }));
    };
    see(index, ['a', 'b']);
    index.prepare(Infinity);
    see(index, ['c']);
    for (const first of [2, Infinity]) {
      foreseen.length = 0;
      const next = index.renewed(heard);
      see(next, ['b', 'd']);
      next.prepare(first);
      next.prepare(2);
      expect(next.held.unprepared).toBe(0);
      next.prepare(Infinity);
      expect(next.held).toEqual({ items: 4, steps: 8, unprepared: 0 });
      expect(foreseen.length).toBe(8);
    }
  });

  it('does not ask for a share of the price of a Doppler, unless the strategy lets it count', () => {
    const price = { maxOfSteam: 1, minProfit: -1_000 };
    const counted = counting([strategyOf({ price }), { ...strategyOf({ price, doppler: true }), name: 'lets it' }]);
    const listing = offer({ marketHashName: '★ Karambit | Doppler (Factory New)' });
    counted.index.wanting(listing);
    counted.index.prepare(Infinity);
    expect(askedOf(counted, listing)).toEqual(['lets it']);
  });

  it.each([
    [{ max: 10.5 }, 20, 10.5],
    [{ maxOfSteam: 0.7 }, 1, 0.7],
    [{ maxOfSteam: 0.333333333333 }, 100_000, 33_333.333333],
    [{ minProfit: 1.5 }, 10, 7.2],
    [{ minProfit: -2 }, 10, 10.7],
    [{ minProfit: 1.5, steamFee: 0.15 }, 10, 7],
    [{ minProfit: -2, steamFee: 0 }, 10, 12],
    [{ minProfit: 0, steamFee: 0.999999999999998 }, 1_000_000_000, 0.000002],
  ])('finds one of price %j at a steamPrice of %d for as much as %d dollars', (price, steamPrice, most) => {
    const index = new StrategyIndex([strategyOf({ price })]);
    const at = (priceWithFee: number) => index.wanting(offer({ price: 0.000001, priceWithFee, steamPrice })).length;
    at(most);
    index.prepare(Infinity);
    expect([at(most), at(most + 0.000001)]).toEqual([1, 0]);
  });

  it.each(['type', 'exterior', 'rarity', 'collection', 'color'])('tells items of one name apart by their %s', (field) => {
    const index = new StrategyIndex([strategyOf({ when: { [field]: 'wanted' } })]);
    const listings = ['wanted', 'another', null, 'WANTED', 'a third'].map((word) => offer({ [field]: word }));
    for (let round = 0; round < 6; round++) {
      expect(listings.map((listing) => index.wanting(listing).length)).toEqual([1, 0, 0, 1, 0]);
      index.prepare(Infinity);
    }
  });

  it.each([
    { items: 100, steps: 1_000, tight: 'items' },
    { items: 500, steps: 150, tight: 'steps' },
  ] as const)('stays small within $items items and $steps steps whatever a feed invents, and goes on finding', (room) => {
    const index = new StrategyIndex([strategy(), strategyOf({ when: { name: 'invented 1*' } })], room);
    const most = { items: 0, steps: 0, unprepared: 0 };
    for (let invented = 0; invented < 2_000; invented++) {
      const listing = offer({ marketHashName: `invented ${invented}`, type: 'x'.repeat(invented % 300) });
      expect(index.wanting(listing).length).toBe(String(invented).startsWith('1') ? 2 : 1);
      if (invented % 40 === 0) index.prepare(6);
      for (const kind of ['items', 'steps', 'unprepared'] as const) most[kind] = Math.max(most[kind], index.held[kind]);
    }
    expect(most.items).toBeLessThanOrEqual(room.items);
    expect(most.steps).toBeLessThanOrEqual(room.steps);
    expect(most.unprepared).toBe(room.items);
    expect(most[room.tight]).toBeGreaterThan(room[room.tight] * 0.9);
  });

  it('asks everybody about an item whose description is too long to be remembered', () => {
    const counted = counting([strategyOf({ when: { name: 'AWP | *' } })]);
    const listing = offer({ marketHashName: 'AK-47'.repeat(60) });
    for (let round = 0; round < 2; round++) {
      expect(askedOf(counted, listing)).toEqual(['tried']);
      counted.index.prepare(Infinity);
    }
    expect(counted.index.held).toEqual({ items: 0, steps: 0, unprepared: 0 });
  });

  it('knows nothing of a strategy that tells nothing beforehand, and asks it always', () => {
    const counted = counting([strategy({ foresight: anyListing })]);
    for (let round = 0; round < 3; round++) {
      expect(askedOf(counted, offer({ steamPrice: null }))).toEqual(['cheap']);
      counted.index.prepare(Infinity);
    }
  });
});

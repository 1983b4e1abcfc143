import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Listing } from '../../../src/domain/listing.ts';
import { wantedByAny, wantedIn } from '../../../src/replay/match/match.ts';
import { NO_WORD, type NamedItem, type OfferColumns, offerColumns } from '../../../src/replay/match/offer-columns.ts';
import { readListing } from '../../../src/strategy/read-listing.ts';
import { strategyOf } from '../../strategy/offers.ts';
import { entries, strategyDocuments } from '../../strategy/anything.ts';

interface Laid {
  readonly columns: OfferColumns;
  readonly listings: readonly Listing[];
}

/** Listings in columns, and in the same order. */
function laid(wires: readonly Record<string, unknown>[]): Laid {
  const listings = wires.flatMap((wire, index) => {
    const read = readListing({ ...wire, id: String(index + 1), itemId: '1' });
    return read.ok ? [read.listing] : [];
  });
  const items: NamedItem[] = [];
  const itemOf = listings.map(({ name, nameFolded, type, exterior, rarity, collection, color }) => {
    const item = { name, nameFolded, type, exterior, rarity, collection, color };
    const known = items.findIndex((each) => JSON.stringify(each) === JSON.stringify(item));
    return known < 0 ? items.push(item) - 1 : known;
  });
  const words = [...new Set(listings.flatMap(({ market, delivery }) => [market, delivery ?? []].flat()))];
  const { columns, order } = offerColumns(items, words, listings.length, (index) => {
    const { cost, steam = 0, wear = Number.NaN, paintSeed = -1, market, delivery } = listings[index] as Listing;
    const named = { market: words.indexOf(market), delivery: delivery === undefined ? NO_WORD : words.indexOf(delivery) };
    return { item: itemOf[index] as number, cost, steam, wear, paintSeed, ...named };
  });
  return { columns, listings: [...order].map((index) => listings[index] as Listing) };
}

describe('what is found in columns', () => {
  it('is what strategies want, asked of each listing; what columns do not say is left to the listing', () => {
    let [found, unsure] = [0, 0];
    const drawn = fc.tuple(
      fc.array(entries, { minLength: 10, maxLength: 60 }),
      fc.array(strategyDocuments, { minLength: 4, maxLength: 12 }),
    );
    fc.assert(
      fc.property(drawn, ([wires, documents]) => {
        const { columns, listings } = laid(wires);
        const strategies = documents.map((document) => strategyOf(document as never));
        const all = strategies.map((): number[] => []);
        wantedByAny(columns, strategies, (strategy, offer) => all[strategy]?.push(offer));
        for (const [place, strategy] of strategies.entries()) {
          const sure = new Map<number, boolean>();
          wantedIn(columns, strategy, (offer, isSure) => {
            expect(sure.has(offer)).toBe(false);
            sure.set(offer, isSure);
          });
          expect([...sure.keys()]).toEqual(all[place]);
          for (const [offer, listing] of listings.entries()) {
            const wants = strategy.matches(listing);
            const verdicts = strategy.explain(listing).filter(({ depth }) => depth === 0);
            const failing = verdicts.filter(({ verdict }) => verdict !== 'true');
            expect(strategy.misses(listing)).toBe(failing.length === 1 ? verdicts.indexOf(failing[0] as never) : undefined);
            const told = sure.get(offer);
            if (told === undefined) expect(wants).toBe(false);
            else if (told) expect(wants).toBe(true);
            found += wants ? 1 : 0;
            unsure += told === false ? 1 : 0;
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(found).toBeGreaterThan(150);
    expect(unsure).toBeGreaterThan(30);
  });
});

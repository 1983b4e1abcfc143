import { describe, expect, it } from 'vitest';
import { checkListing } from '../../src/api/check.ts';
import { loadCatalogue } from '../../src/sandbox/catalogue.ts';
import { Bench, type Wire } from './harness.ts';

function course(options: { seed: number; listings?: number }, steps: readonly number[]): string[] {
  const bench = new Bench(options);
  return steps.map((ms) => {
    bench.pass(ms);
    return JSON.stringify(bench.feed());
  });
}

const minute = 60_000;

describe('the market', () => {
  it('goes the same way for the same seed and another for another one', () => {
    const steps = [0, 1000, 5000, 30_000, minute, 10 * minute];
    expect(course({ seed: 3 }, steps)).toEqual(course({ seed: 3 }, steps));
    expect(course({ seed: 4 }, [0])).not.toEqual(course({ seed: 3 }, [0]));
  });

  it('does not depend on how often it is moved on', () => {
    const often = course(
      { seed: 5 },
      Array.from({ length: 240 }, () => 1000),
    ).at(-1);
    expect(course({ seed: 5 }, [4 * minute])).toEqual([often]);
  });

  it('shows listings as the document gives them, each of a known name, wear within its range, fee to the cent', () => {
    const bench = new Bench({ listings: 2000 });
    bench.pass(2 * minute);
    const catalogue = loadCatalogue();
    for (const listing of bench.feed()) {
      expect(checkListing(listing)).toBeUndefined();
      const item = catalogue.byId(listing.itemId);
      expect(item?.name).toBe(listing.marketHashName);
      expect(listing.priceWithFee).toBe(Math.round(Math.round(listing.price * 100) * 1.05) / 100);
      if (!item?.wear) expect(listing.wear).toBeNull();
      else expect(listing.wear !== null && listing.wear >= item.wear.low && listing.wear < item.wear.high).toBe(true);
    }
  });

  it('stands in the order of popularity', () => {
    const catalogue = loadCatalogue();
    const bench = new Bench({ listings: 500 });
    bench.pass(minute);
    const ranks = bench.feed().map(({ itemId }) => catalogue.byId(itemId)?.rank ?? -1);
    expect(ranks.toSorted((a, b) => a - b)).toEqual(ranks);
  });

  it('varies markets, deliveries, missing Steam prices, and the shapes of stickers and charms', () => {
    const feed = new Bench({ listings: 5000 }).feed() as (Wire & { delivery: string })[];
    expect(new Set(feed.map(({ market }) => market))).toEqual(new Set(['c5game', 'ecosteam']));
    expect(new Set(feed.map(({ delivery }) => delivery))).toEqual(new Set(['auto', 'normal']));
    expect(feed.some(({ steamPrice }) => steamPrice === null)).toBe(true);
    const fields = new Set(
      feed.flatMap(({ stickers }) =>
        stickers.flatMap((sticker) => (typeof sticker === 'object' && sticker ? Object.keys(sticker) : [typeof sticker])),
      ),
    );
    for (const field of ['name', 'enName', 'marketHashName', 'id', 'stickerId', 'slot', 'wear', 'number'])
      expect(fields).toContain(field);
    const charms = new Set(feed.map(({ charm }) => (Array.isArray(charm) ? 'array' : charm === null ? 'null' : typeof charm)));
    expect(charms).toEqual(new Set(['array', 'null', 'object']));
  });

  it('keeps its size and its spread of prices over an hour', () => {
    const bench = new Bench({ listings: 1500 });
    for (const wait of [0, 60 * minute]) {
      bench.pass(wait);
      const feed = bench.feed();
      expect(Math.abs(feed.length - 1500)).toBeLessThan(250);
      const ratios = feed
        .filter(({ steamPrice }) => (steamPrice ?? 0) >= 1)
        .map(({ price, steamPrice }) => price / (steamPrice ?? 1))
        .sort((a, b) => a - b);
      const at = (share: number): number => ratios[Math.floor(share * ratios.length)] ?? 0;
      expect(at(0.1)).toBeGreaterThan(0.42);
      expect(at(0.1)).toBeLessThan(0.56);
      expect(at(0.5)).toBeGreaterThan(0.7);
      expect(at(0.5)).toBeLessThan(0.83);
      expect(at(0.9)).toBeGreaterThan(0.95);
      expect(at(0.9)).toBeLessThan(1.25);
      expect(medianGap(feed)).toBeLessThan(0.02);
    }
  });

  it('lives: listings come, change their price and go, the underpriced sooner', () => {
    const bench = new Bench({ listings: 1000 });
    const before = new Map(bench.feed().map((listing) => [listing.id, listing]));
    bench.pass(2 * minute);
    const after = new Map(bench.feed().map((listing) => [listing.id, listing]));
    expect([...after.keys()].some((id) => !before.has(id))).toBe(true);
    expect([...after.values()].some(({ id, price }) => before.has(id) && before.get(id)?.price !== price)).toBe(true);
    const gone = (listings: Wire[]): number => listings.filter(({ id }) => !after.has(id)).length / listings.length;
    const of = (low: number, high: number): Wire[] =>
      [...before.values()].filter(
        ({ price, steamPrice }) => steamPrice !== null && price / steamPrice >= low && price / steamPrice < high,
      );
    expect(gone(of(0, 0.5))).toBeGreaterThan(2 * gone(of(0.8, 9)));
  });

  it('never gives a listing id twice', () => {
    const bench = new Bench({ listings: 300 });
    const key = (listing: Wire): string => `${listing.marketHashName} ${listing.wear}`;
    const seen = new Map<string, string>();
    for (let step = 0; step < 60; step++) {
      bench.pass(20_000);
      for (const listing of bench.feed()) {
        expect(seen.get(listing.id) ?? key(listing)).toBe(key(listing));
        seen.set(listing.id, key(listing));
      }
    }
  });

  it('is made for 20,000 listings', () => {
    const bench = new Bench({ listings: 20_000 });
    bench.pass(30_000);
    const feed = bench.feed();
    expect(Math.abs(feed.length - 20_000)).toBeLessThan(1000);
    expect(new Set(feed.map(({ id }) => id)).size).toBe(feed.length);
  });
});

/** What the second cheapest of a name costs above the cheapest, in the median over names. */
function medianGap(feed: readonly Wire[]): number {
  const byName = new Map<string, number[]>();
  for (const { marketHashName, price } of feed)
    if (price >= 1) byName.set(marketHashName, [...(byName.get(marketHashName) ?? []), price]);
  const gaps = [...byName.values()].flatMap((prices) => {
    const [first, second] = prices.sort((a, b) => a - b);
    return first !== undefined && second !== undefined ? [second / first - 1] : [];
  });
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? Number.NaN;
}

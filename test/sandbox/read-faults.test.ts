import { describe, expect, it } from 'vitest';
import { calm, type Json, parsed } from './harness.ts';
import { faulty, orders, withListing } from './struck.ts';

describe('the faults of reads and of the feed', () => {
  it('readLost does what its doc says', () => {
    expect(faulty({ readLost: 1 }).ask('GET', '/v1/user').lost).toBe('after');
  });

  it('readLate does what its doc says', () => {
    expect(faulty({ readLate: 1 }).ask('GET', '/v1/user')).toMatchObject({ status: 200, delayMs: 5000 });
  });

  it('readCut does what its doc says', () => {
    const answer = faulty({ readCut: 1 }).ask('GET', '/v1/user');
    expect(['clean', 'torn']).toContain(answer.cut);
    expect(() => parsed(answer)).toThrow();
  });

  it('readHtml does what its doc says', () => {
    expect(faulty({ readHtml: 1 }).ask('GET', '/v1/user').headers['content-type']).toContain('text/html');
  });

  it('readError does what its doc says', () => {
    expect(faulty({ readError: 1 }).ask('GET', '/v1/user').status).toBe(500);
  });

  it('readOddShape does what its doc says', () => {
    const bench = faulty({ readOddShape: 1 });
    const shapes = new Set(Array.from({ length: 30 }, () => JSON.stringify(parsed(bench.ask('GET', '/v1/user'))['data'])));
    expect(shapes).toEqual(new Set(['[]', 'null']));
  });

  it('dateWrong does what its doc says', () => {
    const bench = faulty({});
    const off = (): number => Date.parse(bench.ask('GET', '/v1/user').headers['date'] ?? '') - bench.clock.now();
    expect(off()).toBe(0);
    bench.sandbox.setFaults({ ...calm, dateWrong: 1 });
    expect(new Set(Array.from({ length: 30 }, off))).toEqual(new Set([3_600_000, -3_600_000]));
  });

  it('tooMany does what its doc says', () => {
    const bench = withListing({ tooMany: 1 });
    const answers = Array.from({ length: 100 }, () => bench.bench.ask('GET', '/v1/user'));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    const forms = new Set(answers.map(({ headers }) => (headers['retry-after'] ?? 'absent').replace(/.*GMT/, 'date')));
    expect(forms).toEqual(new Set(['1', '2', '0.5', 'date', '0', '-3', 'soon', '99999999999', 'absent']));
    expect([bench.bench.buy(bench.listing).status, orders(bench)]).toEqual([429, 0]);
  });

  it('forbidden does what its doc says', () => {
    const { bench, listing, key } = withListing({ forbidden: 1 });
    expect(bench.ask('GET', '/v1/user').status).toBe(403);
    bench.sandbox.setFaults(calm);
    bench.pass(4900);
    expect([bench.buy(listing).status, orders({ bench, key })]).toEqual([403, 0]);
    bench.pass(200);
    expect(bench.ask('GET', '/v1/user').status).toBe(200);
  });

  it('feedFrozen does what its doc says', () => {
    const bench = faulty({});
    const before = bench.ask('GET', '/v2/partner/live/listings').bodyText;
    bench.pass(10_000);
    bench.sandbox.setFaults({ ...calm, feedFrozen: 1 });
    expect(bench.ask('GET', '/v2/partner/live/listings').bodyText).toBe(before);
    bench.sandbox.setFaults(calm);
    bench.pass(4900);
    expect(bench.ask('GET', '/v2/partner/live/listings').bodyText).toBe(before);
    bench.pass(200);
    expect(bench.ask('GET', '/v2/partner/live/listings').bodyText).not.toBe(before);
  });

  it('feedPriceSlip does what its doc says', () => {
    const bench = faulty({});
    const before = bench.feed();
    bench.sandbox.setFaults({ ...calm, feedPriceSlip: 1 });
    const factors = new Set<number>();
    for (let look = 0; look < 40; look++) {
      const slipped = bench.feed();
      const ratio = (field: 'price' | 'steamPrice'): number => Number(slipped[0]?.[field]) / Number(before[0]?.[field]);
      factors.add(Number((ratio('price') * ratio('steamPrice')).toPrecision(3)));
    }
    expect(factors).toEqual(new Set([0.1, 0.01, 10, 100]));
  });

  it('feedDuplicates does what its doc says', () => {
    const bench = faulty({ feedDuplicates: 1 });
    const byId = new Map<string, number[]>();
    for (const { id, price } of bench.feed()) byId.set(id, [...(byId.get(id) ?? []), price]);
    const doubled = [...byId.values()].filter((prices) => prices.length === 2);
    expect(doubled.some(([a, b]) => a === b)).toBe(true);
    expect(doubled.some(([a, b]) => a !== b)).toBe(true);
  });

  it('feedBadRows does what its doc says', () => {
    const feed = faulty({ feedBadRows: 1 }, { listings: 2000 }).feed() as unknown[];
    expect(feed).toContain(null);
    const rows = feed.filter((row): row is Json => typeof row === 'object' && row !== null);
    expect(rows.some((row) => row['wear'] === 7)).toBe(true);
    expect(rows.some((row) => typeof row['price'] === 'string')).toBe(true);
    expect(rows.some((row) => !('id' in row))).toBe(true);
    expect(rows.filter((row) => typeof row['price'] === 'number' && row['price'] > 0).length).toBeGreaterThan(1700);
  });

  it('feedShort does what its doc says', () => {
    const bench = faulty({ feedShort: 1 });
    const looks = Array.from({ length: 20 }, () => bench.data('GET', '/v2/partner/live/listings'));
    const sizes = new Set(looks.map((look) => `${(look['listings'] as unknown[]).length} of ${String(look['listingsCount'])}`));
    expect(sizes).toEqual(new Set(['0 of 0', '20 of 200']));
  });
});

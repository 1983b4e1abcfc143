import { describe, expect, it } from 'vitest';
import { compileCheck } from '../../src/api/check.ts';
import { endpoints, type Endpoint, type EndpointName } from '../../src/api/endpoints.ts';
import { Bench, parsed, type Json } from './harness.ts';

const rows = Object.entries(endpoints) as [EndpointName, Endpoint][];

/** A good call of each endpoint that needs more than its path. */
function goodCall(bench: Bench, name: EndpointName): { query?: Record<string, string>; body?: unknown } {
  const [listing] = bench.cheap();
  if (!listing) throw new Error('an empty market');
  const { id, itemId, market, price } = listing;
  const calls: Partial<Record<EndpointName, { query?: Record<string, string>; body?: unknown }>> = {
    listingDetail: { body: { items: [{ item: itemId, listing: id, market }] } },
    buy: { body: { itemId: id, market, price, tradeUrl: bench.sandbox.tradeUrl } },
    listings: { query: { item: itemId, page: '1' } },
    suggestions: { query: { q: 'redline' } },
    transactions: { query: { page: '1', limit: '5' } },
    ledger: { query: { type: 'credit,debit' } },
    search: { query: { q: 'a', minPrice: '0.5', sort: 'priceAsc', start: '1', end: '10' } },
  };
  return calls[name] ?? {};
}

const call = (bench: Bench, name: EndpointName, rest: Parameters<Bench['ask']>[2]) =>
  bench.ask(endpoints[name].method, endpoints[name].path, { key: bench.sandbox.topLevelKey, ...rest });

describe.each(rows)('the endpoint %s', (name, endpoint) => {
  it('answers a good call in the envelope, with data of its schema', () => {
    const bench = new Bench();
    const answer = call(bench, name, goodCall(bench, name));
    expect([answer.status, answer.bodyText]).toEqual([200, answer.bodyText]);
    const envelope = parsed(answer);
    expect(envelope['success']).toBe(true);
    expect(envelope['requestId']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(compileCheck(endpoint.data)(envelope['data'])).toBeUndefined();
  });

  it('refuses a missing and an unknown key', () => {
    const bench = new Bench();
    const good = goodCall(bench, name);
    for (const [key, code] of [
      [undefined, 'API_KEY_MISSING'],
      ['sandbox-child-nobody', 'API_KEY_INVALID'],
    ] as const) {
      const answer = call(bench, name, { ...good, key });
      expect([answer.status, parsed(answer)['code'], parsed(answer)['success']]).toEqual([401, code, false]);
    }
  });

  it('lets a child key in only where it may', () => {
    const bench = new Bench();
    const answer = call(bench, name, { ...goodCall(bench, name), key: bench.sandbox.childKey });
    expect(answer.status).toBe(endpoint.auth === 'key' ? 200 : 403);
  });

  it('refuses a query parameter that is not in the table', () => {
    const bench = new Bench();
    const good = goodCall(bench, name);
    const answer = call(bench, name, { ...good, query: { ...good.query, colour: 'red' } });
    expect([answer.status, parsed(answer)['code']]).toEqual([400, 'VALIDATION_ERROR']);
    expect(parsed(answer)['message']).toContain('colour');
  });
});

describe.each(rows.filter(([, endpoint]) => endpoint.body !== undefined))('the endpoint %s', (name) => {
  it('refuses a body that is no JSON, and an unknown field in it', () => {
    const bench = new Bench();
    const good = goodCall(bench, name);
    expect(parsed(call(bench, name, { ...good, body: '{"itemId":' }))['code']).toBe('BODY_NOT_JSON');
    const answer = call(bench, name, { ...good, body: { ...(good.body as object), currency: 'EUR' } });
    expect([answer.status, parsed(answer)['code']]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('checks', () => {
  it('hold queries to their types and patterns', () => {
    const bench = new Bench();
    const bad: [EndpointName, Record<string, string>][] = [
      ['listings', {}],
      ['listings', { item: 'ABCDEF0123456789' }],
      ['listings', { item: '0123456789abcdef', page: '0' }],
      ['listings', { item: '0123456789abcdef', delivery: 'slow' }],
      ['search', { sort: 'random' }],
      ['search', { minPrice: '-1' }],
      ['search', { minPrice: 'cheap' }],
      ['search', { start: '1.5' }],
      ['suggestions', {}],
      ['transactions', { page: '1e3' }],
      ['ledger', { limit: '0' }],
    ];
    for (const [name, query] of bad) expect([name, query, call(bench, name, { query }).status]).toEqual([name, query, 400]);
  });

  it('hold bodies to their patterns, and say where', () => {
    const bench = new Bench();
    const item = { item: '0123456789abcdef', listing: '1', market: 'c5game' };
    const details: unknown[] = [
      { items: [] },
      { items: Array.from({ length: 11 }, () => item) },
      { items: [{ ...item, listing: 'x' }] },
      { items: [{ ...item, market: 'c5' }] },
      { items: [{ ...item, extra: 1 }] },
    ];
    for (const body of details) expect(call(bench, 'listingDetail', { body }).status).toBe(400);
    const answer = call(bench, 'listingDetail', { body: { items: [{ ...item, item: 'nope' }] } });
    expect(parsed(answer)['message']).toContain('body.items.0.item');
  });

  it('know no other address and method', () => {
    const bench = new Bench();
    for (const [method, path] of [
      ['GET', '/v2/market/buy'],
      ['POST', '/v1/user'],
      ['GET', '/v3/anything'],
      ['GET', '/v2/partner/live/listings/'],
    ] as const) {
      expect(bench.ask(method, path).status).toBe(404);
    }
  });
});

describe('lookups', () => {
  it('answer listing details one by one, what is not found in its place', () => {
    const bench = new Bench();
    const [first, second] = bench.cheap();
    if (!first || !second) throw new Error('an empty market');
    bench.buy(second);
    const ask = (item: string, listing: string, market: string) => ({ item, listing, market });
    const items = [
      ask(first.itemId, first.id, first.market),
      ask(second.itemId, second.id, second.market),
      ask('0000000000000000', first.id, first.market),
      ask(second.itemId, first.id, first.market),
    ];
    const found = bench.data('POST', '/v2/partner/listing-detail', { body: { items } })['items'] as Json[];
    expect(found[0]).toMatchObject({ id: first.id, price: first.price, wear: first.wear });
    expect(found.slice(1)).toEqual([
      { id: second.id, error: 'LISTING_NOT_FOUND' },
      { id: first.id, error: 'ITEM_NOT_FOUND' },
      { id: first.id, error: second.itemId === first.itemId ? undefined : 'LISTING_NOT_FOUND' },
    ]);
  });

  it('search by name, price and word, sorted and cut', () => {
    const bench = new Bench({ listings: 1000 });
    const search = (query: Record<string, string>): Json[] =>
      bench.data('GET', '/v2/market/search', { query })['items'] as Json[];
    const cheap = search({ maxPrice: '5', sort: 'priceDesc' });
    expect(cheap.length).toBeGreaterThan(10);
    for (const item of cheap) expect(item['price']).toBeLessThanOrEqual(5);
    expect(cheap.map((item) => item['price'])).toEqual(cheap.map((item) => Number(item['price'])).sort((a, b) => b - a));
    for (const item of search({ q: 'ak-47', rarity: 'classified', wear: 'field-tested' }))
      expect(item).toMatchObject({ weapon: 'AK-47', rarity: 'Classified', exterior: 'Field-Tested' });
    expect(search({ start: '3', end: '7' })).toEqual(search({}).slice(2, 7));
  });

  it('page the listings of an item, cheapest first, and suggest names', () => {
    const bench = new Bench({ listings: 2000 });
    const counts = new Map<string, number>();
    for (const { itemId } of bench.feed()) counts.set(itemId, (counts.get(itemId) ?? 0) + 1);
    const [item = '', count = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
    const pages = [1, 2, 3, 4, 5].flatMap(
      (page) => bench.data('GET', '/v2/market/listings', { query: { item, page: String(page) } })['listings'] as Json[],
    );
    expect(pages.length).toBe(Math.min(count, 100));
    expect(pages.map(({ price }) => price)).toEqual(pages.map(({ price }) => Number(price)).sort((a, b) => a - b));
    const names = bench.data('GET', '/v2/market/search/suggestions', { query: { q: 'REDLINE' } })['items'] as Json[];
    expect(names).toHaveLength(10);
    for (const name of names) expect(name['marketHashName']).toContain('Redline');
  });
});

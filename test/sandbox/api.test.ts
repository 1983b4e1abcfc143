import { describe, expect, it } from 'vitest';
import { compileCheck } from '../../src/api/check.ts';
import { endpoints, type Endpoint, type EndpointName } from '../../src/api/endpoints.ts';
import type { z } from 'zod';
import type { SandboxAnswer } from '../../src/sandbox/sandbox-answer.ts';
import { Bench, parsed, type Json } from './harness.ts';

interface GoodCall {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
}

const rows = Object.entries(endpoints) as [EndpointName, Endpoint][];

/** Bodies that the document calls closed; the two others it does not. */
const isStrict = (shape: z.ZodType | undefined): boolean =>
  shape !== endpoints.withdraw.body && shape !== endpoints.cryptoDeposit.body;

/** What the document's own rules leave open to be refused: an endpoint that takes any query or any body. */
const takesAny = (schema: z.ZodType | undefined): boolean => schema?.safeParse({ colour: 'red' }).success === true;

/** A good call of each endpoint that needs more than its path. */
function goodCall(bench: Bench, name: EndpointName): GoodCall {
  const listing = bench.cheap().find(({ market }) => market === 'c5game');
  if (!listing) throw new Error('an empty market');
  const { id, itemId, market, price } = listing;
  const calls: Partial<Record<EndpointName, GoodCall>> = {
    listingDetail: { body: { items: [{ item: itemId, listing: id, market }] } },
    buy: { body: { itemId: id, market, price, tradeUrl: bench.sandbox.tradeUrl } },
    listings: { query: { item: itemId, page: '1' } },
    suggestions: { query: { q: 'redline' } },
    transactions: { query: { page: '1', limit: '5' } },
    ledger: { query: { type: 'credit,debit' } },
    cancelDeposit: { path: { depositId: depositOf(bench) } },
    transfer: { body: { toEmail: 'child1@sandbox.example', amountCents: 100, idempotencyKey: 'one' } },
    legacyListings: { query: { item: itemId } },
    legacyBuy: { body: { itemId: id, market: 'c5', method: 'balance', price, tradeURL: bench.sandbox.tradeUrl } },
    legacyItem: { path: { id: itemId } },
    legacyItemOverview: { path: { id: itemId } },
    legacyListingDetail: { query: { item: itemId, listing: id, market: 'c5' } },
    search: { query: { q: 'a', minPrice: '0.5', sort: 'priceAsc', start: '1', end: '10' } },
  };
  const { example = {} }: Endpoint = endpoints[name];
  const query = Object.fromEntries(Object.entries(example.query ?? {}).map(([field, value]) => [field, String(value)]));
  return calls[name] ?? { query, body: example.body };
}

/** A deposit of the account that calls by default. */
function depositOf(bench: Bench): string {
  const body = { token: 'USDT', network: 'TRC20', amount: 10 };
  const data = bench.data('POST', endpoints.cryptoDeposit.path, { body, key: bench.sandbox.topLevelKey });
  return (data['deposit'] as { id: string }).id;
}

function call(bench: Bench, name: EndpointName, { path = {}, ...rest }: GoodCall & { key?: string | undefined }): SandboxAnswer {
  const where = endpoints[name].path.replace(/\{(\w+)\}/g, (_, parameter: string) => path[parameter] ?? '');
  return bench.ask(endpoints[name].method, where, { key: bench.sandbox.topLevelKey, ...rest });
}

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
    // The deposit to be cancelled is the top-level account's.
    const ownAlone = name === 'cancelDeposit' ? 404 : 200;
    expect(answer.status).toBe(endpoint.auth === 'key' ? ownAlone : 403);
  });

  it('refuses a query parameter that is not in the table, where the document shows which there are', () => {
    const bench = new Bench();
    if (takesAny(endpoint.query)) return expect(endpoint.request).toBe('open');
    const good = goodCall(bench, name);
    const answer = call(bench, name, { ...good, query: { ...good.query, colour: 'red' } });
    expect([answer.status, parsed(answer)['code']]).toEqual([400, 'VALIDATION_ERROR']);
    expect(parsed(answer)['message']).toContain('colour');
  });
});

describe.each(rows.filter(([, { body, request }]) => body !== undefined && request !== 'open'))(
  'the endpoint %s',
  (name, { body: shape }) => {
    it('refuses a body that is no JSON, and an unknown field in it', () => {
      const bench = new Bench();
      const good = goodCall(bench, name);
      expect(parsed(call(bench, name, { ...good, body: '{"itemId":' }))['code']).toBe('BODY_NOT_JSON');
      const answer = call(bench, name, { ...good, body: { ...(good.body as object), currency: 'EUR' } });
      expect([answer.status, parsed(answer)['code']]).toEqual(isStrict(shape) ? [400, 'VALIDATION_ERROR'] : [200, undefined]);
    });
  },
);

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

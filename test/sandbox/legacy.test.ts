import { describe, expect, it } from 'vitest';
import { Bench, parsed, type Json, type Wire } from './harness.ts';

const onC5 = (bench: Bench): Wire => {
  const listing = bench.cheap().find(({ market }) => market === 'c5game');
  if (!listing) throw new Error('nothing on that market');
  return listing;
};

describe('version 1 of the market', () => {
  it('buys under its own names, with the same orders and the same refusals', () => {
    const bench = new Bench();
    const { id, price, priceWithFee } = onC5(bench);
    const body = { itemId: id, price, method: 'balance', market: 'c5', tradeURL: bench.sandbox.tradeUrl };
    const buy = (change: Json = {}) => bench.ask('POST', '/v1/market/buy', { body: { ...body, ...change } });
    expect(parsed(buy({ price: price + 0.01 }))['code']).toBe('PRICE_CHANGED');
    expect(parsed(buy({ market: 'ecosteam' }))['code']).toBe('MARKET_MISMATCH');
    expect(parsed(buy({ tradeURL: undefined }))['code']).toBe('TRADE_URL_REQUIRED');
    expect(parsed(buy({ tradeURL: 'https://x' }))['code']).toBe('TRADE_URL_INVALID');
    expect(parsed(buy({ tradeUrl: bench.sandbox.tradeUrl }))['code']).toBe('VALIDATION_ERROR');
    expect(parsed(buy())).toMatchObject({ success: true, data: { order: { status: 'SUCCESS' }, item: { id, market: 'c5' } } });
    expect(buy().status).toBe(410);
    expect(bench.orders()).toMatchObject([{ amount: priceWithFee }]);
    expect(bench.sandbox.books().posts[`c5game:${id}`]).toBe(4);
  });

  it('shows the same listings under its own names of the markets', () => {
    const bench = new Bench();
    const { id, itemId, marketHashName } = onC5(bench);
    const key = bench.sandbox.topLevelKey;
    const live = bench.data('GET', '/v1/partner/live/listings', { key })['listings'] as Wire[];
    expect(live.map((listing) => listing.id)).toEqual(bench.feed().map((listing) => listing.id));
    expect(new Set(live.map(({ market }) => market))).toEqual(new Set(['c5', 'ecosteam']));
    const one = bench.data('GET', '/v1/partner/listing-detail', { key, query: { item: itemId, listing: id, market: 'c5' } });
    expect(one).toMatchObject({ id, market: 'c5' });
    const all = bench.data('GET', '/v1/market/listings', { query: { item: itemId } })['listings'] as Wire[];
    expect(all.find((listing) => listing.id === id)).toMatchObject({ market: 'c5' });
    expect(bench.data('GET', `/v1/market/item/${itemId}`)).toMatchObject({ id: itemId, marketHashName });
    const overview = bench.data('GET', `/v1/market/item/${itemId}/overview`, { key });
    const { c5, ecosteam } = overview['markets'] as Record<string, { sellingTotal: number }>;
    expect((c5?.sellingTotal ?? 0) + (ecosteam?.sellingTotal ?? 0)).toBe(overview['sellingTotal']);
  });

  it('does not know what is not there', () => {
    const bench = new Bench();
    const { id } = onC5(bench);
    const query = { item: '0000000000000000', listing: id, market: 'eco' };
    expect(bench.ask('GET', '/v1/partner/listing-detail', { key: bench.sandbox.topLevelKey, query }).status).toBe(404);
    expect(bench.ask('GET', '/v1/market/item/0000000000000000').status).toBe(404);
    expect(bench.ask('GET', '/v1/market/listings', { query: { item: 'x' } }).status).toBe(400);
  });

  it('lists and searches as the second version does', () => {
    const bench = new Bench();
    const { items, itemsCount } = bench.data('GET', '/v1/market/items') as { items: Json[]; itemsCount: number };
    expect([items.length, new Set(bench.feed().map(({ itemId }) => itemId)).size]).toEqual([itemsCount, itemsCount]);
    const query = { q: 'a', sort: 'priceAsc', end: '5' };
    expect(bench.data('GET', '/v1/market/search', { query })).toEqual(bench.data('GET', '/v2/market/search', { query }));
    const letters = { q: 'redline' };
    expect(bench.data('GET', '/v1/market/search/suggestions', { query: letters })).toEqual(
      bench.data('GET', '/v2/market/search/suggestions', { query: letters }),
    );
  });
});

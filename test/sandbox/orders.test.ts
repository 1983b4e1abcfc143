import { describe, expect, it } from 'vitest';
import { Bench, parsed, serviceOrderId, type Json } from './harness.ts';

describe('a buy', () => {
  it('debits the price with fee, takes the listing off, and shows as an order, a transaction and a ledger entry', () => {
    const bench = new Bench();
    const listing = bench.cheapest();
    const answer = bench.buy(listing);
    const { order, item } = parsed(answer)['data'] as { order: Json; item: Json };
    expect(order).toMatchObject({
      status: 'SUCCESS',
      serviceOrderId: expect.stringMatching(/^[0-9a-f]{24}$/),
      orderId: expect.stringMatching(/^\d+$/),
    });
    expect(item).toMatchObject({ id: listing.id, price: listing.price, priceWithFee: listing.priceWithFee });
    expect(item).not.toHaveProperty('wear');
    expect(item).not.toHaveProperty('paintSeed');
    expect(bench.balance()).toBe(Math.round((1000 - listing.priceWithFee) * 100) / 100);
    expect(bench.feed().some(({ id }) => id === listing.id)).toBe(false);
    expect(bench.orders()).toMatchObject([
      {
        id: order['serviceOrderId'],
        item: listing.marketHashName,
        itemId: listing.itemId,
        amount: listing.priceWithFee,
        currency: 'USD',
        status: { code: 'INITIATED' },
        settlementTime: null,
        timestamp: bench.clock.now(),
      },
    ]);
    expect(bench.data('GET', '/v1/user/transactions')).toMatchObject({
      total: 1,
      transactions: [
        {
          itemId: listing.itemId,
          itemName: listing.marketHashName,
          float: listing.wear,
          price: listing.price,
          amount: listing.priceWithFee,
          type: 'purchase',
          status: 'pending',
        },
      ],
    });
    expect(bench.data('GET', '/v1/user/ledger', { query: { type: 'debit' } })).toMatchObject({
      page: 1,
      limit: 20,
      total: 1,
      items: [{ type: 'debit', amount: listing.priceWithFee, orderId: order['serviceOrderId'] }],
    });
  });

  it('is refused for what the answer names, and changes nothing then', () => {
    const bench = new Bench({ balance: 40 });
    const [listing] = bench.cheap();
    const dear = bench.feed().find(({ priceWithFee }) => priceWithFee > 40);
    if (!listing || !dear) throw new Error('too small a market');
    const refusals: [ReturnType<Bench['buy']>, number, string][] = [
      [bench.buy(listing, { price: listing.price + 0.01 }), 409, 'PRICE_CHANGED'],
      [bench.buy(listing, { price: listing.price - 0.01 || 0.001 }), 409, 'PRICE_CHANGED'],
      [bench.buy(listing, { itemId: '12345' }), 404, 'LISTING_NOT_FOUND'],
      [bench.buy(listing, { market: listing.market === 'c5game' ? 'ecosteam' : 'c5game' }), 400, 'MARKET_MISMATCH'],
      [bench.buy(listing, { market: 'steam' }), 400, 'VALIDATION_ERROR'],
      [bench.buy(listing, { price: String(listing.price) }), 400, 'VALIDATION_ERROR'],
      [bench.buy(listing, { itemId: Number(listing.id) }), 400, 'VALIDATION_ERROR'],
      [bench.buy(listing, { tradeUrl: undefined }), 400, 'TRADE_URL_REQUIRED'],
      [
        bench.buy(listing, { tradeUrl: 'https://steamcommunity.com/tradeoffer/new/?partner=x&token=y' }),
        400,
        'TRADE_URL_INVALID',
      ],
      [bench.buy(dear), 400, 'INSUFFICIENT_BALANCE'],
    ];
    for (const [answer, status, code] of refusals)
      expect([answer.status, parsed(answer)['code'], parsed(answer)['success']]).toEqual([status, code, false]);
    expect(bench.orders()).toEqual([]);
    expect(bench.balance()).toBe(40);
    expect(bench.feed().some(({ id }) => id === listing.id)).toBe(true);
  });

  it('sells a listing once: the second caller hears that it is gone', () => {
    const bench = new Bench();
    const listing = bench.cheapest();
    expect(bench.buy(listing).status).toBe(200);
    const again = bench.buy(listing);
    expect([again.status, parsed(again)['code']]).toEqual([410, 'LISTING_NOT_FOUND']);
    expect(bench.sandbox.books().posts).toEqual({ [`${listing.market}:${listing.id}`]: 2 });
    expect(bench.sandbox.books().accepted).toEqual({ [`${listing.market}:${listing.id}`]: 1 });
  });

  it('keeps the accounts of different keys apart', () => {
    const bench = new Bench({ children: 2 });
    const listing = bench.cheapest();
    bench.buy(listing);
    for (const key of [bench.sandbox.childKeys[1], bench.sandbox.topLevelKey]) {
      expect(bench.data('GET', '/v1/user/orders', { key })).toMatchObject({ total: 0, returned: 0, orders: [] });
      expect(bench.data('GET', '/v1/user', { key })['profile']).toMatchObject({ balance: 1000 });
    }
    expect(bench.data('GET', '/v1/user')['type']).toBe('apiKey');
    expect(bench.data('GET', '/v1/user', { key: bench.sandbox.topLevelKey })['type']).toBe('user');
  });
});

describe('an order', () => {
  it('goes its way to completion within a minute, with a settlement time once it is held', () => {
    const bench = new Bench();
    const listing = bench.cheapest();
    bench.buy(listing);
    const codes: string[] = [];
    let settlement: unknown = null;
    for (let second = 0; second < 60; second++) {
      const [order] = bench.orders();
      const [code = ''] = bench.codes();
      if (codes.at(-1) !== code) codes.push(code);
      if (code === 'HOLD') settlement = order?.['settlementTime'];
      if (code === 'HOLD') expect(Date.parse(String(settlement))).toBeGreaterThanOrEqual(bench.clock.now());
      bench.pass(1000);
    }
    expect(codes).toEqual(['INITIATED', 'PENDING', 'ACTIVE', 'HOLD', 'COMPLETED']);
    expect(Date.parse(String(settlement))).toBeLessThan(bench.clock.now());
    expect(bench.data('GET', '/v1/user/transactions/stats')['stats']).toEqual({ completed: 1, failed: 0 });
  });

  it('settles faster with a higher speed and slower with slower times', () => {
    const completedAfter = (options: ConstructorParameters<typeof Bench>[0]): number => {
      const bench = new Bench(options);
      bench.buy(bench.cheapest());
      for (let seconds = 0; seconds < 3600; seconds++) {
        if (bench.codes()[0] === 'COMPLETED') return seconds;
        bench.pass(1000);
      }
      return Number.POSITIVE_INFINITY;
    };
    expect(completedAfter({ speed: 10 })).toBeLessThan(6);
    expect(completedAfter({ times: { hold: 600_000 } })).toBeGreaterThan(300);
  });

  it('has an id that no other has', () => {
    const bench = new Bench();
    const ids = bench
      .cheap()
      .slice(0, 50)
      .map((listing) => serviceOrderId(bench.buy(listing)));
    expect(new Set(ids).size).toBe(50);
  });
});

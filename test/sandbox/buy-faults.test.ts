import { describe, expect, it } from 'vitest';
import { type Json, parsed } from './harness.ts';
import { orders, someSeed, withListing } from './struck.ts';

describe('the faults of a buy', () => {
  it('buyLostBefore does what its doc says', () => {
    const buy = withListing({ buyLostBefore: 1 });
    expect(buy.bench.buy(buy.listing).lost).toBe('before');
    expect(orders(buy)).toBe(0);
    expect(buy.bench.sandbox.books().posts[buy.key]).toBe(1);
  });

  it('buyLostAfter does what its doc says', () => {
    const buy = withListing({ buyLostAfter: 1 });
    expect(buy.bench.buy(buy.listing).lost).toBe('after');
    expect(orders(buy)).toBe(1);
  });

  it('buyLate does what its doc says', () => {
    const buy = withListing({ buyLate: 1 });
    const answer = buy.bench.buy(buy.listing);
    expect([answer.status, answer.delayMs, orders(buy)]).toEqual([200, 5000, 1]);
  });

  it('buyExecutedLate does what its doc says', () => {
    const buy = withListing({ buyExecutedLate: 1 });
    const answer = buy.bench.buy(buy.listing);
    expect([answer.status, orders(buy)]).toEqual([504, 0]);
    buy.bench.pass(4900);
    expect(orders(buy)).toBe(0);
    buy.bench.pass(200);
    expect(orders(buy)).toBe(1);
  });

  it('buyCut does what its doc says', () => {
    const buy = withListing({ buyCut: 1 });
    const answer = buy.bench.buy(buy.listing);
    expect(['clean', 'torn']).toContain(answer.cut);
    expect(() => parsed(answer)).toThrow();
    expect(orders(buy)).toBe(1);
  });

  it('buyHtml does what its doc says', () => {
    for (const executed of [0, 1]) {
      const answer = someSeed((seed) => {
        const buy = withListing({ buyHtml: 1 }, { seed });
        const html = buy.bench.buy(buy.listing);
        return orders(buy) === executed ? html : undefined;
      });
      expect(answer.headers['content-type']).toContain('text/html');
      expect([200, 502]).toContain(answer.status);
    }
  });

  it('buyErrorBefore does what its doc says', () => {
    const buy = withListing({ buyErrorBefore: 1 });
    expect([buy.bench.buy(buy.listing).status, orders(buy)]).toEqual([500, 0]);
  });

  it('buyErrorAfter does what its doc says', () => {
    const buy = withListing({ buyErrorAfter: 1 });
    expect([buy.bench.buy(buy.listing).status, orders(buy)]).toEqual([500, 1]);
  });

  it('buyRefusedYetBought does what its doc says', () => {
    const codes = new Set<unknown>();
    for (let seed = 1; seed < 40; seed++) {
      const buy = withListing({ buyRefusedYetBought: 1 }, { seed, listings: 20 });
      const answer = parsed(buy.bench.buy(buy.listing));
      expect([answer['success'], orders(buy)]).toEqual([false, 1]);
      codes.add(answer['code']);
    }
    expect(codes).toEqual(new Set(['LISTING_NOT_FOUND', 'PRICE_CHANGED', 'INSUFFICIENT_BALANCE', 'RATE_LIMITED', 5003]));
  });

  it('buyTwice does what its doc says', () => {
    const buy = withListing({ buyTwice: 1 });
    expect(buy.bench.buy(buy.listing).status).toBe(200);
    expect(orders(buy)).toBe(2);
    expect(buy.bench.balance()).toBeCloseTo(1000 - 2 * buy.listing.priceWithFee, 6);
    expect(buy.bench.orders()).toHaveLength(2);
  });

  it('buyProcessing does what its doc says', () => {
    for (const executed of [0, 1]) {
      const answer = someSeed((seed) => {
        const buy = withListing({ buyProcessing: 1 }, { seed, listings: 20 });
        const processing = buy.bench.buy(buy.listing);
        return orders(buy) === executed ? processing : undefined;
      });
      expect([answer.status, parsed(answer)['code']]).toEqual([409, 'ORDER_PROCESSING']);
    }
  });

  it('buyWithoutOrderId does what its doc says', () => {
    const buy = withListing({ buyWithoutOrderId: 1 });
    const { order } = parsed(buy.bench.buy(buy.listing))['data'] as { order: Json };
    expect([Object.keys(order).sort(), orders(buy)]).toEqual([['message', 'orderId', 'status'], 1]);
  });

  it('buyUnusualStatus does what its doc says', () => {
    const buy = withListing({ buyUnusualStatus: 1 });
    const { order } = parsed(buy.bench.buy(buy.listing))['data'] as { order: Json };
    expect(['PENDING', 'PROCESSING', 'QUEUED']).toContain(order['status']);
    expect(order['serviceOrderId']).toBe(buy.bench.sandbox.books().orders[0]?.id);
  });

  it('buyOtherGoods does what its doc says', () => {
    const buy = withListing({ buyOtherGoods: 1 });
    const { item } = parsed(buy.bench.buy(buy.listing))['data'] as { item: Json };
    expect(item['id']).not.toBe(buy.listing.id);
    expect(orders(buy)).toBe(1);
  });

  it('buyRefusedOwner does what its doc says', () => {
    const buy = withListing({ buyRefusedOwner: 1 });
    expect([parsed(buy.bench.buy(buy.listing))['code'], orders(buy)]).toEqual(['TRADE_URL_INVALID', 0]);
  });
});

import { describe, expect, it } from 'vitest';
import { calm, type Json, parsed } from './harness.ts';
import { faulty, health, healthOver, someSecond, someSeed, withListing } from './struck.ts';

describe('the faults of orders, balance, health and money', () => {
  it('ordersLate does what its doc says', () => {
    const { bench, listing } = withListing({ ordersLate: 1 });
    bench.buy(listing);
    expect(bench.data('GET', '/v1/user/orders')).toMatchObject({ total: 0, returned: 0, orders: [] });
    bench.pass(5100);
    expect(bench.data('GET', '/v1/user/orders')).toMatchObject({ total: 1, returned: 1 });
  });

  it('ordersNever does what its doc says', () => {
    const { bench, listing } = withListing({ ordersNever: 1 });
    bench.buy(listing);
    bench.pass(3_600_000);
    expect(bench.data('GET', '/v1/user/orders')).toMatchObject({ total: 0, returned: 0, orders: [] });
    expect(bench.data('GET', '/v1/user/transactions')).toMatchObject({ total: 1 });
    bench.sandbox.setFaults({ ...calm, ordersNever: 0 });
    expect(bench.data('GET', '/v1/user/orders')).toMatchObject({ total: 1, returned: 1 });
  });

  it('ordersPartial does what its doc says', () => {
    const bench = faulty({});
    for (const listing of bench.cheap().slice(0, 10)) bench.buy(listing);
    const newest = bench.orders()[0]?.['id'];
    bench.sandbox.setFaults({ ...calm, ordersPartial: 1 });
    const looks = Array.from({ length: 30 }, () => bench.data('GET', '/v1/user/orders'));
    for (const look of looks) {
      expect(look['total']).toBe(10);
      expect(look['returned']).toBeLessThan(10);
      expect(look['returned']).toBe((look['orders'] as unknown[]).length);
    }
    const hasNewest = looks.map((look) => (look['orders'] as Json[])[0]?.['id'] === newest);
    expect(new Set(hasNewest)).toEqual(new Set([true, false]));
  });

  it('ordersOtherItemId does what its doc says', () => {
    const { bench, listing } = withListing({ ordersOtherItemId: 1 });
    bench.buy(listing);
    expect(bench.orders()[0]?.['itemId']).toBe(listing.id);
    expect(bench.data('GET', '/v1/user/transactions')).toMatchObject({ transactions: [{ itemId: listing.id }] });
  });

  it('ordersTimestampSeconds does what its doc says', () => {
    const { bench, listing } = withListing({ ordersTimestampSeconds: 1 });
    bench.buy(listing);
    expect(bench.orders()[0]?.['timestamp']).toBe(Math.floor(bench.clock.now() / 1000));
  });

  it('ordersBaseAmount does what its doc says', () => {
    const { bench, listing } = withListing({ ordersBaseAmount: 1 });
    bench.buy(listing);
    expect(bench.orders()[0]?.['amount']).toBe(listing.price);
  });

  it('ordersDuplicates does what its doc says', () => {
    const { bench, listing } = withListing({ ordersDuplicates: 1 });
    bench.buy(listing);
    expect(bench.orders().map(({ id }) => id)).toEqual([
      bench.sandbox.books().orders[0]?.id,
      bench.sandbox.books().orders[0]?.id,
    ]);
  });

  it('ordersOddStatus does what its doc says', () => {
    const { bench, listing } = withListing({ ordersOddStatus: 1 });
    bench.buy(listing);
    bench.pass(60_000);
    expect(new Set(Array.from({ length: 30 }, () => bench.codes()[0]))).toEqual(new Set(['INITIATED', 'ARCHIVED']));
    bench.sandbox.setFaults(calm);
    expect(bench.codes()).toEqual(['COMPLETED']);
  });

  it('transactionsLate does what its doc says', () => {
    const { bench, listing } = withListing({ transactionsLate: 1 });
    bench.buy(listing);
    expect(bench.data('GET', '/v1/user/transactions')).toMatchObject({ total: 0 });
    bench.pass(5100);
    expect(bench.data('GET', '/v1/user/transactions')).toMatchObject({ total: 1 });
  });

  it('balanceLag does what its doc says', () => {
    const { bench, listing } = withListing({ balanceLag: 1 });
    bench.pass(60_000);
    bench.buy(bench.feed().find(({ id }) => id === listing.id) ?? bench.cheap()[0] ?? listing);
    expect(bench.balance()).toBe(1000);
    bench.pass(5100);
    expect(bench.balance()).toBeLessThan(1000);
  });

  it('balanceOdd does what its doc says', () => {
    const bench = faulty({ balanceOdd: 1 });
    const shown = new Set(Array.from({ length: 30 }, () => bench.balance()));
    expect(shown).toEqual(new Set([-1, null, 100_000]));
  });

  it('healthDegraded does what its doc says', () => {
    const bench = faulty({ healthDegraded: 1 });
    const seen = healthOver(bench);
    expect(seen).toEqual(new Set(['ok', 'degraded']));
  });

  it('healthDown does what its doc says', () => {
    const bench = faulty({ healthDown: 1 });
    const refused = someSecond(bench, () => {
      const listing = bench.cheap()[0];
      if (health(bench)['c5'] !== 'down' || listing?.market !== 'c5game') return undefined;
      return bench.buy(listing);
    });
    expect([refused.status, parsed(refused)['code']]).toEqual([409, 'MARKET_UNAVAILABLE']);
    expect(healthOver(bench)).toEqual(new Set(['ok', 'down']));
  });

  it('healthLying does what its doc says', () => {
    const bench = faulty({ healthLying: 1 });
    const looks = Array.from({ length: 60 }, () =>
      bench.data('GET', '/v1/partner/market-health', { key: bench.sandbox.topLevelKey }),
    );
    expect(looks.some((look) => look['status'] === 'maintenance')).toBe(true);
    expect(looks.some((look) => !('c5' in (look['markets'] as Json)))).toBe(true);
    expect(looks.some((look) => (look['service'] as Json)['c5'] === false)).toBe(true);
  });

  it('orderFails does what its doc says', () => {
    const { bench, listing } = withListing({ orderFails: 1 });
    bench.buy(listing);
    bench.pass(60_000);
    expect(bench.orders()).toMatchObject([
      { status: { code: 'FAILED' }, cancelReason: 'the seller did not deliver', cancelType: 1 },
    ]);
    expect(bench.balance()).toBe(1000);
    expect(bench.data('GET', '/v1/user/transactions')).toMatchObject({
      transactions: [
        { type: 'refund', amount: listing.priceWithFee, status: 'completed' },
        { type: 'purchase', status: 'failed' },
      ],
    });
  });

  it('orderReverts does what its doc says', () => {
    for (const wasCompleted of [true, false]) {
      const codes = someSeed((seed) => {
        const { bench, listing } = withListing({ orderReverts: 1 }, { seed, listings: 20 });
        bench.buy(listing);
        bench.pass(120_000);
        expect(bench.balance()).toBe(1000);
        const path = bench.sandbox.books().events.flatMap((event) => (event.kind === 'status' ? [event.code] : []));
        return path.includes('COMPLETED') === wasCompleted ? path : undefined;
      });
      expect(codes.slice(0, 3)).toEqual(['PENDING', 'ACTIVE', 'HOLD']);
      expect(codes.at(-1)).toBe('REVERTED');
    }
  });

  it('feeDrift does what its doc says', () => {
    const { bench, listing } = withListing({ feeDrift: 1 });
    bench.buy(listing);
    const debited = 1000 - bench.balance();
    expect(debited / listing.priceWithFee).toBeGreaterThan(1.004);
    expect(debited / listing.priceWithFee).toBeLessThan(1.031);
  });

  it('refundLate does what its doc says', () => {
    const { bench, listing } = withListing({ orderFails: 1, refundLate: 1 });
    bench.buy(listing);
    const failedAt = someSecond(bench, () => (bench.codes()[0] === 'FAILED' ? bench.clock.now() : undefined));
    const backAt = someSecond(bench, () => (bench.balance() === 1000 ? bench.clock.now() : undefined));
    expect(backAt - failedAt).toBeGreaterThanOrEqual(4000);
  });

  it('refundPartial does what its doc says', () => {
    const { bench } = withListing({ orderFails: 1, refundPartial: 1 });
    const dear = bench.feed().find(({ priceWithFee }) => priceWithFee > 50 && priceWithFee < 900);
    if (!dear) throw new Error('too small a market');
    bench.buy(dear);
    bench.pass(60_000);
    expect(bench.balance()).toBeGreaterThan(1000 - dear.priceWithFee);
    expect(bench.balance()).toBeLessThan(1000);
  });

  it('refundTwice does what its doc says', () => {
    const { bench, listing } = withListing({ orderFails: 1, refundTwice: 1 });
    bench.buy(listing);
    bench.pass(60_000);
    expect(bench.balance()).toBeCloseTo(1000 + listing.priceWithFee, 6);
  });

  it('refundNever does what its doc says', () => {
    const { bench, listing } = withListing({ orderFails: 1, refundNever: 1 });
    bench.buy(listing);
    bench.pass(120_000);
    expect(bench.balance()).toBeCloseTo(1000 - listing.priceWithFee, 6);
  });

  it('foreignBuyer does what its doc says', () => {
    const bench = faulty({ foreignBuyer: 1 });
    const counts = new Map<string, number>();
    for (const { marketHashName } of bench.feed()) counts.set(marketHashName, (counts.get(marketHashName) ?? 0) + 1);
    const listing = bench.cheap().find(({ marketHashName }) => (counts.get(marketHashName) ?? 0) > 2);
    if (!listing) throw new Error('too small a market');
    bench.buy(listing);
    bench.pass(3100);
    const { orders: all } = bench.sandbox.books();
    expect(all.map(({ origin }) => origin)).toEqual(['ours', 'foreign']);
    expect(all[1]?.name).toBe(listing.marketHashName);
    expect(all[1]?.listingId).not.toBe(listing.id);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  exchangeFaultNames,
  exchangeFaults,
  faultRates,
  faultRatesFromText,
  type ExchangeFaultRates,
} from '../../src/domain/exchange-fault.ts';
import { Bench, calm, serviceOrderId } from './harness.ts';
import { faulty, withListing } from './struck.ts';

const tests = ['buy-faults', 'read-faults', 'book-faults', 'webhook-faults']
  .map((name) => readFileSync(new URL(`./${name}.test.ts`, import.meta.url), 'utf8'))
  .join('');

describe('the fault', () => {
  it.each(exchangeFaultNames)('%s is held to its doc by a test', (name) => {
    expect(tests).toContain(`it('${name} does what its doc says', `);
  });

  it.each(exchangeFaultNames)('%s never strikes at rate 0', (name) => {
    const rates = Object.fromEntries(exchangeFaultNames.map((other) => [other, 0]));
    const bench = new Bench({ faults: rates });
    for (const listing of bench.cheap().slice(0, 20)) bench.buy(listing);
    bench.pass(90_000);
    expect(bench.sandbox.books().faults[name]).toBe(0);
    expect(bench.codes().every((code) => code === 'COMPLETED')).toBe(true);
  });
});

describe('faults', () => {
  it('do not shift the course of the market, nor each other', () => {
    const course = (faults: Partial<ExchangeFaultRates>): string[] => {
      const bench = faulty({});
      bench.sandbox.setFaults({ ...calm, ...faults });
      return [10_000, 30_000].map((ms) => {
        for (let tries = 0; tries < 10; tries++) bench.ask('GET', '/v1/user');
        bench.pass(ms);
        bench.sandbox.setFaults(calm);
        const text = JSON.stringify(bench.feed());
        bench.sandbox.setFaults({ ...calm, ...faults });
        return text;
      });
    };
    expect(course({ readError: 0.5, readCut: 0.5, feedShort: 1 })).toEqual(course({}));
  });

  it('strike as often as their rate says, and are counted', () => {
    const bench = faulty({ readError: 0.3 });
    const failed = Array.from({ length: 1000 }, () => bench.ask('GET', '/v1/user').status).filter(
      (status) => status === 500,
    ).length;
    expect(failed).toBeGreaterThan(240);
    expect(failed).toBeLessThan(360);
    expect(bench.sandbox.books().faults['readError']).toBe(failed);
  });

  it('read their rates from a text, and say what is wrong with one', () => {
    expect(faultRatesFromText('buyLostAfter=0.1, readLate=1')).toEqual({ buyLostAfter: 0.1, readLate: 1 });
    const all = faultRatesFromText('all=0.02,forbidden=0');
    expect(all).toMatchObject({ buyTwice: 0.02, forbidden: 0 });
    expect(faultRatesFromText('buyLost=0.1')).toContain('there is no fault "buyLost"; there are: all, buyLostBefore');
    expect(faultRatesFromText('readLate=2')).toBe('the rate of "readLate" must be a number from 0 to 1, found "2"');
    expect(faultRatesFromText('readLate')).toBe('the rate of "readLate" must be a number from 0 to 1, found ""');
    expect(() => faultRates({ readLate: Number.NaN })).toThrow('fault readLate: the rate NaN is not between 0 and 1');
    expect(faultRates().orderFails).toBe(exchangeFaults.orderFails.rate);
  });

  it('leave the books exact whatever strikes: every order debited, every cent accounted for', () => {
    // Without spells, which would outlast the calm moments in which the test looks for a listing.
    const rates = { ...Object.fromEntries(exchangeFaultNames.map((name) => [name, 0.1])), forbidden: 0, feedFrozen: 0 };
    const bench = new Bench({ seed: 11, listings: 500, balance: 5000 });
    for (let round = 0; round < 100; round++) {
      bench.sandbox.setFaults(calm);
      const listing = bench.cheap()[0];
      bench.sandbox.setFaults(rates);
      if (listing) bench.buy(listing);
      bench.pass(2000);
    }
    const books = bench.sandbox.books();
    for (const account of books.accounts) {
      const booked = books.bookings
        .filter((booking) => booking.account === account.id)
        .reduce((sum, { amount }) => sum + amount, 0);
      expect(account.balance).toBe(booked);
    }
    for (const order of books.orders) {
      const moves = books.bookings.filter(({ orderId }) => orderId === order.id);
      expect(moves.filter(({ kind }) => kind === 'purchase').map(({ amount }) => amount)).toEqual([0 - order.cost]);
      expect(moves.filter(({ kind }) => kind === 'refund').reduce((sum, { amount }) => sum + amount, 0)).toBe(order.refunded);
    }
    const asked = books.orders.filter(({ origin }) => origin === 'ours');
    expect(new Set(asked.map(({ market, listingId }) => `${market}:${listingId}`)).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(40);
  });

  it('give each order an id that the answer of the buy names', () => {
    const { bench, listing } = withListing({});
    expect(serviceOrderId(bench.buy(listing))).toBe(bench.sandbox.books().orders[0]?.id);
  });
});

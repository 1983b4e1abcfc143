import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../support/virtual-clock.ts';
import { Bench, calm, parsed } from './harness.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sandbox-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the books in a data folder', () => {
  it('go on after a restart: keys, balance, orders, bookings, what was sold, and the market itself', () => {
    const first = new Bench({ dataFolder: folder });
    const [listing, other] = first.cheap();
    if (!listing || !other) throw new Error('an empty market');
    first.buy(listing);
    first.buy(other);
    first.pass(4000);
    const feed = first.feed();
    const before = first.sandbox.books();
    first.sandbox.close();
    const second = new Bench({ dataFolder: folder }, first.clock);
    expect(second.sandbox.childKey).toBe(first.sandbox.childKey);
    expect(second.sandbox.tradeUrl).toBe(first.sandbox.tradeUrl);
    expect(second.sandbox.books()).toEqual({ ...before, faults: expect.anything() });
    expect(second.feed()).toEqual(feed);
    expect(parsed(second.buy(listing))['code']).toBe('LISTING_NOT_FOUND');
    second.pass(60_000);
    expect(second.codes()).toEqual(['COMPLETED', 'COMPLETED']);
    second.sandbox.close();
  });

  it('let orders settle in the time between, but not the market run away', () => {
    const first = new Bench({ dataFolder: folder });
    const listing = first.cheapest();
    first.buy(listing);
    const feed = first.feed();
    first.sandbox.close();
    const later = new Bench({ dataFolder: folder }, new VirtualClock(first.clock.now() + 86_400_000));
    expect(later.orders()).toMatchObject([{ status: { code: 'COMPLETED' } }]);
    expect(later.feed()).toEqual(feed);
    later.sandbox.close();
  });

  it('pay a refund that fell due while nobody was there, once', () => {
    const clock = new VirtualClock();
    const options = { dataFolder: folder, faults: { ...calm, orderFails: 1 }, faultTimes: { lag: [50_000, 50_000] } } as const;
    const first = new Bench({ ...options, faults: { ...options.faults, refundLate: 1 } }, clock);
    const listing = first.cheapest();
    first.buy(listing);
    first.pass(30_000);
    expect(first.orders()).toMatchObject([{ status: { code: 'FAILED' } }]);
    expect(first.balance()).toBeLessThan(1000);
    first.sandbox.close();
    for (const wait of [60_000, 60_000]) {
      clock.advanceSync(wait);
      const again = new Bench({ ...options, faults: { ...options.faults, refundLate: 1 } }, clock);
      expect(again.balance()).toBe(1000);
      again.sandbox.close();
    }
  });

  it('execute a queued buy after a restart', () => {
    const first = new Bench({ dataFolder: folder, faultTimes: { late: [5000, 5000] } });
    const listing = first.cheapest();
    first.sandbox.setFaults({ ...calm, buyExecutedLate: 1 });
    first.buy(listing);
    first.sandbox.close();
    const second = new Bench({ dataFolder: folder }, first.clock);
    second.pass(6000);
    expect(second.sandbox.books().accepted).toEqual({ [`${listing.market}:${listing.id}`]: 1 });
    second.sandbox.close();
  });

  it('belong to one seed, and say so', () => {
    new Bench({ dataFolder: folder }).sandbox.close();
    expect(() => new Bench({ dataFolder: folder, seed: 8 })).toThrow("the sandbox's books here were made with seed 7, not 8");
  });

  it('keep the accounts when the market is another one: a saved answer instead of the made-up one', () => {
    const first = new Bench({ dataFolder: folder });
    const listing = first.cheapest();
    first.buy(listing);
    first.sandbox.close();
    const snapshot = JSON.stringify({
      data: {
        listings: [{ id: '1', itemId: '0123456789abcdef', market: 'c5game', marketHashName: 'x', price: 1, priceWithFee: 1.05 }],
      },
    });
    const second = new Bench({ dataFolder: folder, snapshot }, first.clock);
    expect(second.feed().map(({ id }) => id)).toEqual(['1']);
    expect(second.orders()).toHaveLength(1);
    second.buy({ id: '1', market: 'c5game', price: 1 });
    second.sandbox.close();
    const third = new Bench({ dataFolder: folder, snapshot }, first.clock);
    expect(third.feed()).toEqual([]);
    third.sandbox.close();
  });

  it('serve one exchange at a time', () => {
    const first = new Bench({ dataFolder: folder });
    expect(() => new Bench({ dataFolder: folder })).toThrow(`${join(folder, 'sandbox.db')} is in use by another exchange`);
    first.sandbox.close();
    new Bench({ dataFolder: folder }).sandbox.close();
  });

  it('are for their owner alone', () => {
    new Bench({ dataFolder: folder }).sandbox.close();
    expect(statSync(join(folder, 'sandbox.db')).mode & 0o777).toBe(0o600);
  });

  it('are never behind what was answered when the process is killed', async () => {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL('./kill-child.ts', import.meta.url)), folder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let told = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      if (told.split('\n').length > 30) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const answered = told.split('\n').filter((line) => /^[0-9a-f]{24} \S+$/.test(line));
    expect(answered.length).toBeGreaterThanOrEqual(29);
    const bench = new Bench({ dataFolder: folder, balance: 1_000_000 }, new VirtualClock(Date.UTC(2026, 0, 6)));
    const books = bench.sandbox.books();
    const known = new Set(books.orders.map(({ id, market, listingId }) => `${id} ${market}:${listingId}`));
    for (const line of answered) expect(known).toContain(line);
    // At most the one that was under way when the kill came was not told.
    expect(books.orders.length - answered.length).toBeLessThanOrEqual(1);
    for (const account of books.accounts) {
      const booked = books.bookings
        .filter((booking) => booking.account === account.id)
        .reduce((sum, { amount }) => sum + amount, 0);
      expect(account.balance).toBe(booked);
    }
    const standing = new Set(bench.feed().map(({ market, id }) => `${market}:${id}`));
    for (const key of Object.keys(books.accepted)) expect(standing.has(key)).toBe(false);
    bench.sandbox.close();
  });
});

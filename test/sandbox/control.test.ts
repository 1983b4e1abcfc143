import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { readGivenAccounts } from '../../src/sandbox/given-accounts.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { Bench, parsed, type Json, type Wire } from './harness.ts';

const controlled = (): Bench => new Bench({ control: true });
const done = (bench: Bench, path: string, body: unknown): Json => {
  const answer = bench.ask('POST', path, { body });
  if (answer.status !== 200) throw new Error(answer.bodyText);
  return parsed(answer);
};
const codeOf = (bench: Bench, listing: Wire): unknown => parsed(bench.buy(listing))['code'];

describe('the control endpoint', () => {
  it('is shut unless it was asked for at the start, whatever key is shown', () => {
    const bench = new Bench();
    const before = JSON.stringify(bench.feed());
    const { market, id } = bench.cheapest();
    for (const [path, body] of [
      ['/sandbox/listings', { marketHashName: 'AK-47 | Redline (Field-Tested)' }],
      ['/sandbox/price', { market, id, price: 1 }],
      ['/sandbox/sell', { market, id }],
      ['/sandbox/next', { fault: 'readError' }],
    ] as const)
      expect(bench.ask('POST', path, { body })).toMatchObject({
        status: 403,
        bodyText: '{"message":"this exchange was not started with --control"}',
      });
    expect(bench.ask('GET', '/sandbox/listings').status).toBe(403);
    expect(JSON.stringify(bench.feed())).toBe(before);
  });

  it('opens to its own key alone', () => {
    const bench = controlled();
    const { market, id } = bench.cheapest();
    for (const key of [undefined, '', bench.sandbox.childKey, bench.sandbox.topLevelKey]) {
      const headers = { 'x-sandbox-control': key };
      const body = JSON.stringify({ market, id });
      expect(bench.sandbox.handle({ method: 'POST', path: '/sandbox/sell', query: {}, headers, body }).status).toBe(403);
    }
    expect(bench.feed().some((listing) => listing.id === id)).toBe(true);
  });

  it('puts up a listing that can be bought, with what is asked for and nothing that befalls it', () => {
    const bench = controlled();
    const asked = { marketHashName: 'AK-47 | Redline (Field-Tested)', price: 12.34, market: 'ecosteam', wear: 0.151 };
    const made = done(bench, '/sandbox/listings', asked) as unknown as Wire;
    expect(made).toMatchObject({ ...asked, priceWithFee: 12.96 });
    bench.pass(3_600_000);
    expect(bench.feed().find(({ id }) => id === made.id)).toEqual(made);
    expect(parsed(bench.buy(made))['success']).toBe(true);
    expect(bench.feed().some(({ id }) => id === made.id)).toBe(false);
  });

  it('changes a price: the old one is refused, the new one buys', () => {
    const bench = controlled();
    const old = bench.cheapest();
    const { market, id } = old;
    const repriced = done(bench, '/sandbox/price', { market, id, price: 7.5 }) as unknown as Wire;
    expect(repriced).toMatchObject({ id, price: 7.5, priceWithFee: 7.88 });
    expect(codeOf(bench, old)).toBe('PRICE_CHANGED');
    expect(parsed(bench.buy(repriced))['success']).toBe(true);
    const balance = bench.balance();
    expect(balance).toBe(1000 - 7.88);
  });

  it('sells to a rival: a buy is told that it is gone', () => {
    const bench = controlled();
    const listing = bench.cheapest();
    done(bench, '/sandbox/sell', { market: listing.market, id: listing.id });
    expect(bench.buy(listing).status).toBe(410);
    expect(bench.orders()).toEqual([]);
  });

  it('has the next calls of an endpoint fail as it says, carried out or not, and no others', () => {
    const bench = controlled();
    const [one, two] = bench.cheap();
    if (!one || !two) throw new Error('an empty market');
    const buy = 'POST /v2/market/buy';
    done(bench, '/sandbox/next', { endpoint: buy, status: 503, code: 'BUSY', retryAfter: '3', times: 2 });
    done(bench, '/sandbox/next', { endpoint: buy, lost: true, carriedOut: true, delayMs: 1500 });
    expect(bench.ask('GET', '/v1/user').status).toBe(200);
    const first = bench.buy(one);
    expect([first.status, first.headers['retry-after'], parsed(first)['code']]).toEqual([503, '3', 'BUSY']);
    expect(bench.buy(one).status).toBe(503);
    expect(bench.orders()).toEqual([]);
    expect(bench.buy(two)).toMatchObject({ lost: 'after', delayMs: 1500 });
    expect(bench.orders().length).toBe(1);
    expect(parsed(bench.buy(one))['success']).toBe(true);
    expect(bench.sandbox.books().posts[`${one.market}:${one.id}`]).toBe(3);
  });

  it('has a fault of the table strike its next occasions, whatever its rate, and then no more', () => {
    const bench = controlled();
    done(bench, '/sandbox/next', { fault: 'readError', times: 2 });
    const statuses = [1, 2, 3].map(() => bench.ask('GET', '/v1/user').status);
    expect(statuses).toEqual([500, 500, 200]);
    done(bench, '/sandbox/next', { fault: 'orderFails' });
    for (const listing of bench.cheap().slice(0, 2)) bench.buy(listing);
    bench.pass(120_000);
    expect(bench.codes().toSorted()).toEqual(['COMPLETED', 'FAILED']);
  });

  it.each([
    ['/sandbox/listings', { marketHashName: 'No such item' }, 'whole name of an item'],
    ['/sandbox/listings', { marketHashName: 'AK-47 | Redline (Field-Tested)', price: -1 }, 'dollars above 0'],
    ['/sandbox/listings', { marketHashName: 'AK-47 | Redline (Field-Tested)', id: '1' }, 'cannot be chosen'],
    ['/sandbox/price', { market: 'c5game', id: '1', price: 5 }, 'a listing that stands'],
    ['/sandbox/sell', {}, 'a listing that stands'],
    ['/sandbox/next', { endpoint: 'POST /v9' }, 'METHOD PATH'],
    ['/sandbox/next', { endpoint: 'GET /v1/user', status: 5 }, 'status must be'],
    ['/sandbox/next', { fault: 'readEror' }, 'no such fault'],
    ['/sandbox/next', { fault: 'readError', times: 0 }, 'times must be'],
  ])('says what it cannot do: %s %j', (path, body, words) => {
    const answer = controlled().ask('POST', path, { body });
    expect([answer.status, (parsed(answer)['message'] as string).includes(words)]).toEqual([400, true]);
  });
});

describe('accounts of one’s own', () => {
  it('have the keys and balances that are given, and the seed’s where nothing is', () => {
    const accounts = readGivenAccounts('[{"kind":"top-level","key":"my-partner-key"},{"key":"my-bot-key","balance":25.5},{}]');
    const sandbox = createSandbox({ seed: 7, listings: 5, clock: new VirtualClock(), accounts });
    expect([sandbox.topLevelKey, sandbox.childKeys[0]]).toEqual(['my-partner-key', 'my-bot-key']);
    expect(sandbox.childKeys[1]).toMatch(/^sandbox-child-/);
    expect(sandbox.books().accounts.map(({ kind, balance }) => [kind, balance])).toEqual([
      ['top-level', 1_000_000_000],
      ['child', 25_500_000],
      ['child', 1_000_000_000],
    ]);
    sandbox.close();
  });

  it.each([
    ['{', 'no JSON'],
    ['[]', '1 to 100 accounts'],
    ['[{"key":"short"}]', '8 to 128 characters'],
    ['[{"kye":"a-long-enough-key"}]', 'there are: kind, key'],
    ['[{"kind":"child","balance":-1}]', 'from 0 on'],
    ['[{"kind":"boss"}]', 'top-level or child'],
  ])('are refused with the reason: %s', (text, words) => {
    expect(() => readGivenAccounts(text)).toThrow(words);
  });

  it('cannot share a key, nor the top', () => {
    const made = (text: string) => createSandbox({ seed: 7, clock: new VirtualClock(), accounts: readGivenAccounts(text) });
    expect(() => made('[{"key":"the-same-key"},{"key":"the-same-key"}]')).toThrow('the same key');
    expect(() => made('[{"kind":"top-level"},{"kind":"top-level"}]')).toThrow('one top-level account');
  });
});

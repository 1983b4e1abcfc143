import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Bench, parsed, type Json } from './harness.ts';

const withdrawal = { token: 'USDT', network: 'trc20', address: 'T-somewhere', amount: 40 };

interface Entry {
  readonly type: string;
  readonly reason: string;
  readonly amount: number;
  readonly balance: number;
}

const ledger = (bench: Bench, key = bench.sandbox.childKey): Entry[] =>
  bench.data('GET', '/v1/user/ledger', { key })['items'] as Entry[];

const balance = (bench: Bench, key: string): number =>
  (bench.data('GET', '/v1/user', { key })['profile'] as Json)['balance'] as number;

/** Bookings, balances and ledgers of every account tell the same. */
function expectBooksAgree(bench: Bench): void {
  const { accounts, bookings } = bench.sandbox.books();
  for (const account of accounts) {
    const own = bookings.filter((booking) => booking.account === account.id);
    expect(own.reduce((sum, { amount }) => sum + amount, 0)).toBe(account.balance);
    expect(own.at(-1)?.balanceAfter ?? 0).toBe(account.balance);
  }
}

describe('a withdrawal', () => {
  it('leaves the balance at once, stands in ledger and wallet, and arrives after a while', () => {
    const bench = new Bench();
    const made = bench.data('POST', '/v1/user/wallet/withdraw', { body: withdrawal })['withdrawal'] as Json;
    expect(made).toMatchObject({ token: 'USDT', network: 'TRC20', amount: 40, fee: 1, status: 'pending' });
    expect(bench.balance()).toBe(960);
    expect(ledger(bench)[0]).toMatchObject({ type: 'debit', reason: 'withdrawal', amount: 40, balance: 960 });
    bench.pass(20_000);
    const wallet = bench.data('GET', '/v1/user/wallet');
    expect(wallet).toMatchObject({ balance: 960, withdrawals: [{ id: made['id'], status: 'completed' }] });
    expect(bench.data('GET', '/v1/user/transactions')['total']).toBe(0);
    expectBooksAgree(bench);
  });

  it('is refused beyond the balance, by a network that the coin does not know, and below the least, and moves nothing', () => {
    const bench = new Bench();
    for (const [change, code] of [
      [{ amount: 1_000.01 }, 'INSUFFICIENT_BALANCE'],
      [{ amount: 1e300 }, 'INSUFFICIENT_BALANCE'],
      [{ network: 'BITCOIN' }, 'NETWORK_UNSUPPORTED'],
      [{ amount: 9.99 }, 'VALIDATION_ERROR'],
    ] as const) {
      const answer = bench.ask('POST', '/v1/user/wallet/withdraw', { body: { ...withdrawal, ...change } });
      expect([answer.status, parsed(answer)['code']]).toEqual([400, code]);
    }
    expect(bench.balance()).toBe(1_000);
    expect(bench.data('POST', '/v1/user/wallet/withdraw', { body: { ...withdrawal, amount: 1_000 } })).toBeDefined();
    expect(bench.balance()).toBe(0);
  });
});

describe('a deposit', () => {
  it('is booked when it arrives, at the rate of its coin', () => {
    const bench = new Bench();
    const body = { token: 'SOL', network: 'solana', amount: 0.5 };
    const { deposit } = bench.data('POST', '/v1/user/wallet/deposit/crypto', { body }) as { deposit: Json };
    expect(deposit).toMatchObject({ status: 'pending', credit: 70 });
    expect(bench.balance()).toBe(1_000);
    bench.pass(20_000);
    expect(bench.balance()).toBe(1_070);
    expect(ledger(bench)[0]).toMatchObject({ type: 'credit', reason: 'deposit', amount: 70, balance: 1_070 });
    expectBooksAgree(bench);
  });

  it('by card comes to what its quote said', () => {
    const bench = new Bench();
    const session = { fiatType: 12, fiatAmount: 100, coinCode: 'usdc' };
    const quote = bench.data('POST', '/v1/user/wallet/deposit/onramp/quote', { body: { ...session, type: 1, network: 'x' } });
    bench.data('POST', '/v1/user/wallet/deposit/onramp/session', { body: session });
    bench.pass(20_000);
    expect(bench.balance()).toBe(1_000 + (quote['coinAmount'] as number));
  });

  it('can be cancelled until it arrives, and only by its own account', () => {
    const bench = new Bench();
    const body = { token: 'USDT', network: 'TRC20', amount: 25 };
    const open = (): string => (bench.data('POST', '/v1/user/wallet/deposit/crypto', { body })['deposit'] as { id: string }).id;
    const cancel = (id: string, key = bench.sandbox.childKey) => bench.ask('POST', `/v1/user/wallet/${id}/cancel`, { key });
    const [first, second] = [open(), open()];
    expect(cancel(first, bench.sandbox.topLevelKey).status).toBe(404);
    expect(cancel(first).status).toBe(200);
    bench.pass(20_000);
    expect(bench.balance()).toBe(1_025);
    expect(parsed(cancel(second))['code']).toBe('DEPOSIT_CONFIRMED');
    expect(cancel('nothing').status).toBe(404);
  });

  it('is never more than can be counted', () => {
    const bench = new Bench();
    for (const amount of [1e300, 1e12])
      expect(
        parsed(bench.ask('POST', '/v1/user/wallet/deposit/crypto', { body: { token: 'BTC', network: 'BITCOIN', amount } }))[
          'code'
        ],
      ).toBe('AMOUNT_TOO_LARGE');
  });
});

describe('a transfer', () => {
  const body = { toEmail: 'Child1@sandbox.example', amountCents: 12_345, idempotencyKey: 'monday' };
  const send = (bench: Bench, change: Json = {}) =>
    bench.ask('POST', '/v1/partner/transfers', { key: bench.sandbox.topLevelKey, body: { ...body, ...change } });

  it('moves once for its idempotency key, however often and with whatever it is repeated', () => {
    const bench = new Bench();
    const { topLevelKey, childKey } = bench.sandbox;
    const first = parsed(send(bench))['data'] as Json;
    expect(first).toMatchObject({ amountCents: 12_345, message: 'moved' });
    for (const change of [{}, { amountCents: 1 }, { toEmail: 'somebody@else.example' }])
      expect(parsed(send(bench, change))).toMatchObject({ success: true, data: { amountCents: 12_345 } });
    expect([balance(bench, topLevelKey), balance(bench, childKey)]).toEqual([876.55, 1_123.45]);
    expect(ledger(bench, topLevelKey)[0]).toMatchObject({ type: 'debit', reason: 'transfer', amount: 123.45 });
    expect(ledger(bench)[0]).toMatchObject({ type: 'credit', reason: 'transfer', amount: 123.45 });
    send(bench, { idempotencyKey: 'tuesday' });
    expect(balance(bench, childKey)).toBe(1_246.9);
    expectBooksAgree(bench);
  });

  it('that was refused has used up nothing of its key', () => {
    const bench = new Bench();
    expect(parsed(send(bench, { amountCents: 100_001 }))['code']).toBe('INSUFFICIENT_BALANCE');
    expect(parsed(send(bench, { amountCents: 9e15 }))['code']).toBe('INSUFFICIENT_BALANCE');
    expect(send(bench, { toEmail: 'nobody@else.example' }).status).toBe(404);
    expect(send(bench, { toEmail: 'partner@sandbox.example' }).status).toBe(404);
    expect(parsed(send(bench))['data']).toMatchObject({ message: 'moved' });
  });
});

describe('a child account', () => {
  it('is made once for its address, shows its key once, and has books of its own', () => {
    const bench = new Bench();
    const key = bench.sandbox.topLevelKey;
    const create = (email: string) => bench.data('POST', '/v1/partner/users', { key, body: { email, name: 'Shop' } });
    const made = create('shop@example.com') as { apiKey: string; apiKeyId: string };
    expect(made).toMatchObject({ status: 'active', name: 'Shop', email: 'shop@example.com', linkedUserId: null });
    const again = create('SHOP@example.com');
    expect([again['apiKeyId'], 'apiKey' in again]).toEqual([made.apiKeyId, false]);
    expect(balance(bench, made.apiKey)).toBe(0);
    const transfer = { toApiKeyId: made.apiKeyId.toUpperCase(), amountCents: 50_000, idempotencyKey: 'first' };
    bench.data('POST', '/v1/partner/transfers', { key, body: transfer });
    const { id, market, price, priceWithFee } = bench.cheapest();
    bench.data('POST', '/v2/market/buy', {
      key: made.apiKey,
      body: { itemId: id, market, price, tradeUrl: bench.sandbox.tradeUrl },
    });
    expect(balance(bench, made.apiKey)).toBeCloseTo(500 - priceWithFee, 6);
    expect(bench.orders()).toEqual([]);
    expect(bench.data('GET', '/v1/partner/stats', { key })).toMatchObject({ pendingOrderAmount: 1, orderAmount: 0 });
    expectBooksAgree(bench);
  });
});

describe('money on its way', () => {
  it('arrives after a restart too, and idempotency keys are remembered', () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'magpie-treasury-'));
    onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }));
    const before = new Bench({ dataFolder });
    before.data('POST', '/v1/user/wallet/deposit/crypto', { body: { token: 'USDT', network: 'TRC20', amount: 25 } });
    before.data('POST', '/v1/user/wallet/withdraw', { body: withdrawal });
    const transfer = { toEmail: 'child1@sandbox.example', amountCents: 500, idempotencyKey: 'one' };
    const ask = { key: before.sandbox.topLevelKey, body: transfer };
    before.data('POST', '/v1/partner/transfers', ask);
    before.sandbox.close();
    const after = new Bench({ dataFolder }, before.clock);
    onTestFinished(() => after.sandbox.close());
    expect(after.balance()).toBe(965);
    after.pass(20_000);
    expect(after.data('GET', '/v1/user/wallet')).toMatchObject({
      balance: 990,
      deposits: [{ status: 'confirmed' }],
      withdrawals: [{ status: 'completed' }],
    });
    after.data('POST', '/v1/partner/transfers', ask);
    expect(after.balance()).toBe(990);
    expectBooksAgree(after);
  });
});

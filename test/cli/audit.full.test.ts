import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { RunningSandbox } from '../../src/sandbox/start.ts';
import {
  type Bot,
  type BotOptions,
  freshPlace,
  offer,
  openExchange,
  openHanded,
  pause,
  startBot,
  written,
} from '../app/stage.ts';
import { type Ran, magpie, place } from './harness.ts';

vi.setConfig({ testTimeout: 180_000 });

const offers = [offer('1'), offer('2', { price: 7.77 }), offer('3', { price: 12.345678, priceWithFee: 12.963 })];
const dear = offer('9', {
  price: 2_000,
  priceWithFee: 2_100,
  marketHashName: 'AWP | Dragon Lore (Factory New)',
  itemId: 'd'.repeat(16),
});

/** A machine whose clock is ahead: what was just now is long ago for it. */
function aheadBy(ms: number): Clock {
  const real = new SystemClock();
  return {
    now: () => real.now() + ms,
    wall: () => real.wall() + ms,
    mono: () => real.mono(),
    after: (wait, work) => real.after(wait, work),
  };
}

/** A clock by which a question that failed is asked again at once. */
function impatient(): Clock {
  const real = aheadBy(0);
  return { ...real, after: (wait, work) => real.after([1_000, 3_000, 9_000].includes(wait) ? 20 : wait, work) };
}

/** No time-out of a request is one of those waits. */
const patient = { rate: { ...openHanded.rate, timeout: '20s' } };

function audit(cwd: string, args: readonly string[] = [], clock: Clock = new SystemClock()): Promise<Ran> {
  return magpie(['audit', '--config', 'magpie.yaml', ...args], { cwd, clock, env: { XDG_RUNTIME_DIR: cwd } });
}

async function auditJson(cwd: string, clock?: Clock): Promise<{ code: number; report: Record<string, unknown> }> {
  const { code, out } = await audit(cwd, ['--json'], clock);
  return { code, report: JSON.parse(out) as Record<string, unknown> };
}

/** A daemon that has bought everything it wants, and whose orders are all final. */
async function settled(options: Omit<BotOptions, 'place'>, count = offers.length): Promise<Bot> {
  const bot = await startBot({ place: freshPlace(), ...options });
  await looking(bot, () => bot.purchases().filter(({ state }) => state === 'completed' || state === 'refunded').length === count);
  return bot;
}

/** Has the daemon look at its orders until a condition holds. */
async function looking(bot: Bot, condition: () => boolean): Promise<void> {
  for (let looks = 0; looks < 100 && !condition(); looks++) {
    await bot.daemon.core.looks.once();
    await pause(200);
  }
  await bot.sees('what was looked for', condition, 10);
}

/** Another client of the same account. */
async function buysWithTheSameKey(exchange: RunningSandbox, itemId: string, price: number): Promise<void> {
  const answer = await fetch(`${exchange.baseUrl}/v2/market/buy`, {
    method: 'POST',
    headers: { 'x-api-key': exchange.childKey, 'content-type': 'application/json' },
    body: JSON.stringify({ itemId, price, market: 'c5game', tradeUrl: exchange.tradeUrl }),
  });
  expect(answer.status).toBe(200);
}

describe('an audit of books that agree', () => {
  it('finds nothing beside a daemon at work, nor after it, with refunds among the purchases', async () => {
    const exchange = await openExchange({ offers, speed: 60, faults: { orderFails: 0.5 } });
    const bot = await settled({ at: exchange });
    const beside = await audit(bot.place);
    expect({ code: beside.code, err: beside.err }).toEqual({ code: 0, err: '' });
    expect(beside.out).toContain('Compared 3 purchases of ours with 3 orders');
    expect(beside.out).toContain('No difference: what our rows say is what the service shows.');
    expect(beside.out).not.toContain('not explained');
    expect(bot.daemon.core.state.halt).toBeUndefined();
    await bot.stop();
    const after = await auditJson(bot.place);
    expect(after).toMatchObject({
      code: 0,
      report: { ok: true, total: 0, differences: [], notes: [], balance: { unexplained: 0 } },
    });
  });

  it('changes nothing in the ledger when no daemon runs', async () => {
    const exchange = await openExchange({ offers, speed: 60 });
    const bot = await settled({ at: exchange });
    await bot.stop();
    const seq = bot.beside((ledger) => ledger.evidenceSeq());
    expect((await audit(bot.place)).code).toBe(0);
    expect(bot.beside((ledger) => [ledger.evidenceSeq(), ledger.balance()])).toEqual([
      seq,
      bot.beside((ledger) => ledger.balance()),
    ]);
  });
});

describe('an audit finds', () => {
  it('what somebody else bought with the key, until a look has adopted it', async () => {
    const exchange = await openExchange({ offers: [...offers, dear], speed: 60, balance: 5_000 });
    const bot = await settled({ at: exchange });
    await bot.stop();
    await buysWithTheSameKey(exchange, '9', 2_000);
    const { code, out } = await audit(bot.place);
    expect(code).toBe(1);
    expect(out.replaceAll(/order [0-9a-f]{24}/g, 'order ID').replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'TIME'))
      .toMatchInlineSnapshot(`
        "Configuration magpie.yaml, data folder data
        Compared 3 purchases of ours with 4 orders, 4 transactions and 5 ledger entries of the service.

        what                                                                                                         ours    theirs  difference
        order ID AWP | Dragon Lore (Factory New): an order that no purchase of ours explains  $0.00  $2100.00   -$2100.00
        in all                                                                                                                        -$2100.00

        1 difference, by which there is $2100.00 less than our rows say.
        → an order that no purchase of ours explains: \`magpie reconcile --config magpie.yaml\` takes over what the service shows (a daemon does so by itself); then audit again. It is then adopted and counts in the caps; if it is not yours, change the key.

        balance at the first reading, TIME UTC   $5000.00
        our purchases                                           -$31.623
        came back                                                  $0.00
        others' purchases, less what came back                 -$2100.00
        deposits, withdrawals, fees                                $0.00
        expected now                                           $2868.377
        the service shows, TIME UTC             $2868.377
        "
      `);
    const again = await startBot({ place: bot.place, at: exchange });
    await looking(again, () => again.text.includes('is no purchase of ours'));
    const { report, code: then } = await auditJson(bot.place);
    expect(then).toBe(0);
    expect(report).toMatchObject({
      others: { baseline: 0, adopted: [{ name: 'AWP | Dragon Lore (Factory New)', amount: 2_100 }] },
      balance: { othersSpent: 2_100, unexplained: 0 },
    });
  });

  it('a refund that is due and has not come', async () => {
    const exchange = await openExchange({ offers: [offer('1')], speed: 60, faults: { orderFails: 1, refundNever: 1 } });
    const bot = await startBot({ place: freshPlace(), at: exchange });
    await looking(bot, () => bot.text.includes('its money is due back'));
    await bot.stop();
    const soon = await auditJson(bot.place);
    expect(soon).toMatchObject({ code: 0, report: { awaited: [expect.stringContaining('$10.50 are due back')] } });
    expect(await auditJson(bot.place, aheadBy(11 * 60_000))).toMatchObject({
      code: 1,
      report: { total: -10.5, differences: [{ kind: 'refund-due', purchaseId: 1, ours: 10.5, theirs: 0, difference: -10.5 }] },
    });
  });

  it('a debit above what was expected, before a look has booked it', async () => {
    const exchange = await openExchange({ offers: [offer('1')], faults: { feeDrift: 1 } });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { reconcile: { interval: '1h' } } });
    await bot.sees('a purchase', () => bot.purchases()[0]?.state === 'bought');
    await bot.stop();
    const debited = (exchange.books().orders[0]?.cost ?? 0) / 1_000_000;
    const { code, report } = await auditJson(bot.place);
    expect(code).toBe(1);
    expect(report['differences']).toEqual([
      expect.objectContaining({ kind: 'debit', purchaseId: 1, ours: 10.5, theirs: debited }),
    ]);
    expect(report['total']).toBeCloseTo(10.5 - debited, 6);
    expect(report).toMatchObject({ balance: { unexplained: 0 } });
  });
});

/** The exchange behind a server that fails where it is told to; the others of its answers are the exchange's own. */
async function behindFailing(exchange: RunningSandbox, fails: (path: string) => boolean): Promise<RunningSandbox> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', exchange.baseUrl).pathname;
    if (fails(path)) return void response.writeHead(500, { 'content-type': 'application/json' }).end('{"success":false}');
    const headers = { 'x-api-key': String(request.headers['x-api-key']) };
    void fetch(new URL(request.url ?? '/', exchange.baseUrl), { headers }).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { ...exchange, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('an audit that cannot read', () => {
  it('any list, nor the balance a second time, finds no agreement, whatever a stranger has bought', async () => {
    const exchange = await openExchange({ offers: [...offers, dear], speed: 60, balance: 5_000 });
    const bot = await settled({ at: exchange });
    await bot.stop();
    await buysWithTheSameKey(exchange, '9', 2_000);
    let profiles = 0;
    const failing = await behindFailing(exchange, (path) => !path.endsWith('/user') || (profiles += 1) > 1);
    written({ place: bot.place, at: failing, config: patient });
    const beside = await audit(bot.place, [], impatient());
    profiles = 0;
    const json = await auditJson(bot.place, impatient());
    expect(beside.code).toBe(1);
    expect(beside.out).toContain('Compared 3 purchases of ours with no list of the service: none could be read.');
    expect(beside.out).not.toContain('what our rows say is what the service shows');
    expect(json).toMatchObject({
      code: 1,
      report: { ok: false, unread: ['orders', 'transactions', 'ledger', 'balance'].map((part) => ({ part, partly: false })) },
    });
    written({ place: bot.place, at: exchange });
    expect(await auditJson(bot.place)).toMatchObject({ code: 1, report: { ok: false, unread: [], total: -2_100 } });
  });

  it.each(['orders', 'transactions', 'ledger'])('one list finds no agreement: %s', async (part) => {
    const exchange = await openExchange({ offers, speed: 60 });
    const bot = await settled({ at: exchange });
    await bot.stop();
    written({ place: bot.place, at: await behindFailing(exchange, (path) => path.endsWith(`/${part}`)), config: patient });
    expect(await auditJson(bot.place, impatient())).toMatchObject({
      code: 1,
      report: { ok: false, differences: [], unread: [{ part, partly: false }] },
    });
    written({ place: bot.place, at: exchange });
    expect(await auditJson(bot.place)).toMatchObject({ code: 0, report: { ok: true, unread: [], uncompared: 0 } });
  });
});

describe('an audit that cannot be made', () => {
  it('says so where there is no ledger yet', async () => {
    const { code, err, out } = await audit(place());
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('There is no ledger in');
  });

  it('says so when the service refuses the key, and ends with 2 for the key of another account', async () => {
    const exchange = await openExchange({ offers: [offer('1')], children: 2 });
    const bot = await startBot({ place: freshPlace(), at: exchange });
    await bot.sees('a purchase', () => bot.purchases()[0]?.state === 'bought');
    await bot.stop();
    written({ place: bot.place, at: { ...exchange, childKey: 'a-key-that-nobody-has-0123456789' } });
    const refused = await audit(bot.place, ['--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.out)).toEqual({
      ...{ ok: false, exitCode: 1, faults: [] },
      message: expect.stringContaining('the account could not be read') as string,
    });
    written({ place: bot.place, at: { ...exchange, childKey: exchange.childKeys[1] ?? '' } });
    const foreign = await audit(bot.place);
    expect(foreign.code).toBe(2);
    expect(foreign.err).toContain('the data folder belongs to account');
  });
});

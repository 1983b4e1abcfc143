import { describe, expect, it } from 'vitest';
import type { Alert, AlertKind } from '../../src/domain/alert.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { movableClock } from '../support/movable-clock.ts';
import { ScriptedService, listings, profile, success } from './scripted-service.ts';
import { type Bot, freshPlace, offer, openExchange, pause, startBot } from './stage.ts';

const MINUTE = 60_000;

/** The kept alerts of a kind. */
function kept(bot: Bot, kind: AlertKind): readonly Alert[] {
  return bot.beside((ledger) => ledger.alerts(0, 100)).filter((alert) => alert.kind === kind);
}

/** One alert of that kind, with a next step; and a while later still one. */
async function expectOnce(bot: Bot, kind: AlertKind, message: RegExp): Promise<void> {
  await bot.sees(`an alert ${kind}`, () => kept(bot, kind).length > 0);
  await pause(700);
  expect(kept(bot, kind).map((alert) => [alert.message, alert.next])).toEqual([
    [expect.stringMatching(message) as string, expect.stringMatching(/\w+/) as string],
  ]);
  expect(bot.text.split('ALERT').filter((line) => message.test(line.split('\n')[0] ?? ''))).toHaveLength(1);
}

/** Has the daemon look at its orders now. */
async function look(bot: Bot): Promise<void> {
  await bot.daemon.core.looks.once();
}

describe('a person is told once, with one next step,', () => {
  it('that buying has halted, whatever tripped it', async () => {
    const order = { orderId: '1', serviceOrderId: 'o1', status: 'SUCCESS' };
    const service = await ScriptedService.open({
      live: () => listings([offer('1')]),
      buy: () => success({ order, item: offer('2', { price: 11 }) }),
    });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await expectOnce(bot, 'halt', /^\s*Buying has halted itself: purchase 1/);
    await bot.stop();
    const again = await startBot({ place: bot.place, at: service.address });
    await again.says('Account');
    await pause(500);
    expect(kept(again, 'halt')).toHaveLength(1);
  });

  it('that a trade offer waits to be accepted', async () => {
    const exchange = await openExchange({ offers: [offer('1')] });
    const bot = await startBot({ place: freshPlace(), at: exchange });
    await bot.sees('an active order', () => bot.purchases()[0]?.orderStatus === 'ACTIVE');
    expect(bot.beside((ledger) => ledger.alertsOf(1)).map(({ kind }) => kind)).toEqual(['accept']);
    await expectOnce(bot, 'accept', /The trade offer of purchase 1 .* waits to be accepted: the service shows/);
  });

  it('that the balance runs low', async () => {
    const exchange = await openExchange({ offers: [] });
    const bot = await startBot({ place: freshPlace(), at: exchange, config: { alerts: { lowBalance: 1_000_000 } } });
    await expectOnce(bot, 'low-balance', /The free balance is .*, below \$1,?000,?000\.00 \(alerts\.lowBalance\)/);
  });

  it('that an order stays pending longer than alerts.stuckAfter', async () => {
    const exchange = await openExchange({ offers: [offer('1')], speed: 0.001 });
    const { clock, move } = movableClock();
    const bot = await startBot({ place: freshPlace(), at: exchange, clock, config: { alerts: { stuckAfter: '30m' } } });
    await bot.sees('a purchase', () => bot.purchases()[0]?.state === 'bought');
    await look(bot);
    expect(kept(bot, 'stuck')).toEqual([]);
    move(31 * MINUTE);
    await look(bot);
    await look(bot);
    await expectOnce(bot, 'stuck', /is still INITIATED after 31 minutes/);
  });

  it('that an order was adopted, and that the balance has reached the reserve', async () => {
    const exchange = await openExchange({ offers: [offer('1'), offer('9', { price: 900 })], balance: 960 });
    const dear = { cheap: { when: { name: '*' }, price: { max: 20 } } };
    const bot = await startBot({
      place: freshPlace(),
      at: exchange,
      strategies: dear,
      config: { limits: { maxPrice: 1000, spend: { day: 100_000 }, reserve: 955 } },
    });
    await expectOnce(bot, 'reserve', /The balance has reached the reserve of \$955\.00/);
    const body = JSON.stringify({ itemId: '9', price: 900, market: 'c5game', tradeUrl: exchange.tradeUrl });
    const headers = { 'x-api-key': exchange.childKey, 'content-type': 'application/json' };
    expect((await fetch(`${exchange.baseUrl}/v2/market/buy`, { method: 'POST', headers, body })).status).toBe(200);
    await look(bot);
    await look(bot);
    await expectOnce(bot, 'adopted', /is no purchase of ours/);
  });

  it('that the reserve is reached, where a balance was read as nothing and the next one is not believed yet', async () => {
    let readings = 0;
    let offers: readonly unknown[] = [];
    const service = await ScriptedService.open({
      user: () => profile(readings++ < 1 ? 1_000 : readings === 2 ? 0 : 1_000),
      live: () => listings(offers),
    });
    const bot = await startBot({ place: freshPlace(), at: service.address });
    await bot.says('Start checks passed');
    await bot.sees('two readings', () => readings >= 2);
    await look(bot);
    expect(readings).toBeGreaterThanOrEqual(3);
    offers = Array.from({ length: 20 }, (_, at) => offer(String(at + 1), { price: at + 1 }));
    await expectOnce(bot, 'reserve', /The balance has reached the reserve/);
    expect(bot.text).not.toContain(' buy       ');
    expect(service.asked('buy')).toBe(0);
  });

  it('that the clock is wrong at the start', async () => {
    const real = new SystemClock();
    const early: Clock = {
      now: () => real.now() - 10 * MINUTE,
      wall: () => real.wall() - 10 * MINUTE,
      mono: () => real.mono(),
      after: (ms, work) => real.after(ms, work),
    };
    const exchange = await openExchange({ offers: [offer('1')] });
    const bot = await startBot({ place: freshPlace(), at: exchange, clock: early });
    await expectOnce(bot, 'clock', /Nothing is bought while the clock cannot be trusted: this machine's clock says/);
  });
});

it('the log says of a purchase in doubt what is awaited, and where to read on', async () => {
  const exchange = await openExchange({ offers: [offer('1')], faults: { buyLostBefore: 1 } });
  const bot = await startBot({ place: freshPlace(), at: exchange });
  await bot.says('unknown   ');
  const line = bot.lines.find((each) => each.includes('unknown   ')) ?? '';
  expect(line.slice(line.indexOf('its money')).trim()).toMatchInlineSnapshot(
    `"its money stays reserved until an order or a debit of it shows up; or 2 whole looks show none, the balance has not moved and the listing still stands 1 min on; else after 6 looks in 30 min of healthy quiet → \`magpie purchases 1\`"`,
  );
});

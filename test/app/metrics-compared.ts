import { expect, vi } from 'vitest';
import { windows } from '../../src/domain/limits.ts';
import { dollarsFromMicros, micros } from '../../src/domain/money.ts';
import { type Purchase, isReserved } from '../../src/domain/purchase.ts';
import { type Sample, readExposition, valueOf } from '../monitor/exposition.ts';
import { type Bot, type BotOptions, PATIENCE_MS, freshPlace, offer, openExchange, pause, startBot } from './stage.ts';

/** A daemon whose metrics can be read, and where. */
export async function startTold(options: Omit<BotOptions, 'place'> & { place?: string }): Promise<{ bot: Bot; address: string }> {
  const bot = await startBot({ place: freshPlace(), ...options, config: { metrics: { port: 0 }, ...options.config } });
  await bot.says('Metrics at');
  return { bot, address: /Metrics at (\S+)\/metrics/.exec(bot.text)?.[1] ?? '' };
}

export async function scraped(address: string): Promise<readonly Sample[]> {
  const answer = await fetch(`${address}/metrics`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  return readExposition(await answer.text());
}

/** Scrapes until a condition holds. */
export async function eventually(
  address: string,
  condition: (samples: readonly Sample[]) => boolean,
): Promise<readonly Sample[]> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    const samples = await scraped(address);
    if (condition(samples)) return samples;
    await pause(100);
  }
  throw new Error('it never came about');
}

const accepted: ReadonlySet<string> = new Set(['bought', 'completed', 'refunded']);

/** Lives until the purchases are as they should be, then holds what is told of them against the ledger and the books; says of how many. */
export async function compareWhen(orderFails: number, isDone: (states: readonly string[]) => boolean): Promise<number> {
  const names = ['AK-47 | Redline (Field-Tested)', 'AWP | Asiimov (Field-Tested)', 'M4A4 | Howl (Minimal Wear)'];
  const offers = Array.from({ length: 12 }, (_, at) => offer(String(at + 1), { marketHashName: names[at % 3], price: 10 + at }));
  const exchange = await openExchange({ offers, speed: 60, faults: { orderFails } });
  const config = {
    limits: { maxPrice: 60, spend: { hour: 400, day: 500 }, perItem: { day: 9 }, reserve: 20, unknown: 3 },
    alerts: { lowBalance: 30 },
  };
  const strategies = {
    cheap: { when: { name: '*' }, price: { max: 40 }, limits: { spend: { day: 300 }, count: { hour: 9 } } },
  };
  const { bot, address } = await startTold({ at: exchange, config, strategies });
  await bot.sees('purchases as they should be', () => isDone(bot.purchases().map(({ state }) => state)), 120_000);
  // Halted, nothing new begins; what is settled meanwhile is told a moment later.
  bot.beside((ledger) => ledger.halt('the test compares', 'person', Date.now()));
  await eventually(address, (samples) => valueOf(samples, 'magpie_halted') === 1);
  // What is told comes a moment after what is written, and a moment is long on a busy machine.
  await vi.waitFor(
    async () => {
      const samples = await scraped(address);
      compareMoney(bot, samples);
      compareCounts(bot, samples);
      const posts = Object.values(exchange.books().posts).reduce((total, each) => total + each, 0);
      expect(valueOf(samples, 'magpie_requests_total', { endpoint: 'buy', result: 'ok' })).toBe(posts);
    },
    { timeout: PATIENCE_MS, interval: 500 },
  );
  return bot.purchases().length;
}

function compareMoney(bot: Bot, samples: readonly Sample[]): void {
  const purchases = bot.purchases();
  const figure = (name: string, labels = {}): number | undefined => valueOf(samples, name, labels);
  const sum = (of: (purchase: Purchase) => number): number =>
    dollarsFromMicros(micros(purchases.reduce((total, purchase) => total + of(purchase), 0)));
  expect(figure('magpie_spent_dollars', { lane: 'live' })).toBe(
    sum(({ state, paid, cost }) => (accepted.has(state) ? (paid ?? cost) : 0)),
  );
  expect(figure('magpie_refunded_dollars', { lane: 'live' })).toBe(sum(({ refunded }) => refunded));
  expect(figure('magpie_reserved_dollars')).toBe(sum((purchase) => (isReserved(purchase) ? purchase.cost : 0)));
  const usage = bot.beside((ledger) => ledger.usage('live', { strategy: 'cheap', marketHashName: '' }, Date.now()));
  for (const window of windows) expect(figure('magpie_spend_dollars', { window })).toBe(dollarsFromMicros(usage.spend[window]));
  expect(figure('magpie_spend_limit_dollars', { window: 'hour' })).toBe(400);
  expect(figure('magpie_spend_limit_dollars', { window: 'total' })).toBeUndefined();
  const ofStrategy = { strategy: 'cheap', window: 'day' };
  expect(figure('magpie_strategy_spend_dollars', ofStrategy)).toBe(dollarsFromMicros(usage.strategySpend.day));
  expect(figure('magpie_strategy_spend_limit_dollars', ofStrategy)).toBe(300);
  expect(figure('magpie_strategy_purchases', { strategy: 'cheap', window: 'hour' })).toBe(usage.strategyCount.hour);
  expect([figure('magpie_open_purchases'), figure('magpie_hour_purchases')]).toEqual([usage.open, usage.committedInHour]);
  expect([figure('magpie_reserve_dollars'), figure('magpie_low_balance_dollars')]).toEqual([20, 30]);
  const balance = bot.beside((ledger) => ledger.balance()?.amount);
  expect(figure('magpie_balance_dollars')).toBe(balance === undefined ? undefined : dollarsFromMicros(balance));
}

function compareCounts(bot: Bot, samples: readonly Sample[]): void {
  const purchases = bot.purchases();
  const figure = (name: string, labels = {}): number | undefined => valueOf(samples, name, labels);
  for (const [state, count] of Object.entries(bot.beside((ledger) => ledger.countsByState())))
    expect([state, figure('magpie_purchases', { state })]).toEqual([state, count]);
  const named = purchases.filter(({ state }) => accepted.has(state)).map(({ marketHashName }) => marketHashName);
  const most = Math.max(...named.map((name) => named.filter((other) => other === name).length));
  expect(figure('magpie_item_purchases_max', { window: 'day' })).toBe(most);
  expect(figure('magpie_purchase_moves_total', { state: 'intended' })).toBe(purchases.length);
  expect(figure('magpie_purchase_stage_seconds_count', { stage: 'seen-answered' })).toBe(purchases.length);
  const decisions = bot.beside((ledger) => ledger.decisions(100_000));
  for (const verdict of ['admitted', 'refused']) {
    const told = samples.filter(({ name, labels }) => name === 'magpie_decisions_total' && labels['verdict'] === verdict);
    const inAll = told.reduce((total, { value }) => total + value, 0);
    expect(inAll).toBe(decisions.filter((decision) => decision.verdict === verdict).length);
  }
}

import { createHash } from 'node:crypto';
import type { AccountLimits } from '../../src/domain/limits.ts';
import { type Micros, microsFromDollars } from '../../src/domain/money.ts';
import { type Random, chance, pick, wholeBetween } from '../../src/domain/random.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { parseStrategy } from '../../src/strategy/parse.ts';
import type { Strategy } from '../../src/strategy/strategy.ts';
import { patienceOf } from './pace.ts';
import type { Plan } from './plan.ts';

type PerWindowNumbers = { hour?: number; day?: number; total?: number };

/** How the bot of one life is configured: dollars and milliseconds. */
export interface BotPlan {
  readonly intervalMs: number;
  readonly healthIntervalMs: number;
  readonly healthStaleMs: number;
  readonly require: 'ok' | 'degraded' | 'off';
  /** How the feed is read; lives come with each. */
  readonly parse: 'stream' | 'slices' | 'whole';
  readonly timeoutMs: number;
  readonly buysPerSecond: number;
  readonly buysAtOnce: number;
  readonly reconcileMs: number;
  readonly dedicated: boolean;
  readonly limits: {
    readonly maxPrice: number;
    readonly spend: PerWindowNumbers;
    readonly perItem: PerWindowNumbers;
    readonly reserve: number;
    readonly openPurchases: number;
    readonly unknown: number;
    readonly refusalsInRow: number;
    readonly perHour: number;
  };
  /** Strategy documents as their files would hold them. */
  readonly strategies: readonly StrategyPlan[];
}

/** What of it is saved anew while it runs. */
export type RulesPlan = Pick<BotPlan, 'limits' | 'strategies'>;

export interface StrategyPlan {
  readonly name: string;
  readonly mode?: 'dry-run';
  readonly priority: number;
  readonly when?: Record<string, unknown>;
  readonly price: { readonly max: number; readonly maxOfSteam?: number; readonly belowFloor?: number };
  readonly limits?: { readonly spend?: PerWindowNumbers; readonly count?: PerWindowNumbers; readonly perItem?: PerWindowNumbers };
}

/** Caps small enough to bind, strategies broad enough to buy a lot. */
export function drawBot(random: Random, kind: Plan['kind'], pace: number): BotPlan {
  const maxPrice = pick(random, [2, 10, 40]);
  return {
    intervalMs: pick(random, [5_000, 7_000, 10_000]) * pace,
    healthIntervalMs: pick(random, [5_000, 8_000]) * pace,
    healthStaleMs: 15_000 * pace,
    require: pick(random, ['ok', 'ok', 'ok', 'degraded', 'degraded', 'degraded', 'degraded', 'off']),
    timeoutMs: pick(random, [4_000, 10_000]),
    buysPerSecond: pick(random, [0.5, 1, 2, 2]),
    buysAtOnce: pick(random, [1, 1, 1, 2, 3]),
    reconcileMs: pick(random, [10_000, 15_000, 30_000]) * patienceOf({ pace }),
    dedicated: kind === 'beyond' ? chance(random, 0.5) : chance(random, 0.3),
    limits: {
      maxPrice,
      spend: {
        ...(chance(random, 0.6) ? { hour: maxPrice * wholeBetween(random, 3, 20) } : {}),
        ...(chance(random, 0.6) ? { day: maxPrice * wholeBetween(random, 8, 60) } : {}),
        total: maxPrice * wholeBetween(random, 10, 100),
      },
      perItem: chance(random, 0.7) ? { [pick(random, ['hour', 'day', 'total'])]: wholeBetween(random, 1, 3) } : {},
      reserve: chance(random, 0.5) ? wholeBetween(random, 1, 50) : 0,
      openPurchases: pick(random, [10, 50, 200]),
      unknown: pick(random, [1, 2, 4, 10]),
      refusalsInRow: pick(random, [10, 25, 50]),
      perHour: pick(random, [30, 300, 1_000]),
    },
    strategies: drawStrategies(random, maxPrice),
    parse: pick(random, ['stream', 'stream', 'slices', 'whole'] as const),
  };
}

/** Other limits and strategies, some of them gone, on paper or live; the reserve stays, since the auditor holds every booking to it. */
export function drawRules(random: Random, bot: BotPlan): RulesPlan {
  const { limits, strategies } = drawBot(random, 'safety', 1);
  const kept = strategies.filter(() => chance(random, 0.8));
  const others = kept.map((one): StrategyPlan => {
    if (!chance(random, 0.2)) return one;
    const { mode, ...rest } = one;
    return mode === undefined ? { ...rest, mode: 'dry-run' } : rest;
  });
  return { limits: { ...limits, reserve: bot.limits.reserve }, strategies: others.length > 0 ? others : strategies };
}

function drawStrategies(random: Random, maxPrice: number): StrategyPlan[] {
  const count = (): PerWindowNumbers => ({ [pick(random, ['hour', 'day', 'total'])]: wholeBetween(random, 3, 40) });
  const spend = (): PerWindowNumbers => ({ [pick(random, ['hour', 'day', 'total'])]: maxPrice * wholeBetween(random, 2, 20) });
  return [
    { name: 'anything', priority: 0, price: { max: maxPrice * 2, maxOfSteam: pick(random, [0.8, 0.9, 1.2]) } },
    {
      name: 'small-change',
      priority: pick(random, [0, 5]),
      price: { max: maxPrice / 4 },
      limits: {
        count: count(),
        ...(chance(random, 0.5) ? { spend: spend() } : {}),
        ...(chance(random, 0.5) ? { perItem: { day: wholeBetween(random, 1, 2) } } : {}),
      },
    },
    {
      name: 'rifles',
      priority: 3,
      when: { type: ['rifle', 'sniper rifle', 'pistol'] },
      price: { max: maxPrice, maxOfSteam: 0.95 },
      limits: { count: count(), spend: spend() },
    },
    { name: 'below-the-others', priority: 4, price: { max: maxPrice, belowFloor: 0.02 }, limits: { count: { hour: 5 } } },
    { name: 'on-paper', mode: 'dry-run', priority: 1, price: { max: maxPrice }, limits: { count: count() } },
  ];
}

function micros(dollars: number): Micros {
  const amount = microsFromDollars(dollars, 'down');
  if (amount === undefined) throw new RangeError(`no amount of money: ${dollars}`);
  return amount;
}

function limitsOf({ limits }: BotPlan): AccountLimits {
  const { maxPrice, spend, perItem, reserve, openPurchases, unknown, refusalsInRow, perHour } = limits;
  const amounts = Object.fromEntries(Object.entries(spend).map(([window, dollars]) => [window, micros(dollars)]));
  return {
    maxPrice: micros(maxPrice),
    spend: amounts,
    perItem,
    never: ['Souvenir *'],
    reserve: micros(reserve),
    openPurchases,
    unknown,
    breaker: { refusalsInRow, perHour, unusual: 10 },
  };
}

/** The configuration as the rooms take it. */
export function settingsOf(bot: BotPlan, data: string): Settings {
  return {
    file: 'simulated.yaml',
    account: undefined,
    accountNames: [],
    recordingFolder: data,
    mode: 'live',
    service: { kind: 'remote', baseUrl: 'http://127.0.0.1:1', account: undefined },
    dedicated: bot.dedicated,
    feed: {
      intervalMs: bot.intervalMs,
      health: { intervalMs: bot.healthIntervalMs, require: bot.require, staleAfterMs: bot.healthStaleMs },
      parse: bot.parse,
    },
    watch: undefined,
    rate: {
      reads: { perSecond: 4, concurrent: 2 },
      buys: { perSecond: bot.buysPerSecond, concurrent: bot.buysAtOnce },
      timeoutMs: bot.timeoutMs,
    },
    limits: limitsOf(bot),
    strategies: data,
    data,
    web: undefined,
    log: { format: 'json', level: 'info' },
    recording: undefined,
    reconcile: { intervalMs: bot.reconcileMs },
    alerts: { stuckAfterMs: 1_800_000, lowBalance: undefined },
    settle: { latencyMs: undefined, marginMs: 250, perMinute: 30 },
    notify: undefined,
    metrics: undefined,
    webhooks: undefined,
    treasury: undefined,
    deadMan: undefined,
    reference: { days: 14, minSamples: 1, maxJump: 0.5, fall: { share: 0.3, by: 0.1, calmMs: 3_600_000 } },
    reload: { onSave: false },
    decisions: { keepMs: 3_600_000 },
    backup: undefined,
    disk: { minFreeBytes: 0 },
    secrets: [],
  };
}

export function strategiesOf(bot: BotPlan): readonly Strategy[] {
  return bot.strategies.map((document) => {
    const text = JSON.stringify(document);
    const parsed = parseStrategy(document, { text, hash: createHash('sha256').update(text).digest('hex') });
    if (!parsed.ok) throw new Error(`strategy ${document.name}: ${parsed.faults.map(({ message }) => message).join('; ')}`);
    return parsed.strategy;
  });
}

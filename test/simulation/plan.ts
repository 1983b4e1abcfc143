import type { ExchangeFaultRates } from '../../src/domain/exchange-fault.ts';
import { type Random, chance, pick, seededRandom, wholeBetween } from '../../src/domain/random.ts';
import type { OrderTimes } from '../../src/sandbox/orders.ts';
import { quickTimes } from '../../src/sandbox/orders.ts';
import type { FaultTimes } from '../../src/sandbox/fault-plan.ts';
import { type BotPlan, type RulesPlan, drawBot, drawRules } from './bot-plan.ts';
import { type ProcessFaultName, type Range, beyondFaults, networkMenu, processFaults, safetyFaults } from './fault-menu.ts';
import { DAYS_SHARE, PACE_OF_DAYS, paces, patienceOf } from './pace.ts';
import type { NetworkFaultName, NetworkPlan } from './network.ts';

const MINUTE = 60_000;

/** The end of a process. Times are milliseconds since the start of the life. */
export interface Crash {
  readonly at: number;
  /** crash: killed. power: the machine goes off with it. stop: asked to stop. */
  readonly kind: 'crash' | 'power' | 'stop';
  /** Undefined: at that very moment. Else at the n-th point after it whose name begins so ('' : any). */
  readonly point: { readonly prefix: string; readonly nth: number } | undefined;
  readonly downMs: number;
}

/** Writes that fail, each with this probability. */
export interface DiskTrouble {
  readonly at: number;
  readonly ms: number;
  readonly share: number;
}

export type PersonAct = { readonly at: number } & (
  | { readonly do: 'halt'; readonly forMs: number }
  | { readonly do: 'buy' }
  | { readonly do: 'reconcile' }
  | {
      /** The files of limits and strategies are saved with other ones in them. */ readonly do: 'reload';
      readonly rules: RulesPlan;
    }
  | { /** The verdict of somebody who has looked at the exchange's own books. */ readonly do: 'resolve' }
);

/** A copy of the ledger is put in its place later: what came in between is forgotten. */
export interface Restore {
  readonly copiedAt: number;
  readonly at: number;
  readonly downMs: number;
}

export interface ClockStep {
  readonly at: number;
  readonly byMs: number;
}

/** Everything that befalls one life, so that it can be replayed, and cut down. */
export interface Plan {
  readonly seed: number;
  readonly kind: 'safety' | 'beyond';
  /**
   * How much slower than usual the bot looks and the market turns over: the events of an hour are then those of a day, and what
   * lasts (a cap's window, a wait for evidence) is met within one life.
   */
  readonly pace: number;
  /** How long faults strike. */
  readonly minutes: number;
  readonly market: {
    readonly listings: number;
    readonly speed: number;
    readonly balance: number;
    readonly feeRate: number;
    readonly times: OrderTimes;
  };
  readonly bot: BotPlan;
  readonly faults: Partial<ExchangeFaultRates>;
  readonly faultTimes: FaultTimes;
  readonly network: NetworkPlan;
  readonly crashes: readonly Crash[];
  readonly disk: readonly DiskTrouble[];
  readonly acts: readonly PersonAct[];
  readonly clockSteps: readonly ClockStep[];
  /** Beyond our assumptions alone: what was forgotten is adopted as somebody else's. */
  readonly restores: readonly Restore[];
}

/** The point at which a buy is on its way. */
export const IN_FLIGHT = 'in-flight';

/** The points at which a process is killed, by how their names begin. */
export const pointPrefixes = [
  IN_FLIGHT,
  IN_FLIGHT,
  '',
  'buy:',
  'intent:',
  'outcome:',
  'apply:',
  'balance:',
  'orphans:',
  'buy:send',
  'buy:answered',
  'intent:committed',
];

/** Minutes in which faults strike, at the usual pace: enough for each kind in a long life, for some of them in a short one. */
const lengths = { long: [10, 25], short: [8, 16] } as const;

/** Draws a life. Each matter has a stream of its own. `pace`: another than the one that is drawn. */
export function planOf(seed: number, kind: Plan['kind'], length: keyof typeof lengths = 'long', pace = paceOf(seed, kind)): Plan {
  const stream = streamsOf(seed, kind);
  const [shortest, longest] = lengths[length];
  const minutes = wholeBetween(stream('minutes'), shortest, longest) * pace;
  const on = new Set(processFaults.filter((name) => chance(stream(`on/${name}`), 0.5)));
  const faults = drawFaults(stream, kind);
  const bot = drawBot(stream('bot'), kind, pace);
  return {
    seed,
    kind,
    pace,
    minutes,
    market: drawMarket(stream('market'), bot.limits.reserve, pace),
    bot,
    faults,
    faultTimes: drawTimes(stream('times'), faults, pace),
    network: { seed, rates: drawNetwork(stream), oneWayMs: [3, pick(stream('latency'), [20, 80, 250])] },
    crashes: drawCrashes(stream, on, minutes),
    disk: on.has('disk') ? drawDisk(stream('disk'), minutes, pace) : [],
    acts: [
      ...drawActs(stream('acts'), on, minutes, pace),
      ...(on.has('reload') ? drawReloads(stream('reloads'), bot, minutes) : []),
    ],
    clockSteps: on.has('clock') ? drawSteps(stream('clock'), minutes) : [],
    restores: kind === 'beyond' && on.has('backup') ? [drawRestore(stream('backup'), minutes)] : [],
  };
}

function streamsOf(seed: number, kind: Plan['kind']): (name: string) => Random {
  return (name) => seededRandom(seed, `plan/${kind}/${name}`);
}

function paceOf(seed: number, kind: Plan['kind']): number {
  return chance(streamsOf(seed, kind)('days'), DAYS_SHARE) ? PACE_OF_DAYS : shortPaceOf(seed, kind);
}

/** The pace of a life that lasts less than a day. */
export function shortPaceOf(seed: number, kind: Plan['kind']): number {
  return pick(streamsOf(seed, kind)('pace'), paces);
}

/** Swarm: each kind is on in every second life, since some faults of ours need one kind alone. */
function drawFaults(stream: (name: string) => Random, kind: Plan['kind']): Partial<ExchangeFaultRates> {
  const rates: Record<string, number> = { orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 };
  const menu: [string, Range][] = [...Object.entries(safetyFaults), ...(kind === 'beyond' ? Object.entries(beyondFaults) : [])];
  for (const [name, range] of menu) {
    const random = stream(`fault/${name}`);
    if (chance(random, 0.5)) rates[name] = logBetween(random, range);
  }
  return rates;
}

function drawNetwork(stream: (name: string) => Random): NetworkPlan['rates'] {
  const rates: Partial<Record<NetworkFaultName, number>> = {};
  for (const [name, range] of Object.entries(networkMenu)) {
    const random = stream(`network/${name}`);
    if (chance(random, 0.5)) rates[name as NetworkFaultName] = logBetween(random, range);
  }
  return rates;
}

function drawMarket(random: Random, reserve: number, pace: number): Plan['market'] {
  const slow = logBetween(random, [1, 10]) * patienceOf({ pace });
  const times = Object.fromEntries(Object.entries(quickTimes).map(([name, ms]) => [name, Math.round(ms * slow)]));
  return {
    listings: wholeBetween(random, 25, 50),
    speed: logBetween(random, [0.5, 3]) / pace,
    balance: reserve + Math.round(logBetween(random, [60, 3_000])),
    feeRate: pick(random, [0, 0.025, 0.05, 0.1]),
    times: times as unknown as OrderTimes,
  };
}

/**
 * A balance may lag by less than the minute that admission allows for, and a buy may be executed late by less than the minute
 * after which a listing that still stands proves it was not: both are assumptions.
 */
function drawTimes(random: Random, faults: Partial<ExchangeFaultRates>, pace: number): FaultTimes {
  const longLag = faults.balanceLag === undefined && chance(random, 0.3);
  return {
    late: [500, pick(random, [5_000, 20_000, 40_000])],
    lag: [1_000, longLag ? 300_000 : pick(random, [5_000, 20_000, 50_000])],
    spell: [3_000, pick(random, [12_000, 60_000]) * pace],
  };
}

function drawCrashes(stream: (name: string) => Random, on: ReadonlySet<ProcessFaultName>, minutes: number): Crash[] {
  const random = stream('crashes');
  const kinds = (['crash', 'power', 'stop'] as const).filter((kind) => on.has(kind));
  if (kinds.length === 0) return [];
  const count = wholeBetween(random, 1, 20);
  const crashes = Array.from({ length: count }, (): Crash => {
    const kind = pick(random, kinds);
    const atPoint = kind !== 'stop' && chance(random, 0.6);
    return {
      at: Math.round(random.next() * minutes * MINUTE),
      kind,
      point: atPoint ? { prefix: pick(random, pointPrefixes), nth: wholeBetween(random, 1, 6) } : undefined,
      downMs: Math.round(logBetween(random, [500, 60_000])),
    };
  });
  return crashes.sort((a, b) => a.at - b.at);
}

function drawDisk(random: Random, minutes: number, pace: number): DiskTrouble[] {
  return Array.from({ length: wholeBetween(random, 1, 4) }, () => ({
    at: Math.round(random.next() * minutes * MINUTE),
    ms: Math.round(logBetween(random, [500, 60_000 * pace])),
    share: pick(random, [0.05, 0.3, 1]),
  }));
}

function drawActs(random: Random, on: ReadonlySet<ProcessFaultName>, minutes: number, pace: number): PersonAct[] {
  const at = (): number => Math.round(random.next() * minutes * MINUTE);
  const many = (most: number, act: () => PersonAct): PersonAct[] => Array.from({ length: wholeBetween(random, 0, most) }, act);
  const halts = on.has('halt') ? [haltAt(random, at(), pace), ...many(3, () => haltAt(random, at(), pace))] : [];
  const acts: PersonAct[] = [
    ...halts,
    ...many(4, () => ({ at: at(), do: 'buy' })),
    ...many(2, () => ({ at: at(), do: 'reconcile' })),
    ...many(1, () => ({ at: at(), do: 'resolve' })),
  ];
  return acts.sort((a, b) => a.at - b.at);
}

function drawReloads(random: Random, bot: BotPlan, minutes: number): PersonAct[] {
  return Array.from({ length: wholeBetween(random, 1, 4) }, () => ({
    at: Math.round(random.next() * minutes * MINUTE),
    do: 'reload' as const,
    rules: drawRules(random, bot),
  }));
}

/** Longer down than any pace of buys: the time of the last one is forgotten as well. */
function drawRestore(random: Random, minutes: number): Restore {
  const at = Math.round((0.3 + 0.6 * random.next()) * minutes * MINUTE);
  return {
    copiedAt: Math.round((0.1 + 0.85 * random.next()) * at),
    at,
    downMs: Math.round(logBetween(random, [10_000, 120_000])),
  };
}

function haltAt(random: Random, at: number, pace: number): PersonAct {
  return { at, do: 'halt', forMs: Math.round(logBetween(random, [1_000, 240_000 * pace])) };
}

function drawSteps(random: Random, minutes: number): ClockStep[] {
  return Array.from({ length: wholeBetween(random, 1, 3) }, () => {
    const size = chance(random, 0.85) ? logBetween(random, [200, 240_000]) : logBetween(random, [1_200_000, 3_600_000]);
    return { at: Math.round(random.next() * minutes * MINUTE), byMs: Math.round(chance(random, 0.5) ? size : -size) };
  }).sort((a, b) => a.at - b.at);
}

export function logBetween(random: Random, [low, high]: Range): number {
  return low * (high / low) ** random.next();
}

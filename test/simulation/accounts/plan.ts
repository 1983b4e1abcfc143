import type { ExchangeFaultRates } from '../../../src/domain/exchange-fault.ts';
import { type Random, chance, pick, seededRandom, wholeBetween } from '../../../src/domain/random.ts';
import { quickTimes } from '../../../src/sandbox/orders.ts';
import { type BotPlan, type RulesPlan, type StrategyPlan, drawBot } from '../bot-plan.ts';
import { type Range, networkMenu, safetyFaults } from '../fault-menu.ts';
import type { NetworkFaultName, NetworkPlan } from '../network.ts';
import { patienceOf } from '../pace.ts';
import { type Crash, type DiskTrouble, type PersonAct, type Plan, logBetween } from '../plan.ts';

const MINUTE = 60_000;

/** What befalls one account alone for a while, beside what its requests meet one by one. */
export const blows = {
  keyRefused: 'the service does not know its key',
  drained: 'another client takes its money out, all but some cents',
  tooManyStorm: 'each of its requests is answered 429',
  forbiddenStorm: 'each of its requests is answered 403',
  refusalStorm: 'each of its buys is refused, and nothing is sold',
  engineThrows: 'its engine meets what it cannot work on, and the account ends',
  rejection: 'its work rejects a promise that nobody handles, and the account ends',
  ledgerFails: 'its ledger takes nothing',
} as const;
export type BlowName = keyof typeof blows;

export interface Blow {
  readonly at: number;
  readonly ms: number;
  readonly name: BlowName;
}

/** What befalls the one account that the faults of a life are aimed at, on top of its ordinary weather. */
export interface Aimed {
  readonly blows: readonly Blow[];
  /** Of the exchange, for its requests alone. */
  readonly faults: Partial<ExchangeFaultRates>;
  readonly network: NetworkPlan['rates'];
  readonly disk: readonly DiskTrouble[];
  readonly acts: readonly PersonAct[];
}

/**
 * A life of many accounts in one process, and faults that are aimed at one of them: it is lived without any, and once with each of these.
 * disjoint: nobody else wants what that one wants, so that each other must fare the same in all, to the byte; the others contend among
 * themselves. contested: all may want the same, so that who gets what is another; held against promises alone.
 */
export interface AccountsPlan {
  readonly seed: number;
  readonly wishes: 'disjoint' | 'contested';
  readonly pace: number;
  readonly minutes: number;
  readonly market: Plan['market'];
  /** Of the reader that all share: its questions and answers may be lost, in both lives alike. */
  readonly readerNetwork: NetworkPlan;
  /** In the order of the configuration, each as it lives without what is aimed. */
  readonly accounts: readonly { readonly name: string; readonly plan: Plan }[];
  /** The place of the one that is aimed at. */
  readonly target: number;
  readonly aims: readonly Aimed[];
  /** What befalls all of them together, in each of its lives alike; left out: nothing does. */
  readonly together?: Together | undefined;
}

/** What befalls whoever shares a reader and a process. */
export interface Together {
  /** Of the exchange, for the questions of the shared reader alone. */
  readonly faults: Partial<ExchangeFaultRates>;
  /** The ends of the process that serves all. */
  readonly ends: readonly ProcessEnd[];
}

/** `place`: of the account at whose points it strikes, if it strikes at one. */
export interface ProcessEnd extends Crash {
  readonly place: number;
}

/** Those of the exchange that befall one request, by a rate that can hold for one account alone. */
const requestFaults = Object.entries(safetyFaults).filter(([name]) => /^buy|^ordersLate$|^ordersPartial$/.test(name));

/** What an order meets is decided by its id: the same for every account, in both lives. */
const weatherFaults = ['orderFails', 'orderReverts', 'refundLate', 'healthDegraded', 'healthDown'] as const;

/** A reader's answer that breaks inside shows less or more by what else stands in it: those would tell accounts of each other. */
export const readerFaults: readonly NetworkFaultName[] = [
  'connectRefused',
  'requestLost',
  'requestSlow',
  'answerSilent',
  'answerSlow',
];

/** What only the account that is aimed at wants where wishes are disjoint: no name of these kinds is one of the others. */
const OWN_TYPES = ['sticker', 'pistol', 'smg'];

/** Minutes in which faults strike, at the usual pace. */
const lengths = { long: [4, 8], short: [3, 5] } as const;
/** A life without faults is dear, and does for several. */
const AIMS = { long: 4, short: 2 } as const;
const paces = [3, 8, 20] as const;
const HARDER = 4;

/** Draws a life of `count` accounts. Each account and each matter has a stream of its own. */
export function accountsPlanOf(seed: number, count: number, length: keyof typeof lengths = 'long'): AccountsPlan {
  const stream = (name: string): Random => seededRandom(seed, `accounts/${name}`);
  const wishes = seed % 4 === 0 ? 'contested' : 'disjoint';
  const pace = pick(stream('pace'), paces);
  const [shortest, longest] = lengths[length];
  const minutes = wholeBetween(stream('minutes'), shortest, longest) * pace;
  const market = marketOf(stream('market'), pace, count);
  const target = wholeBetween(stream('target'), 0, count - 1);
  const shared = feedOf(drawBot(stream('feed'), 'safety', pace), wishes);
  const weather = drawRates(
    stream('weather'),
    weatherFaults.map((name) => [name, safetyFaults[name] ?? [0, 0]] as const),
  );
  const accounts = Array.from({ length: count }, (_, place) => {
    const own = (name: string): Random => stream(`${place}/${name}`);
    const bot = wanting({ ...drawBot(own('bot'), 'safety', pace), ...shared }, wishes, place === target);
    const network = { seed: seed * 1_000 + place, rates: drawRates(own('network'), networkOf()), oneWayMs: [3, 40] as const };
    const plan: Plan = {
      ...{ seed: seed * 1_000 + place, kind: 'safety', pace, minutes, market, bot, network },
      ...{ faults: weather, faultTimes, crashes: [], disk: [], acts: [], clockSteps: [], restores: [] },
    };
    return { name: `account-${place + 1}`, plan };
  });
  const readerRates = drawRates(
    stream('reader'),
    readerFaults.map((name) => [name, networkMenu[name]] as const),
  );
  return {
    ...{ seed, wishes, pace, minutes, market, accounts, target },
    readerNetwork: { seed: seed * 1_000 + count, rates: readerRates, oneWayMs: [3, 40] },
    aims: Array.from({ length: AIMS[length] }, (_, at) => drawAimed((name) => stream(`aim ${at}/${name}`), minutes, pace)),
  };
}

const faultTimes: Plan['faultTimes'] = { late: [500, 20_000], lag: [1_000, 20_000], spell: [3_000, 12_000] };

export function networkOf(): readonly (readonly [NetworkFaultName, Range])[] {
  return Object.entries(networkMenu) as [NetworkFaultName, Range][];
}

function marketOf(random: Random, pace: number, count: number): Plan['market'] {
  const slow = logBetween(random, [1, 4]) * patienceOf({ pace });
  const times = Object.fromEntries(Object.entries(quickTimes).map(([name, ms]) => [name, Math.round(ms * slow)]));
  return {
    listings: 40 + 3 * count,
    speed: logBetween(random, [1, 4]) / pace,
    balance: 50 + Math.round(logBetween(random, [60, 1_000])),
    feeRate: pick(random, [0, 0.05]),
    times: times as unknown as Plan['market']['times'],
  };
}

/** What all accounts share: they are told of one market by one reader. Half an answer shows by its length what else stands: whole ones do not. */
function feedOf(bot: BotPlan, wishes: AccountsPlan['wishes']): Partial<BotPlan> {
  const { intervalMs, healthIntervalMs, healthStaleMs, require, parse } = bot;
  const read = wishes === 'disjoint' && parse === 'stream' ? 'slices' : parse;
  return { intervalMs, healthIntervalMs, healthStaleMs, require: require === 'off' ? 'degraded' : require, parse: read };
}

/** The same wishes, kept apart where they are to be. */
export function wanting<R extends RulesPlan>(bot: R, wishes: AccountsPlan['wishes'], isTarget: boolean): R {
  if (wishes === 'contested') return bot;
  const kinds = isTarget ? { type: OWN_TYPES } : { not: { type: OWN_TYPES } };
  const only = (one: StrategyPlan): StrategyPlan => ({ ...one, when: { all: [...(one.when ? [one.when] : []), kinds] } });
  return { ...bot, strategies: bot.strategies.map(only) };
}

export function drawRates<N extends string>(
  random: Random,
  menu: readonly (readonly [N, Range])[],
): Partial<Record<N, number>> & Record<string, number> {
  const rates: Record<string, number> = {};
  for (const [name, range] of menu) rates[name] = chance(random, 0.5) ? logBetween(random, range) : 0;
  return rates as Partial<Record<N, number>> & Record<string, number>;
}

function drawAimed(stream: (name: string) => Random, minutes: number, pace: number): Aimed {
  const names = Object.keys(blows) as BlowName[];
  const first = pick(stream('first blow'), names);
  const on = names.filter((name) => name === first || chance(stream(`on/${name}`), 0.4));
  const all = on.flatMap((name) => drawBlows(stream(`blow/${name}`), name, minutes, pace));
  const network = drawRates(stream('aimed network'), harder(networkOf()));
  const halts: PersonAct[] = chance(stream('halts'), 0.4)
    ? [{ at: stream('halt').next() * minutes * MINUTE * 0.8, do: 'halt', forMs: MINUTE * pace }]
    : [];
  return {
    blows: all.filter(({ name }) => name !== 'ledgerFails').sort((a, b) => a.at - b.at),
    faults: drawRates(stream('aimed faults'), harder(requestFaults)),
    network,
    disk: all.filter(({ name }) => name === 'ledgerFails').map(({ at, ms }) => ({ at, ms, share: 1 })),
    acts: halts,
  };
}

/** One account makes few requests: what is aimed at it strikes more often than what befalls all. */
export function harder<N extends string>(menu: readonly (readonly [N, Range])[]): readonly (readonly [N, Range])[] {
  return menu.map(([name, [low, high]]) => [name, [low * HARDER, Math.min(high * HARDER, 0.5)]] as const);
}

function drawBlows(random: Random, name: BlowName, minutes: number, pace: number): Blow[] {
  return Array.from({ length: wholeBetween(random, 1, 3) }, () => ({
    name,
    at: Math.round((0.05 + 0.85 * random.next()) * minutes * MINUTE),
    ms: Math.round(logBetween(random, [5_000, 90_000]) * pace),
  }));
}

import { type AccountLimits, type PerWindow, type StrategyLimits, windows } from '../domain/limits.ts';
import { formatDollars, micros } from '../domain/money.ts';
import { counted } from '../domain/text.ts';
import type { Strategy } from '../strategy/strategy.ts';
import type { LocalSettings } from './what-counts.ts';
import { watchedItems } from './watched-items.ts';
import { changesWhileRunning, settingsThatCount } from './what-counts.ts';

/** What buying goes by, as files say it. */
export interface RuleSet {
  readonly settings: LocalSettings;
  readonly strategies: readonly Strategy[];
}

/** How two sets of rules differ, in words for a person. */
export interface RuleDifference {
  /** What can be put in force while Magpie runs: limits and strategies. */
  readonly changed: readonly string[];
  /** Those of them by which more may be bought or spent than before. */
  readonly raised: readonly string[];
  /** Keys of the configuration that count from the next start on. */
  readonly waiting: readonly string[];
}

export function differenceOf(before: RuleSet, after: RuleSet): RuleDifference {
  const limits = boundMoves(boundsOfAccount(before.settings.limits), boundsOfAccount(after.settings.limits));
  const never = neverMoves(before.settings.limits.never, after.settings.limits.never);
  const strategies = strategyMoves(before.strategies, after.strategies);
  const watched = watchMoves(before, after);
  const all = [...limits, ...never, ...strategies, ...watched];
  return {
    changed: all.map(({ words }) => words),
    raised: all.filter(({ raised }) => raised).map(({ words }) => words),
    waiting: waitingKeys(before.settings, after.settings),
  };
}

interface Move {
  readonly words: string;
  readonly raised: boolean;
}

/** A number that bounds what is bought; undefined where nothing does. */
interface Bound {
  readonly unit: 'money' | 'count';
  readonly value: number | undefined;
  /** The lower it is, the more may be spent. */
  readonly floor?: true;
}

type Bounds = ReadonlyMap<string, Bound>;

function boundsOfAccount({ maxPrice, spend, perItem, reserve, openPurchases, unknown, breaker }: AccountLimits): Bounds {
  return new Map<string, Bound>([
    ['limits.maxPrice', { unit: 'money', value: maxPrice }],
    ...perWindow('limits.spend', 'money', spend),
    ...perWindow('limits.perItem', 'count', perItem),
    ['limits.reserve', { unit: 'money', value: reserve, floor: true }],
    ['limits.openPurchases', { unit: 'count', value: openPurchases }],
    ['limits.unknown', { unit: 'count', value: unknown }],
    ['limits.breaker.refusalsInRow', { unit: 'count', value: breaker.refusalsInRow }],
    ['limits.breaker.perHour', { unit: 'count', value: breaker.perHour }],
    ['limits.breaker.unusual', { unit: 'count', value: breaker.unusual }],
  ]);
}

function boundsOfStrategy({ spend, count, perItem }: StrategyLimits): Bounds {
  return new Map([
    ...perWindow('limits.spend', 'money', spend),
    ...perWindow('limits.count', 'count', count),
    ...perWindow('limits.perItem', 'count', perItem),
  ]);
}

function perWindow(key: string, unit: Bound['unit'], bounds: PerWindow<number>): [string, Bound][] {
  return windows.map((window) => [`${key}.${window}`, { unit, value: bounds[window] }]);
}

function boundMoves(before: Bounds, after: Bounds, of = ''): Move[] {
  return [...before].flatMap(([key, was]) => {
    const is = after.get(key) ?? { ...was, value: undefined };
    if (is.value === was.value) return [];
    const [from, to] = [was.value ?? Infinity, is.value ?? Infinity];
    return [{ words: `${of}${key}: ${shown(was)} → ${shown(is)}`, raised: was.floor === true ? to < from : to > from }];
  });
}

function shown({ unit, value }: Bound): string {
  if (value === undefined) return 'none';
  return unit === 'money' ? formatDollars(micros(value)) : String(value);
}

function neverMoves(before: readonly string[], after: readonly string[]): Move[] {
  const lost = before.filter((glob) => !after.includes(glob));
  const won = after.filter((glob) => !before.includes(glob));
  return [
    ...lost.map((glob) => ({ words: `limits.never: "${glob}" may be bought from now on`, raised: true })),
    ...won.map((glob) => ({ words: `limits.never: "${glob}" as well`, raised: false })),
  ];
}

/** What is looked at says nothing of how much may be bought. Where nothing was, it begins with the next start. */
function watchMoves(before: RuleSet, after: RuleSet): Move[] {
  const [was, is] = [watchedItems(before), watchedItems(after)];
  const lost = was?.items.filter((item) => is?.items.includes(item) !== true) ?? [];
  const won = is?.items.filter((item) => was?.items.includes(item) !== true) ?? [];
  const from = was === undefined ? ' from the next start on' : ' as well';
  return [
    ...lost.map((item) => ({ words: `"${item}" is watched no more`, raised: false })),
    ...won.map((item) => ({ words: `"${item}" is watched${from}`, raised: false })),
  ];
}

function strategyMoves(before: readonly Strategy[], after: readonly Strategy[]): Move[] {
  const then = new Map(before.map((strategy) => [strategy.name, strategy]));
  const now = new Map(after.map((strategy) => [strategy.name, strategy]));
  const moves = [...now.values()].flatMap((strategy) => {
    const was = then.get(strategy.name);
    if (was === undefined)
      return [{ words: `strategy ${strategy.name} is new${onPaper(strategy)}`, raised: strategy.lane === 'live' }];
    return was.hash === strategy.hash ? [] : rewritten(was, strategy);
  });
  const gone = [...then.keys()].filter((name) => !now.has(name));
  return [...moves, ...gone.map((name) => ({ words: `strategy ${name} is no more`, raised: false }))];
}

function rewritten(was: Strategy, is: Strategy): Move[] {
  const name = `strategy ${is.name}`;
  const bounds = boundMoves(boundsOfStrategy(was.limits), boundsOfStrategy(is.limits), `${name}: `);
  if (was.lane !== is.lane)
    bounds.unshift({
      words: `${name}: ${is.lane === 'live' ? 'from paper to live' : 'on paper from now on'}`,
      raised: is.lane === 'live',
    });
  const hashes = `${was.hash.slice(0, 8)} → ${is.hash.slice(0, 8)}`;
  return [{ words: `${name} was changed (${hashes})`, raised: false }, ...bounds];
}

function onPaper({ lane }: Strategy): string {
  return lane === 'paper' ? ', on paper' : '';
}

function waitingKeys(before: LocalSettings, after: LocalSettings): string[] {
  const [was, is] = [settingsThatCount(before), settingsThatCount(after)];
  const keys = Object.keys(is).filter((key) => !changesWhileRunning(key) && JSON.stringify(is[key]) !== JSON.stringify(was[key]));
  const secrets = ({ secrets: all }: LocalSettings): string => JSON.stringify(all.map((secret) => secret.reveal()));
  return [
    ...keys,
    ...(before.data === after.data ? [] : ['data']),
    ...(secrets(before) === secrets(after) ? [] : ['a key, token or address that is secret']),
  ];
}

/** Some of many words: a folder of strategies may change as a whole. */
export function someOf(words: readonly string[], most = 6): string {
  const rest = words.length - most;
  return [...words.slice(0, most), ...(rest > 0 ? [`and ${counted(rest, 'other change', 'other changes')}`] : [])].join('; ');
}

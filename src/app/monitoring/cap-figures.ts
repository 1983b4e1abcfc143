import type { EpochMs } from '../../domain/clock.ts';
import { windowMs, windows } from '../../domain/limits.ts';
import { ZERO, dollarsFromMicros } from '../../domain/money.ts';
import { type Exposure, usage } from '../../engine/exposure.ts';
import type { EngineState } from '../../engine/state.ts';
import { STRATEGIES_TOLD } from '../../monitor/labels.ts';
import type { Meter } from '../../monitor/meter.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import { laneOf } from '../facts.ts';

type State = Readonly<EngineState>;

/** Caps of so many strategies are looked at in one go: each looks through the purchases of a day. */
const AT_ONCE = 4;

/** The caps of items: only the item that has most is told of, since anybody may name one. */
export function tellItemCaps(meter: Meter, state: State, now: EpochMs): void {
  const { perItem } = state.rules.limits;
  meter.clear('magpie_item_purchases_max');
  meter.clear('magpie_item_purchases_limit');
  if (windows.every((window) => perItem[window] === undefined)) return;
  const { exposure } = state.lanes[laneOf(state)];
  const most = { hour: 0, day: 0, total: 0 };
  for (const name of itemsBought(exposure, now)) {
    const { item } = usage(exposure, { strategy: '', marketHashName: name }, now);
    for (const window of windows) most[window] = Math.max(most[window], item[window]);
  }
  for (const window of windows) {
    const cap = perItem[window];
    if (cap === undefined) continue;
    meter.set('magpie_item_purchases_max', { window }, most[window]);
    meter.set('magpie_item_purchases_limit', { window }, cap);
  }
}

/** The items that were bought most often: of each window some, since each look goes through the purchases of a day. */
const ITEMS_EACH = 2;

function itemsBought({ sums, recent }: Exposure, now: EpochMs): ReadonlySet<string> {
  const inAll = [...sums].flatMap(([key, count]): [string, number][] => {
    const [what, item = '', more] = key.split('\n');
    return what === 'item' && more === undefined ? [[item, count]] : [];
  });
  const rows = [...recent.values()];
  const inHour = rows.filter(({ at }) => at > now - windowMs.hour);
  return new Set([...mostOf(inAll), ...mostOf(countsOf(rows)), ...mostOf(countsOf(inHour))]);
}

function countsOf(rows: readonly { readonly item: string }[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { item } of rows) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts];
}

function mostOf(counts: readonly [string, number][]): string[] {
  return counts
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, ITEMS_EACH)
    .map(([item]) => item);
}

/** The strategies, and their own caps with what these count; `breathe` lets others have their turn. */
export async function tellStrategies(
  meter: Meter,
  state: () => State,
  now: EpochMs,
  breathe: () => Promise<void>,
): Promise<void> {
  const { all } = state().rules.strategies;
  for (const lane of ['live', 'paper'] as const)
    meter.set('magpie_strategies', { lane }, all.filter((each) => each.lane === lane).length);
  meter.clear('magpie_strategy_spend_dollars');
  meter.clear('magpie_strategy_spend_limit_dollars');
  meter.clear('magpie_strategy_purchases');
  meter.clear('magpie_strategy_purchases_limit');
  const told = all.slice(0, STRATEGIES_TOLD);
  const { lanes } = state();
  const lately = { live: strategiesIn(lanes.live.exposure), paper: strategiesIn(lanes.paper.exposure) };
  for (let from = 0; from < told.length; from += AT_ONCE) {
    await breathe();
    for (const strategy of told.slice(from, from + AT_ONCE))
      tellStrategy(meter, state(), strategy, lately[strategy.lane].has(strategy.name), now);
  }
}

/** Those that have bought anything: of many, most have not. */
function strategiesIn({ sums, recent }: Exposure): ReadonlySet<string | undefined> {
  const ever = [...sums.keys()].flatMap((key) => (key.startsWith('count\n') ? [key.slice('count\n'.length)] : []));
  return new Set([...ever, ...[...recent.values()].map(({ strategy }) => strategy)]);
}

function tellStrategy(
  meter: Meter,
  { lanes }: State,
  { name: strategy, lane, limits }: Strategy,
  hasBought: boolean,
  now: EpochMs,
): void {
  const used = hasBought ? usage(lanes[lane].exposure, { strategy, marketHashName: '' }, now) : undefined;
  for (const window of windows) {
    const [spend, count] = [limits.spend[window], limits.count[window]];
    if (spend !== undefined) {
      meter.set('magpie_strategy_spend_dollars', { strategy, window }, dollarsFromMicros(used?.strategySpend[window] ?? ZERO));
      meter.set('magpie_strategy_spend_limit_dollars', { strategy, window }, dollarsFromMicros(spend));
    }
    if (count !== undefined) {
      meter.set('magpie_strategy_purchases', { strategy, window }, used?.strategyCount[window] ?? 0);
      meter.set('magpie_strategy_purchases_limit', { strategy, window }, count);
    }
  }
}

import { type PerWindow, type Window, windows } from '../domain/limits.ts';
import type { AccountLimits } from '../domain/limits.ts';
import { CENT, type Micros, add, formatDollars, subtract } from '../domain/money.ts';
import type { ReasonCode } from '../domain/reason.ts';
import { counted } from '../domain/text.ts';
import type { Intent } from './intent.ts';
import type { Usage } from './usage.ts';

export interface Refusal {
  readonly reason: ReasonCode;
  /** The figures behind it, in words. */
  readonly detail: string;
}

const spans: Readonly<Record<Window, string>> = { hour: 'in the last hour', day: 'in the last 24 h', total: 'in all' };

/**
 * Every cap there is, for one intent: undefined when it fits under all of them. Called from the engine's state to decide and
 * from the rows, inside the transaction that writes the intent, to be sure; the second answer is the one that counts.
 * `availableBalance` is the reading minus all holds; undefined when there is no reading young enough.
 */
export function capRefusal(
  intent: Intent,
  limits: AccountLimits,
  usage: Usage,
  availableBalance: Micros | undefined,
): Refusal | undefined {
  const { cost } = intent.listing;
  if (limits.maxPrice !== undefined && cost > limits.maxPrice) {
    return { reason: 'max-price', detail: `${formatDollars(cost)} is more than ${formatDollars(limits.maxPrice)}` };
  }
  return (
    pauses(limits, usage)[0] ??
    balanceRefusal(cost, limits, availableBalance) ??
    spendRefusals('spend', cost, limits.spend, usage.spend)[0] ??
    countRefusal('item', limits.perItem, usage.item) ??
    spendRefusals('strategy-spend', cost, intent.limits.spend, usage.strategySpend)[0] ??
    countRefusal('strategy-count', intent.limits.count, usage.strategyCount) ??
    countRefusal('strategy-item', intent.limits.perItem, usage.strategyItem)
  );
}

/** Whether any cap goes by the strategy or the item: else the account's figures are all that `capRefusal` looks at. */
export function hasNarrowCaps(intent: Pick<Intent, 'limits'>, limits: Pick<AccountLimits, 'perItem'>): boolean {
  const { spend, count, perItem } = intent.limits;
  return [limits.perItem, spend, count, perItem].some((caps) => windows.some((window) => caps[window] !== undefined));
}

/** All that refuses every purchase, however cheap: a pause, no balance to spend from, a window of spend that is used up. */
export function everyRefusals(limits: AccountLimits, usage: Usage, availableBalance: Micros | undefined): readonly Refusal[] {
  const unspendable = balanceRefusal(CENT, limits, availableBalance);
  return [
    ...pauses(limits, usage),
    ...(unspendable === undefined ? [] : [unspendable]),
    ...spendRefusals('spend', CENT, limits.spend, usage.spend),
  ];
}

function pauses(limits: AccountLimits, usage: Usage): readonly Refusal[] {
  const found: Refusal[] = [];
  if (usage.unknown >= limits.unknown) {
    found.push({ reason: 'unknown-pause', detail: `${usage.unknown} unknown, ${limits.unknown} pause buying` });
  }
  if (usage.open >= limits.openPurchases) {
    found.push({ reason: 'open-purchases', detail: `${usage.open} open, ${limits.openPurchases} allowed` });
  }
  if (usage.committedInHour >= limits.breaker.perHour) {
    const purchases = counted(usage.committedInHour, 'purchase');
    found.push({ reason: 'breaker-per-hour', detail: `${purchases} in the last hour, ${limits.breaker.perHour} allowed` });
  }
  return found;
}

function balanceRefusal(cost: Micros, limits: AccountLimits, available: Micros | undefined): Refusal | undefined {
  if (available === undefined) return { reason: 'balance-unknown', detail: 'no reading younger than a minute' };
  const left = subtract(available, cost);
  if (left >= limits.reserve) return undefined;
  return {
    reason: 'reserve',
    detail: `${formatDollars(available)} free - ${formatDollars(cost)} is less than the reserve of ${formatDollars(limits.reserve)}`,
  };
}

function spendRefusals(
  kind: 'spend' | 'strategy-spend',
  cost: Micros,
  caps: PerWindow<Micros>,
  used: Readonly<Record<Window, Micros>>,
): readonly Refusal[] {
  const found: Refusal[] = [];
  for (const window of windows) {
    const cap = caps[window];
    if (cap !== undefined && add(used[window], cost) > cap) {
      found.push({
        reason: `${kind}-${window}`,
        detail: `${formatDollars(used[window])} ${spans[window]} + ${formatDollars(cost)} is more than ${formatDollars(cap)}`,
      });
    }
  }
  return found;
}

function countRefusal(
  kind: 'item' | 'strategy-count' | 'strategy-item',
  caps: PerWindow<number>,
  used: Readonly<Record<Window, number>>,
): Refusal | undefined {
  for (const window of windows) {
    const cap = caps[window];
    if (cap !== undefined && used[window] >= cap) {
      return { reason: `${kind}-${window}`, detail: `${used[window]} ${spans[window]}, ${cap} allowed` };
    }
  }
  return undefined;
}

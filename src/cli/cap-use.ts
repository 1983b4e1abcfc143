import type { EpochMs } from '../domain/clock.ts';
import { type PerWindow, type Window, windowMs, windows } from '../domain/limits.ts';
import { type Micros, ZERO } from '../domain/money.ts';
import type { Lane } from '../domain/purchase.ts';
import type { Reader } from '../ledger/ledger.ts';
import type { Probe } from '../ledger/usage.ts';
import { type Usage, usageOf } from '../risk/usage.ts';
import type { Settings } from '../settings/settings.ts';
import type { Strategy } from '../strategy/strategy.ts';

/** One cap and how much of it is used. */
export interface CapUse {
  readonly of: 'account' | 'strategy' | 'item';
  /** Of the strategy or item; undefined for the account. */
  readonly name: string | undefined;
  /** The key of the configuration or strategy: `limits.spend.day`. */
  readonly key: string;
  readonly window: Window | undefined;
  /** Money or purchases. */
  readonly amount:
    | { readonly unit: 'money'; readonly used: Micros; readonly cap: Micros | undefined }
    | { readonly unit: 'count'; readonly used: number; readonly cap: number };
}

const noTotals = { spend: ZERO, item: 0, strategySpend: ZERO, strategyCount: 0, strategyItem: 0, open: 0, unknown: 0 };

/** The use of every cap for a strategy and an item; all zero without a ledger. */
export function usageFor(reader: Reader | undefined, lane: Lane, probe: Probe, now: EpochMs): Usage {
  return reader?.usage(lane, probe, now) ?? usageOf([], noTotals, probe, now);
}

/** The account's usage in a lane. */
export function accountUsage(reader: Reader | undefined, lane: Lane, now: EpochMs): Usage {
  return usageFor(reader, lane, { strategy: '', marketHashName: '' }, now);
}

/** The account's caps. A window of spend without a cap is there too, since its use is worth knowing. */
export function accountCaps({ limits }: Pick<Settings, 'limits'>, usage: Usage): readonly CapUse[] {
  const account = { of: 'account', name: undefined } as const;
  const count = (key: string, used: number, cap: number): CapUse => ({
    ...account,
    key,
    window: undefined,
    amount: { unit: 'count', used, cap },
  });
  return [
    ...windows.map((window): CapUse => ({
      ...account,
      ...{
        key: `limits.spend.${window}`,
        window,
        amount: { unit: 'money', used: usage.spend[window], cap: limits.spend[window] },
      },
    })),
    count('limits.openPurchases', usage.open, limits.openPurchases),
    count('limits.unknown', usage.unknown, limits.unknown),
    count('limits.breaker.perHour', usage.committedInHour, limits.breaker.perHour),
  ];
}

/** Every cap that a strategy has of its own, in its lane. */
export function strategyCaps(
  strategies: readonly Strategy[],
  reader: Reader | undefined,
  mode: Settings['mode'],
  now: EpochMs,
): readonly CapUse[] {
  return strategies.flatMap(({ name, limits, lane }) => {
    const usage = usageFor(reader, mode === 'live' ? lane : 'paper', { strategy: name, marketHashName: '' }, now);
    const strategy = { of: 'strategy', name } as const;
    return [
      ...given(limits.spend).map(([window, cap]): CapUse => ({
        ...strategy,
        ...{ key: `limits.spend.${window}`, window, amount: { unit: 'money', used: usage.strategySpend[window], cap } },
      })),
      ...given(limits.count).map(([window, cap]): CapUse => ({
        ...strategy,
        ...{ key: `limits.count.${window}`, window, amount: { unit: 'count', used: usage.strategyCount[window], cap } },
      })),
    ];
  });
}

/** Items bought in the last day, against the account's `perItem` caps of that day and hour. */
export function itemCaps(
  { limits }: Pick<Settings, 'limits'>,
  reader: Reader | undefined,
  lane: Lane,
  now: EpochMs,
): readonly CapUse[] {
  const rows = reader?.capRows(lane, now - windowMs.day) ?? [];
  return given(limits.perItem).flatMap(([window, cap]) => {
    if (window === 'total') return [];
    const counts = new Map<string, number>();
    for (const { at, marketHashName: name } of rows)
      if (now - at < windowMs[window]) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts].map(([name, used]): CapUse => ({
      of: 'item',
      name,
      ...{ key: `limits.perItem.${window}`, window, amount: { unit: 'count', used, cap } },
    }));
  });
}

/** How full a cap is; undefined without one. */
export function fullness({ amount: { used, cap } }: CapUse): number | undefined {
  if (cap === undefined) return undefined;
  return cap === 0 ? 1 : used / cap;
}

function given<T>(caps: PerWindow<T>): readonly (readonly [Window, T])[] {
  return windows.flatMap((window) => {
    const cap = caps[window];
    return cap === undefined ? [] : [[window, cap] as const];
  });
}

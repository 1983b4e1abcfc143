import { windows } from '../domain/limits.ts';
import { type DocumentFault, warning } from './document-fault.ts';
import type { StrategyDocument } from './schema.ts';

/** Limits that another one makes idle. */
export function limitFaults({ limits = {}, price }: StrategyDocument): DocumentFault[] {
  return [
    ...(['spend', 'count', 'perItem'] as const).flatMap((key) => idleWindows(key, limits[key])),
    ...dearerThanSpend(price.max, limits.spend),
  ];
}

type Bounds = NonNullable<StrategyDocument['limits']>['spend'];

/** A longer window whose bound is lower decides alone. */
function idleWindows(key: 'spend' | 'count' | 'perItem', bounds: Bounds = {}): DocumentFault[] {
  return windows.flatMap((window, index) => {
    const bound = bounds[window];
    if (bound === undefined) return [];
    const lower = windows.slice(index + 1).find((longer) => (bounds[longer] ?? Infinity) < bound);
    if (lower === undefined) return [];
    return [warning(['limits', key, window], `is ${bound}, more than ${lower} (${bounds[lower]}), so it never counts`)];
  });
}

function dearerThanSpend(max: number | undefined, spend: Bounds = {}): DocumentFault[] {
  if (max === undefined) return [];
  const least = windows
    .filter((window) => (spend[window] ?? Infinity) < max)
    .sort((a, b) => (spend[a] ?? 0) - (spend[b] ?? 0))[0];
  if (least === undefined) return [];
  return [warning(['price', 'max'], `is ${max}, but limits.spend.${least} lets nothing cost more than ${spend[least]}`)];
}

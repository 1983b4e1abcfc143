import { type PerWindow, idleWindows, tightestWindow } from '../domain/limits.ts';
import { type DocumentFault, warning } from './document-fault.ts';
import type { StrategyDocument } from './schema.ts';

/** Limits that another one makes idle. */
export function limitFaults({ limits = {}, price }: StrategyDocument): DocumentFault[] {
  const idle = (['spend', 'count', 'perItem'] as const).flatMap((key) =>
    idleWindows(limits[key]).map(({ window, words }) => warning(['limits', key, window], words)),
  );
  return [...idle, ...dearerThanSpend(price.max, limits.spend)];
}

function dearerThanSpend(max: number | undefined, spend: PerWindow<number> | undefined): DocumentFault[] {
  const least = tightestWindow(spend);
  if (max === undefined || least === undefined || least.bound >= max) return [];
  return [warning(['price', 'max'], `is ${max}, but limits.spend.${least.window} lets nothing cost more than ${least.bound}`)];
}

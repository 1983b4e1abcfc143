import { type Micros, micros } from '../domain/money.ts';
import type { Rules } from '../engine/state.ts';

/** What a listing may cost for any strategy to want it and the account to allow it; undefined: nobody can tell without seeing it. */
export function costMaxOf({ strategies, limits }: Pick<Rules, 'strategies' | 'limits'>): Micros | undefined {
  const reach = strategies.all.map(({ foresight }) =>
    Math.min(...foresight.bounds.filter(({ measure }) => measure === 'cost').map(({ limit }) => limit)),
  );
  const most = Math.min(Math.max(...reach), limits.maxPrice ?? Infinity);
  return Number.isFinite(most) ? micros(Math.ceil(most)) : undefined;
}

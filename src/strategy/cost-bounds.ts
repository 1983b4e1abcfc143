import { type Micros, microsFromDollars, shareFromNumber } from '../domain/money.ts';
import type { PriceRules } from './schema.ts';
import { netOfSteam } from './steam-fee.ts';

/**
 * A limit that a listing has to keep for a rule on price to hold, in a measure of which less is better:
 * cost: what it costs. share: its cost as a share of steamPrice. loss: its cost minus what a sale at steamPrice leaves.
 * Never tighter than the rule itself, which is exact: it may only be looser.
 */
export interface CostBound {
  readonly measure: 'cost' | 'share' | 'loss';
  readonly limit: number;
}

/** Doubles err by far less, so that no share within its rule is ever found beyond. */
const SLACK = 1 + 1e-9;

export function costBounds({ max, maxOfSteam, minProfit, steamFee }: PriceRules): readonly CostBound[] {
  return [
    ...(max === undefined ? [] : [{ measure: 'cost', limit: microsFromDollars(max, 'down') ?? Infinity } as const]),
    ...(maxOfSteam === undefined ? [] : [{ measure: 'share', limit: maxOfSteam * SLACK } as const]),
    ...(minProfit === undefined ? [] : [profitBound(minProfit, steamFee)]),
  ];
}

function profitBound(minProfit: number, steamFee: number | undefined): CostBound {
  const least = microsFromDollars(minProfit, 'up');
  if (steamFee === undefined) return { measure: 'loss', limit: least === undefined ? Infinity : 0 - least };
  // Cost and profit together are within what the fee leaves, so where no loss is allowed the cost alone is.
  const fee = shareFromNumber(steamFee);
  if (least === undefined || least < 0 || fee === undefined) return { measure: 'share', limit: Infinity };
  return { measure: 'share', limit: (Number(fee.denominator - fee.numerator) / Number(fee.denominator)) * SLACK };
}

/** The most that a listing with this reference can cost within a bound; without a reference no rule on it holds. */
export function mostWithin({ measure, limit }: CostBound, steam: Micros | undefined): number {
  if (measure === 'cost') return limit;
  if (steam === undefined) return -Infinity;
  return measure === 'share' ? limit * steam : netOfSteam(steam) + limit;
}

import { CENT, type Micros } from '../../domain/money.ts';

/** More sums than this are not told apart: then anything between the least and the most is possible. */
const SUMS_MAX = 20_000;

/** Whether an amount is, to the cent, the sum of some of the given ones. */
export function isSumOfSome(amount: Micros, of: readonly Micros[]): boolean {
  let sums = new Set<number>([0]);
  for (const each of of) {
    if (sums.size * 2 > SUMS_MAX) return isWithin(amount, of);
    sums = new Set([...sums, ...[...sums].map((sum) => sum + each)]);
  }
  for (const sum of sums) if (Math.abs(sum - amount) < CENT) return true;
  return false;
}

function isWithin(amount: Micros, of: readonly Micros[]): boolean {
  const least = of.reduce((sum, each) => sum + Math.min(each, 0), 0);
  const most = of.reduce((sum, each) => sum + Math.max(each, 0), 0);
  return amount > least - CENT && amount < most + CENT;
}

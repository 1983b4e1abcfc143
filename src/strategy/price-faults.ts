import { type DocumentFault, warning } from './document-fault.ts';
import { namesFinish } from './name-hints.ts';
import type { StrategyDocument } from './schema.ts';
import { asList, quoted } from './words.ts';

const dopplers = ['doppler', 'gamma doppler'];

/** Rules on price that are legal and hardly meant. */
export function priceFaults({ price, when, doppler }: StrategyDocument): DocumentFault[] {
  const { maxOfSteam, minProfit, steamFee, maxOfMedian } = price;
  const faults: DocumentFault[] = [];
  if (maxOfSteam !== undefined && maxOfSteam > 1) {
    faults.push(
      warning(['price', 'maxOfSteam'], `is ${maxOfSteam}: it allows more than the price on Steam`, 'write 0.7 for 70 %'),
    );
  }
  if (maxOfMedian !== undefined && maxOfMedian > 1) {
    const message = `is ${maxOfMedian}: it allows more than the recorded price on Steam`;
    faults.push(warning(['price', 'maxOfMedian'], message, 'write 0.7 for 70 %'));
  }
  if (minProfit !== undefined && minProfit < 0) faults.push(warning(['price', 'minProfit'], `is ${minProfit}: it allows a loss`));
  if (steamFee !== undefined && minProfit === undefined) {
    faults.push(warning(['price', 'steamFee'], 'changes nothing without minProfit', 'remove it, or add minProfit'));
  }
  if (doppler !== true) {
    for (const glob of asList(when?.name ?? []).filter((name) => namesFinish(name, dopplers))) {
      for (const rule of ['maxOfSteam', 'minProfit', 'maxOfMedian'] as const) {
        if (price[rule] === undefined) continue;
        const message = `never holds for ${quoted(glob)}: the steamPrice of a Doppler blends all phases`;
        faults.push(warning(['price', rule], message, 'use price.max, or write `doppler: true` at the top of the file'));
      }
    }
  }
  return faults;
}

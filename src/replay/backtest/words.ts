import { CENT, formatDollars, micros } from '../../domain/money.ts';
import type { Evidence } from './evidence.ts';
import type { StrategyFigures } from './figures.ts';
import type { Interval } from './statistics.ts';
import type { ValueModel } from './value.ts';
import type { WalkForward } from './walk-forward.ts';

export const modelWords: Readonly<Record<ValueModel, string>> = {
  steam: "steamPrice less Steam's fee (wallet credit, not cash)",
  resale: 'a share of steamPrice in cash',
  relist: 'the lowest listing after the hold, less a fee',
};

export const evidenceWords: Readonly<Record<Evidence, string>> = {
  none: 'so few purchases are no evidence; of another such time nothing can be said',
  little: 'few purchases: take the profit for no more than a direction',
  some: 'enough purchases to be held against others',
};

/** Whole cents. */
export function money(amount: number): string {
  return formatDollars(micros(Math.round(amount / CENT) * CENT));
}

export function between({ low, high }: Interval): string {
  return `${money(low)} to ${money(high)}`;
}

export function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`;
}

/** The name of a strategy, with its folder where there are several. Of whatever characters: for who shows it. */
export function strategyLabel({ name, folder }: Pick<StrategyFigures, 'name' | 'folder'>, several: boolean): string {
  return several ? `${folder}/${name}` : name;
}

/** How one strategy stands to another, in a word: better only where that is as sure as an interval. */
export function verdictOf(chance: number): string {
  return chance >= 0.95 ? 'is better than' : 'may be better than';
}

/** What walking forward came to, in a sentence or two. */
export function walkWords({ windows, profit, hindsight }: WalkForward, several: boolean): string {
  const weak = windows.filter(({ evidence }) => evidence === 'none').length;
  const came = `Choosing anew at the beginning of each of ${windows.length} stretches, by what was known then, came to ${money(profit)}`;
  const best =
    hindsight === undefined ? '' : `; the best in hindsight, ${strategyLabel(hindsight, several)}, to ${money(hindsight.profit)}`;
  return `${came}${best}.${weak === 0 ? '' : ` ${weak} of these choices rested on too few purchases to be one.`}`;
}

import { CENT, formatDollars, micros } from '../../domain/money.ts';
import { type ReasonCode, reasons } from '../../domain/reason.ts';
import { counted } from '../../domain/text.ts';
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

/** What kept matches of a strategy from being admitted: a heading, and a line for each reason. undefined where all were. */
export function notAdmittedWords(
  each: Pick<StrategyFigures, 'matched' | 'admitted' | 'refusals'>,
): { readonly heading: string; readonly lines: readonly string[] } | undefined {
  const { matched, refusals } = each;
  const left = notAdmitted(each);
  if (left === 0) return undefined;
  const unjudged = left - refusals.reduce((sum, { count }) => sum + count, 0);
  const lines = refusals.map(({ reason, count }) => `${count} for ${reason}: ${reasonText(reason)}`);
  if (unjudged > 0) lines.push(`${unjudged} without a verdict: another strategy had them, or they were gone before their turn.`);
  return { heading: `${left} of ${counted(matched, 'match', 'matches')} not admitted, each for the last reason it had:`, lines };
}

/** Offers that a strategy matched and that were never admitted for it. */
export function notAdmitted({ matched, admitted }: Pick<StrategyFigures, 'matched' | 'admitted'>): number {
  return matched - admitted;
}

/** What to do about a daemon that halted is no word for a replay that did. */
function reasonText(reason: ReasonCode): string {
  return reason === 'halted' ? 'The replay had halted.' : reasons[reason].text;
}

/** Why the surer of the three figures is the higher one somewhere, in a sentence; undefined where it is so nowhere. */
export function orderWords(strategies: readonly StrategyFigures[], several: boolean): string | undefined {
  const names = strategies.filter(isOutOfOrder).map((each) => strategyLabel(each, several));
  if (names.length === 0) return undefined;
  return `${names.join(', ')}: surely, probably and at best stand in no order, as they are three replays and not three counts of one: what is not won leaves its caps free for other purchases.`;
}

/** Of equal runs a mean is off by what floating point leaves, and no more. */
const MEAN_SLACK = 1e-6;

function isOutOfOrder({ bought: { pessimistic, expected, optimistic } }: StrategyFigures): boolean {
  return pessimistic > optimistic || pessimistic > expected + MEAN_SLACK || expected > optimistic + MEAN_SLACK;
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

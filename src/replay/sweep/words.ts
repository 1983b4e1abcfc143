import type { ValueModel } from '../backtest/value.ts';
import { between, modelWords, money } from '../backtest/words.ts';
import { type Ahead, LUCK_MAX, type Luck } from './luck.ts';
import type { VariantResult } from './part.ts';

interface Judged {
  readonly luck: Luck;
  readonly best: { readonly result: VariantResult };
}

/** How much of the best one's lead is luck, in sentences. `isTold`: it can be told from luck. */
export function luckWords({ luck, best }: Judged, model: ValueModel): { readonly text: string; readonly isTold: boolean } {
  const { tried, lead, byLuck, byLuckHigh, chance } = luck;
  const { worth, bought, evidence } = best.result.train.figures;
  if (worth[model].share === 0 && bought.expected > 0) {
    const text = `Nothing that was bought can be valued so (${modelWords[model]}): choose another worth, or a recording that is longer than the hold.`;
    return { text, isTold: false };
  }
  if (lead <= 0) return { text: `None of ${tried} earned more than the strategy as it is: leave it so.`, isTold: false };
  const few = evidence === 'none';
  const isTold = chance <= LUCK_MAX && !few;
  const facts =
    `The best of ${tried} is ${money(lead)} ahead of the strategy as it is. If none were any better, the best of ${tried} would be ` +
    `${money(byLuck)} ahead by luck alone (19 times in 20 at most ${money(byLuckHigh)}), and so far ahead in ${hundred(chance)} of 100 such times`;
  if (few) return { text: `${facts}. It is no evidence at all: it bought fewer than twenty.`, isTold };
  return { text: isTold ? `${facts}: it is hardly luck.` : `${facts}: IT CANNOT BE TOLD FROM LUCK.`, isTold };
}

/** How the best stands where it was not chosen. */
export function testWords({ by, interval, chance }: Ahead): string {
  const how = by >= 0 ? `${money(by)} ahead of` : `${money(-by)} behind`;
  return `In the test part, which had no say in choosing it, it is ${how} the strategy as it is (${between(interval)}), ahead in ${hundred(chance)} of 100 such times.`;
}

/** undefined where there is no order. */
export function agreementWords(agreement: number | undefined): string | undefined {
  if (agreement === undefined) return undefined;
  const much = agreement >= 0.7 ? 'much' : agreement >= 0.3 ? 'something' : 'little or nothing';
  return `The order of the variants in the one part says ${much} of that in the other (rank correlation ${agreement.toFixed(2)}).`;
}

/** Reasons that go by what was bought before, and not by the offer alone. */
const BY_CAPS = /^(?:reserve|open-purchases|(?:spend|item|strategy-\w+)-(?:hour|day|total))$/;

/** Where caps kept more out than came in, in most of the variants; undefined elsewhere. Values that match more then buy no more. */
export function capWords(tried: readonly { readonly result: VariantResult }[]): string | undefined {
  const all = tried.map(({ result }) => result.train.figures);
  const capped = all.filter(({ admitted, refusals }) => {
    const kept = refusals.reduce((sum, { reason, count }) => sum + (BY_CAPS.test(reason) ? count : 0), 0);
    return kept > admitted;
  });
  if (capped.length * 2 <= all.length) return undefined;
  const counts = new Map<string, number>();
  for (const { reason, count } of capped.flatMap(({ refusals }) => refusals))
    if (BY_CAPS.test(reason)) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return `In ${capped.length} of ${all.length} variants caps kept more matches of the train part out than were admitted, most for ${most?.[0]}: there it is the caps that decide how much is bought, more than the values that were varied.`;
}

function hundred(chance: number): string {
  const count = chance * 100;
  return count > 0 && count < 1 ? 'less than 1' : count.toFixed(0);
}

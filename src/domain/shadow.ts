import type { EpochMs } from './clock.ts';
import { type Micros, ZERO, add, formatDollars } from './money.ts';

/** Why a purchase on paper counts as won, lost or unknown. */
export const shadowReasons = {
  standing: { result: 'won', text: 'it still stood at the same price once a buy would have been answered' },
  gone: { result: 'lost', text: 'it was gone by the time a buy would have been answered, or moments later' },
  repriced: { result: 'lost', text: 'it had another price by the time a buy would have been answered, or moments later' },
  failed: { result: 'unknown', text: 'the service did not say in time whether it still stood' },
  budget: { result: 'unknown', text: 'dryRun.settle.perMinute was spent, or polls left no room, until it was too late to ask' },
  'not-asked': { result: 'unknown', text: 'it was not asked for' },
  stopped: { result: 'unknown', text: 'Magpie was stopped before it could be asked for' },
} as const satisfies Readonly<Record<string, { readonly result: 'won' | 'lost' | 'unknown'; readonly text: string }>>;

export type ShadowReason = keyof typeof shadowReasons;
export type ShadowResult = (typeof shadowReasons)[ShadowReason]['result'];

/** How long a buy takes, and what is known of that. */
export interface BuyLatency {
  /** From the decision to the answer, milliseconds. */
  readonly ms: number;
  /** Live purchases of ours it was measured on; undefined where it is the configured or the default one. */
  readonly measuredOn: number | undefined;
}

/** What a live purchase in the place of one on paper would have come to, as far as a later look tells. It bought nothing. */
export interface Shadow {
  readonly purchaseId: number;
  readonly reason: ShadowReason;
  /** What the service said, or the new price; undefined where the reason says it all. */
  readonly detail: string | undefined;
  /** undefined where it was never worked out. */
  readonly latency: BuyLatency | undefined;
  /** When it was told. */
  readonly at: EpochMs;
  /** How long after the decision the question that told it left, milliseconds; undefined where none did. */
  readonly askedAfterMs: number | undefined;
}

export function shadowResult({ reason }: Pick<Shadow, 'reason'>): ShadowResult {
  return shadowReasons[reason].result;
}

/** Some purchases on paper: how many, and what they would have cost. */
export interface ShadowSum {
  readonly count: number;
  readonly amount: Micros;
}

/** Purchases on paper by what became of their listings. */
export interface ShadowFigures {
  readonly by: ReadonlyMap<ShadowReason, ShadowSum>;
  /** Not checked again yet, or never to be. */
  readonly open: ShadowSum;
}

const nothing: ShadowSum = { count: 0, amount: ZERO };

export const noShadows: ShadowFigures = { by: new Map(), open: nothing };

/** The sum over every reason of that result. */
export function shadowSum({ by }: ShadowFigures, result: ShadowResult): ShadowSum {
  return [...by].reduce(
    (total, [reason, { count, amount }]) =>
      shadowReasons[reason].result === result ? { count: total.count + count, amount: add(total.amount, amount) } : total,
    nothing,
  );
}

/** Of those that are won or lost, the share won, 0 to 1, and how many they are; undefined where there are none. */
export function shareWon(figures: ShadowFigures): { readonly share: number; readonly of: number } | undefined {
  const [won, lost] = [shadowSum(figures, 'won').count, shadowSum(figures, 'lost').count];
  return won + lost === 0 ? undefined : { share: won / (won + lost), of: won + lost };
}

/** The figures of purchases that are at hand, each with its cost. */
export function shadowFigures(each: Iterable<readonly [Shadow | undefined, Micros]>): ShadowFigures {
  const by = new Map<ShadowReason, ShadowSum>();
  let open = nothing;
  const plus = ({ count, amount }: ShadowSum, cost: Micros): ShadowSum => ({ count: count + 1, amount: add(amount, cost) });
  for (const [shadow, cost] of each) {
    if (shadow === undefined) open = plus(open, cost);
    else by.set(shadow.reason, plus(by.get(shadow.reason) ?? nothing, cost));
  }
  return { by, open };
}

/**
 * `live would have won 7 for $61.20 and lost 2 for $9.80 (1 gone, 1 repriced), 3 unknown: 78 % won of 9 that are known`; undefined where
 * none was checked.
 */
export function shadowWords(figures: ShadowFigures): string | undefined {
  const [won, lost, unknown] = [shadowSum(figures, 'won'), shadowSum(figures, 'lost'), shadowSum(figures, 'unknown')];
  const { open } = figures;
  if (figures.by.size === 0) return undefined;
  const whose = (['gone', 'repriced'] as const).flatMap((reason) => {
    const count = figures.by.get(reason)?.count ?? 0;
    return count === 0 ? [] : [`${count} ${reason}`];
  });
  const how = whose.length === 0 ? '' : ` (${whose.join(', ')})`;
  const known = shareWon(figures);
  const share = known === undefined ? 'no share can be told' : `${percent(known.share)} won of ${known.of} that are known`;
  const unchecked = open.count === 0 ? '' : `, ${open.count} not checked`;
  return `live would have won ${priced(won)} and lost ${priced(lost)}${how}, ${priced(unknown)} unknown${unchecked}: ${share}`;
}

function priced({ count, amount }: ShadowSum): string {
  return count === 0 ? '0' : `${count} for ${formatDollars(amount)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

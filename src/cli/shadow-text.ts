import { committedAmount, type Purchase } from '../domain/purchase.ts';
import { dollarsFromMicros } from '../domain/money.ts';
import {
  type Shadow,
  type ShadowFigures,
  type ShadowSum,
  shadowFigures,
  shadowReasons,
  shadowResult,
  shadowSum,
  shareWon,
} from '../domain/shadow.ts';
import { printable } from '../domain/text.ts';

/** What is known of a purchase on paper. */
export type ShadowOf = (purchase: Purchase) => Shadow | undefined;

/** The figures of those of them that are on paper. */
export function figuresOf(purchases: readonly Purchase[], shadowOf: ShadowOf): ShadowFigures {
  const paper = purchases.filter(({ lane }) => lane === 'paper');
  return shadowFigures(paper.map((purchase) => [shadowOf(purchase), committedAmount(purchase)] as const));
}

/** `won: it still stood … · asked 812 ms after the decision; a buy was taken to last 612 ms (nine in ten of 40 of ours)`. */
export function shadowSentence(shadow: Shadow): string {
  const { reason, detail, latency, askedAfterMs } = shadow;
  const what = `${shadowResult(shadow)}: ${shadowReasons[reason].text}${detail === undefined ? '' : ` (${printable(detail, 300)})`}`;
  const asked = askedAfterMs === undefined ? [] : [`asked ${askedAfterMs.toFixed(0)} ms after the decision`];
  const lasts = latency === undefined ? [] : [`a buy was taken to last ${latency.ms.toFixed(0)} ms${basis(latency.measuredOn)}`];
  const how = [...asked, ...lasts].join('; ');
  return how === '' ? what : `${what} · ${how}`;
}

function basis(measuredOn: number | undefined): string {
  return measuredOn === undefined ? '' : ` (nine in ten of ${measuredOn} of ours did not last longer)`;
}

/** The same for `--json`; null for what was not checked. */
export function shadowJson(shadow: Shadow | undefined): unknown {
  if (shadow === undefined) return null;
  const { reason, detail, latency, at, askedAfterMs } = shadow;
  return {
    result: shadowResult(shadow),
    reason,
    detail: detail ?? null,
    at: new Date(at).toISOString(),
    askedAfterMs: askedAfterMs ?? null,
    latencyMs: latency?.ms ?? null,
    latencyMeasuredOn: latency?.measuredOn ?? null,
  };
}

/** Figures for `--json`: counts, dollars, the share won from 0 to 1 and of how many it is. */
export function shadowFiguresJson(figures: ShadowFigures): unknown {
  const json = ({ count, amount }: ShadowSum): unknown => ({ count, amount: dollarsFromMicros(amount) });
  const known = shareWon(figures);
  return {
    won: json(shadowSum(figures, 'won')),
    lost: json(shadowSum(figures, 'lost')),
    unknown: json(shadowSum(figures, 'unknown')),
    unchecked: json(figures.open),
    reasons: Object.fromEntries([...figures.by].map(([reason, sum]) => [reason, json(sum)])),
    shareWon: known?.share ?? null,
    sample: known?.of ?? 0,
  };
}

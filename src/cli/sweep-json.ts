import type { PartFacts, Sweep, Tried } from '../app/sweep/sweep.ts';
import type { PartResult } from '../replay/sweep/part.ts';
import type { ValueModel } from '../replay/backtest/value.ts';
import type { Axis } from '../strategy/vary.ts';
import { dollarInterval, dollars, figuresJson, iso } from './backtest-json.ts';

/** The one document of `magpie sweep --json`. Amounts are dollars; variants stand in the order in which they were asked for. */
export function sweepJson(done: Sweep): unknown {
  const { request, parts, tried, base, best, luck, ahead, agreement, assumptions, computed, kept } = done;
  const { plan, model, recordings } = request;
  const variant = (each: Tried): unknown => variantJson(plan.axes, model, each);
  return {
    recording: recordings.length === 1 ? recordings[0] : recordings,
    strategy: { name: plan.base.strategy.name, file: plan.file },
    vary: plan.axes.map(({ name }) => name),
    drawn: plan.drawn ?? null,
    value: model,
    train: partFactsJson(parts.train),
    test: partFactsJson(parts.test),
    base: variant(base),
    best: variant(best),
    luck: {
      tried: luck.tried,
      lead: dollars(luck.lead),
      byLuck: dollars(luck.byLuck),
      byLuckHigh: dollars(luck.byLuckHigh),
      chance: luck.chance,
    },
    ahead: { by: dollars(ahead.by), interval: dollarInterval(ahead.interval), chance: ahead.chance },
    agreement: agreement ?? null,
    variants: tried.map(variant),
    assumptions,
    computed,
    kept,
  };
}

function partFactsJson({ from, to, coverage, listings, events }: PartFacts): unknown {
  const gaps = coverage.blind.map((gap) => ({ from: iso(gap.from), to: iso(gap.to), reason: gap.why }));
  return { from: iso(from), to: iso(to), coverage: coverage.share, gaps, listings, events };
}

function variantJson(axes: readonly Axis[], model: ValueModel, { variant, isBase, result }: Tried): unknown {
  return {
    values: Object.fromEntries(axes.map(({ name }, index) => [name, variant.setting[index] ?? null])),
    hash: variant.strategy.hash,
    isBase,
    train: resultJson(result.train, model),
    test: resultJson(result.test, model),
  };
}

function resultJson({ figures, halt }: PartResult, model: ValueModel): unknown {
  return {
    ...figuresJson(figures, model),
    halt: halt === null ? null : { at: iso(halt.at), reason: halt.reason },
  };
}

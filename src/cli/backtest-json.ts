import type { Backtest } from '../app/backtest.ts';
import { MICROS_PER_DOLLAR } from '../domain/money.ts';
import type { StrategyFigures, WorthFigures } from '../replay/backtest/figures.ts';
import type { NearMiss } from '../replay/backtest/near-misses.ts';
import type { LookaheadCheck } from '../replay/backtest/lookahead.ts';
import type { Interval } from '../replay/backtest/statistics.ts';
import type { Bought } from '../replay/backtest/study.ts';
import { type ValueModel, valueModels } from '../replay/backtest/value.ts';
import { notAdmitted } from '../replay/backtest/words.ts';
import type { WalkForward } from '../replay/backtest/walk-forward.ts';
import { calibrationJson } from './calibrate-json.ts';

/** The one document of `magpie backtest --json`. Amounts are dollars. */
export function backtestJson({
  request,
  history,
  models,
  studies,
  figures,
  assumptions,
  calibration,
  nearMisses,
  lookahead,
}: Backtest): unknown {
  const { from, to, coverage, listings, events } = history;
  return {
    recording: request.recordings.length === 1 ? request.recordings[0] : request.recordings,
    from: iso(from),
    to: iso(to),
    coverage: coverage.share,
    gaps: coverage.blind.map((gap) => ({ from: iso(gap.from), to: iso(gap.to), reason: gap.why })),
    listings,
    events,
    value: request.model,
    strategies: figures.strategies.map((each) => strategyJson(each, request.model)),
    comparisons: figures.comparisons.map(({ better, worse, chance, difference }) => ({
      better: { name: better.name, folder: better.folder },
      worse: { name: worse.name, folder: worse.folder },
      chance,
      difference: dollarInterval(difference),
    })),
    walkForward: walkJson(figures.walkForward),
    calibration: calibrationJson(calibration),
    models: {
      latency: {
        source: models.latency.source,
        measuredOn: models.latency.source === 'measured' ? models.latency.sorted.length : null,
      },
      rivals: { source: models.rivals.source, offers: models.rivals.offers, went: models.rivals.went },
      failures: models.failures,
      refunds: models.refunds,
    },
    assumptions,
    nearMisses: nearMisses.found.map(nearMissJson),
    nearMissesWhole: nearMisses.isWhole,
    lookahead: lookaheadJson(lookahead),
    decisions: studies.map(({ trial, decisions }) => ({ folder: trial.folder, ...decisions })),
    halts: studies.flatMap(({ trial, optimistic: { halt } }) =>
      halt === undefined ? [] : [{ folder: trial.folder, at: iso(halt.at), reason: halt.reason }],
    ),
    purchases: studies.flatMap(({ trial, purchases }) => purchases.map((bought) => purchaseJson(trial.folder, bought))),
  };
}

function walkJson({ windows, profit, hindsight }: WalkForward): unknown {
  return {
    profit: dollars(profit),
    hindsight:
      hindsight === undefined ? null : { ...hindsight, spent: dollars(hindsight.spent), profit: dollars(hindsight.profit) },
    windows: windows.map((window) => ({
      ...{ from: iso(window.from), to: iso(window.to), chosen: window.chosen ?? null },
      ...{ known: window.known, evidence: window.evidence, profit: dollars(window.profit) },
      strategies: window.strategies.map(({ before, ...each }) => ({
        ...{ ...each, spent: dollars(each.spent), profit: dollars(each.profit) },
        before: { bought: before.bought, profit: dollars(before.profit) },
      })),
    })),
  };
}

/** Offers that one condition alone kept from a strategy. */
function nearMissJson({ strategy, path, wants, offers, cost, profit }: NearMiss): unknown {
  return { strategy, condition: path, wants, offers, cost: dollars(cost), profit: dollars(profit) };
}

function lookaheadJson(check: LookaheadCheck | undefined): unknown {
  if (check === undefined) return null;
  const { cuts, compared, differs } = check;
  return { cuts: cuts.map(iso), compared, differs: differs === undefined ? null : { ...differs, cut: iso(differs.cut) } };
}

function strategyJson(figures: StrategyFigures, model: ValueModel): unknown {
  const { name, folder, boughtInterval, worth } = figures;
  return {
    ...{ name, folder, ...figuresJson(figures, model), boughtInterval },
    worth: Object.fromEntries(valueModels.map((each) => [each, worthJson(worth[each])])),
  };
}

type Told = Pick<StrategyFigures, 'matched' | 'admitted' | 'refusals' | 'bought' | 'spent' | 'worth' | 'profit' | 'evidence'>;

/** What is told alike of a strategy and of a variant of one. */
export function figuresJson(told: Told, model: ValueModel): object {
  const { matched, admitted, refusals, bought, spent, worth, profit, evidence } = told;
  const own = worth[model];
  return {
    ...{ matched, admitted, notAdmitted: notAdmitted(told), refusals, bought },
    ...{ spent: dollars(spent), value: dollars(own.value), profit: dollars(own.profit), roi: roiOf(own) },
    profitInterval: dollarInterval(own.interval),
    profits: {
      pessimistic: dollars(profit.pessimistic),
      expected: dollars(profit.expected),
      optimistic: dollars(profit.optimistic),
    },
    evidence,
  };
}

/** Profit over what was spent; null where nothing was that could be valued. */
export function roiOf({ profit, spent }: Pick<WorthFigures, 'profit' | 'spent'>): number | null {
  return spent === 0 ? null : profit / spent;
}

function worthJson(figures: WorthFigures): unknown {
  const { share, spent, value, profit, interval } = figures;
  return {
    share: share ?? null,
    ...{ spent: dollars(spent), value: dollars(value), profit: dollars(profit), roi: roiOf(figures) },
    interval: dollarInterval(interval),
  };
}

/** The fields of a purchase, with what the models said of it. */
function purchaseJson(folder: string, { bid, worth, won }: Bought): unknown {
  const { listing, lane, strategy, decidedAt, seenAt, answeredAt } = bid;
  return {
    ...{ id: null, state: 'simulated', mode: lane === 'live' ? 'live' : 'dry-run', strategy, folder },
    ...{ market: listing.market, listingId: listing.id, itemId: listing.itemId, marketHashName: listing.name },
    ...{ wear: listing.wear ?? null, price: listing.price, priceWithFee: listing.priceWithFee },
    steamPrice: listing.steam === undefined ? null : dollars(listing.steam),
    ...{ serviceOrderId: null, orderStatus: null, paid: null, refunded: null, reason: null },
    ...{ createdAt: iso(decidedAt), updatedAt: iso(answeredAt), seenAt: iso(seenAt) },
    won,
    worth: Object.fromEntries(valueModels.map((model) => [model, worth[model] === undefined ? null : dollars(worth[model])])),
  };
}

export function dollars(micros: number): number {
  return Math.round(micros) / MICROS_PER_DOLLAR;
}

export function dollarInterval({ low, high }: Interval): unknown {
  return { low: dollars(low), high: dollars(high) };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

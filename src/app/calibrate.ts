import type { EpochMs } from '../domain/clock.ts';
import { type ListingKey, listingKey } from '../domain/listing.ts';
import type { Micros } from '../domain/money.ts';
import type { Timings } from '../domain/outcome.ts';
import type { Purchase } from '../domain/purchase.ts';
import { BY_HAND } from '../engine/match.ts';
import { type Calibration, calibrationFrom } from '../replay/backtest/calibration.ts';
import { forecasts } from '../replay/backtest/forecast.ts';
import { type Relived, relive } from '../replay/backtest/relive.ts';
import { isLoss } from '../replay/backtest/own-past.ts';
import type { MarketHistory } from '../replay/backtest/market-history.ts';
import type { Tried } from '../replay/backtest/tried.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { type Progress, loaded, recordedTime, withRecordings } from './backtest.ts';
import { type PastRules, type RuleMemory, type RuleSettings, rulesBetween } from './past-rules.ts';
import { rulesOf } from './rules.ts';

/** A purchase of the ledger with the moments of its way. */
export interface LivePurchase {
  readonly purchase: Purchase;
  readonly timings: Timings | undefined;
}

export interface CalibrateRequest {
  /** Paths. */
  readonly recordings: readonly string[];
  readonly settings: RuleSettings;
  /** Those to go by where the ledger does not say what was in force. */
  readonly strategies: readonly Strategy[];
  readonly memory: RuleMemory;
  /** All purchases that the ledger holds, oldest first. */
  readonly purchases: () => Iterable<LivePurchase>;
  readonly from: EpochMs | undefined;
  readonly to: EpochMs | undefined;
  readonly latencyMs: number | undefined;
  readonly seed: number;
  readonly onProgress: (progress: Progress) => void;
}

/** What was paid beside what was listed. */
export interface PricesPaid {
  /** Purchases of which it is known what was debited. */
  readonly known: number;
  readonly asListed: number;
  readonly others: readonly { readonly id: number; readonly listed: Micros; readonly paid: Micros }[];
}

export interface Calibrated {
  readonly request: CalibrateRequest;
  readonly history: Pick<MarketHistory, 'from' | 'to' | 'coverage' | 'polls' | 'listings'>;
  /** undefined without any live purchase that was answered. */
  readonly calibration: Calibration | undefined;
  readonly prices: PricesPaid;
  /** Live purchases of that time of which nobody can say what became of them, or that were never answered. */
  readonly unclear: number;
  /** What was in force, as the ledger says; empty: it does not, and the strategies that were given were taken. */
  readonly rules: readonly PastRules[];
  readonly relived: Relived;
}

/** Holds what the models would have said of the live purchases of some recorded days against what came of them. Throws as `backtest` does. */
export function calibrate(request: CalibrateRequest): Calibrated {
  return withRecordings(request.recordings, (recordings) => {
    const time = recordedTime(request, recordings);
    const { settings, onProgress, latencyMs, seed } = request;
    const rules = rulesBetween(request.memory, time, settings);
    const inForce = rules.length === 0 ? [ownRules(request, time.from)] : rules;
    const onReached = (at: EpochMs): void => onProgress({ doing: 'reading', done: at - time.from, of: time.to - time.from });
    const { before, within } = ownOf(request.purchases(), time);
    const tried = within.flatMap((each) => triedOf(each) ?? []);
    // Nothing is valued here.
    const lean = { valuedFrom: Infinity, followed: tried.map(({ key }) => key) };
    const history = loaded({ folders: inForce }, recordings, time.from, time.to, { onReached, lean });
    const terms = { latencyMs, seed };
    const steps = inForce.map((each) => ({
      from: each.from,
      rules: rulesOf(each.settings, each.strategies, false),
      rate: each.settings.rate.buys,
    }));
    const onRun = (done: number, of: number): void => onProgress({ doing: 'replaying', done, of });
    const said = forecasts(history, tried, terms);
    const calibration = tried.length === 0 ? undefined : calibrationFrom(said, tried.length, seed);
    const unclear = within.length - tried.length;
    const relived = relive(history, { steps, tried, said, purchasedBefore: before, terms }, onRun);
    return { request, history, calibration, prices: pricesOf(within), unclear, rules, relived };
  });
}

function ownRules({ settings, strategies }: CalibrateRequest, from: EpochMs): PastRules {
  return { from, settings, strategies, missing: [] };
}

/** What strategies had bought live before, and in that time; what a person bought by hand is no model's to tell. */
function ownOf(
  all: Iterable<LivePurchase>,
  { from, to }: { readonly from: EpochMs; readonly to: EpochMs },
): { readonly before: readonly Purchase[]; readonly within: readonly LivePurchase[] } {
  const [before, within]: [Purchase[], LivePurchase[]] = [[], []];
  for (const each of all) {
    const { purchase } = each;
    if (purchase.lane !== 'live' || purchase.state === 'expired' || purchase.createdAt > to) continue;
    if (purchase.createdAt < from) before.push(purchase);
    else if (purchase.strategy !== BY_HAND) within.push(each);
  }
  return { before, within };
}

/** undefined where nobody can say what became of it, or when. */
function triedOf({ purchase, timings }: LivePurchase): Tried | undefined {
  const { market, listingId, strategy } = purchase;
  const result = resultOf(purchase);
  if (result === undefined || timings?.answeredAt === undefined) return undefined;
  const { seenAt, decidedAt, answeredAt } = timings;
  const key: ListingKey = listingKey(market, listingId);
  return { key, strategy, seenAt, decidedAt, answeredAt, result };
}

function resultOf({ state, refusalCause, wasUnknown }: Purchase): Tried['result'] | undefined {
  if (state === 'bought' || state === 'completed' || state === 'refunded') return 'won';
  // What was unknown was not answered: that it was never bought says nothing of who was faster.
  if (state !== 'rejected' || wasUnknown || refusalCause === undefined) return undefined;
  return isLoss(refusalCause) ? 'lost' : 'failed';
}

function pricesOf(own: readonly LivePurchase[]): PricesPaid {
  const paid = own.flatMap(({ purchase: { id, cost, paid: debit } }) =>
    debit === undefined ? [] : [{ id, listed: cost, paid: debit }],
  );
  const others = paid.filter((each) => each.paid !== each.listed);
  return { known: paid.length, asListed: paid.length - others.length, others };
}

import type { Calibrated } from '../app/calibrate.ts';
import { dollarsFromMicros } from '../domain/money.ts';
import type { Calibration } from '../replay/backtest/calibration.ts';

/** The one document of `magpie calibrate --json`. Chances from 0 to 1, times in milliseconds, amounts in dollars. */
export function calibrateJson({ request, history, calibration, prices, unclear, rules, relived }: Calibrated): unknown {
  const { from, to, coverage } = history;
  return {
    recording: request.recordings.length === 1 ? request.recordings[0] : request.recordings,
    from: iso(from),
    to: iso(to),
    coverage: coverage.share,
    gaps: coverage.blind.map((gap) => ({ from: iso(gap.from), to: iso(gap.to), reason: gap.why })),
    rules: rules.map((each) => ({
      from: iso(each.from),
      strategies: each.strategies.map(({ name, hash }) => ({ name, hash })),
      missing: each.missing,
    })),
    calibration: calibrationJson(calibration),
    unclear,
    prices: {
      known: prices.known,
      asListed: prices.asListed,
      others: prices.others.map(({ id, listed, paid }) => ({
        id,
        listed: dollarsFromMicros(listed),
        paid: dollarsFromMicros(paid),
      })),
    },
    replay: { bids: relived.bids, won: relived.won, same: relived.same ?? null },
  };
}

/** null without any live buy. */
export function calibrationJson(calibration: Calibration | undefined): unknown {
  if (calibration === undefined) return null;
  const { tried, unseen, won, lost, failed, expected, interval, holds, evidence, bins, brier, latency } = calibration;
  return { tried, unseen, won, lost, failed, expected, interval, holds, evidence, bins, brier, latency };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

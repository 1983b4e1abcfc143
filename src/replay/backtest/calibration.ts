import { seededRandom } from '../../domain/random.ts';
import { quantile } from '../../domain/latency.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { type Forecast, type ForecastTerms, REDRAWS, forecasts } from './forecast.ts';
import { latencyAt } from './latency-model.ts';
import type { MarketHistory } from './market-history.ts';
import { type Interval, mean, middle } from './statistics.ts';
import type { Tried } from './tried.ts';

/** Buys of about the same forecast, and what came of them. */
export interface Bin {
  /** Forecast chances from `from` to below `to`, 0 to 1. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** The mean of the forecast chances. */
  readonly forecast: number;
  readonly won: number;
  /** How many of them would be won if the model were right, 19 times in 20. */
  readonly interval: Interval;
}

/** Forecast and measured times from decision to answer, milliseconds, and how many of the measured were within the forecast. */
export interface LatencyMark {
  readonly share: number;
  readonly forecastMs: number;
  readonly measuredMs: number;
  /** 0 to 1; the nearer to `share`, the better. */
  readonly within: number;
}

/** How far the models were off, by our own live buys. */
export interface Calibration {
  /** Buys that could be forecast. */
  readonly tried: number;
  /** Live buys of that time whose listing the recording does not hold. */
  readonly unseen: number;
  readonly won: number;
  readonly lost: number;
  readonly failed: number;
  /** How many the models expected to win, and between how many, 19 times in 20. */
  readonly expected: number;
  readonly interval: Interval;
  readonly holds: boolean;
  readonly bins: readonly Bin[];
  /** The mean squared error of the chances, and of one chance for all that was right in the mean: below it, the model tells buys apart. */
  readonly brier: { readonly model: number; readonly constant: number };
  readonly latency: readonly LatencyMark[];
  /** How many buys there are to go by. */
  readonly evidence: Evidence;
}

const BINS = 10;
const MARKS = [0.5, 0.9, 0.99] as const;
/** How often luck is drawn for each redraw of the rates. */
const LUCK = 10;

/** Holds what the models would have said of our own buys against what came of them; undefined without any. */
export function calibrationOf(history: MarketHistory, tried: readonly Tried[], terms: ForecastTerms): Calibration | undefined {
  return tried.length === 0 ? undefined : calibrationFrom(forecasts(history, tried, terms), tried.length, terms.seed);
}

/** The same of buys that were forecast already; `tried`: how many there were. */
export function calibrationFrom(said: readonly Forecast[], tried: number, seed: number): Calibration {
  const count = (result: Tried['result']): number => said.filter(({ tried: each }) => each.result === result).length;
  const drawn = new WinsDrawn(said, seed);
  const won = count('won');
  const interval = drawn.interval(said);
  return {
    ...{ tried: said.length, unseen: tried - said.length },
    ...{ won, lost: count('lost'), failed: count('failed') },
    ...{ expected: said.reduce((sum, { chance }) => sum + chance, 0), interval },
    holds: won >= interval.low && won <= interval.high,
    bins: binsOf(said, drawn),
    brier: brierOf(said, won),
    latency: MARKS.flatMap((share) => latencyMark(said, share) ?? []),
    evidence: evidenceOf(said.length),
  };
}

/** Which buys are won, drawn again and again as the models see it. */
export class WinsDrawn {
  readonly #won: ReadonlyMap<Forecast, Uint8Array>;

  constructor(said: readonly Forecast[], seed: number) {
    const random = seededRandom(seed, 'luck');
    this.#won = new Map(
      said.map((forecast) => [
        forecast,
        Uint8Array.from({ length: REDRAWS * LUCK }, (_, draw) =>
          random.next() < (forecast.redrawn[draw % REDRAWS] as number) ? 1 : 0,
        ),
      ]),
    );
  }

  /** How many of some are won, or what they come to, 19 times in 20. */
  interval(of: readonly Forecast[], worth: (forecast: Forecast) => number = () => 1): Interval {
    const totals = new Float64Array(REDRAWS * LUCK);
    for (const forecast of of) {
      const wins = this.#won.get(forecast) as Uint8Array;
      const each = worth(forecast);
      for (let draw = 0; draw < totals.length; draw++) totals[draw] = (totals[draw] as number) + (wins[draw] as number) * each;
    }
    return middle([...totals]);
  }
}

function binsOf(said: readonly Forecast[], drawn: WinsDrawn): readonly Bin[] {
  return Array.from({ length: BINS }, (_, index) => index).flatMap((index): Bin[] => {
    const own = said.filter(({ chance }) => Math.min(BINS - 1, Math.floor(chance * BINS)) === index);
    if (own.length === 0) return [];
    return [
      {
        ...{ from: index / BINS, to: (index + 1) / BINS, count: own.length },
        forecast: mean(own.map(({ chance }) => chance)),
        won: own.filter(isWon).length,
        interval: drawn.interval(own),
      },
    ];
  });
}

function isWon({ tried }: Forecast): boolean {
  return tried.result === 'won';
}

function brierOf(said: readonly Forecast[], won: number): Calibration['brier'] {
  const share = said.length === 0 ? 0 : won / said.length;
  const error = (chanceOf: (forecast: Forecast) => number): number =>
    mean(said.map((forecast) => (chanceOf(forecast) - (isWon(forecast) ? 1 : 0)) ** 2));
  return { model: error(({ chance }) => chance), constant: error(() => share) };
}

function latencyMark(said: readonly Forecast[], share: number): LatencyMark | undefined {
  const took = said.map(({ tried }) => Math.max(0, tried.answeredAt - tried.decidedAt));
  const measuredMs = quantile(
    took.toSorted((a, b) => a - b),
    share,
  );
  if (measuredMs === undefined) return undefined;
  const forecastMs = mean(said.map(({ latency }) => latencyAt(latency, share)));
  const within = mean(said.map(({ latency }, index) => ((took[index] as number) <= latencyAt(latency, share) ? 1 : 0)));
  return { share, forecastMs, measuredMs, within };
}

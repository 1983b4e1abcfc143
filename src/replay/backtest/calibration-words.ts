import { formatMs } from '../../domain/latency.ts';
import type { Calibration } from './calibration.ts';
import { percent } from './words.ts';

/** How far off the models were, in sentences for a person. */
export function calibrationWords(calibration: Calibration): readonly string[] {
  return [verdict(calibration), brierWords(calibration), ...unseenWords(calibration)];
}

function verdict({ tried, won, expected, interval, holds, evidence }: Calibration): string {
  const said = `Of ${tried} live buys the models expected to win ${expected.toFixed(1)}, between ${interval.low} and ${interval.high} 19 times in 20; ${won} were won`;
  if (evidence === 'none') return `${said}. So few buys are no evidence for or against the models.`;
  if (holds) return `${said}: within what was stated.`;
  const off = Math.abs(won - expected) / tried;
  const way = won < expected ? 'too hopeful' : 'too timid';
  return `${said}: the models are ${way}, by ${percent(off, 1)} of all buys. Take what a backtest expects with that in mind.`;
}

function brierWords({ brier: { model, constant } }: Calibration): string {
  const figures = `The mean squared error of the chances is ${model.toFixed(3)}; of one chance for all, right in the mean, ${constant.toFixed(3)}`;
  return model < constant
    ? `${figures}: the models tell buys that are likely to be won from others.`
    : `${figures}: the models do not tell buys that are likely to be won from others.`;
}

function unseenWords({ unseen }: Calibration): string[] {
  return unseen === 0 ? [] : [`${unseen} more live buys could not be forecast: the recording does not hold their listings.`];
}

/** The rows of a table of what was forecast and what came of it; the heads stand beside it. */
export function binRows({ bins }: Calibration): readonly (readonly string[])[] {
  return bins.map(({ from, to, count, forecast, won, interval }) => [
    `${percent(from)} to ${percent(to)}`,
    String(count),
    (forecast * count).toFixed(1),
    `${interval.low} to ${interval.high}`,
    String(won),
  ]);
}

export const binHeads: readonly string[] = ['chance to win', 'buys', 'expected', 'between', 'won'];

export function latencyRows({ latency }: Calibration): readonly (readonly string[])[] {
  return latency.map(({ share, forecastMs, measuredMs, within }) => [
    `${percent(share)} of buys within`,
    `${formatMs(forecastMs)} ms`,
    `${formatMs(measuredMs)} ms`,
    percent(within),
  ]);
}

export const latencyHeads: readonly string[] = ['from decision to answer', 'forecast', 'measured', 'were within the forecast'];

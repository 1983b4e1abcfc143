import { resolve } from 'node:path';
import { type Micros, type Share, microsFromDollars, shareFromNumber } from '../domain/money.ts';
import { durationMs } from '../settings/units.ts';
import { type ValueModel, valueModels } from '../replay/backtest/value.ts';
import type { SharedOptions } from './command.ts';
import { CommandFailure, exits } from './exit.ts';

/** What every command takes that replays recordings. */
export interface ReplayOptions extends SharedOptions {
  readonly recording?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly latency?: string;
  readonly balance?: string;
  readonly resale: string;
  readonly fee: string;
  readonly hold: string;
  readonly value: ValueModel;
  readonly minCoverage: string;
  readonly seed: string;
  readonly windows: string;
  readonly report?: string;
  readonly json?: boolean;
}

export interface BacktestOptions extends ReplayOptions {
  readonly strategies?: readonly string[];
  readonly checkLookahead?: boolean;
}

export const valueChoices: readonly string[] = valueModels;

/** Gathers an option that may be given several times. */
export function several(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

export function durationGiven(option: string, text: string): number {
  const ms = durationMs(text);
  if (ms !== undefined) return ms;
  throw new CommandFailure(exits.wrong, `${option} "${text}" is no duration: write 150ms, 10s, 5m, 24h or 7d.`);
}

/** A share from 0 to 1. */
export function shareGiven(option: string, text: string): Share {
  const value = Number(text);
  const share = /^\d(\.\d+)?$/.test(text) && value <= 1 ? shareFromNumber(value) : undefined;
  if (share !== undefined) return share;
  throw new CommandFailure(exits.wrong, `${option} "${text}" is no share: write a number from 0 to 1, such as 0.7.`);
}

export function dollarsGiven(option: string, text: string): Micros {
  const amount = /^\d+(\.\d+)?$/.test(text) ? microsFromDollars(Number(text), 'down') : undefined;
  if (amount !== undefined) return amount;
  throw new CommandFailure(exits.wrong, `${option} "${text}" is no amount: write US dollars, such as 250 or 99.50.`);
}

export function wholeGiven(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandFailure(exits.wrong, `${option} "${text}" is no whole number.`);
}

/** Where a file that was named lies. */
export function pathOf(cwd: string, file: string): string {
  return resolve(cwd, file);
}

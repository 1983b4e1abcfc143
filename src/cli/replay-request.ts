import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { BacktestRefused, type Progress, type ReplayRequest } from '../app/backtest.ts';
import { type Share, dollarsFromMicros } from '../domain/money.ts';
import type { Span } from '../replay/span.ts';
import { shownPath } from '../settings/text-file.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import {
  type ReplayOptions,
  dollarsGiven,
  durationGiven,
  pathOf,
  several,
  shareGiven,
  valueChoices,
  wholeGiven,
} from './backtest-options.ts';
import { CommandFailure, exits } from './exit.ts';
import { quoted } from './hints.ts';
import type { Io } from './io.ts';
import { noRecording } from './recording-file.ts';
import { ProgressBar } from './progress-bar.ts';
import { momentGiven } from './time.ts';

/** Adds the options that every command takes which replays recordings. */
export function withReplayOptions(command: Command): Command {
  return command
    .option('--recording <FILE>', "a recording (default: the data folder's); several are put one after the other", several)
    .option('--from <TIME>', 'ISO 8601, or a duration before now (default: the beginning of the recording)')
    .option('--to <TIME>', 'the same (default: its end)')
    .option('--latency <DURATION>', 'how long a buy takes (default: as long as our own took)')
    .option('--balance <DOLLARS>', 'what there is to spend (default: the balance that was recorded first)')
    .addOption(new Option('--value <MODEL>', 'by which worth profits are compared').choices(valueChoices).default('steam'))
    .option('--resale <SHARE>', 'of steamPrice, what a sale elsewhere leaves', '0.7')
    .option('--fee <SHARE>', 'of the price of a listing, what selling it again costs', '0.1')
    .option('--hold <DURATION>', 'from a purchase until it may be sold', '8d')
    .option('--min-coverage <SHARE>', 'refuse a time of which less was watched', '0.9')
    .option('--report <FILE>', 'write a report that a browser shows: one file, nothing else needed')
    .option('--seed <N>', 'of what is drawn by chance', '1');
}

/** What those options ask for. */
export function replayRequestOf(io: Io, options: ReplayOptions, settings: LocalSettings): ReplayRequest {
  const now = io.clock.now();
  return {
    recordings: recordingsOf(io, options, settings.recordingFolder),
    settings,
    from: momentGiven('--from', options.from, now),
    to: momentGiven('--to', options.to, now),
    latencyMs: options.latency === undefined ? undefined : durationGiven('--latency', options.latency),
    balance: options.balance === undefined ? undefined : dollarsGiven('--balance', options.balance),
    terms: {
      resale: shareGiven('--resale', options.resale),
      fee: shareGiven('--fee', options.fee),
      holdMs: durationGiven('--hold', options.hold),
    },
    model: options.value,
    minCoverage: shareNumber(shareGiven('--min-coverage', options.minCoverage)),
    seed: wholeGiven('--seed', options.seed),
  };
}

/** The command line that does the same again, with the time as it was taken. `own`: what else it needs. */
export function replayWords(io: Io, command: string, request: ReplayRequest, { from, to }: Span, own: readonly string[]): string {
  const share = (of: Share): string => String(shareNumber(of));
  const { recordings, terms, latencyMs, balance } = request;
  const words = [
    ...recordings.flatMap((path) => ['--recording', shownPath(path, io.cwd)]),
    ...own,
    ...['--from', new Date(from).toISOString(), '--to', new Date(to).toISOString()],
    ...(latencyMs === undefined ? [] : ['--latency', `${latencyMs}ms`]),
    ...(balance === undefined ? [] : ['--balance', String(dollarsFromMicros(balance))]),
    ...['--value', request.model, '--resale', share(terms.resale), '--fee', share(terms.fee), '--hold', `${terms.holdMs}ms`],
    ...['--min-coverage', String(request.minCoverage), '--seed', String(request.seed)],
  ];
  return io.hinted(`\`magpie ${command} ${words.map((word) => quoted(word, 'FILE')).join(' ')}\``).slice(1, -1);
}

/** Never over a file that is no report. */
export function writeReport(io: Io, file: string, page: string): void {
  const path = pathOf(io.cwd, file);
  if (statSync(path, { throwIfNoEntry: false }) !== undefined && !file.endsWith('.html'))
    throw new CommandFailure(exits.wrong, `--report "${file}" is there already and no .html: nothing was written.`);
  try {
    writeFileSync(path, io.masked(page), { mode: 0o600 });
  } catch (error) {
    throw new CommandFailure(
      exits.failed,
      `The report was not written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  io.err.line(`Report: ${shownPath(path, io.cwd)}`);
}

/** Replays with a bar that shows how far it has come; what keeps it from that ends the command, in words for a person. */
export function replaying<T>(io: Io, recordings: readonly string[], work: (onProgress: (progress: Progress) => void) => T): T {
  const bar = new ProgressBar(io);
  try {
    return work(({ doing, done, of }) => bar.show(doing, done, of));
  } catch (error) {
    throw inWords(error, io, recordings);
  } finally {
    bar.end();
  }
}

/** What a replay of these recordings failed with, in words for a person where it has any. */
export function inWords(error: unknown, { cwd }: Pick<Io, 'cwd'>, recordings: readonly string[]): unknown {
  if (error instanceof BacktestRefused) return new CommandFailure(exits.failed, error.message);
  if (!(error instanceof Error) || !isUnreadable(error)) return error;
  const [only = ''] = recordings;
  const file = recordings.length === 1 ? quoted(shownPath(only, cwd), 'FILE') : 'FILE';
  return new CommandFailure(
    exits.failed,
    `The recording cannot be read: ${error.message}\n→ \`magpie recording verify ${file}\` says what of it is sound, and what saves that`,
  );
}

/** The recordings that were named, or the data folder's. One that is not there ends the command. */
export function recordingsOf(io: Io, { recording }: Pick<ReplayOptions, 'recording'>, data: string): readonly string[] {
  const paths = recording === undefined ? [join(data, 'recording.db')] : recording.map((file) => pathOf(io.cwd, file));
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false });
    const unlike = stats?.isFile() === true || stats?.isDirectory() === true ? noRecording(io, path) : undefined;
    if (unlike !== undefined) throw unlike;
    if (stats?.isFile() === true) continue;
    throw new CommandFailure(
      exits.failed,
      `There is no recording ${shownPath(path, io.cwd)}.\n→ \`magpie run\` records what it sees; \`--recording FILE\` names one that lies elsewhere`,
    );
  }
  return paths;
}

export function shareNumber({ numerator, denominator }: Share): number {
  return Number(numerator) / Number(denominator);
}

/** Another program's file, a newer Magpie's, or one that is damaged. */
function isUnreadable(error: Error): boolean {
  return error.name === 'TapeRefused' || error.name === 'SqliteError';
}

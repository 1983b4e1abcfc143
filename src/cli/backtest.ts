import type { Command } from 'commander';
import { type Backtest, type BacktestRequest, backtest } from '../app/backtest.ts';
import { WINDOWS } from '../replay/backtest/walk-forward.ts';
import { type ReportFacts, reportPage } from '../replay/report/report.ts';
import { shownPath } from '../settings/text-file.ts';
import { backtestJson } from './backtest-json.ts';
import { type BacktestOptions, pathOf, several, wholeGiven } from './backtest-options.ts';
import { showBacktest } from './backtest-text.ts';
import { type AddCommand, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { replayRequestOf, replayWords, replaying, withReplayOptions, writeReport } from './replay-request.ts';
import { localSettingsFor, strategiesFor } from './settings.ts';

/** More of them hold too few purchases each. */
const WINDOWS_MAX = 50;

export const addBacktest: AddCommand = (program, { io, run }) => {
  withReplayOptions(
    program
      .command('backtest')
      .summary('try strategies on recorded days')
      .description(
        'Replays a recording through the very decisions of the daemon: what strategies would have bought, surely, probably and at best, and what that is worth.',
      )
      .option('--strategies <DIR>', "a folder in place of the configuration's; several are shown side by side", several),
  )
    .option('--windows <N>', 'stretches of walking forward: a choice before each, judged on it', String(WINDOWS))
    .option('--check-lookahead', 'prove that no decision knows what came later: cut the recording at random instants')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples('magpie backtest --from 24h', 'magpie backtest --strategies strategies --strategies bolder --recording monday.db'),
    )
    .action((_: unknown, command: Command) => run(() => backtestCommand(io, command.optsWithGlobals<BacktestOptions>())));
};

function backtestCommand(io: Io, options: BacktestOptions): ExitCode {
  const done = backtested(io, options);
  if (options.report !== undefined) writeReport(io, options.report, reportPage({ ...done, ...reportFacts(io, done) }));
  if (options.json === true) printJson(io, backtestJson(done));
  else showBacktest(io, done);
  return done.lookahead?.differs === undefined ? exits.done : exits.failed;
}

/** What to type to get the same, with the time as it was taken. */
function reportFacts(io: Io, { request, history }: Backtest): Pick<ReportFacts, 'recordings' | 'command' | 'model'> {
  const recordings = request.recordings.map((path) => shownPath(path, io.cwd));
  const own = [...request.folders.flatMap(({ name }) => ['--strategies', name]), '--windows', String(request.windows)];
  return {
    recordings,
    command: replayWords(io, 'backtest', request, history, own),
    model: request.model,
  };
}

/** What the options ask for, replayed. */
function backtested(io: Io, options: BacktestOptions): Backtest {
  const request = requestOf(io, options);
  return replaying(io, request.recordings, (onProgress) => backtest({ ...request, onProgress }));
}

function requestOf(io: Io, options: BacktestOptions): BacktestRequest {
  const settings = localSettingsFor(io, options);
  const given = options.strategies ?? [settings.strategies];
  return {
    ...replayRequestOf(io, options, settings),
    folders: foldersOf(io, given).map((strategies) => {
      return { name: shownPath(strategies, io.cwd), strategies: strategiesFor(io, { ...settings, strategies }) };
    }),
    windows: windowsGiven(options.windows),
    checkLookahead: options.checkLookahead === true,
    onProgress: () => undefined,
  };
}

/** Where they lie. One that is given twice would stand twice in the table, as if two had been tried. */
function foldersOf(io: Io, given: readonly string[]): readonly string[] {
  const paths = given.map((folder) => pathOf(io.cwd, folder));
  for (const [index, path] of paths.entries())
    if (paths.indexOf(path) < index)
      throw new CommandFailure(
        exits.wrong,
        `--strategies "${given[index]}" names a folder that was given before: give each once.`,
      );
  return paths;
}

function windowsGiven(text: string): number {
  const windows = wholeGiven('--windows', text);
  if (windows >= 1 && windows <= WINDOWS_MAX) return windows;
  throw new CommandFailure(exits.wrong, `--windows "${text}" is not from 1 to ${WINDOWS_MAX}.`);
}

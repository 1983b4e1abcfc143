import type { Command } from 'commander';
import { type CalibrateRequest, type Calibrated, type LivePurchase, calibrate } from '../app/calibrate.ts';
import type { Reader } from '../ledger/ledger.ts';
import { shownPath } from '../settings/text-file.ts';
import { durationGiven, pathOf, several, wholeGiven } from './backtest-options.ts';
import { calibrateJson } from './calibrate-json.ts';
import { showCalibrated } from './calibrate-text.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { type ExitCode, exits } from './exit.ts';
import { asking, nothingYet } from './folder.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { recordingsOf, replaying } from './replay-request.ts';
import { localSettingsFor, strategiesFor } from './settings.ts';
import { momentGiven } from './time.ts';

interface CalibrateOptions extends SharedOptions {
  readonly recording?: readonly string[];
  readonly strategies?: string;
  readonly from?: string;
  readonly to?: string;
  readonly latency?: string;
  readonly seed: string;
  readonly json?: boolean;
}

export const addCalibrate: AddCommand = (program, { io, run }) => {
  program
    .command('calibrate')
    .summary('see how far off the models of a backtest were on live days')
    .description(
      'Holds what the models of a backtest would have said of each live purchase (won or lost, how long it takes, at what price) against what came of it, and replays those days.',
    )
    .option('--recording <FILE>', "of those days (default: the data folder's); several are put one after the other", several)
    .option('--strategies <DIR>', 'replayed where the ledger does not say which were in force')
    .option('--from <TIME>', 'ISO 8601, or a duration before now (default: the beginning of the recording)')
    .option('--to <TIME>', 'the same (default: its end)')
    .option('--latency <DURATION>', 'how long a buy is forecast to take (default: as long as our others took)')
    .option('--seed <N>', 'of what is drawn by chance', '1')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('magpie calibrate --config live.yaml', 'magpie calibrate --config live.yaml --from 7d --json'))
    .action((_: unknown, command: Command) => run(() => calibrateCommand(io, command.optsWithGlobals<CalibrateOptions>())));
};

function calibrateCommand(io: Io, options: CalibrateOptions): ExitCode {
  const settings = localSettingsFor(io, options);
  const strategies = options.strategies === undefined ? settings.strategies : pathOf(io.cwd, options.strategies);
  const recordings = recordingsOf(io, options, settings.recordingFolder);
  const now = io.clock.now();
  const asked = {
    ...{ recordings, settings, strategies: strategiesFor(io, { ...settings, strategies }) },
    from: momentGiven('--from', options.from, now),
    to: momentGiven('--to', options.to, now),
    latencyMs: options.latency === undefined ? undefined : durationGiven('--latency', options.latency),
    seed: wholeGiven('--seed', options.seed),
  };
  const done = asking(settings.data, (reader) => {
    if (reader === undefined) throw nothingYet(shownPath(settings.data, io.cwd));
    return calibrated(io, { ...asked, memory: reader, purchases: () => livePurchases(reader) });
  });
  if (options.json === true) printJson(io, calibrateJson(done));
  else showCalibrated(io, done);
  return exits.done;
}

function calibrated(io: Io, request: Omit<CalibrateRequest, 'onProgress'>): Calibrated {
  return replaying(io, request.recordings, (onProgress) => calibrate({ ...request, onProgress }));
}

function* livePurchases(reader: Reader): Generator<LivePurchase, undefined> {
  for (const purchase of reader.everyPurchase()) {
    if (purchase.lane === 'live') yield { purchase, timings: reader.timingsOf(purchase.id) };
  }
  return undefined;
}

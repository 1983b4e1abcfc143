import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Sweep, type SweepRequest, SweepStopped, sweep } from '../app/sweep/sweep.ts';
import { sweepReportPage } from '../replay/report/sweep-report.ts';
import { type SweepPlan, type SweepReading, VARIANTS_MAX, readSweepFile, readSweepWords } from '../settings/sweep.ts';
import { shownPath } from '../settings/text-file.ts';
import { type ReplayOptions, pathOf, several, shareGiven, wholeGiven } from './backtest-options.ts';
import { type AddCommand, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import { showFaults } from './faults.ts';
import type { Io } from './io.ts';
import { printJson } from './json.ts';
import { ProgressBar } from './progress-bar.ts';
import { inWords, replayRequestOf, replayWords, shareNumber, withReplayOptions, writeReport } from './replay-request.ts';
import { localSettingsFor } from './settings.ts';
import { sweepJson } from './sweep-json.ts';
import { showSweep } from './sweep-text.ts';
import { versionOf } from './version.ts';

interface SweepOptions extends ReplayOptions {
  readonly strategy?: string;
  readonly vary?: readonly string[];
  readonly samples?: string;
  readonly sampleSeed?: string;
  readonly train?: string;
  readonly max: string;
  readonly workers?: string;
  readonly rows: string;
}

const TRAIN = 0.7;
/** A thread needs a processor; more than these are those of a machine that has other things to do. */
const WORKERS_MAX = 64;

export const addSweep: AddCommand = (program, { io, run }) => {
  withReplayOptions(
    program
      .command('sweep [FILE]')
      .summary('vary the values of a strategy on recorded days')
      .description(
        'Tries a strategy with other values on a recording: chosen on the first part of the time, judged on the rest, and how much of the best is luck. What is done is kept: the same command goes on where it was stopped.',
      )
      .option('--strategy <FILE>', 'the strategy whose values are varied, in place of a sweep file')
      .option(
        '--vary <PATH=VALUES>',
        'a value and what it may be: price.maxOfSteam=0.6,0.65,0.7; several options, a grid',
        several,
      )
      .option('--samples <N>', 'draw so many variants by chance instead of trying every value with every other')
      .option('--sample-seed <N>', 'of that draw (default: 1)')
      .option('--train <SHARE>', 'of the time, on which one is chosen (default: 0.7)')
      .option('--max <N>', 'refuse more variants than this', String(VARIANTS_MAX))
      .option('--workers <N>', 'threads that try variants (default: one for each processor)')
      .option('--rows <N>', 'how many variants the table shows', '15'),
  )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples(
        "magpie sweep --strategy strategies/guns-with-charm.yaml --vary 'price.maxOfSteam=0.6,0.65,0.7'",
        'magpie sweep sweep.yaml --report sweep.html',
      ),
    )
    .action((file: string | undefined, _: unknown, command: Command) =>
      run(() => sweepCommand(io, file, command.optsWithGlobals<SweepOptions>())),
    );
};

async function sweepCommand(io: Io, file: string | undefined, options: SweepOptions): Promise<ExitCode> {
  const rows = wholeGiven('--rows', options.rows);
  const done = await swept(io, file, options);
  if (options.report !== undefined) writeReport(io, options.report, sweepReportPage(reportFacts(io, file, options, done)));
  if (options.json === true) printJson(io, sweepJson(done));
  else showSweep(io, done, rows);
  return exits.done;
}

async function swept(io: Io, file: string | undefined, options: SweepOptions): Promise<Sweep> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const deaf = [io.onSignal('SIGINT', stop), io.onSignal('SIGTERM', stop)];
  const bar = new ProgressBar(io);
  let recordings: readonly string[] = [];
  try {
    const request = requestOf(io, file, options, stopping.signal);
    ({ recordings } = request);
    return await sweep({ ...request, onProgress: ({ doing, done, of }) => bar.show(doing, done, of) });
  } catch (error) {
    throw sweepFailure(error, io, recordings);
  } finally {
    bar.end();
    for (const each of deaf) each();
  }
}

function sweepFailure(error: unknown, io: Io, recordings: readonly string[]): unknown {
  if (error instanceof SweepStopped) {
    const words = `Stopped: ${error.done} of ${error.of} variants are done and kept.`;
    return new CommandFailure(exits.failed, `${words}\n→ the same command goes on from there`);
  }
  // Nothing but results is written here.
  if (!(error instanceof Error && 'syscall' in error)) return inWords(error, io, recordings);
  const words = `Results cannot be kept in the data folder: ${error.message}`;
  return new CommandFailure(
    exits.failed,
    `${words}\n→ free disk space or mend its permissions; the same command goes on from there`,
  );
}

function requestOf(
  io: Io,
  file: string | undefined,
  options: SweepOptions,
  signal: AbortSignal,
): Omit<SweepRequest, 'onProgress'> {
  const settings = localSettingsFor(io, options);
  const { limits, feed, reference, rate, data } = settings;
  const plan = planOf(io, file, options);
  const workers = options.workers === undefined ? availableParallelism() : wholeGiven('--workers', options.workers);
  return {
    ...replayRequestOf(io, options, settings),
    // Threads are handed these and no more: a secret does not go with them.
    settings: { limits, feed, reference, rate },
    plan,
    train: trainOf(options, plan),
    folder: join(data, 'sweeps'),
    version: versionOf(),
    makePool: io.sweepers,
    threads: Math.min(WORKERS_MAX, Math.max(1, workers)),
    signal,
  };
}

function trainOf({ train }: SweepOptions, plan: SweepPlan): number {
  if (train === undefined) return plan.train ?? TRAIN;
  const share = shareNumber(shareGiven('--train', train));
  if (share >= 0.1 && share <= 0.9) return share;
  throw new CommandFailure(exits.wrong, `--train "${train}" leaves one of the two parts nothing: write a share from 0.1 to 0.9.`);
}

/** What is to be tried. Faults are shown and end the command. */
function planOf(io: Io, file: string | undefined, options: SweepOptions): SweepPlan {
  const { strategy, vary } = options;
  const given = (option: string, text: string | undefined): number | undefined =>
    text === undefined ? undefined : wholeGiven(option, text);
  const draw = { samples: given('--samples', options.samples), seed: given('--sample-seed', options.sampleSeed) };
  const request = { cwd: io.cwd, max: wholeGiven('--max', options.max) };
  if ((file === undefined) === (strategy === undefined) || (strategy === undefined) !== (vary === undefined)) {
    throw new CommandFailure(
      exits.wrong,
      'What is varied is not said: give a sweep file, or --strategy FILE with at least one --vary PATH=VALUES.',
    );
  }
  const read: SweepReading =
    file === undefined
      ? readSweepWords({ strategy, vary, ...draw }, request)
      : readSweepFile(pathOf(io.cwd, file), draw, request);
  if (read.ok) return read.plan;
  showFaults(io.err, read.faults, 'fault');
  throw new CommandFailure(exits.wrong, 'The sweep is faulty: nothing was done. Mend it and try again.', read.faults);
}

function reportFacts(
  io: Io,
  file: string | undefined,
  options: SweepOptions,
  done: Sweep,
): Parameters<typeof sweepReportPage>[0] {
  const { request, parts } = done;
  const { strategy = '', vary = [], samples, sampleSeed } = options;
  const own = [
    ...(file === undefined ? ['--strategy', strategy, ...vary.flatMap((each) => ['--vary', each])] : [file]),
    ...(samples === undefined ? [] : ['--samples', samples]),
    ...(sampleSeed === undefined ? [] : ['--sample-seed', sampleSeed]),
    ...['--train', String(request.train)],
  ];
  return {
    ...done,
    recordings: request.recordings.map((path) => shownPath(path, io.cwd)),
    command: replayWords(io, 'sweep', request, { from: parts.train.from, to: parts.test.to }, own),
    file: request.plan.file,
    axes: request.plan.axes.map(({ name }) => name),
    model: request.model,
    tried: done.tried.map((each) => ({ ...each, setting: each.variant.setting, isBest: each === done.best })),
    base: { ...done.base, setting: done.base.variant.setting, isBest: done.base === done.best },
  };
}

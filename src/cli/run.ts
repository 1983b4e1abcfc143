import type { Command } from 'commander';
import { knownNames } from '../settings/item-catalogue.ts';
import { ruleFiles } from '../settings/rule-files.ts';
import { type AddCommand, examples } from './command.ts';
import { startHere } from './daemon.ts';
import { durationGiven } from './duration.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { type RunOptions, showFailing, untilEnded } from './until-ended.ts';
import { runAccounts } from './run-accounts.ts';
import { pageWanted, servePageOf } from './page.ts';
import { showRun } from './run-summary.ts';
import { placesOf, requestOf, strategiesFor, wholeSettingsFor } from './settings.ts';
import { stopSignals } from './stop-signals.ts';

export const addRun: AddCommand = (program, { io, run }) => {
  program
    .command('run')
    .summary('watch, decide, buy and record until it is stopped')
    .description('Watches the live listings and buys what the strategies want, within the limits, until Ctrl-C or SIGTERM.')
    .option('--dry-run', 'write down what would be bought, and build nothing that could buy')
    .option('--strategies <DIR>', "a folder in place of the configuration's")
    .option('--once', 'one poll, its decisions and its buys; settle what can be settled, then end')
    .option('--for <DURATION>', 'end after that long: 30s, 15m, 8h', durationGiven)
    .addHelpText(
      'after',
      `\nStrategies and limits that are saved while it runs count within seconds. SIGHUP reads them at once (at a terminal it ends Magpie).`,
    )
    .addHelpText('after', examples('magpie run', 'magpie run --config live.yaml --dry-run --once'))
    .action((_: unknown, command: Command) => run(() => runDaemon(io, command.optsWithGlobals<RunOptions>())));
};

async function runDaemon(io: Io, options: RunOptions): Promise<ExitCode> {
  const { dryRun, strategies: folder, once = false } = options;
  if (options.account !== undefined) {
    const words =
      '`run` serves all accounts of a configuration in one process, so that no two buy the same listing. → leave --account out';
    throw new CommandFailure(exits.wrong, words);
  }
  const overrides = { dryRun, strategies: folder };
  const { settings, each, notices } = wholeSettingsFor(io, options, overrides, true);
  if (each.length > 0) return runAccounts(io, options, { settings, each, notices, request: requestOf(io, options, overrides) });
  const strategies = strategiesFor(io, settings, { known: knownNames() });
  const page = once ? undefined : pageWanted(settings, io);
  // With JSON lines on the one stream, words for a person go to the other.
  const human = settings.log.format === 'human';
  (human ? io.out : io.err).line(placesOf(io, settings));
  const startedAt = io.clock.now();
  // A terminal that is closed sends what asks a daemon without one to read its files again.
  const signals = stopSignals(io, io.out.isTerminal ? [] : ['SIGHUP']);
  const reload = { now: (): void => undefined };
  const off = io.out.isTerminal ? undefined : io.onSignal('SIGHUP', () => reload.now());
  try {
    const write = (line: string): void => io.out.writeUnawaited(human ? io.hinted(line) : line);
    const request = requestOf(io, options, overrides);
    const files = ruleFiles(request, settings);
    // A token that was made here is no more for the log than one of the configuration.
    const hidden = page === undefined ? [] : [page.token];
    const daemon = await startHere(io, { settings, strategies, files, notices, once, write, dryRunAsked: dryRun, hidden });
    if (page !== undefined) servePageOf(io, daemon, settings, page, request);
    reload.now = () => daemon.reload();
    const ended = await untilEnded(
      io,
      { ended: daemon.ended, stop: daemon.stop, inFlight: () => daemon.core.inFlight },
      signals,
      options.for,
    );
    await io.out.flushed();
    const { facts } = daemon.core;
    // Where it ended for another reason before it had polled, nothing was looked at that could be told of.
    if (once && human && ended.exitCode !== exits.wrong && facts.polls > 0) showRun(io, settings, startedAt, facts);
    for (const failing of ended.failings ?? []) showFailing(io.err, failing);
    return ended.exitCode;
  } finally {
    signals.off();
    off?.();
  }
}

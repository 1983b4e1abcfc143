import type { AccountParts } from '../app/accounts/platform.ts';
import type { SettingsRequest } from '../settings/load.ts';
import { knownNames } from '../settings/item-catalogue.ts';
import { ruleFilesOfAccounts } from '../settings/rule-files.ts';
import { heldFailure } from './daemon.ts';
import { type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { pageWanted, servePageOf } from './page.ts';
import { type LoadedConfiguration, placesOf, strategiesFor } from './settings.ts';
import { stopSignals } from './stop-signals.ts';
import { type RunOptions, showFailing, untilEnded } from './until-ended.ts';
import { versionOf } from './version.ts';

interface RunRequest extends LoadedConfiguration {
  /** What these settings were loaded by. */
  readonly request: SettingsRequest;
}

/** `magpie run` where the configuration has several accounts: one process serves them all. */
export async function runAccounts(
  io: Io,
  options: RunOptions,
  { settings, each, notices, request }: RunRequest,
): Promise<ExitCode> {
  const [{ startPlatform }, { systemRandom: random }] = await Promise.all([
    import('../app/accounts/platform.ts'),
    import('../app/system-random.ts'),
  ]);
  const filesOf = ruleFilesOfAccounts(request);
  const advice = { known: knownNames() };
  const accounts = each.map((own): AccountParts => ({
    settings: own,
    strategies: strategiesFor(io, own, advice),
    files: filesOf(own),
  }));
  const page = options.once === true ? undefined : pageWanted(settings, io);
  const human = settings.log.format === 'human';
  (human ? io.out : io.err).line(placesOf(io, settings));
  const signals = stopSignals(io, io.out.isTerminal ? [] : ['SIGHUP']);
  const reload = { now: (): void => undefined };
  const off = io.out.isTerminal ? undefined : io.onSignal('SIGHUP', () => reload.now());
  try {
    const write = (line: string): void => io.out.writeUnawaited(human ? io.hinted(line) : line);
    const { env, clock } = io;
    const { once = false, dryRun: dryRunAsked } = options;
    const { palette } = io.out;
    const shared = {
      ...{ settings, accounts, notices, once, write, dryRunAsked, env, clock, palette, random, version: versionOf() },
      hidden: page === undefined ? [] : [page.token],
    };
    const started = await startPlatform(shared);
    if (!started.ok) throw heldFailure(started);
    const { platform } = started;
    if (page !== undefined) servePageOf(io, platform, settings, page, request);
    reload.now = () => platform.reload();
    const inFlight = (): number => platform.accounts.reduce((sum, { daemon }) => sum + (daemon?.core.inFlight ?? 0), 0);
    const running = { ended: platform.ended, stop: (why: string) => platform.stop(why), inFlight };
    const ended = await untilEnded(io, running, signals, options.for);
    await io.out.flushed();
    for (const failing of ended.failings ?? []) showFailing(io.err, failing);
    return ended.exitCode === 0 ? exits.done : exits.failed;
  } finally {
    signals.off();
    off?.();
  }
}

import { sleep } from '../domain/clock.ts';
import type { Daemon } from '../app/daemon.ts';
import type { RequestReply } from '../app/by-hand.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import type { RequestKind } from '../ledger/requests.ts';
import { openToChange } from './folder.ts';
import { askDaemon } from './ask.ts';
import { startHere } from './daemon.ts';
import { CommandFailure } from './exit.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';
import { replyOf } from './reply.ts';
import type { RequestSettings } from './settings.ts';
import { stopSignals } from './stop-signals.ts';

const LOOK_MS = 50;
/** A service that is well has answered everything by then; the request is made all the same, and says what is missing. */
const READY_MS = 30_000;

/**
 * Has something done by the daemon of the data folder; where there is none, by one that runs in this process for as long as that
 * takes, with no strategies: the same journal, caps and rates, and nothing else is bought.
 */
export async function request(io: Io, given: RequestSettings, kind: RequestKind, args: unknown): Promise<RequestReply> {
  const { data } = given.settings;
  if (given.own === undefined || isFolderHeld(data)) return askThere(io, data, kind, args);
  const { settings, notices } = given.own;
  const quiet = { ...settings, log: { ...settings.log, level: 'warn' as const } };
  const write = (line: string): void => io.err.write(settings.log.format === 'human' ? io.hinted(line) : line);
  const signals = stopSignals(io);
  try {
    const daemon = await startHere(io, { settings: quiet, strategies: [], notices, once: false, write });
    void signals.first.then((name) => daemon.stop(name));
    return await whileRunning(io, daemon, () => askThere(io, data, kind, args));
  } finally {
    signals.off();
  }
}

/** Asks a daemon in this process once it is ready, and ends it however that went. */
async function whileRunning(io: Io, daemon: Daemon, ask: () => Promise<RequestReply>): Promise<RequestReply> {
  const gone = daemon.ended.then(({ exitCode }) => {
    throw new CommandFailure(
      exitCode === 0 ? 1 : exitCode,
      'Magpie was stopped before it was done. → `magpie purchases` shows whether anything was sent',
    );
  });
  try {
    await Promise.race([gone, withProgress(io, 'Getting ready', ready(io, daemon))]);
    return await Promise.race([gone, ask()]);
  } finally {
    daemon.stop('it is done');
    gone.catch(() => undefined);
    await daemon.ended;
  }
}

async function askThere(io: Io, folder: string, kind: RequestKind, args: unknown): Promise<RequestReply> {
  const ledger = openToChange(folder);
  try {
    return replyOf(await askDaemon(io, ledger, folder, kind, args));
  } finally {
    ledger.close();
  }
}

/** Polls that fail in a row before anything was heard: the service cannot be reached, and waiting longer would not tell more. */
const FAILURES_TELLING = 5;

/** The start checks have passed, and listings, balance and health have been heard of once; or the service cannot be reached, or refuses the key. */
async function ready({ clock }: Io, { core }: Daemon): Promise<void> {
  const until = clock.mono() + READY_MS;
  const heard = (): boolean => {
    const { blockers, balance, health, rules } = core.state;
    return (
      core.facts.polls > 0 &&
      blockers.size === 0 &&
      balance !== undefined &&
      (rules.health.require === 'off' || health !== undefined)
    );
  };
  const hopeless = (): boolean =>
    core.state.balance === undefined &&
    (core.facts.failuresInRow >= FAILURES_TELLING || core.facts.accountFault?.forbidden === true);
  while (!heard() && !hopeless() && clock.mono() < until) await sleep(clock, LOOK_MS);
}

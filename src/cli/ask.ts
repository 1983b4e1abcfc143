import { sleep } from '../domain/clock.ts';
import type { Beside } from '../ledger/ledger.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import type { RequestKind } from '../ledger/requests.ts';
import { CommandFailure, exits } from './exit.ts';
import type { Io } from './io.ts';
import { withProgress } from './progress.ts';

const LOOK_MS = 100;
/** A daemon looks several times a second; one that has not taken a request up by then is stuck. */
const TAKEN_WITHIN_MS = 15_000;
/** Longer than a request with its time-out and the looks after it take; an audit reads a long history at a modest rate. */
const answeredWithinMs: Readonly<Record<RequestKind, number>> = { buy: 120_000, reconcile: 120_000, audit: 1_800_000 };

/**
 * Has the daemon of a folder do something, and waits for its answer. A person who stops waiting takes the request back, if the
 * daemon has not taken it up yet; so does a daemon that is gone or stuck. Then nothing was done, and the failure says so.
 */
export async function askDaemon(io: Io, ledger: Beside, folder: string, kind: RequestKind, args: unknown): Promise<unknown> {
  const { clock } = io;
  const id = ledger.ask(kind, args, clock.now());
  const stop = new AbortController();
  const offs = (['SIGINT', 'SIGTERM'] as const).map((name) => io.onSignal(name, () => stop.abort()));
  try {
    return await withProgress(io, 'Waiting for the daemon', answered());
  } finally {
    for (const off of offs) off();
  }

  async function answered(): Promise<unknown> {
    const beganAt = clock.mono();
    for (;;) {
      const state = ledger.requestState(id);
      if (state.kind === 'answered') return state.answer;
      const waitedMs = clock.mono() - beganAt;
      if (state.kind === 'taken') {
        if (stop.signal.aborted || waitedMs > answeredWithinMs[kind]) throw goesOn(kind);
        if (!isFolderHeld(folder) && ledger.requestState(id).kind === 'taken') throw goneMeanwhile(kind);
      } else if (stop.signal.aborted || waitedMs > TAKEN_WITHIN_MS || !isFolderHeld(folder)) {
        if (state.kind === 'missing' || ledger.withdraw(id, clock.now())) throw withdrawn(stop.signal.aborted);
      }
      await sleep(clock, LOOK_MS, stop.signal);
    }
  }
}

const looks: Readonly<Record<RequestKind, string>> = {
  buy: '`magpie purchases` shows what becomes of it',
  reconcile: '`magpie status` shows what is still unknown',
  audit: 'it changes nothing, and can be asked for again',
};

function goesOn(kind: RequestKind): CommandFailure {
  return new CommandFailure(exits.failed, `The daemon has taken the request up and goes on with it: ${looks[kind]}.`);
}

function goneMeanwhile(kind: RequestKind): CommandFailure {
  return new CommandFailure(exits.failed, `The daemon has ended before it answered: ${looks[kind]}.`);
}

function withdrawn(byPerson: boolean): CommandFailure {
  const why = byPerson ? 'You stopped waiting' : 'The daemon did not take the request up (it is stuck, or has just ended)';
  return new CommandFailure(
    exits.failed,
    `${why}: the request was taken back, nothing was done. Look at \`magpie status\`, then try again.`,
  );
}

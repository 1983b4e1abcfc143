import type { EpochMs } from '../domain/clock.ts';
import { type LedgerFault, withSteps } from '../ledger/failure.ts';
import type { Heartbeat, HeartbeatQueries, InForce } from '../ledger/heartbeat.ts';
import type { Beside, Reader } from '../ledger/ledger.ts';
import { acquireFolderLock, isFolderHeld } from '../ledger/lock.ts';
import { openBeside, openLedger, openReader } from '../ledger/open.ts';
import type { Settings } from '../settings/settings.ts';
import { CommandFailure, exits } from './exit.ts';

/** Whether a process is at work on a data folder, and the newest sign of life that one left there. */
export interface Holder {
  readonly running: boolean;
  readonly heartbeat: Heartbeat | undefined;
  /** What the daemon that runs goes by; undefined where none does, or it has not said so. */
  readonly inForce: InForce | undefined;
}

export function holderOf(folder: string, ledger: HeartbeatQueries | undefined): Holder {
  const running = isFolderHeld(folder);
  return { running, heartbeat: ledger?.heartbeat(), inForce: running ? ledger?.inForce() : undefined };
}

/** Of the daemon that runs (`--dry-run` may have changed it); of the configuration where none does. */
export function modeOf({ mode }: Pick<Settings, 'mode'>, { running, heartbeat }: Holder): Settings['mode'] {
  return (running ? heartbeat?.mode : undefined) ?? mode;
}

/** Runs a question on the ledger of a folder; undefined stands for a ledger that is not there yet. */
export function asking<T>(folder: string, work: (ledger: Reader | undefined) => T): T {
  const opened = openReader(folder);
  if (opened.ok) return closing(opened.value, work);
  if (opened.fault.kind === 'missing') return work(undefined);
  throw unusable(opened.fault);
}

/** Opens the ledger for a short change beside whoever holds the folder. One that is not there ends the command. */
export function openToChange(folder: string): Beside {
  const opened = openBeside(folder);
  if (opened.ok) return opened.value;
  if (opened.fault.kind === 'missing') throw nothingYet(folder);
  throw unusable(opened.fault);
}

/**
 * Runs a short change on the ledger of a folder, which is made, upgraded or restored to the end where that is needed and nobody holds
 * the folder. So is what can be read of a log that is damaged: the next start knows of it.
 * `work` is told whether anybody does; `at` is wall time.
 */
export function changing<T>(folder: string, at: EpochMs, work: (ledger: Beside, running: boolean) => T): T {
  const opened = openBeside(folder);
  if (opened.ok) return closing(opened.value, (ledger) => work(ledger, isFolderHeld(folder)));
  if (!['missing', 'older', 'restoring', 'log'].includes(opened.fault.kind)) throw unusable(opened.fault);
  const locked = acquireFolderLock(folder);
  if (!locked.ok) throw new CommandFailure(locked.held ? exits.held : exits.failed, locked.fault.message);
  try {
    const made = openLedger({ folder, at });
    if (!made.ok) throw unusable(made.fault);
    return closing(made.value.ledger, (ledger) => work(ledger, false));
  } finally {
    locked.lock.release();
  }
}

export function nothingYet(folder: string): CommandFailure {
  return new CommandFailure(
    exits.failed,
    `There is no ledger in ${folder} yet: \`magpie run\` makes one. Is it the right --config or --data?`,
  );
}

/** The ledger cannot be used, and nobody buys with it: it is open nowhere, and the next start is refused it too. */
export class StandsStill extends CommandFailure {}

function unusable(fault: LedgerFault): CommandFailure {
  if (fault.standsStill === true) return new StandsStill(exits.failed, withSteps(fault));
  return new CommandFailure(fault.kind === 'newer' ? exits.wrong : exits.failed, withSteps(fault));
}

function closing<L extends Reader, T>(ledger: L, work: (ledger: L) => T): T {
  try {
    return work(ledger);
  } finally {
    ledger.close();
  }
}

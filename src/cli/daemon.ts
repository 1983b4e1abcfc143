import type { Daemon, Started } from '../app/daemon.ts';
import type { Secret } from '../domain/secret.ts';
import type { RuleFiles } from '../settings/rule-files.ts';
import type { Settings } from '../settings/settings.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { CommandFailure } from './exit.ts';
import type { Io } from './io.ts';
import { versionOf } from './version.ts';

export interface StartRequest {
  readonly settings: Settings;
  readonly strategies: readonly Strategy[];
  /** Where they were read from, to be followed. */
  readonly files?: RuleFiles | undefined;
  readonly notices: readonly string[];
  readonly once: boolean;
  readonly dryRunAsked?: boolean | undefined;
  /** What is masked besides the secrets of the settings. */
  readonly hidden?: readonly Secret[] | undefined;
  /** Where its lines go. */
  readonly write: (line: string) => void;
}

/** Starts the daemon in this process: the one door from the commands to the composition root, opened only when it is needed. */
export async function startHere(io: Io, request: StartRequest): Promise<Daemon> {
  const [{ startDaemon }, { systemRandom }] = await Promise.all([import('../app/daemon.ts'), import('../app/system-random.ts')]);
  const { env, clock, out } = io;
  const started = await startDaemon({ ...request, env, clock, version: versionOf(), random: systemRandom, palette: out.palette });
  if (started.ok) return started.daemon;
  throw heldFailure(started);
}

/** Why the data folder or the key could not be taken, with what to do about it. */
export function heldFailure({ exitCode, held, message }: Extract<Started, { ok: false }>): CommandFailure {
  const next = held === undefined ? [] : [`→ ${heldSteps[held]}`];
  return new CommandFailure(exitCode, [message, ...next].join('\n'));
}

/** A key that is held is held from another folder: what this one's status shows is not what that process does. */
const heldSteps = {
  folder: '`magpie status` shows what it does; a folder has one process at a time',
  key:
    'it works on another data folder: `magpie status --data DIR` with that one shows what it does. A key has one process at a time ' +
    'on a machine: stop the other one, or give each a key of its own',
} as const;

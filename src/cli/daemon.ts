import type { Daemon } from '../app/daemon.ts';
import type { Settings } from '../settings/settings.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { CommandFailure } from './exit.ts';
import type { Io } from './io.ts';
import { versionOf } from './version.ts';

export interface StartRequest {
  readonly settings: Settings;
  readonly strategies: readonly Strategy[];
  readonly notices: readonly string[];
  readonly once: boolean;
  readonly dryRunAsked?: boolean | undefined;
  /** Where its lines go. */
  readonly write: (line: string) => void;
}

/** Starts the daemon in this process: the one door from the commands to the composition root, opened only when it is needed. */
export async function startHere(io: Io, request: StartRequest): Promise<Daemon> {
  const [{ startDaemon }, { systemRandom }] = await Promise.all([import('../app/daemon.ts'), import('../app/system-random.ts')]);
  const { env, clock, out } = io;
  const started = await startDaemon({ ...request, env, clock, version: versionOf(), random: systemRandom, palette: out.palette });
  if (started.ok) return started.daemon;
  const next =
    started.exitCode === 3 ? '\n→ `magpie status` shows what it does; one folder, and one key, have one process at a time' : '';
  throw new CommandFailure(started.exitCode, `${started.message}${next}`);
}

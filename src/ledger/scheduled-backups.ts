import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs } from '../domain/clock.ts';
import { backupName, backupsFolder } from './backup-names.ts';
import { codeOf } from './failure.ts';

/** By their names they are told from those that a person made, which are no business of the schedule. */
const PREFIX = 'scheduled';
const NAME = /^scheduled-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/;
const UNFINISHED = /^scheduled-[^/]{20}\.db\.\d{1,10}\.part(?:-journal)?$/;

export interface ScheduledBackup {
  readonly path: string;
  /** By its name. */
  readonly at: EpochMs;
}

/** Where the backup of a data folder goes that is due at that time. */
export function scheduledPath(data: string, at: EpochMs): string {
  return join(backupsFolder(data), backupName(at, PREFIX));
}

/** The scheduled backups of a data folder, newest first. Throws what the file system says, unless there is no such folder. */
export function scheduledBackups(data: string): ScheduledBackup[] {
  return namesIn(data)
    .flatMap((name) => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? [];
      const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
      return Number.isNaN(at) ? [] : [{ path: join(backupsFolder(data), name), at }];
    })
    .toSorted((one, other) => other.at - one.at);
}

/**
 * Removes all but the newest so many, and what a process that was killed has left unfinished. The newest by now is always one of them:
 * others that a clock far ahead has dated would stand in its place for years. To be called by the holder of the folder once a new one is
 * whole. Throws what the file system says.
 */
export function dropOldBackups(data: string, keep: number, now: EpochMs): void {
  const all = scheduledBackups(data);
  const newest = all.findIndex(({ at }) => at <= now);
  const first = newest === -1 ? [] : all.splice(newest, 1);
  for (const { path } of [...first, ...all].slice(keep)) rmSync(path, { force: true });
  for (const name of namesIn(data)) if (UNFINISHED.test(name)) rmSync(join(backupsFolder(data), name), { force: true });
}

function namesIn(data: string): readonly string[] {
  try {
    return readdirSync(backupsFolder(data));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

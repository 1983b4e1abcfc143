import { join } from 'node:path';
import type { EpochMs } from '../domain/clock.ts';

/** Where backups of a data folder lie unless somebody says otherwise. */
export function backupsFolder(folder: string): string {
  return join(folder, 'backups');
}

/** The name of a backup made then: `magpie-2026-11-28T16-40-05Z.db`. */
export function backupName(at: EpochMs, prefix = 'magpie'): string {
  return `${prefix}-${stampOf(at)}.db`;
}

/** A moment as it stands in the names of files, to the second, UTC. */
export function stampOf(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

import Database from 'better-sqlite3';
import type { EpochMs } from '../domain/clock.ts';
import { TapeRefused } from './tape-schema.ts';

/** Recording stopped, or goes on. Buying does not depend on it. */
export type TapeTrouble =
  | {
      readonly kind: 'paused';
      readonly at: EpochMs;
      /** SQLite's code, or another short constant. */
      readonly code: string;
      readonly message: string;
      /** What a person can do. */
      readonly next: string;
    }
  | { readonly kind: 'resumed'; readonly at: EpochMs; readonly since: EpochMs; readonly lostPolls: number };

const nexts: readonly (readonly [code: RegExp, next: string])[] = [
  [/FULL|ENOSPC|EDQUOT/, 'Free disk space, or allow the recording more room. Recording goes on by itself.'],
  [/BUSY|LOCKED/, 'Close the program that writes into the recording. Recording goes on by itself.'],
  [/READONLY|CANTOPEN|PERM|EACCES|ENOENT|EROFS/, 'Check that Magpie may write in its data folder. Recording goes on by itself.'],
  [/CORRUPT|NOTADB|REFUSED/, 'Move the recording (and its -wal and -shm) out of the data folder; a new one is begun by itself.'],
];

export function pausedBy(error: unknown, at: EpochMs): Extract<TapeTrouble, { kind: 'paused' }> {
  const code = codeOf(error);
  const message = `the recording cannot be written: ${error instanceof Error ? error.message : String(error)}`;
  const next = nexts.find(([pattern]) => pattern.test(code))?.[1] ?? 'Recording is tried again by itself.';
  return { kind: 'paused', at, code, message, next };
}

function codeOf(error: unknown): string {
  if (error instanceof Database.SqliteError) return error.code;
  if (error instanceof TapeRefused) return 'REFUSED';
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'DEFECT';
}

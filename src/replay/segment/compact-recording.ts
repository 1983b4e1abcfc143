import { statSync } from 'node:fs';
import { openForWriting } from '../tape-schema.ts';
import { compacting } from './compact.ts';

/** No bound by size: larger than any file system. */
const UNBOUNDED_BYTES = 2 ** 47;

/**
 * Turns all rows of a recording that no process writes into column segments, and gives the room back to the file system. Throws TapeRefused or
 * SQLite's error; what was compacted by then stays so, and nothing is lost.
 */
export function compactRecording(path: string): { readonly bytesBefore: number; readonly bytes: number } {
  const bytesBefore = statSync(path).size;
  const db = openForWriting(path, UNBOUNDED_BYTES);
  try {
    const slices = compacting(db, true);
    while (slices.next().done !== true);
    db.pragma('incremental_vacuum');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
  return { bytesBefore, bytes: statSync(path).size };
}

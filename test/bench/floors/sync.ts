import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = Buffer.alloc(4_096, 1);

/** What the disk asks for one synced write: a page at the end of a file that grows, as a write-ahead log does, then fdatasync. */
export class SyncFloor {
  readonly #file: number;

  constructor(folder: string) {
    this.#file = openSync(join(folder, 'sync-floor'), 'a');
  }

  /** Milliseconds of the fdatasync alone. */
  syncMs(): number {
    writeSync(this.#file, PAGE);
    const began = performance.now();
    fdatasyncSync(this.#file);
    return performance.now() - began;
  }

  close(): void {
    closeSync(this.#file);
  }
}

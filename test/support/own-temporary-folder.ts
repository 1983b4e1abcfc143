import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'w-';

/**
 * A temporary folder for each worker: exchanges of one seed have the same keys, and the lock of a key lies there, so that two tests that run
 * at once would rightly keep each other out. Once a worker: it goes through many files. Names are short, since sockets are made below, and
 * other users may pass, as they may through the folder of all.
 */
if (!basename(tmpdir()).startsWith(PREFIX)) {
  const own = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(own, 0o711);
  process.env['TMPDIR'] = own;
}

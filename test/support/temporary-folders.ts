import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'mt-';

let all: string | undefined;

/** One folder for all that a run of tests leaves, which goes with its end: workers may be ended before they can tidy up. */
export function setup(): void {
  // Each project of a run asks for it, and one within the other would make the names of sockets too long.
  if (basename(tmpdir()).startsWith(PREFIX)) return;
  all = mkdtempSync(join(tmpdir(), PREFIX));
  chmodSync(all, 0o711);
  process.env['TMPDIR'] = all;
}

/** Called by vitest when all tests are over. */
export function teardown(): void {
  if (all !== undefined) rmSync(all, { recursive: true, force: true });
}

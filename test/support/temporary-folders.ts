import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let all: string | undefined;

/** One folder for all that a run of tests leaves, which goes with its end: workers may be ended before they can tidy up. */
export function setup(): void {
  all = mkdtempSync(join(tmpdir(), 'mt-'));
  chmodSync(all, 0o711);
  process.env['TMPDIR'] = all;
}

/** Called by vitest when all tests are over. */
export function teardown(): void {
  if (all !== undefined) rmSync(all, { recursive: true, force: true });
}

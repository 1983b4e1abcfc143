import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordMarket } from '../../bench/recorded/record.ts';
import { repeated } from '../../bench/recorded/repeated.ts';

const COPIES = 80;
/** Far less than an object for each of its events would take. */
const HEAP_MB = 80;

const child = fileURLToPath(new URL('./long-child.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'magpie-long-'));
const path = join(folder, 'long.db');
let events = 0;

beforeAll(() => {
  const short = join(folder, 'short.db');
  events = recordMarket({ path: short, seed: 3, listings: 1_000, pace: 3, polls: 700, everyMs: 1_000 }).events;
  repeated(short, path, COPIES);
}, 30 * 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a recording that is larger than memory', () => {
  it('is backtested, since what is kept grows with what is wanted and not with what was seen', async () => {
    const args = [`--max-old-space-size=${HEAP_MB}`, '--import', 'tsx', child, path];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const found = JSON.parse(stdout) as { events: number; bought: { optimistic: number }; arrayBuffers: number };
    // Each copy begins with what stands, which says nothing of how long it had: the listings of the one before ended unseen.
    expect(found.events).toBe(COPIES * events);
    expect(found.bought.optimistic).toBeGreaterThan(0);
    // Beside the heap: two segments and their numbers, the sample, and six numbers a poll.
    expect(found.arrayBuffers).toBeLessThan(HEAP_MB * 1_000_000);
    expect(statSync(path).size).toBeGreaterThan(HEAP_MB * 1_000_000);
  });
});

/* oxlint-disable no-console -- a bench prints */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { recordMarket } from './recorded/record.ts';
import { repeated } from './recorded/repeated.ts';

/*
 * A backtest of one narrow strategy over a month of the sandbox's market, 1,000 listings polled once a second: four hours are recorded
 * and compacted, and repeated as sessions of their own. It runs in a process of its own; what it took is told, the making of the recording
 * apart. npm run bench:month -- --days 30
 */

const COPIES_A_DAY = 6;
const POLLS = (24 / COPIES_A_DAY) * 3_600;

const child = fileURLToPath(new URL('../replay/backtest/long-child.ts', import.meta.url));
const { values } = parseArgs({ options: { days: { type: 'string', default: '30' } } });
const days = Number(values.days);
if (!Number.isSafeInteger(days) || days < 1) throw new Error(`--days is a whole number from 1 on; found ${values.days}`);

const folder = mkdtempSync(join(tmpdir(), 'magpie-month-'));
try {
  const [short, path] = [join(folder, 'short.db'), join(folder, 'month.db')];
  console.log('recording four hours …');
  recordMarket({ path: short, seed: 3, listings: 1_000, pace: 1, polls: POLLS, everyMs: 1_000 });
  console.log(`repeating them over ${days} days …`);
  repeated(short, path, days * COPIES_A_DAY);
  console.log(`backtesting ${(statSync(path).size / 1e6).toFixed(0)} MB …`);
  const began = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', child, path]);
  const { events, firstMs, cpuMs, maxRSS } = JSON.parse(stdout) as Record<'events' | 'firstMs' | 'cpuMs' | 'maxRSS', number>;
  console.log(
    [
      `${(events / 1e6).toFixed(2)} million events of ${days} days`,
      `until the first replay is done  ${(firstMs / 1_000).toFixed(1)} s of CPU`,
      `in all                          ${(cpuMs / 1_000).toFixed(1)} s of CPU, ${((performance.now() - began) / 1_000).toFixed(1)} s by the clock`,
      `events a second                 ${(events / cpuMs / 1_000).toFixed(2)} million (goal: 2)`,
      `memory at most                  ${(maxRSS / 1_000).toFixed(0)} MB`,
    ].join('\n'),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// Kills the built daemon (`kill -9`) hundreds of times, mostly in the midst of a buy, while the exchange runs in another process with its
// faults on; starts it again each time, and holds the exchange's own books against ours. Exit code 1 when anything differs.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatDollars } from '../src/domain/money.ts';
import { type Killed, killing } from './proof/killing.ts';
import type { Setup } from './proof/setup.ts';

const usage = 'npm run kill-loop -- [--rounds 300] [--seed 1] [--folder DIR]';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** Caps of an item and a strategy bind all the time; those that would stop all buying do not. */
const setup: Setup = {
  config: {
    feed: { interval: '200ms', health: { interval: '500ms' } },
    rate: { reads: { perSecond: 30, concurrent: 4 }, buys: { perSecond: 12, concurrent: 2 }, timeout: '1s' },
    reconcile: { interval: '1s' },
  },
  limits: {
    maxPrice: 30,
    spend: { hour: 20_000, day: 20_000 },
    perItem: { hour: 6 },
    reserve: 40,
    openPurchases: 5_000,
    unknown: 1_000,
    breaker: { refusalsInRow: 500, perHour: 9_000 },
  },
  strategies: {
    cheap: { when: { name: '*' }, price: { max: 3 } },
    better: { priority: 5, when: { steamPrice: { min: 1 } }, price: { max: 30, maxOfSteam: 0.9 }, spend: { day: 1_500 } },
    few: { priority: 9, when: { type: ['knife', 'glove', 'rifle'] }, price: { maxOfSteam: 0.95 }, count: { hour: 40 } },
  },
};

if (values.help) console.log(usage);
else await run(Number(values.rounds), Number(values.seed));

async function run(rounds: number, seed: number): Promise<void> {
  if (!(rounds >= 1 && Number.isInteger(rounds)) || !Number.isInteger(seed)) throw new Error(usage);
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'magpie-kill-loop-'));
  mkdirSync(folder, { recursive: true });
  const beganAt = performance.now();
  const seconds = (): number => (performance.now() - beganAt) / 1_000;
  const say = (words: string): void => console.log(`${seconds().toFixed(0).padStart(5)} s  ${words}`);
  say(`${rounds} rounds, seed ${seed}; what is said is kept in ${folder}`);
  const killed = await killing({
    rounds,
    seed,
    folder,
    setup,
    balance: 20_000,
    lookEvery: 25,
    settleEvery: 4,
    doubtMs: 120_000,
    say,
  });
  console.log(report(killed, seed, seconds()));
  const isGood = killed.wrong.length === 0;
  process.exitCode = isGood ? 0 : 1;
  if (isGood && values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  else console.log(`Everything that was said and kept: ${folder}`);
}

function report(killed: Killed, seed: number, seconds: number): string {
  const { kills, posts, orders, caught, at, settled, states, wrong, comparison } = killed;
  const { agreed, debited, returned } = comparison;
  const counted = Object.entries(states).filter(([, count]) => count > 0);
  const lines = [
    `kill -9      ${kills} times in ${(seconds / 60).toFixed(1)} minutes, seed ${seed}; ${caught} times a purchase had no outcome yet`,
    `when         ${[...at].map(([moment, count]) => `${count} ${moment}`).join(', ')}`,
    `buys         ${posts} arrived, ${orders} orders came of them`,
    `purchases    ${counted.map(([state, count]) => `${count} ${state}`).join(', ')}`,
    `orders       ${agreed.orders} are one purchase each, ${agreed.adopted} adopted, ${agreed.unknown} unknown purchases still held`,
    `money        ${formatDollars(debited)} debited, ${formatDollars(returned)} came back`,
    `audit        ${settled} times all was let settle, compared row by row, and \`magpie audit\` run`,
  ];
  const good = 'No listing bought twice, none lost, no cap exceeded, no end but by a kill; in full agreement.';
  if (wrong.length === 0) return [...lines, good].join('\n');
  return [...lines, `Wrong (${wrong.length}):`, ...wrong.map((words) => `  - ${words}`)].join('\n');
}

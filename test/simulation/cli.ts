/* oxlint-disable no-console -- a command prints */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TreasuryFigures, liveTreasury } from '../treasury/figures.ts';
import { liveBoth } from './accounts/accounts-life.ts';
import { AccountsFigures, summaryOfAccounts } from './accounts/figures.ts';
import { accountsPlanOf } from './accounts/plan.ts';
import { togetherPlanOf } from './accounts/together.ts';
import { live } from './life.ts';
import { type Plan, planOf } from './plan.ts';
import { Figures, type LifeSummary, summaryOf } from './report.ts';
import { kindOf } from './seeds.ts';
import { shrink } from './shrink.ts';
import type { SeedSummary, Tally } from './tally.ts';

const usage = `npm run simulate -- [--seeds 100] [--from 1] [--workers 2] [--short] [--json] [--parse stream|slices|whole]   lives of seeds, audited
npm run simulate -- --seed 7 [--short] [--shrink]                               one life, with the timeline of what went wrong
npm run simulate -- --accounts 20 [--seeds 12] [--from 1] [--short]             lives of so many accounts in one process, faults aimed at one
npm run simulate -- --accounts 20 --together [--seeds 12] [--short]             … with faults of the reader that all share, and ends of the process
npm run simulate -- --treasury [--seeds 200] [--from 1] [--short]               lives of a treasury`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string' },
    accounts: { type: 'string' },
    together: { type: 'boolean', default: false },
    treasury: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    parse: { type: 'string' },
    worker: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Lives that shrinking one failure may take. */
const SHRINK_LIVES = 60;

/** A kind of lives that this command knows. */
interface Kind<S extends SeedSummary> {
  live(seed: number): Promise<S>;
  tally(): Tally<S>;
}

const length = values.short ? 'short' : 'long';

const single: Kind<LifeSummary> = {
  live: async (seed) => summaryOf(await live(planFor(seed))),
  tally: () => new Figures(),
};

if (values.help) console.log(usage);
else if (values.treasury) await run({ live: (seed) => liveTreasury(seed, length), tally: () => new TreasuryFigures() });
else if (values.accounts !== undefined) {
  const count = countOf(values.accounts);
  const planned = values.together ? togetherPlanOf : accountsPlanOf;
  const lived = async (seed: number): Promise<ReturnType<typeof summaryOfAccounts>> =>
    summaryOfAccounts(await liveBoth(planned(seed, count, length)));
  await run({ live: lived, tally: () => new AccountsFigures() });
} else await run(single, showOne);

/** `show` tells more of a seed that failed than its violations. */
async function run<S extends SeedSummary>(
  kind: Kind<S>,
  show?: (seed: number, shrinking?: boolean) => Promise<void>,
): Promise<void> {
  if (values.worker) return workOnDemand(kind);
  const seeds = values.seed === undefined ? Number(values.seeds) : 1;
  if (values.seed !== undefined && show !== undefined) return show(Number(values.seed));
  const tally = await runMany(kind, Number(values.seed ?? values.from), seeds, Number(values.workers));
  const [first] = tally.failed;
  if (first !== undefined && !values.json) await show?.(first.seed, true);
}

/** What the exchange makes room for, one of them left to nobody. */
function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 2 || count > 99) throw new Error('--accounts: a whole number from 2 to 99 is needed');
  return count;
}

/** Short lives are those of the tests; long ones meet more in each. */
function planFor(seed: number): Plan {
  const plan = planOf(seed, kindOf(seed), length);
  const { parse } = values;
  return parse === 'stream' || parse === 'slices' || parse === 'whole' ? { ...plan, bot: { ...plan.bot, parse } } : plan;
}

/** In a worker: lives one seed after another as they are asked for. */
function workOnDemand<S extends SeedSummary>(kind: Kind<S>): void {
  process.on('message', (seed: number) => {
    void kind.live(seed).then((summary) => process.send?.(summary));
  });
}

async function runMany<S extends SeedSummary>(kind: Kind<S>, from: number, seeds: number, workers: number): Promise<Tally<S>> {
  const tally = kind.tally();
  let [next, done] = [from, 0];
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      // In a group of their own: an interrupt at the terminal is for the one who counts.
      const worker = fork(fileURLToPath(import.meta.url), ['--worker', ...process.argv.slice(2)], { detached: true });
      const give = (): void => {
        if (next >= from + seeds) {
          worker.disconnect();
          return resolve();
        }
        worker.send(next++);
      };
      worker.on('error', reject);
      worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      worker.on('message', (summary: S) => {
        tally.add(summary);
        done += 1;
        if (!values.json) tell(summary, done, tally.violations);
        give();
      });
      give();
    });
  let interrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // What is under way is lived to its end, so that the figures are those of whole lives.
      interrupted = true;
      next = from + seeds;
    });
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(workers, seeds)) }, work));
  if (interrupted) console.error(`Interrupted: ${done} of ${seeds} seeds were lived.`);
  console.log(values.json ? JSON.stringify(tally.json(), null, 2) : tally.text());
  process.exitCode = tally.ok && !interrupted ? 0 : 1;
  return tally;
}

function tell({ seed, violations }: SeedSummary, done: number, all: number): void {
  for (const { check, detail, listing } of violations) {
    console.log(`seed ${seed}: ${check}: ${detail}${listing === undefined ? '' : ` (${listing})`}`);
  }
  if (done % 100 === 0) console.error(`… ${done} seeds, ${all} violations`);
}

/** One life, and what went wrong in it line by line; shrunk first where that is asked for. */
async function showOne(seed: number, shrinking = values.shrink): Promise<void> {
  let result = await live(planFor(seed));
  const [first] = result.violations;
  if (first === undefined) {
    const figures = new Figures();
    figures.add(summaryOf(result));
    return console.log(figures.text());
  }
  if (shrinking) {
    const shrunk = await shrink(result, first.check, live, SHRINK_LIVES);
    result = shrunk.result;
    console.log(`seed ${seed}, shrunk in ${shrunk.lives} lives to:\n${JSON.stringify(shrunk.plan, null, 1)}`);
  }
  for (const one of result.violations) {
    console.log(`${one.check}: ${one.detail}`);
    for (const line of result.timeline(one)) console.log(`  ${line.slice(0, 240)}`);
  }
  process.exitCode = 1;
}

/* oxlint-disable no-console -- a command prints */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { live } from './life.ts';
import { type Plan, planOf } from './plan.ts';
import { Figures, type LifeSummary, summaryOf } from './report.ts';
import { kindOf } from './seeds.ts';
import { shrink } from './shrink.ts';

const usage = `npm run simulate -- [--seeds 100] [--from 1] [--workers 2] [--short] [--json] [--parse stream|slices|whole]   lives of seeds, audited
npm run simulate -- --seed 7 [--short] [--shrink]                               one life, with the timeline of what went wrong`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string' },
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

if (values.help) console.log(usage);
else if (values.worker) workOnDemand();
else if (values.seed !== undefined) await showOne(Number(values.seed));
else await runMany(Number(values.from), Number(values.seeds), Number(values.workers));

/** Short lives are those of the tests; long ones meet more in each. */
function planFor(seed: number): Plan {
  const plan = planOf(seed, kindOf(seed), values.short ? 'short' : 'long');
  const { parse } = values;
  return parse === 'stream' || parse === 'slices' || parse === 'whole' ? { ...plan, bot: { ...plan.bot, parse } } : plan;
}

/** In a worker: lives one seed after another as they are asked for. */
function workOnDemand(): void {
  process.on('message', (seed: number) => {
    void live(planFor(seed)).then((result) => process.send?.(summaryOf(result)));
  });
}

async function runMany(from: number, seeds: number, workers: number): Promise<void> {
  const figures = new Figures();
  let next = from;
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const parse = values.parse === undefined ? [] : ['--parse', values.parse];
      const args = ['--worker', ...(values.short ? ['--short'] : []), ...parse];
      // In a group of their own: an interrupt at the terminal is for the one who counts.
      const worker = fork(fileURLToPath(import.meta.url), args, { detached: true });
      const give = (): void => {
        if (next >= from + seeds) {
          worker.disconnect();
          return resolve();
        }
        worker.send(next++);
      };
      worker.on('error', reject);
      worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      worker.on('message', (life: LifeSummary) => {
        figures.add(life);
        if (!values.json) tell(life, figures);
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
  if (interrupted) console.error(`Interrupted: ${figures.lives} of ${seeds} lives were lived.`);
  console.log(values.json ? JSON.stringify(figures.json(), null, 2) : figures.text());
  const [first] = figures.failed;
  if (first !== undefined && !values.json) await showOne(first.seed, true);
  process.exitCode = figures.ok && !interrupted ? 0 : 1;
}

function tell(life: LifeSummary, figures: Figures): void {
  for (const { check, detail, listing } of life.violations) {
    console.log(`seed ${life.seed}: ${check}: ${detail}${listing === undefined ? '' : ` (${listing})`}`);
  }
  if (figures.lives % 100 === 0) console.error(`… ${figures.lives} lives, ${figures.violations} violations`);
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

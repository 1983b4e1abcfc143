// Plants faults in a copy of the program, one at a time, and lives simulated lives until one shows a violation: whether the
// simulation bites. Exit code 1 when a fault survives that should not, and when one no longer fits the program.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mutants } from './mutants/all.ts';
import { livesOf } from './mutants/lives.ts';
import type { Mutant } from './mutants/mutant.ts';
import { Tree, misfit } from './mutants/tree.ts';
import { type Verdict, isBad, jsonOf, lineOf, planted, summaryOf } from './mutants/verdict.ts';

const usage = `npm run mutants -- [--seeds 1000] [--workers 2] [--only a,b] [--list] [--json FILE]
  --seeds    lives at most for a fault that must be caught; --survivor-seeds (30) for one that is expected to survive
  --list     each fault; for one that is expected to survive, why that is no hole, and the test that fails with it`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    'survivor-seeds': { type: 'string', default: '30' },
    workers: { type: 'string', default: '2' },
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else if (values.list) console.log(mutants.map(planted).join('\n'));
else await run(chosen());

function chosen(): readonly Mutant[] {
  const misfits = mutants.map(misfit).filter((words) => words !== undefined);
  if (misfits.length > 0) throw new Error(misfits.join('\n'));
  if (values.only === undefined) return mutants;
  const names = values.only.split(',');
  const unheardOf = names.filter((name) => !mutants.some((mutant) => mutant.name === name));
  if (unheardOf.length > 0) throw new Error(`no such planted fault: ${unheardOf.join(', ')}`);
  return mutants.filter(({ name }) => names.includes(name));
}

async function run(all: readonly Mutant[]): Promise<void> {
  const tree = new Tree();
  process.on('exit', () => tree.remove());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  const verdicts: Verdict[] = [];
  const sound = new Map<number, boolean>();
  const passing = new Set<string>();
  for (const mutant of all) {
    const verdict = await tried(tree, mutant);
    verdicts.push(verdict);
    console.log(lineOf(verdict));
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(jsonOf(verdicts), null, 2)}\n`);
    if (verdict.caught !== undefined) await mustBeSound(tree, verdict.caught.seed, sound);
    if (verdict.testBites === true) await mustPass(tree, mutant.survives?.caughtBy, passing);
  }
  console.log(`\n${summaryOf(verdicts)}`);
  process.exitCode = verdicts.some(isBad) ? 1 : 0;
}

async function tried(tree: Tree, mutant: Mutant): Promise<Verdict> {
  const takeOut = tree.plant(mutant);
  try {
    const words = tree.compilerSays();
    if (words !== undefined) return { mutant, caught: undefined, lives: 0, seconds: 0, testBites: undefined, broken: words };
    const seeds = Number(mutant.survives === undefined ? values.seeds : values['survivor-seeds']);
    const { caught, seconds } = await livesOf(tree.folder, 1, seeds, Number(values.workers));
    const test = mutant.survives?.caughtBy;
    const testBites = caught !== undefined || test === undefined ? undefined : await tree.testFails(test);
    return { mutant, caught, lives: caught?.seed ?? seeds, seconds, testBites, broken: undefined };
  } finally {
    takeOut();
  }
}

/** Nor is a test that fails without the fault any proof. */
async function mustPass(tree: Tree, test: string | undefined, passing: Set<string>): Promise<void> {
  if (test === undefined || passing.has(test)) return;
  if (await tree.testFails(test)) throw new Error(`${test} fails without any fault planted`);
  passing.add(test);
}

/** What catches a fault must be the fault: the same life without it shows nothing. */
async function mustBeSound(tree: Tree, seed: number, sound: Map<number, boolean>): Promise<void> {
  if (sound.has(seed)) return;
  const { caught } = await livesOf(tree.folder, seed, 1, 1);
  if (caught !== undefined)
    throw new Error(`seed ${seed} shows a violation without any fault planted: ${caught.check}: ${caught.detail}`);
  sound.set(seed, true);
}

import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { nothingTried, readsAsWhole } from '../test/feed/slices/law.ts';

const usage = `npm run fuzz:slices -- [--minutes 60] [--seed N]
Tries for that long that answers read by what is new in them equal what JSON.parse makes of them, whole and while they arrive. The same seed tries the same.`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

/** Series of answers between two lines of progress. */
const RUNS = 1_000;

if (values.help) console.log(usage);
else fuzz(Number(values.minutes), Number(values.seed));

function fuzz(minutes: number, firstSeed: number): void {
  const tried = nothingTried();
  const began = performance.now();
  const leftMs = (): number => began + minutes * 60_000 - performance.now();
  let seed = firstSeed;
  let series = 0;
  let told = began;
  for (; leftMs() > 0; seed++) {
    const found = fc.check(readsAsWhole(tried), { seed, numRuns: RUNS, interruptAfterTimeLimit: leftMs() });
    series += found.numRuns;
    if (found.failed && found.counterexample !== null) {
      console.log(`seed ${seed}, path ${found.counterexamplePath}: ${String(found.errorInstance)}`);
      console.log(JSON.stringify(found.counterexample, null, 1));
      process.exitCode = 1;
      break;
    }
    if (performance.now() - told < 60_000) continue;
    told = performance.now();
    console.error(`… seed ${seed}: ${tried.answers} answers`);
  }
  const spent = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(
    `${process.exitCode === 1 ? 'FAILED' : 'no difference found'} in ${spent} minutes, seeds ${firstSeed} to ${seed}\n` +
      `series ${series}, answers ${tried.answers}: read by what was new ${tried.cut}, left to JSON.parse ${tried.whole}, ` +
      `unreadable either way ${tried.unreadable}\n` +
      `entries ${tried.entries}, of which the same object as before ${tried.again}\n` +
      `looked at while they arrived ${tried.parts} times, entries shown by then ${tried.early}`,
  );
}

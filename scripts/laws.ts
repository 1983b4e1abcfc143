import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `npm run laws -- [--rounds 10] [--from SEED]
Tries every quick test that draws its cases, each round with cases of its own; npm test always draws what the change chooses.
The seed of a round that failed repeats it: LAWS_SEED=… npx vitest run FILE`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    from: { type: 'string', default: String(Date.now() % 2 ** 31) },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(usage);
else rounds(Number(values.rounds), Number(values.from));

function rounds(count: number, from: number): void {
  const files = lawFiles();
  const failed: number[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const env = { ...process.env, LAWS_SEED: String(seed), NO_COLOR: '1' };
    const run = spawnSync('npx', ['vitest', 'run', '--reporter=dot', ...files], { env, encoding: 'utf8' });
    if (run.status === 0) console.error(`… seed ${seed}: all hold`);
    else {
      failed.push(seed);
      console.log(`seed ${seed} FAILED\n${run.stderr.slice(0, 8_000)}`);
    }
  }
  console.log(
    `${count} rounds of ${files.length} files, seeds ${from} to ${from + count - 1}: ${failed.length} failed ${failed.join(' ')}`,
  );
  if (failed.length > 0) process.exitCode = 1;
}

/** The quick tests whose cases fast-check draws, by themselves or by what they import. */
function lawFiles(): readonly string[] {
  const texts = new Map(
    readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => [resolve('test', path), readFileSync(join('test', path), 'utf8')]),
  );
  const drawn = new Set([...texts].filter(([, text]) => /from 'fast-check'/.test(text)).map(([path]) => path));
  for (let before = 0; before !== drawn.size;) {
    before = drawn.size;
    for (const [path, text] of texts) if (importsOf(path, text).some((each) => drawn.has(each))) drawn.add(path);
  }
  return [...drawn].filter((path) => path.endsWith('.test.ts') && !path.endsWith('.full.test.ts'));
}

function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target]) => resolve(path, '..', target ?? ''));
}

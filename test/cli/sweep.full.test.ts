import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { threadPool } from '../../src/app/sweep/pool.ts';
import { type SweepWork, VariantStudies } from '../../src/app/sweep/variant-study.ts';
import { modelsOf } from '../../src/replay/backtest/models.ts';
import { shareHistory } from '../../src/replay/sweep/shared-history.ts';
import { shareFromNumber } from '../../src/domain/money.ts';
import { localSettingsFor } from '../../src/cli/settings.ts';
import { createIo } from '../../src/cli/io.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { historyOf } from '../replay/backtest/stage.ts';
import { changingMarket } from '../replay/sweep/market.ts';
import { Signals, magpie } from './harness.ts';
import { type Document, document, over, sweep, sweepFolder } from './sweep-stage.ts';

const built = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const worker = new URL('../../dist/app/sweep/worker.js', import.meta.url);

const args = [
  ...['sweep', '--config', 'magpie.yaml', '--recording', 'data/recording.db', '--strategy', 'strategies/half.yaml'],
  ...['--vary', 'price.maxOfSteam={ from: 0.4, to: 0.62, step: 0.02 }', '--json'],
];

/** The built program, with threads. */
function run(
  cwd: string,
  ...more: readonly string[]
): { child: ChildProcess; ended: Promise<{ code: number | null; out: string }> } {
  const child = spawn(process.execPath, [built, ...args, ...more], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  return { child, ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, out }))) };
}

/** What does not depend on where it ran and what was kept. */
function table(out: string): unknown {
  const { recording: _, computed: __, kept: ___, ...rest } = JSON.parse(out) as Document & { readonly recording: string };
  return rest;
}

function linesKept(cwd: string): number {
  const sweeps = join(cwd, 'data', 'sweeps');
  const [file] = existsSync(sweeps) ? readdirSync(sweeps) : [];
  return file === undefined ? 0 : readFileSync(join(sweeps, file), 'utf8').split('\n').length - 1;
}

describe('a sweep over threads', () => {
  it('says the same whatever number of them works on it, and without any', async () => {
    const recording = changingMarket(30);
    const alone = await magpie(args, { cwd: sweepFolder({}, recording) });
    for (const workers of [1, 3]) {
      const { code, out } = await run(sweepFolder({}, recording), '--workers', String(workers)).ended;
      expect(code).toBe(0);
      expect(table(out)).toEqual(table(alone.out));
    }
  }, 900_000);

  it('killed half-way, goes on where it was: only the rest is computed, and the table is the same', async () => {
    const recording = changingMarket(30);
    const cwd = sweepFolder({}, recording);
    const { child, ended } = run(cwd, '--workers', '2');
    while (linesKept(cwd) < 5 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGKILL');
    await ended;
    const kept = linesKept(cwd);
    expect(kept).toBeGreaterThanOrEqual(5);
    expect(kept).toBeLessThan(12);
    const rest = await run(cwd, '--workers', '2').ended;
    expect(JSON.parse(rest.out)).toMatchObject({ kept, computed: 12 - kept });
    expect(table(rest.out)).toEqual(table((await run(sweepFolder({}, recording), '--workers', '2').ended).out));
  }, 900_000);
});

/** What threads are handed, on a recording of `looks`. */
function work(looks: number): SweepWork {
  const path = changingMarket(looks);
  const history = historyOf(path);
  const { fates: _, ...models } = modelsOf(history, { latencyMs: 200, seed: 1 });
  const cwd = sweepFolder({}, path);
  const silent = { write: () => {}, isTerminal: false, columns: undefined };
  const io = createIo({ stdout: silent, stderr: silent, env: {}, cwd, clock: new VirtualClock(), onSignal: () => () => {} });
  const { limits, feed, reference, rate } = localSettingsFor(io, { config: 'magpie.yaml' });
  const part = { history: shareHistory(history), models, healthHeard: true, balance: undefined };
  const [resale, fee] = [shareFromNumber(0.7), shareFromNumber(0.1)];
  if (resale === undefined || fee === undefined) throw new Error('no shares');
  return {
    parts: { train: part, test: part },
    settings: { limits, feed, reference, rate },
    terms: { resale, fee, holdMs: 1_000 },
    model: 'steam',
    seed: 1,
  };
}

describe('the columns of a sweep', () => {
  it('are the same memory in every thread: what is changed there after they began, all see', async () => {
    const own = work(30);
    const document = { name: 'half', price: { maxOfSteam: 0.6 } };
    const task = { document, text: JSON.stringify(document), hash: 'x' };
    const pool = threadPool(own, 2, worker);
    onTestFinished(() => pool.close());
    const { signal } = new AbortController();
    const both = async (): Promise<number[]> => {
      const results = await Promise.all([pool.run(task, signal), pool.run(task, signal)]);
      return results.map(({ train }) => train.figures.bought.pessimistic);
    };
    const before = new VariantStudies(own).of(task).train.figures.bought.pessimistic;
    expect(await both()).toEqual([before, before]);
    expect(before).toBeGreaterThan(0);
    // As if every offer had gone the moment it was shown.
    const { lastSeenAt, shownAt } = own.parts.train.history.offers.columns;
    lastSeenAt.set(shownAt);
    expect(await both()).toEqual([0, 0]);
  }, 900_000);
});

describe('sweep', () => {
  it('chooses on the first part of the time the one that earned most there, and shows both parts of each', async () => {
    const { variants, best, base, luck, train, test } = await document(
      sweepFolder(),
      ...over('price.maxOfSteam=0.4,0.5,0.6,0.7'),
    );
    expect(train.to).toBe(test.from);
    expect(variants.map(({ values }) => values)).toEqual([0.4, 0.5, 0.6, 0.7].map((share) => ({ 'price.maxOfSteam': share })));
    expect(variants.map(({ isBase }) => isBase)).toEqual([false, true, false, false]);
    expect(base).toEqual(variants[1]);
    expect(best.train.profit).toBe(Math.max(...variants.map((each) => each.train.profit)));
    expect(luck['tried']).toBe(4);
    expect(luck['lead']).toBeCloseTo(best.train.profit - base.train.profit, 6);
    expect(luck['byLuck']).toBeGreaterThan(0);
  });

  it('draws the same variants by chance whenever the seed is the same', async () => {
    const cwd = sweepFolder({
      'sweep.yaml':
        'strategy: strategies/half.yaml\nvary: { price.maxOfSteam: { random: { from: 0.4, to: 0.7 } } }\nsamples: 6\nseed: 3\n',
    });
    const values = ({ variants }: Document): unknown => variants.map((each) => each.values);
    const first = await document(cwd, 'sweep.yaml');
    const again = await document(cwd, 'sweep.yaml', '--sample-seed', '3');
    expect([first.variants.length, first.computed, again.computed, again.kept]).toEqual([6, 7, 0, 7]);
    expect(again.variants).toEqual(first.variants);
    expect(values(await document(cwd, 'sweep.yaml', '--sample-seed', '4'))).not.toEqual(values(first));
  });

  it('goes on where it was stopped, and computes only what is missing', async () => {
    const cwd = sweepFolder();
    const args = over('price.maxOfSteam={from: 0.4, to: 0.7, step: 0.05}');
    const signals = new Signals();
    const running = magpie([...sweep, ...args], { cwd, signals });
    setImmediate(() => setImmediate(() => signals.send('SIGINT')));
    const stopped = await running;
    expect(stopped.code).toBe(1);
    expect(stopped.err).toMatch(/^Stopped: \d of 7 variants are done and kept\.\n→ the same command goes on from there\n$/);
    const done = Number(/\d/.exec(stopped.err)?.[0]);
    const rest = await document(cwd, ...args);
    expect([rest.kept, rest.computed]).toEqual([done, 7 - done]);
    rmSync(join(cwd, 'data', 'sweeps'), { recursive: true });
    const { out, err } = await magpie([...sweep, '--json', ...args], { cwd, columns: 100 });
    expect(JSON.parse(out)).toEqual({ ...rest, kept: 0, computed: 7 });
    expect(err).toMatch(/trying \[#+\] 100 %/);
  });

  it('takes nothing that is kept for another time, another model or another account for its own', async () => {
    const cwd = sweepFolder();
    const args = over('price.maxOfSteam=0.6');
    await document(cwd, ...args);
    for (const other of [
      ['--latency', '1s'],
      ['--train', '0.5'],
      ['--seed', '2'],
      ['--value', 'resale'],
      ['--balance', '50'],
    ])
      expect((await document(cwd, ...args, ...other)).kept).toBe(0);
    const settings = readFileSync(join(cwd, 'magpie.yaml'), 'utf8');
    writeFileSync(join(cwd, 'magpie.yaml'), settings.replace('maxPrice: 150', 'maxPrice: 100'));
    expect((await document(cwd, ...args)).kept).toBe(0);
    expect(readdirSync(join(cwd, 'data', 'sweeps'))).toHaveLength(7);
    // More values of the same strategy find what is there.
    expect(await document(cwd, ...over('price.maxOfSteam=0.6,0.7'))).toMatchObject({ kept: 2, computed: 1 });
  });
});

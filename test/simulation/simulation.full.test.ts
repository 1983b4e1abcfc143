import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { live } from './life.ts';
import { planOf } from './plan.ts';
import { Figures, type LifeSummary, summaryOf } from './report.ts';
import { kindOf, seedsOfCommit } from './seeds.ts';

const minute = 60_000;

/** The commit that is tried; a checkout without history gets the same lives each time. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

async function lived(seeds: readonly number[]): Promise<Figures> {
  const figures = new Figures();
  for (const seed of seeds) figures.add(summaryOf(await live(planOf(seed, kindOf(seed)))));
  return figures;
}

function broken({ failed }: Figures): Pick<LifeSummary, 'seed' | 'violations'>[] {
  return failed.map(({ seed, violations }) => ({ seed, violations }));
}

describe('long simulated lives', () => {
  it(
    'of a fixed set break no promise, and every fault that was on struck',
    async () => {
      const figures = await lived(Array.from({ length: 100 }, (_, index) => index + 1));
      process.stdout.write(`${figures.text()}\n`);
      expect(broken(figures)).toEqual([]);
      expect(figures.neverStruck).toEqual([]);
      expect(figures.accepted).toBeGreaterThan(2_000);
    },
    20 * minute,
  );

  it(
    'that this commit chose break no promise',
    async () => {
      const figures = await lived(seedsOfCommit(commit(), 30));
      process.stdout.write(`${figures.text()}\n`);
      expect(broken(figures)).toEqual([]);
    },
    10 * minute,
  );
});

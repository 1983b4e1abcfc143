import type { Caught } from './lives.ts';
import type { Mutant } from './mutant.ts';

/** What became of one planted fault. */
export interface Verdict {
  readonly mutant: Mutant;
  readonly caught: Caught | undefined;
  /** The lives that it took, or all that were lived without a violation. */
  readonly lives: number;
  readonly seconds: number;
  /** A survivor's own test fails with it; undefined where it is none or was caught. */
  readonly testBites: boolean | undefined;
  /** Why it could not be planted: it does not compile. */
  readonly broken: string | undefined;
}

export type Outcome =
  | 'caught'
  | 'survived'
  | 'caught against expectation'
  | 'SURVIVED'
  | 'SURVIVED ITS TEST'
  | 'DOES NOT COMPILE';

/** In capitals what must not be. */
export function outcomeOf({ mutant, caught, testBites, broken }: Verdict): Outcome {
  if (broken !== undefined) return 'DOES NOT COMPILE';
  if (mutant.survives === undefined) return caught === undefined ? 'SURVIVED' : 'caught';
  if (caught !== undefined) return 'caught against expectation';
  return testBites === false ? 'SURVIVED ITS TEST' : 'survived';
}

export function isBad(verdict: Verdict): boolean {
  const outcome = outcomeOf(verdict);
  return outcome === outcome.toUpperCase();
}

/** One fault that is planted, and for one that no life must show why, and what shows it. */
export function planted({ name, breaks, survives }: Mutant): string {
  const head = `${name.padEnd(32)} ${breaks}`;
  return survives === undefined ? head : `${head}\n    survives: ${survives.because}\n    shown by: ${survives.caughtBy}`;
}

/** One fault, in a line or two. */
export function lineOf(verdict: Verdict): string {
  const { mutant, caught, lives, seconds } = verdict;
  const outcome = outcomeOf(verdict);
  const head = `${mutant.name.padEnd(32)} ${outcome.padEnd(10)}`;
  const by = caught ? `seed ${caught.seed}, ${caught.check}: ${caught.detail.slice(0, 100)}` : whyNot(verdict);
  return `${head} ${by} (${lives} lives, ${seconds.toFixed(0)} s)\n    ${mutant.breaks}`;
}

function whyNot({ mutant, testBites, broken }: Verdict): string {
  if (broken !== undefined) return broken;
  const { survives } = mutant;
  if (survives === undefined) return 'no life showed it';
  const test = testBites === undefined ? '' : `; ${survives.caughtBy} ${testBites ? 'fails' : 'does NOT fail'} with it`;
  return `${survives.because}${test}`;
}

export function summaryOf(verdicts: readonly Verdict[]): string {
  const count = (outcome: Outcome): number => verdicts.filter((verdict) => outcomeOf(verdict) === outcome).length;
  const caught = count('caught') + count('caught against expectation');
  const seeds = verdicts.flatMap(({ caught }) => caught?.seed ?? []).sort((a, b) => a - b);
  const median = seeds[Math.floor(seeds.length / 2)];
  const words = [`${verdicts.length} planted faults`, `${caught} caught by simulated lives`];
  if (median !== undefined) words.push(`the median one by seed ${median}`, `the last by seed ${seeds.at(-1)}`);
  words.push(`${count('survived')} survived as expected`, `${verdicts.filter(isBad).length} survived that should not`);
  return words.join(', ');
}

export function jsonOf(verdicts: readonly Verdict[]): unknown {
  return verdicts.map((verdict) => {
    const { mutant, caught, lives, seconds, testBites } = verdict;
    return {
      name: mutant.name,
      breaks: mutant.breaks,
      outcome: outcomeOf(verdict),
      seed: caught?.seed ?? null,
      check: caught?.check ?? null,
      detail: caught?.detail ?? null,
      because: mutant.survives?.because ?? null,
      test: mutant.survives?.caughtBy ?? null,
      testFails: testBites ?? null,
      lives,
      seconds: Math.round(seconds),
    };
  });
}

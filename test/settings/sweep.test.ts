import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatFault } from '../../src/settings/file-fault.ts';
import { type SweepPlan, readSweepFile, readSweepWords } from '../../src/settings/sweep.ts';
import { folderWith } from './written.ts';

const strategy =
  'name: reds\nwhen:\n  wear: { min: 0.1, below: 0.2 }\n  any:\n    - name: "AK-47*"\nprice: { maxOfSteam: 0.6 }\n';

function read(sweep: string, max = 100): ReturnType<typeof readSweepFile> {
  const cwd = folderWith({ 'sweep.yaml': sweep, 'strategies/reds.yaml': strategy });
  return readSweepFile(join(cwd, 'sweep.yaml'), {}, { cwd, max });
}

function planOf(sweep: string): SweepPlan {
  const result = read(sweep);
  if (!result.ok) throw new Error(result.faults.map(formatFault).join('\n'));
  return result.plan;
}

function faults(vary: string, more = '', max = 100): string {
  const result = read(`strategy: strategies/reds.yaml\nvary:\n${vary}\n${more}`, max);
  return result.ok ? '' : result.faults.map(formatFault).join('\n');
}

describe('a sweep file', () => {
  it('makes a strategy of every value with every other, each checked by the language', () => {
    const plan = planOf(
      'strategy: strategies/reds.yaml\nvary:\n  price.maxOfSteam: [0.5, 0.6]\n  price.max: { from: 10, to: 30, step: 10 }\ntrain: 0.5\n',
    );
    expect(plan).toMatchObject({ file: join('strategies', 'reds.yaml'), train: 0.5, drawn: undefined });
    expect(plan.variants.map(({ setting }) => setting)).toEqual([
      [0.5, 10],
      [0.5, 20],
      [0.5, 30],
      [0.6, 10],
      [0.6, 20],
      [0.6, 30],
    ]);
    expect(plan.base.setting).toEqual([0.6, undefined]);
    expect(plan.variants[3]?.strategy.foresight.bounds).toEqual([
      { measure: 'cost', limit: 10_000_000 },
      expect.objectContaining({ measure: 'share' }),
    ]);
  });

  it('knows the strategy as it is among its variants again', () => {
    const { base, variants } = planOf('strategy: strategies/reds.yaml\nvary: { price.maxOfSteam: [0.5, 0.6] }\n');
    expect(variants.map(({ strategy: { hash } }) => hash === base.strategy.hash)).toEqual([false, true]);
  });

  it('draws by chance what it is told to, the same with the same seed', () => {
    const text =
      'strategy: strategies/reds.yaml\nvary: { price.maxOfSteam: { random: { from: 0.4, to: 0.8 } } }\nsamples: 20\nseed: 5\n';
    const [one, other] = [planOf(text), planOf(text)];
    expect(one.drawn).toEqual({ samples: 20, seed: 5 });
    expect(one.variants).toHaveLength(20);
    expect(one.variants.map(({ setting }) => setting)).toEqual(other.variants.map(({ setting }) => setting));
    expect(planOf(text.replace('seed: 5', 'seed: 6')).variants.map(({ setting }) => setting)).not.toEqual(
      one.variants.map(({ setting }) => setting),
    );
  });

  it('tells what is wrong where it stands, with what is allowed', () => {
    expect(faults('  price.maxOfSteam: [0.6, 12]')).toBe(
      'sweep.yaml:3:27: vary["price.maxOfSteam"][1]: with price.maxOfSteam 12, price.maxOfSteam must be a share of at most 10, such as 0.7 for 70 %; found the number 12 → write 0.12 for 12 %',
    );
    expect(faults('  price.maxOfStem: [0.6]')).toBe(
      'sweep.yaml:3:3: vary["price.maxOfStem"]: there is no maxOfStem in price of a strategy; allowed: max, maxOfSteam, minProfit, steamFee, maxOfMedian, belowFloor → write price.maxOfSteam',
    );
    expect(faults('  price.max: 5')).toContain('must be a list of values, such as [0.6, 0.65, 0.7], or { from, to, step }');
    expect(faults('  price.max: { from: 5, to: 10, stp: 1 }')).toContain('no such key; allowed: from, to, step → write step');
    expect(faults('  price.max: { from: 5, to: 1, step: 1 }')).toContain('goes from 5 to 1 → let `to` be more than `from`');
    expect(faults('  price.max: [5, 5]')).toContain('names one value twice');
    expect(faults('  name: [a, b]')).toContain('a strategy keeps its name');
    expect(faults('  when.any[1].name: [a, b]')).toContain('the strategy has 1 entries there');
    expect(faults('  "when..wear": [a, b]')).toContain('is no place in a strategy');
    expect(faults('  price: [{ max: 1 }]\n  price.max: [1]')).toContain('stands inside price');
    expect(faults('  price.max: [1, 2]', 'smaples: 3\n')).toContain('sweep.yaml:4:1: smaples: no such key');
    expect(faults('  price.max: { random: { from: 1, to: 2 } }')).toContain('add `samples: 100`');
    expect(faults('  price.max: { from: 1, to: 200, step: 1 }')).toContain('makes 200 variants, more than 100');
  });

  it('names the values that do not go together', () => {
    expect(faults('  when.wear.min: [0.1, 0.3]\n  when.wear.below: [0.2, 0.4]')).toContain(
      'with when.wear.min 0.3 and when.wear.below 0.2, when.wear',
    );
  });

  it('is told of a strategy that is faulty itself at its own place', () => {
    const cwd = folderWith({ 'sweep.yaml': 'strategy: bad.yaml\nvary: { price.max: [1] }\n', 'bad.yaml': 'name: x\nprise: 1\n' });
    const result = readSweepFile(join(cwd, 'sweep.yaml'), {}, { cwd, max: 10 });
    expect(result.ok ? '' : result.faults.map(formatFault).join('\n')).toContain('bad.yaml:2:1: prise');
  });
});

describe('what is varied on a command line', () => {
  const words = (...vary: string[]): string => {
    const cwd = folderWith({ 'reds.yaml': strategy });
    const result = readSweepWords({ strategy: 'reds.yaml', vary }, { cwd, max: 100 });
    return result.ok
      ? JSON.stringify(result.plan.variants.map(({ setting }) => setting))
      : result.faults.map(formatFault).join('\n');
  };

  it('is a list of values, or whatever a file may say', () => {
    expect(words('price.maxOfSteam=0.5, 0.6', 'price.max={ from: 1, to: 2, step: 1 }')).toBe('[[0.5,1],[0.5,2],[0.6,1],[0.6,2]]');
    expect(words('when.any[0].name=["M4A4*", "AWP*"]')).toBe('[["M4A4*"],["AWP*"]]');
  });

  it('has its faults at the option that they are of', () => {
    expect(words('price.max=1,2', 'price.maxOfSteam=0.5,12')).toMatch(/^--vary:2:\d+: .*must be a share of at most 10/);
  });
});

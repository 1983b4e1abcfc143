import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/strategy/strategy.ts';
import { judged, offer, strategyOf } from './offers.ts';

const values = ['true', 'false', 'absent'] as const;
const listing = offer({ wear: null });

/** A condition of which the listing makes this. */
const leaf: Readonly<Record<Verdict, Record<string, unknown>>> = {
  true: { market: 'ecosteam' },
  false: { market: 'c5game' },
  absent: { wear: { max: 1 } },
};

describe('conditions in three values', () => {
  it('follow the truth tables of SQL', () => {
    const table = values.flatMap((a) =>
      values.map(
        (b) =>
          `${a}, ${b}: all ${judged({ all: [leaf[a], leaf[b]] }, listing)}, any ${judged({ any: [leaf[a], leaf[b]] }, listing)}`,
      ),
    );
    expect(table).toEqual([
      'true, true: all true, any true',
      'true, false: all false, any true',
      'true, absent: all absent, any true',
      'false, true: all false, any true',
      'false, false: all false, any false',
      'false, absent: all false, any absent',
      'absent, true: all absent, any true',
      'absent, false: all false, any absent',
      'absent, absent: all absent, any absent',
    ]);
    expect(values.map((a) => judged({ not: leaf[a] }, listing))).toEqual(['false', 'true', 'absent']);
  });

  it('stand beside each other as in `all`', () => {
    expect(judged({ ...leaf.true, ...leaf.absent }, listing)).toBe('absent');
    expect(judged({ ...leaf.false, ...leaf.absent }, listing)).toBe('false');
    expect(judged({ not: { ...leaf.false, ...leaf.absent } }, listing)).toBe('true');
  });

  it('agree with reckoning in 0, ½ and 1, however they are nested, and the report says the same as the decision', () => {
    fc.assert(
      fc.property(tree(3), ({ when, worth }) => {
        const expected = worth === 1 ? 'true' : worth === 0 ? 'false' : 'absent';
        expect(judged(when, listing)).toBe(expected);
        const strategy = strategyOf({ when });
        const outermost = strategy.explain(listing).filter(({ depth }) => depth === 0);
        expect(outermost.every(({ verdict }) => verdict === 'true')).toBe(strategy.matches(listing));
        expect(Math.min(...outermost.map(({ verdict }) => worthOf[verdict]))).toBe(worth);
      }),
      { numRuns: 500 },
    );
  });
});

const worthOf: Readonly<Record<Verdict, number>> = { false: 0, absent: 0.5, true: 1 };

interface Tree {
  readonly when: Record<string, unknown>;
  readonly worth: number;
}

/** Conditions nested at random, with what they come to when reckoned: all is the least, any the most, not the rest to 1. */
function tree(depth: number): fc.Arbitrary<Tree> {
  const leaves = fc.constantFrom<Tree[]>(...values.map((value) => ({ when: leaf[value], worth: worthOf[value] })));
  if (depth === 0) return leaves;
  const inner = tree(depth - 1);
  const groups = fc.array(inner, { minLength: 1, maxLength: 3 });
  const all = groups.map((list): Tree => ({
    when: { all: list.map(({ when }) => when) },
    worth: Math.min(...list.map(({ worth }) => worth)),
  }));
  const any = groups.map((list): Tree => ({
    when: { any: list.map(({ when }) => when) },
    worth: Math.max(...list.map(({ worth }) => worth)),
  }));
  const not = inner.map(({ when, worth }): Tree => ({ when: { not: when }, worth: 1 - worth }));
  const beside = fc.tuple(leaves, all, any, not).map((parts): Tree => ({
    when: Object.assign({}, ...parts.map(({ when }) => when)),
    worth: Math.min(...parts.map(({ worth }) => worth)),
  }));
  return fc.oneof(leaves, all, any, not, beside);
}

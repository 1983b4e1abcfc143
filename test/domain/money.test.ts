import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDollars, micros, microsFromDollars, shareFromNumber, shareOf, sum } from '../../src/domain/money.ts';
import { dollars } from '../support/values.ts';

/** Exact by construction: shifts the decimal point in the text, with BigInt. */
function naive(text: string, rounding: 'up' | 'down'): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  const kept = BigInt(whole + fraction.slice(0, 6).padEnd(6, '0'));
  return kept + (rounding === 'up' && /[1-9]/.test(fraction.slice(6)) ? 1n : 0n);
}

describe('dollars', () => {
  it('become exact micro-dollars where multiplying would not [N23 B4 money-17]', () => {
    expect(microsFromDollars(8.29, 'up')).toBe(8_290_000);
    expect(microsFromDollars(0.575, 'up')).toBe(575_000);
    expect(microsFromDollars(1.005, 'down')).toBe(1_005_000);
    expect(microsFromDollars(-0, 'up')).toBe(0);
  });

  it('with more than six decimals go up for a debit and down for a worth', () => {
    expect(microsFromDollars(0.0000001, 'up')).toBe(1);
    expect(microsFromDollars(0.0000001, 'down')).toBe(0);
    expect(microsFromDollars(0.1 + 0.2, 'up')).toBe(300_001);
    expect(microsFromDollars(-0.0000001, 'up')).toBe(0);
    expect(microsFromDollars(-0.0000001, 'down')).toBe(-1);
  });

  it('that are no amount are none [money-13]', () => {
    for (const wrong of [Number.NaN, Infinity, -Infinity, 1e300, 1e22]) expect(microsFromDollars(wrong, 'up')).toBeUndefined();
  });

  it('agree with shifting the decimal point, for any decimal text [B4]', () => {
    const text = fc
      .tuple(fc.integer({ min: 0, max: 999_999 }), fc.stringMatching(/^[0-9]{1,9}$/))
      .map(([whole, fraction]) => `${whole}.${fraction}`);
    fc.assert(
      fc.property(text, fc.constantFrom('up' as const, 'down' as const), (decimal, rounding) => {
        expect(BigInt(microsFromDollars(Number(decimal), rounding) ?? -1)).toBe(naive(decimal, rounding));
      }),
    );
  });
});

describe('amounts', () => {
  it('are whole or a broken invariant', () => {
    expect(() => micros(0.5)).toThrow(RangeError);
    expect(() => micros(2 ** 53)).toThrow(RangeError);
    expect(() => sum([micros(Number.MAX_SAFE_INTEGER), micros(1)])).toThrow(RangeError);
    expect(sum([micros(Number.MAX_SAFE_INTEGER), micros(1), micros(-2)])).toBe(Number.MAX_SAFE_INTEGER - 1);
  });

  it('are shown with two decimals, or as many as it takes', () => {
    expect(['1.5', '0.0375', '20', '0.000001', '1234567.89'].map((each) => formatDollars(dollars(Number(each))))).toEqual([
      '$1.50',
      '$0.0375',
      '$20.00',
      '$0.000001',
      '$1234567.89',
    ]);
    expect(formatDollars(micros(-1_500_000))).toBe('-$1.50');
  });
});

describe('a share', () => {
  it('compares as an exact decimal: equal is within', () => {
    const share = shareFromNumber(0.7);
    if (share === undefined) throw new Error('no share');
    expect(shareOf(dollars(10), share)).toBe(dollars(7));
    expect(shareOf(dollars(0.01), share)).toBe(dollars(0.007));
    expect(shareOf(micros(1), share)).toBe(0);
  });

  it('takes small and exponent forms, and refuses what is none', () => {
    expect(shareFromNumber(1e-7)).toEqual({ numerator: 1n, denominator: 10_000_000n });
    expect(shareFromNumber(1.5e21)?.numerator).toBe(1_500_000_000_000_000_000_000n);
    expect([Number.NaN, Infinity, -0.1].map(shareFromNumber)).toEqual([undefined, undefined, undefined]);
  });
});

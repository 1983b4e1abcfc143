import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, type DaySample, dayOf, jumpText, medianOf, recordOf } from '../../src/domain/reference.ts';
import { dollars } from '../support/values.ts';

function sample(day: number, steam: number | undefined): DaySample {
  return { day, readings: 24, steam: steam === undefined ? undefined : dollars(steam), floor: dollars(1) };
}

describe('a median', () => {
  it('is the middle one, of two the lower', () => {
    expect(medianOf([])).toBeUndefined();
    expect(medianOf([3, 1, 2].map(dollars))).toBe(dollars(2));
    expect(medianOf([4, 1, 2, 3].map(dollars))).toBe(dollars(2));
  });

  it('is never moved beyond what the better half says, however wild the other is', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 15 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 1_000_000_000 }), (sane, wild) => {
        const poisoned = [...sane, ...sane.slice(1).map(() => wild)].map(dollars);
        const median = medianOf(poisoned) ?? 0;
        expect(median).toBeLessThanOrEqual(dollars(Math.max(...sane)));
        expect(median).toBeGreaterThanOrEqual(Math.min(dollars(wild), dollars(Math.min(...sane))));
      }),
    );
  });
});

describe('a record', () => {
  it('is of days that are over and not too old, and of those that have a steamPrice', () => {
    const samples = [sample(85, 1), sample(86, 10), sample(97, undefined), sample(98, 12), sample(99, 11), sample(100, 500)];
    expect(recordOf(samples, 100, 14)).toEqual({
      ...{ median: dollars(11), samples: 3, low: dollars(10), high: dollars(12), newestAt: 100 * DAY_MS },
    });
  });

  it('is none where there is no such day', () => {
    expect(recordOf([], 100, 14)).toBeUndefined();
    expect(recordOf([sample(100, 5), sample(99, undefined), sample(1, 5)], 100, 14)).toBeUndefined();
  });

  it('is not moved by one bad day [money-23]', () => {
    const days = [10, 10.5, 9.9, 1_000, 10.2].map((steam, index) => sample(95 + index, steam));
    expect(recordOf(days, 100, 14)?.median).toBe(dollars(10.2));
  });
});

describe('days and jumps', () => {
  it('are told in UTC, and as people say them', () => {
    expect(dayOf(DAY_MS - 1)).toBe(0);
    expect(dayOf(DAY_MS)).toBe(1);
    expect(jumpText(dollars(100), { median: dollars(10) })).toBe('+900 %');
    expect(jumpText(dollars(6), { median: dollars(10) })).toBe('-40 %');
  });
});

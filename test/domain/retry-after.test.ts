import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpDate, retryAfterMs } from '../../src/domain/retry-after.ts';
import { NOW } from '../gateway/answers.ts';

describe('Retry-After', () => {
  it.each([
    ['5', 5_000],
    ['1.5', 1_500],
    ['0', 1_000],
    ['-5', 1_000],
    ['', 1_000],
    ['soon', 1_000],
    ['NaN', 1_000],
    ['Infinity', 1_000],
    ['1e99', 900_000],
    ['315360000', 900_000],
    ['9'.repeat(400), 900_000],
    ['Sat, 28 Nov 2026 12:00:42 GMT', 42_000],
    ['Saturday, 28-Nov-26 12:00:42 GMT', 42_000],
    ['Sat Nov 28 12:00:42 2026', 42_000],
    ['Sat, 28 Nov 2026 11:00:00 GMT', 1_000],
    ['Sat, 28 Nov 2036 12:00:00 GMT', 900_000],
    ['2026-11-28T12:00:42Z', 1_000],
  ])('%j asks for %i ms [N16 transport-1]', (header, wait) => {
    expect(retryAfterMs(header, NOW)).toBe(wait);
  });

  it('asks for nothing when it did not come', () => {
    expect(retryAfterMs(undefined, NOW)).toBeUndefined();
  });

  it('is always between a second and a quarter of an hour [N16 transport-1]', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String)), (header) => {
        expect(retryAfterMs(header, NOW)).toBeGreaterThanOrEqual(1_000);
        expect(retryAfterMs(header, NOW)).toBeLessThanOrEqual(900_000);
      }),
    );
  });
});

describe('a date of HTTP', () => {
  it.each(['-5', '2026', 'Sat, 99 Nov 2026 12:00:00 GMT', 'Sat, 28 Nov 2026 12:00:00', '', undefined])('is not %j', (text) => {
    expect(httpDate(text)).toBeUndefined();
  });
});

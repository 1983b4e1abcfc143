import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMs, latencyFigures, legMs, legs } from '../../src/domain/latency.ts';
import type { Timings } from '../../src/domain/outcome.ts';

/** Its legs in milliseconds, each from the one before. */
function took(decided: number, committed?: number, sent?: number, answered?: number): Timings {
  const after = (before: number | undefined, ms: number | undefined): number | undefined =>
    before === undefined || ms === undefined ? undefined : before + ms;
  const committedAt = after(1_000 + decided, committed);
  const sentAt = after(committedAt, sent);
  return { seenAt: 1_000, decidedAt: 1_000 + decided, committedAt, sentAt, answeredAt: after(sentAt, answered) };
}

const whole = { from: 'seen', to: 'answered' } as const;

describe('the legs of one purchase', () => {
  it('are known where both ends are', () => {
    expect(legs.map((leg) => legMs(took(0.5, 2, 0.25, 80), leg))).toEqual([0.5, 2, 0.25, 80, 82.75]);
    expect(legs.map((leg) => legMs(took(0.5, 2), leg))).toEqual([0.5, 2, undefined, undefined, undefined]);
  });

  it('are known in part where the moment of the commit was not kept', () => {
    const old: Timings = { seenAt: 1, decidedAt: 2, committedAt: undefined, sentAt: 5, answeredAt: 50 };
    expect(legs.map((leg) => legMs(old, leg))).toEqual([1, undefined, undefined, 45, 49]);
  });
});

describe('the figures of many purchases', () => {
  it('are values that occurred, at most so many of which are larger', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => took(1, 1, 1, at + 1 - 3));
    const figures = latencyFigures(hundred).legs.at(-1);
    expect(figures).toMatchObject({ ...whole, count: 100, p50Ms: 50, p90Ms: 90, p99Ms: 99, maxMs: 100 });
    expect(latencyFigures([took(1, 1, 1, 7)]).legs.at(-1)).toMatchObject({ count: 1, p50Ms: 10, p90Ms: 10, p99Ms: 10 });
  });

  it('say where most of the time went', () => {
    const figures = latencyFigures([took(1, 3, 1, 45), took(1, 3, 1, 45)]);
    expect(figures).toMatchObject({ ownShare: 0.1, slowestOwn: { from: 'decided', to: 'committed' } });
  });

  it('say nothing where there is nothing', () => {
    const { legs: none, ownShare, slowestOwn } = latencyFigures([]);
    expect({ ownShare, slowestOwn }).toEqual({ ownShare: undefined, slowestOwn: undefined });
    for (const { count, p50Ms, maxMs } of none) expect([count, p50Ms, maxMs]).toEqual([0, undefined, undefined]);
    expect(latencyFigures([took(5, 2)]).ownShare).toBeUndefined();
  });

  it('count every value in one bucket, one on a bound in the lower', () => {
    const [seenToDecided] = latencyFigures([took(0.5), took(0.625), took(0.25), took(60_000)]).legs;
    const filled = seenToDecided?.buckets.filter(({ count }) => count > 0);
    expect(filled).toEqual([
      { upToMs: 0.5, count: 2 },
      { upToMs: 1, count: 1 },
      { upToMs: undefined, count: 1 },
    ]);
  });

  it('agree with each other, whatever the times', () => {
    const ms = fc.double({ min: 0, max: 20_000, noNaN: true });
    const purchase = fc.tuple(ms, ms, ms, ms).map(([a, b, c, d]) => took(a, b, c, d));
    fc.assert(
      fc.property(fc.array(purchase, { minLength: 1 }), (purchases) => {
        for (const { count, p50Ms = NaN, p90Ms = NaN, p99Ms = NaN, maxMs = NaN, buckets } of latencyFigures(purchases).legs) {
          expect(buckets.reduce((total, bucket) => total + bucket.count, 0)).toBe(count);
          expect([p50Ms <= p90Ms, p90Ms <= p99Ms, p99Ms <= maxMs]).toEqual([true, true, true]);
        }
      }),
    );
  });
});

it('milliseconds are written with two decimals, large ones with one', () => {
  expect([0.4049, 12.3, 99.99, 104.24].map(formatMs)).toEqual(['0.40', '12.30', '99.99', '104.2']);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SlowRun, latestTime, noLags, windowStart } from '../../src/domain/lag.ts';

const MINUTE = 60_000;

/** Runs one after another: true minutes between them, awake before and after the one time that each of them sleeps. */
const runs = fc.array(
  fc.record({
    away: fc.integer({ min: 0, max: 90 }),
    before: fc.integer({ min: 1, max: 90 }),
    asleep: fc.integer({ min: 0, max: 90 }),
    after: fc.integer({ min: 1, max: 90 }),
  }),
  { minLength: 1, maxLength: 5 },
);

interface Row {
  /** The time that it bears. */
  readonly at: number;
  /** Minutes that have passed in truth when it was written. */
  readonly truly: number;
}

/** Rows as such runs leave them, one a minute, and what the run after them knows. */
function history(of: readonly { away: number; before: number; asleep: number; after: number }[]) {
  const rows: Row[] = [];
  const slow: SlowRun[] = [];
  let wall = 0;
  for (const { away, before, asleep, after } of of) {
    wall += away;
    const base = wall;
    for (let minute = 0; minute < before + after; minute++) {
      rows.push({ at: base + minute, truly: base + minute + (minute < before ? 0 : asleep) });
    }
    wall = base + before + asleep + after;
    if (asleep > 0) slow.push({ before: wall, ms: asleep });
  }
  return { rows, lags: { startedAt: wall, slow } };
}

describe('a window that reaches back into runs whose clock had fallen behind', () => {
  it('holds every row that is truly younger than it is long', () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 200 }), (of, since, length) => {
        const { rows, lags } = history(of);
        const now = lags.startedAt + since;
        const start = windowStart(now - length, lags);
        for (const { at, truly } of rows) if (now - truly < length) expect(at).toBeGreaterThan(start);
      }),
    );
  });

  it('is as long as it is called where none had, and once it lies within this run', () => {
    const lags = { startedAt: 100, slow: [{ before: 100, ms: 55 }] };
    expect(windowStart(40, noLags)).toBe(40);
    expect(windowStart(99, lags)).toBe(44);
    expect(windowStart(100, lags)).toBe(100);
  });
});

describe('the latest moment at which something may have happened', () => {
  it('is never before it happened, nor after this run began where an earlier one has written it', () => {
    fc.assert(
      fc.property(runs, (of) => {
        const { rows, lags } = history(of);
        for (const { at, truly } of rows) {
          expect(latestTime(at, lags)).toBeGreaterThanOrEqual(truly);
          expect(latestTime(at, lags)).toBeLessThanOrEqual(lags.startedAt);
        }
      }),
    );
    expect(latestTime(7 * MINUTE, noLags)).toBe(7 * MINUTE);
  });
});

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Pace, type Rank } from '../../src/gateway/pace.ts';
import { pause, realClock } from './harness.ts';
import { expectWithin, going, onVirtualTime, request } from './pacing.ts';

describe('the law of a pace, on virtual time', () => {
  onVirtualTime();

  const anyRequest = fc.record({
    atMs: fc.integer({ min: 0, max: 4_000 }),
    rank: fc.constantFrom<Rank>('first', 'second', 'third'),
    idleMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 })),
    departMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 700 })),
    lastsMs: fc.integer({ min: 0, max: 2_000 }),
  });
  const anyStep = fc.record({
    atMs: fc.integer({ min: 0, max: 6_000 }),
    byMs: fc.constantFrom(-3_600_000, -1_500, -400, 400, 1_500, 86_400_000),
  });

  it('never lets more through in any window than it may, however it is used and whatever the wall clock does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRequest, { minLength: 1, maxLength: 25 }),
        fc.constantFrom(0.5, 2, 3, 4, 7.5, 20),
        fc.integer({ min: 1, max: 4 }),
        fc.array(anyStep, { maxLength: 3 }),
        async (requests, perSecond, concurrent, jumps) => {
          const pace = new Pace({ perSecond, concurrent }, realClock, () => undefined);
          const begins: number[] = [];
          const each = requests.map(async (how) => {
            await pause(how.atMs);
            await request(pace, begins, how);
          });
          for (const { atMs, byMs } of jumps) void pause(atMs).then(() => vi.setSystemTime(Date.now() + byMs));
          await vi.advanceTimersByTimeAsync(400_000);
          await Promise.all(each);
          expect(begins).toHaveLength(requests.length);
          expectWithin(begins, perSecond);
          pace.close();
        },
      ),
      { numRuns: 150 },
    );
  });

  it('never has more at once than it may, across steps of the clock too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRequest, { minLength: 5, maxLength: 25 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(anyStep, { maxLength: 3 }),
        async (requests, concurrent, jumps) => {
          const pace = new Pace({ perSecond: 50, concurrent }, realClock, () => undefined);
          let running = 0;
          let most = 0;
          const each = requests.map(async ({ atMs, rank, idleMs, lastsMs }) => {
            await pause(atMs);
            const permit = await pace.take(rank, going);
            most = Math.max(most, ++running);
            await pause(idleMs);
            permit.begin();
            await pause(lastsMs);
            running--;
            permit.done();
            permit.done();
          });
          for (const { atMs, byMs } of jumps) void pause(atMs).then(() => vi.setSystemTime(Date.now() + byMs));
          await vi.advanceTimersByTimeAsync(400_000);
          await Promise.all(each);
          expect(most).toBeLessThanOrEqual(concurrent);
          pace.close();
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a pace in real time', () => {
  it('keeps its rate although timers fire late [P29]', async () => {
    const pace = new Pace({ perSecond: 50, concurrent: 3 }, realClock, () => undefined);
    const begins: number[] = [];
    const each = Array.from({ length: 30 }, async (_, n) => {
      const permit = await pace.take('first', going);
      permit.begin();
      begins.push(performance.now());
      // Something else keeps the machine busy now and then.
      if (n % 4 === 0) for (const until = performance.now() + 25; performance.now() < until;);
      await pause(n % 7);
      permit.done();
    });
    await Promise.all(each);
    expectWithin(begins, 50);
    pace.close();
  });
});

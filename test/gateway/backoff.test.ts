import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/domain/random.ts';
import { Backoff, type Slowed } from '../../src/gateway/backoff.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

function make(slowUntil?: number): { clock: VirtualClock; backoff: Backoff; told: Slowed[] } {
  const clock = new VirtualClock();
  const told: Slowed[] = [];
  const random = seededRandom(7);
  const backoff = new Backoff({ key: 'account', clock, random, slowUntil, onSlowed: (event) => void told.push(event) });
  return { clock, backoff, told };
}

const going = new AbortController().signal;

describe('the back-off', () => {
  it('grows with each refusal in a row, with jitter, up to five minutes', async () => {
    const { clock, backoff, told } = make();
    const waited: number[] = [];
    for (let round = 0; round < 12; round++) {
      await clock.advance(1);
      backoff.slowed('rate', undefined, clock.now(), 'slow down');
      waited.push(backoff.leftMs);
      await clock.advance(backoff.leftMs);
    }
    for (const [round, wait] of waited.entries()) {
      const full = Math.min(2_000 * 2 ** round, 300_000);
      expect(wait).toBeGreaterThanOrEqual(full / 2);
      expect(wait).toBeLessThanOrEqual(full);
    }
    expect(told).toHaveLength(12);
    expect(told[0]).toMatchObject({ key: 'account', cause: 'rate', message: 'slow down' });
  });

  it('never waits shorter than the service asks for', async () => {
    const { clock, backoff } = make();
    backoff.slowed('rate', 600_000, clock.now(), '');
    expect(backoff.leftMs).toBe(600_000);
  });

  it('is at least five minutes for a ban, and longer each time [transport-2]', async () => {
    const { clock, backoff, told } = make();
    const waited: number[] = [];
    for (let round = 0; round < 6; round++) {
      await clock.advance(1);
      backoff.slowed('ban', undefined, clock.now(), 'HTTP 403');
      waited.push(backoff.leftMs / 60_000);
      await clock.advance(backoff.leftMs);
    }
    for (const [round, minutes] of waited.entries()) {
      expect(minutes).toBeGreaterThanOrEqual(Math.min(5 * 2 ** round, 60));
      expect(minutes).toBeLessThanOrEqual(75);
    }
    expect(told.every(({ cause }) => cause === 'ban')).toBe(true);
  });

  it('counts answers to requests that were under way together as one', async () => {
    const { clock, backoff, told } = make();
    const began = clock.now();
    await clock.advance(10);
    for (let n = 0; n < 20; n++) backoff.slowed('rate', undefined, began, '');
    expect(backoff.leftMs).toBeLessThanOrEqual(2_000);
    backoff.slowed('rate', 30_000, began, '');
    expect(backoff.leftMs).toBe(30_000);
    expect(told.at(-1)?.until).toBe(clock.now() + 30_000);
  });

  it('starts from the shortest wait again after a success, not after one that began before the refusal', async () => {
    const { clock, backoff } = make();
    const before = clock.now();
    for (let round = 0; round < 6; round++) {
      await clock.advance(1);
      backoff.slowed('rate', undefined, clock.now(), '');
      await clock.advance(backoff.leftMs);
    }
    backoff.succeeded(before);
    await clock.advance(1);
    backoff.slowed('rate', undefined, clock.now(), '');
    expect(backoff.leftMs).toBeGreaterThan(60_000);
    await clock.advance(backoff.leftMs + 1);
    backoff.succeeded(clock.now());
    await clock.advance(1);
    backoff.slowed('rate', undefined, clock.now(), '');
    expect(backoff.leftMs).toBeLessThanOrEqual(2_000);
  });

  it('goes on across a restart, but does not believe a time hours ahead [N16 P11]', async () => {
    const { clock } = make();
    expect(make(clock.now() + 90_000).backoff.leftMs).toBe(90_000);
    expect(make(clock.now() - 1).backoff.leftMs).toBe(0);
    expect(make(clock.now() + 10 ** 12).backoff.leftMs).toBe(75 * 60_000);
  });

  it('lets a waiter through when the time has passed, and not before', async () => {
    const { clock, backoff } = make();
    backoff.slowed('rate', 5_000, clock.now(), '');
    let passed = false;
    void backoff.passed(going).then(() => {
      passed = true;
    });
    await clock.advance(3_000);
    backoff.slowed('rate', 5_000, clock.now(), '');
    await clock.advance(4_999);
    expect(passed).toBe(false);
    await clock.advance(1);
    expect(passed).toBe(true);
    const cancelled = new AbortController();
    backoff.slowed('rate', 5_000, clock.now(), '');
    const waiting = backoff.passed(cancelled.signal);
    cancelled.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });

  it('never ends earlier because of another answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            cause: fc.constantFrom('rate' as const, 'ban' as const),
            asked: fc.option(fc.integer({ min: 1_000, max: 900_000 })),
            later: fc.nat(400_000),
          }),
          { maxLength: 20 },
        ),
        async (answers) => {
          const { clock, backoff } = make();
          for (const { cause, asked, later } of answers) {
            const before = clock.now() + backoff.leftMs;
            backoff.slowed(cause, asked ?? undefined, clock.now(), '');
            const after = clock.now() + backoff.leftMs;
            expect(after).toBeGreaterThanOrEqual(before);
            expect(backoff.leftMs).toBeGreaterThanOrEqual(Math.max(asked ?? 0, cause === 'ban' ? 300_000 : 1_000));
            clock.advanceSync(later);
          }
        },
      ),
    );
  });
});

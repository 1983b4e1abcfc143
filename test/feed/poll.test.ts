import fc from 'fast-check';
import { take } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import { sleep } from '../../src/domain/clock.ts';
import { pollLoop } from '../../src/feed/poll.ts';
import { VirtualClock, settle } from '../support/virtual-clock.ts';

interface Run {
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Polls of the given durations, one after the other, for as long as they take; a negative duration throws at once. */
async function polled(
  clock: VirtualClock,
  intervalMs: number,
  durations: readonly number[],
  timers: Clock = clock,
): Promise<Run[]> {
  const runs: Run[] = [];
  let underWay = 0;
  const loop = pollLoop({
    clock: timers,
    intervalMs,
    poll: async (seq) => {
      const startedAt = clock.mono();
      expect(++underWay).toBe(1);
      const duration = durations[seq - 1] ?? 0;
      try {
        if (duration < 0) throw new Error('it broke');
        await sleep(clock, duration);
      } finally {
        underWay--;
        runs.push({ startedAt, endedAt: clock.mono() });
      }
      return seq;
    },
    broken: (_, seq) => -seq,
  });
  const values: number[] = [];
  loop.pipe(take(durations.length)).subscribe((value) => values.push(value));
  await clock.advance(durations.reduce((sum, duration) => sum + Math.max(duration, 0) + intervalMs, 0) + 1);
  expect(values).toEqual(durations.map((duration, index) => (duration < 0 ? -(index + 1) : index + 1)));
  return runs;
}

describe('the poll loop', () => {
  it('starts a poll each interval, however long the polls take within it', async () => {
    const runs = await polled(new VirtualClock(), 1_000, [10, 900, 0, 999, 1_000, 5]);
    expect(runs.map((run) => run.startedAt)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('puts the next start off to the end of a slow poll, and counts the interval anew from there', async () => {
    const runs = await polled(new VirtualClock(), 1_000, [10, 2_500, 10, 10]);
    expect(runs.map((run) => run.startedAt)).toEqual([0, 1_000, 3_500, 4_500]);
  });

  it('leaves the service alone for as long as a result asks', async () => {
    const clock = new VirtualClock();
    const starts: number[] = [];
    const loop = pollLoop({
      clock,
      intervalMs: 1_000,
      poll: async (seq) => {
        starts.push(clock.mono());
        return seq;
      },
      restMs: (seq) => (seq === 2 ? 60_000 : 0),
      broken: (_, seq) => seq,
    });
    const listening = loop.subscribe();
    await clock.advance(63_000);
    listening.unsubscribe();
    expect(starts).toEqual([0, 1_000, 61_000, 62_000, 63_000]);
  });

  it('never overlaps and never drifts, whatever the polls last and whether they fail [P31 P32 unattended-9]', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2_000 }),
        fc.array(fc.integer({ min: -1, max: 5_000 }), { minLength: 1, maxLength: 20 }),
        async (intervalMs, durations) => {
          const runs = await polled(new VirtualClock(), intervalMs, durations);
          expect(runs[0]?.startedAt).toBe(0);
          for (const [index, run] of runs.entries()) {
            const before = runs[index - 1];
            if (before) expect(run.startedAt).toBe(Math.max(before.startedAt + intervalMs, before.endedAt));
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('does not add up the lateness of timers', async () => {
    const clock = new VirtualClock();
    const late: Clock = { ...bound(clock), after: (ms, work) => clock.after(ms > 0 ? ms + 7 : ms, work) };
    const runs = await polled(
      clock,
      1_000,
      Array.from({ length: 20 }, () => 10),
      late,
    );
    expect(runs.map((run) => run.startedAt)).toEqual(runs.map((_, index) => (index === 0 ? 0 : index * 1_000 + 7)));
  });

  it('tells the poll under way to stop when nobody listens, and starts no other', async () => {
    const clock = new VirtualClock();
    const signals: AbortSignal[] = [];
    const listening = pollLoop({
      clock,
      intervalMs: 100,
      poll: async (seq, signal) => {
        signals.push(signal);
        if (seq === 2) await sleep(clock, 10_000, signal);
        return seq;
      },
      broken: () => 0,
    }).subscribe();
    await clock.advance(150);
    expect(signals.map((signal) => signal.aborted)).toEqual([false, false]);
    listening.unsubscribe();
    await clock.advance(100_000);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
    expect(clock.pending).toBe(0);
  });

  it('gives each listener a loop of its own', async () => {
    const clock = new VirtualClock();
    let polls = 0;
    const loop = pollLoop({ clock, intervalMs: 100, poll: async () => ++polls, broken: () => 0 });
    const listeners = [loop.subscribe(), loop.subscribe()];
    await settle();
    expect(polls).toBe(2);
    for (const listener of listeners) listener.unsubscribe();
  });
});

function bound(clock: VirtualClock): Clock {
  return {
    now: () => clock.now(),
    wall: () => clock.wall(),
    mono: () => clock.mono(),
    after: (ms, work) => clock.after(ms, work),
  };
}

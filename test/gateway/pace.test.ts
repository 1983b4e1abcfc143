import { describe, expect, it, vi } from 'vitest';
import type { Permit } from '../../src/engine/ports.ts';
import { Pace, type Rank, type Rate } from '../../src/gateway/pace.ts';
import { realClock } from './harness.ts';
import { expectWithin, going, onVirtualTime, request } from './pacing.ts';

describe('a pace on a virtual timer', () => {
  onVirtualTime();

  const steps: string[] = [];
  const paceOf = (rate: Rate): Pace => new Pace(rate, realClock, () => void steps.push('stepped'));

  it('saves nothing up: after an hour of silence the next requests are spaced as ever [P39]', async () => {
    const pace = paceOf({ perSecond: 4, concurrent: 4 });
    const begins: number[] = [];
    void request(pace, begins);
    await vi.advanceTimersByTimeAsync(3_600_000);
    for (let n = 0; n < 8; n++) void request(pace, begins, { rank: 'first' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begins).toHaveLength(9);
    expectWithin(begins, 4);
  });

  it('lets the first go as if another had left just before it was made: one of the process before may have', async () => {
    await vi.advanceTimersByTimeAsync(10_000);
    const madeAt = performance.now();
    const begins: number[] = [];
    const pace = paceOf({ perSecond: 4, concurrent: 4 });
    for (let n = 0; n < 3; n++) void request(pace, begins, { rank: 'first' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begins).toHaveLength(3);
    expectWithin([madeAt, ...begins], 4);
  });

  it('does not let two go at once because a permit was held for long', async () => {
    const pace = paceOf({ perSecond: 2, concurrent: 3 });
    const begins: number[] = [];
    void request(pace, begins, { rank: 'first', idleMs: 60_000 });
    for (let n = 0; n < 3; n++) void request(pace, begins, { rank: 'first' });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(begins).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begins).toHaveLength(4);
    expectWithin(begins, 2);
  });

  it('counts the spacing from the moment the headers left, however long the connecting took', async () => {
    const pace = paceOf({ perSecond: 2, concurrent: 3 });
    const begins: number[] = [];
    void request(pace, begins, { rank: 'first', departMs: 2_000 });
    void request(pace, begins, { rank: 'first' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(begins).toHaveLength(2);
    expect((begins[1] ?? 0) - (begins[0] ?? 0)).toBeGreaterThanOrEqual(500);
  });

  it('gives a permit back that nobody used, without counting it [P27]', async () => {
    const pace = paceOf({ perSecond: 1, concurrent: 1 });
    let first: Permit | undefined;
    void pace.take('first', going).then((permit) => {
      first = permit;
    });
    await vi.advanceTimersByTimeAsync(5_000);
    const begins: number[] = [];
    void request(pace, begins);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(begins).toHaveLength(0);
    first?.done();
    await vi.advanceTimersByTimeAsync(100);
    expect(begins).toHaveLength(1);
  });

  it('lets reconciling go before polls that wait, and polls before what can wait longer', async () => {
    const pace = paceOf({ perSecond: 1, concurrent: 2 });
    await vi.advanceTimersByTimeAsync(1_000);
    const order: string[] = [];
    const ask = async (name: string, rank: Rank): Promise<void> => {
      await request(pace, [], { rank });
      order.push(name);
    };
    for (const name of ['spare 1', 'spare 2']) void ask(name, 'third');
    for (const name of ['poll 1', 'poll 2', 'poll 3']) void ask(name, 'second');
    await vi.advanceTimersByTimeAsync(100);
    for (const name of ['look 1', 'look 2']) void ask(name, 'first');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(order.slice(1)).toEqual(['look 1', 'look 2', 'poll 1', 'poll 2', 'poll 3', 'spare 2']);
  });

  it('keeps a place that polls never take, so that hanging polls cannot starve reconciling', async () => {
    const pace = paceOf({ perSecond: 10, concurrent: 3 });
    const begins: number[] = [];
    for (let n = 0; n < 20; n++) void request(pace, [], { rank: 'second', lastsMs: 1_000_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    void request(pace, begins, { rank: 'first' });
    await vi.advanceTimersByTimeAsync(500);
    expect(begins).toHaveLength(1);
  });

  it('is not frozen by a wall clock that steps back while requests wait [P25 P26 unattended-10]', async () => {
    steps.length = 0;
    const pace = paceOf({ perSecond: 1, concurrent: 1 });
    const begins: number[] = [];
    for (let n = 0; n < 5; n++) void request(pace, begins);
    await vi.advanceTimersByTimeAsync(1_500);
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(begins).toHaveLength(5);
    expectWithin(begins, 1);
    expect(steps).toEqual(['stepped']);
  });

  it('does not burst when the wall clock steps forward [P25 P26 unattended-10]', async () => {
    const pace = paceOf({ perSecond: 1, concurrent: 5 });
    const begins: number[] = [];
    for (let n = 0; n < 6; n++) void request(pace, begins, { rank: 'first' });
    await vi.advanceTimersByTimeAsync(500);
    vi.setSystemTime(Date.now() + 86_400_000);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(begins).toHaveLength(6);
    expectWithin(begins, 1);
  });

  it('keeps a permit counted that is held while the clock steps [P26 P27]', async () => {
    const pace = paceOf({ perSecond: 5, concurrent: 1 });
    let held: Permit | undefined;
    void pace.take('first', going).then((permit) => {
      held = permit;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    vi.setSystemTime(Date.now() - 7_200_000);
    const begins: number[] = [];
    void request(pace, begins);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begins).toHaveLength(0);
    held?.begin();
    held?.done();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(begins).toHaveLength(1);
  });

  it('keeps it counted, and rejects nothing that nobody hears, when the clock steps again before all is queued anew [P26 P27]', async () => {
    const unheard: unknown[] = [];
    const note = (reason: unknown): unknown => unheard.push(reason);
    process.on('unhandledRejection', note);
    const pace = paceOf({ perSecond: 50, concurrent: 1 });
    const held = pace.take('first', going);
    await vi.advanceTimersByTimeAsync(1_000);
    const begins: number[] = [];
    for (const stepMs of [-7_200_000, 3_600_000, -5_000]) {
      vi.setSystemTime(Date.now() + stepMs);
      void request(pace, begins);
    }
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begins).toHaveLength(0);
    (await held).done();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begins).toHaveLength(3);
    // Node tells of them after the microtasks.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unheard).toEqual([]);
  });

  it('forgets a request that was cancelled while it waited [P27]', async () => {
    const pace = paceOf({ perSecond: 1, concurrent: 1 });
    const begins: number[] = [];
    void request(pace, begins, { lastsMs: 5_000 });
    await vi.advanceTimersByTimeAsync(100);
    const giving = new AbortController();
    const taken = pace.take('first', giving.signal);
    giving.abort(new Error('enough'));
    await expect(taken).rejects.toThrow('enough');
    await expect(pace.take('first', giving.signal)).rejects.toThrow('enough');
    void request(pace, begins);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begins).toHaveLength(2);
  });

  it('leaves no timer behind when nothing waits, and lets nothing through once closed', async () => {
    const pace = paceOf({ perSecond: 1, concurrent: 1 });
    void request(pace, []);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(vi.getTimerCount()).toBe(0);
    pace.close();
    await expect(pace.take('first', going)).rejects.toThrow('closed');
  });

  it.each([
    { perSecond: 0, concurrent: 1 },
    { perSecond: Number.NaN, concurrent: 1 },
    { perSecond: 1, concurrent: 0 },
  ])('refuses a rate that lets nothing through: %j', (rate) => {
    expect(() => paceOf(rate)).toThrow(RangeError);
  });
});

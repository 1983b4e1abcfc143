import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Permit } from '../../src/engine/ports.ts';
import { Pace, type Rank, type Rate } from '../../src/gateway/pace.ts';
import { pause, realClock } from './harness.ts';

const going = new AbortController().signal;

/** Begins of requests, monotonic milliseconds: no two may be closer than the spacing, so no window holds more than it may. */
function expectWithin(begins: readonly number[], perSecond: number): void {
  for (let first = 0; first < begins.length; first++) {
    for (let last = first; last < begins.length; last++) {
      const seconds = ((begins[last] ?? 0) - (begins[first] ?? 0)) / 1_000;
      expect(last - first + 1).toBeLessThanOrEqual(perSecond * seconds + 1 + 1e-6);
    }
  }
}

describe('a pace on a virtual timer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: Date.UTC(2026, 10, 28) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const steps: string[] = [];
  const paceOf = (rate: Rate): Pace => new Pace(rate, realClock, () => void steps.push('stepped'));

  interface How {
    readonly rank?: Rank;
    readonly idleMs?: number;
    readonly departMs?: number;
    readonly lastsMs?: number;
  }

  /** One request from its taking to its end; `begins` gets the moment when its headers leave. */
  async function request(pace: Pace, begins: number[], how: How = {}): Promise<void> {
    const { rank = 'second', idleMs = 0, departMs = 0, lastsMs = 0 } = how;
    const permit = await pace.take(rank, going);
    if (idleMs > 0) await pause(idleMs);
    permit.begin();
    const left = pace.depart();
    if (departMs > 0) await pause(departMs);
    begins.push(performance.now());
    left();
    if (lastsMs > 0) await pause(lastsMs);
    permit.done();
  }

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
          const pace = paceOf({ perSecond, concurrent });
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
  }, 60_000);

  it('never has more at once than it may, across steps of the clock too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRequest, { minLength: 5, maxLength: 25 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(anyStep, { maxLength: 3 }),
        async (requests, concurrent, jumps) => {
          const pace = paceOf({ perSecond: 50, concurrent });
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
  }, 60_000);

  it('saves nothing up: after an hour of silence the next requests are spaced as ever', async () => {
    const pace = paceOf({ perSecond: 4, concurrent: 4 });
    const begins: number[] = [];
    void request(pace, begins);
    await vi.advanceTimersByTimeAsync(3_600_000);
    for (let n = 0; n < 8; n++) void request(pace, begins, { rank: 'first' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(begins).toHaveLength(9);
    expectWithin(begins, 4);
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

  it('gives a permit back that nobody used, without counting it', async () => {
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

  it('is not frozen by a wall clock that steps back while requests wait', async () => {
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

  it('does not burst when the wall clock steps forward', async () => {
    const pace = paceOf({ perSecond: 1, concurrent: 5 });
    const begins: number[] = [];
    for (let n = 0; n < 6; n++) void request(pace, begins, { rank: 'first' });
    await vi.advanceTimersByTimeAsync(500);
    vi.setSystemTime(Date.now() + 86_400_000);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(begins).toHaveLength(6);
    expectWithin(begins, 1);
  });

  it('keeps a permit counted that is held while the clock steps', async () => {
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

  it('forgets a request that was cancelled while it waited', async () => {
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

describe('a pace in real time', () => {
  it('keeps its rate although timers fire late', async () => {
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

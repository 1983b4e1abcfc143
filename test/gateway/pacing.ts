import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { Pace, Rank } from '../../src/gateway/pace.ts';
import { pause } from './harness.ts';

export const going = new AbortController().signal;

/** Called at the top of a suite: its timers and clocks stand still until told, the ones inside Bottleneck too. */
export function onVirtualTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: Date.UTC(2026, 10, 28) });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Begins of requests, monotonic milliseconds: no two may be closer than the spacing, so no window holds more than it may. */
export function expectWithin(begins: readonly number[], perSecond: number): void {
  for (let first = 0; first < begins.length; first++) {
    for (let last = first; last < begins.length; last++) {
      const seconds = ((begins[last] ?? 0) - (begins[first] ?? 0)) / 1_000;
      expect(last - first + 1).toBeLessThanOrEqual(perSecond * seconds + 1 + 1e-6);
    }
  }
}

export interface How {
  readonly rank?: Rank;
  readonly idleMs?: number;
  readonly departMs?: number;
  readonly lastsMs?: number;
}

/** One request from its taking to its end; `begins` gets the moment when its headers leave. */
export async function request(pace: Pace, begins: number[], how: How = {}): Promise<void> {
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

import { afterEach, describe, expect, it, vi } from 'vitest';
import { SystemClock } from '../../src/app/system-clock.ts';

const HOUR = 3_600_000;

describe("the machine's clock", () => {
  afterEach(() => void vi.useRealTimers());

  it.each([HOUR, -HOUR, 30 * 365 * 24 * HOUR])('goes on steadily while its wall steps by %i ms [P25 unattended-10]', (step) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const clock = new SystemClock();
    const before = { now: clock.now(), mono: clock.mono(), wall: clock.wall() };
    vi.setSystemTime(Date.now() + step);
    vi.advanceTimersByTime(5_000);
    expect(clock.wall() - before.wall).toBe(step + 5_000);
    expect(clock.mono() - before.mono).toBe(5_000);
    expect(clock.now() - before.now).toBe(5_000);
  });

  it.each([2 ** 31, 3e9, 1e300, Number.POSITIVE_INFINITY, Number.NaN])('does not take a wait of %d ms for none [P35]', (ms) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const clock = new SystemClock();
    let rung = 0;
    const cancel = clock.after(ms, () => void rung++);
    vi.advanceTimersByTime(24 * HOUR);
    expect(rung).toBe(0);
    expect(vi.getTimerCount()).toBe(1);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes a wait that is over for none', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let rung = 0;
    new SystemClock().after(-5, () => void rung++);
    vi.advanceTimersByTime(0);
    expect(rung).toBe(1);
  });
});

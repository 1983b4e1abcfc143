import { interval, take, timer, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ClockScheduler } from '../../src/feed/clock-scheduler.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

describe('the scheduler of the injected clock', () => {
  it('tells the time of the clock and waits by it', async () => {
    const clock = new VirtualClock();
    const scheduler = new ClockScheduler(clock);
    const fired: number[] = [];
    timer(250, scheduler).subscribe(() => fired.push(scheduler.now()));
    const started = clock.now();
    await clock.advance(249);
    expect(fired).toEqual([]);
    await clock.advance(1);
    expect(fired).toEqual([started + 250]);
  });

  it('serves operators that schedule again and again, and leaves nothing behind', async () => {
    const clock = new VirtualClock();
    let seen: number[] = [];
    interval(100, new ClockScheduler(clock))
      .pipe(take(3), toArray())
      .subscribe((values) => (seen = values));
    await clock.advance(1_000);
    expect(seen).toEqual([0, 1, 2]);
    expect(clock.pending).toBe(0);
  });

  it('cancels the wait when nobody listens any more', () => {
    const clock = new VirtualClock();
    const subscription = timer(100, new ClockScheduler(clock)).subscribe();
    subscription.unsubscribe();
    expect(clock.pending).toBe(0);
  });

  it('waits longer than a timer can hold [P35]', () => {
    const clock = new VirtualClock();
    const days = 86_400_000;
    let fired = false;
    timer(60 * days, new ClockScheduler(clock)).subscribe(() => (fired = true));
    clock.advanceSync(60 * days - 1);
    expect(fired).toBe(false);
    clock.advanceSync(1);
    expect(fired).toBe(true);
  });
});

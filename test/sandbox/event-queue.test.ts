import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../src/sandbox/event-queue.ts';

describe('the event queue', () => {
  it('runs what is due in the order of time, then of its making, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200 }),
        fc.integer({ min: 0, max: 60 }),
        (times, until) => {
          const queue = new EventQueue();
          const ran: [number, number][] = [];
          times.forEach((at, index) => queue.add(at, (time) => ran.push([time, index])));
          queue.runUntil(until);
          const due = times.map((at, index): [number, number] => [at, index]).filter(([at]) => at <= until);
          expect(ran).toEqual(due.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
          expect(queue.size).toBe(times.length - ran.length);
        },
      ),
    );
  });

  it('runs what a run event adds, when that is due too', () => {
    const queue = new EventQueue();
    const ran: number[] = [];
    const again = (at: number): void => {
      ran.push(at);
      queue.add(at + 10, again);
    };
    queue.add(5, again);
    queue.runUntil(30);
    expect(ran).toEqual([5, 15, 25]);
  });
});

import { Observable, defer, from, repeat, tap, timer } from 'rxjs';
import type { Clock } from '../domain/clock.ts';
import { ClockScheduler } from './clock-scheduler.ts';

export interface PollPlan<T> {
  readonly clock: Clock;
  /** From the start of one poll to the start of the next. */
  readonly intervalMs: number;
  /** Asks once. `seq` counts from 1; the signal is aborted when nobody listens any more. */
  readonly poll: (seq: number, signal: AbortSignal) => Promise<T>;
  /** How long to leave the service alone after this result, milliseconds from its end; the interval still counts. Default: not at all. */
  readonly restMs?: (result: T) => number;
  /** What a poll that threw has come to: a defect in one poll never ends the polling. */
  readonly broken: (error: unknown, seq: number) => T;
}

/**
 * Polls for as long as somebody listens. Two polls are never under way at once: one that lasts longer than the interval puts
 * the next start off to its own end, and the interval counts anew from there. Starts are planned from the plan before and
 * not from when a timer fired, so that lateness does not add up. Each listener has a loop of its own.
 */
export function pollLoop<T>(plan: PollPlan<T>): Observable<T> {
  return new Observable<T>((listener) => {
    const stop = new AbortController();
    const scheduler = new ClockScheduler(plan.clock);
    let seq = 0;
    let plannedStart = plan.clock.mono();
    let restMs = 0;

    const once = defer(() => from(pollOnce(plan, ++seq, stop.signal))).pipe(
      tap((result) => {
        restMs = plan.restMs?.(result) ?? 0;
      }),
    );
    const untilNextStart = (): Observable<0> => {
      const now = plan.clock.mono();
      plannedStart = Math.max(plannedStart + plan.intervalMs, now + restMs);
      return timer(plannedStart - now, scheduler);
    };
    listener.add(() => stop.abort());
    listener.add(once.pipe(repeat({ delay: untilNextStart })).subscribe(listener));
  });
}

/** Asks once, outside any loop, with a failure of the asking itself as a value too. */
export async function pollOnce<T>(plan: Pick<PollPlan<T>, 'poll' | 'broken'>, seq: number, signal: AbortSignal): Promise<T> {
  try {
    return await plan.poll(seq, signal);
  } catch (error) {
    return plan.broken(error, seq);
  }
}

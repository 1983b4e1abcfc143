import type { Clock, EpochMs } from '../../domain/clock.ts';
import type { ReadName } from '../../engine/ports.ts';
import type { PollFacts } from '../facts.ts';
import { silentAfterMs, unreadAfterMs } from '../vigil.ts';

/** What must go on for Magpie to do what it is there for. */
export const progressNames = ['poll', 'decision', 'reconciliation'] as const;
export type ProgressName = (typeof progressNames)[number];

/** How long ago something last came to a good end, and how long that may be. */
export interface Check {
  readonly what: ProgressName;
  /** Since the start where it never has. */
  readonly ageMs: number;
  readonly boundMs: number;
  readonly ever: boolean;
  readonly late: boolean;
}

export interface ProgressOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** From one poll to the next, milliseconds. */
  readonly intervalMs: number;
  /** From one look at the orders to the next while purchases are open, milliseconds. */
  readonly lookIntervalMs: number;
  /** Between two reads, at least, milliseconds. */
  readonly readSpacingMs: number;
  /** There is an account, so its orders are looked at. */
  readonly hasAccount: boolean;
}

/** Loops that ask the service again and again, and after what time without any end of a question one of them must be stuck. */
const LOOPS = ['liveListings', 'user', 'orders'] as const satisfies readonly ReadName[];
type Loop = (typeof LOOPS)[number];

/** A loop rests a minute after a refusal, and its question may wait for its turn and for an answer. */
const REST_MS = 120_000;
const READS_AHEAD = 20;

/** The engine is told four times a second that time passes. */
const TICKS_MS = 30_000;

/**
 * Whether there is progress. *Late* is what a person must know: no whole answers, no decisions, no look at the orders, whoever's fault
 * that is. *Stuck* is what a restart mends: a loop that does not even fail any more.
 */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #startedAt: EpochMs;
  readonly #turnedAt = new Map<Loop, EpochMs>();
  #decidedAt: EpochMs | undefined;
  #tickedAt: EpochMs;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    this.#tickedAt = this.#startedAt;
    this.#turnedAt.set('liveListings', this.#startedAt).set('user', this.#startedAt);
  }

  /** The engine has judged a whole answer. */
  decided(at: EpochMs): void {
    this.#decidedAt = at;
  }

  ticked(at: EpochMs): void {
    this.#tickedAt = at;
  }

  /** A question has ended, with an answer or a failure. */
  turned(name: ReadName): void {
    const loop = LOOPS.find((each) => each === name);
    if (loop !== undefined) this.#turnedAt.set(loop, this.#options.clock.now());
  }

  /** How things stand, by what else is known: the end of the last complete poll, and of the last look that could read the orders. */
  checks(facts: Pick<PollFacts, 'lastCompleteAt'>, lastLookAt: EpochMs | undefined): readonly Check[] {
    const { intervalMs, lookIntervalMs, hasAccount } = this.#options;
    return [
      this.#check('poll', facts.lastCompleteAt, silentAfterMs(intervalMs)),
      this.#check('decision', this.#decidedAt, silentAfterMs(intervalMs)),
      ...(hasAccount ? [this.#check('reconciliation', lastLookAt, unreadAfterMs(lookIntervalMs))] : []),
    ];
  }

  /** What does not move any more, in words; undefined while everything does. */
  stuck(): string | undefined {
    const now = this.#options.clock.now();
    if (now - this.#tickedAt > TICKS_MS) return `the engine was told nothing for ${seconds(now - this.#tickedAt)}`;
    for (const [loop, at] of this.#turnedAt) {
      if (now - at > this.#turnMs(loop)) return `no question for ${loop} has ended for ${seconds(now - at)}`;
    }
    return undefined;
  }

  #turnMs(loop: Loop): number {
    const { intervalMs, lookIntervalMs, readSpacingMs } = this.#options;
    const usual = { liveListings: 3 * intervalMs, user: 0, orders: unreadAfterMs(lookIntervalMs) }[loop];
    return usual + REST_MS + READS_AHEAD * readSpacingMs;
  }

  #check(what: ProgressName, at: EpochMs | undefined, boundMs: number): Check {
    const ageMs = this.#options.clock.now() - (at ?? this.#startedAt);
    const ever = at !== undefined;
    return { what, ageMs, boundMs, ever, late: !ever || ageMs > boundMs };
  }
}

function seconds(ms: number): string {
  return `${Math.floor(ms / 1_000)} s`;
}

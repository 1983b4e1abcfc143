import type { Clock } from '../domain/clock.ts';
import type { Effect } from '../engine/effect.ts';
import type { Event } from '../engine/event.ts';
import type { EngineState } from '../engine/state.ts';
import { step } from '../engine/step.ts';

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/** An event as it is posted; the loop says when it happened. */
export type Posted = Unstamped<Event>;

/** Obeys one effect. What it leads to is posted back, never returned. */
export type Obey = (effect: Effect) => void;

/**
 * Runs `step` over events one at a time, in the order in which they were posted. An event that is posted while another is
 * worked on waits its turn, so that an effect can never change the state under its own step.
 */
export class EngineLoop {
  readonly #clock: Clock;
  readonly #obey: Obey;
  readonly #onEvent: (event: Event, effects: readonly Effect[]) => void;
  readonly #queue: Event[] = [];
  #state: EngineState;
  #busy = false;

  /** `onEvent` hears of every event after its effects were obeyed, and of these. */
  constructor(state: EngineState, clock: Clock, obey: Obey, onEvent: (event: Event, effects: readonly Effect[]) => void) {
    this.#onEvent = onEvent;
    this.#state = state;
    this.#clock = clock;
    this.#obey = obey;
  }

  /** What the engine knows now: to be looked at, never to be changed. */
  get state(): Readonly<EngineState> {
    return this.#state;
  }

  post(posted: Posted): void {
    this.#queue.push({ ...posted, at: this.#clock.now() });
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
        const { state, effects } = step(this.#state, event);
        this.#state = state;
        for (const effect of effects) this.#obey(effect);
        this.#onEvent(event, effects);
      }
    } finally {
      this.#busy = false;
    }
  }
}

import type { Clock } from '../domain/clock.ts';
import type { Log } from '../engine/ports.ts';
import type { EngineState } from '../engine/state.ts';
import { notBuyingWords, onPaper } from './facts.ts';

export interface OpeningOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly state: () => Readonly<EngineState>;
}

/** Says once, when the start checks have passed, whether buying is open: never before what decides that has been heard. */
export class Opening {
  readonly #options: OpeningOptions;
  #due = false;

  constructor(options: OpeningOptions) {
    this.#options = options;
  }

  /** The start checks have passed. */
  passed(): void {
    this.#due = true;
    this.tell();
  }

  /** To be called again and again. */
  tell(): void {
    const { clock, log, state: stateNow } = this.#options;
    const state = stateNow();
    if (!this.#due || !isDecided(state)) return;
    this.#due = false;
    log.info('open', { closed: notBuyingWords(state, clock.now()), paper: onPaper(state) });
  }
}

/** A halt is known from the first; the health of the markets only once the service was asked. */
function isDecided({ blockers, halt, health, rules }: Readonly<EngineState>): boolean {
  if (blockers.has('starting')) return false;
  return halt !== undefined || health !== undefined || rules.health.require === 'off';
}

import { type Clock, sleep } from '../domain/clock.ts';
import type { Channel, Sent } from './channel.ts';
import type { NewsGroup } from './letter.ts';

/** What waits for one channel. */
export interface Waiting {
  /** At least one. */
  readonly groups: readonly NewsGroup[];
  /** To be called once it has been told. */
  readonly told: () => void;
}

export interface DeliveryOptions {
  readonly channel: Channel;
  /** Who speaks. */
  readonly from: string;
  readonly clock: Clock;
  /** What has not been told yet; undefined when there is nothing. Cheap enough for once a second. */
  readonly waiting: () => Waiting | undefined;
  /** It did not take a letter, and why; how many times in a row by now. */
  readonly onFailing: (sent: Extract<Sent, { ok: false }>, tries: number) => void;
  /** It takes them again, after so many tries. */
  readonly onWell: (tries: number) => void;
}

const LOOK_MS = 1_000;

/** From one letter to the next, at least: what happens meanwhile goes together. */
const GAP_MS = 5_000;

const RETRY_FIRST_MS = 1_000;
const RETRY_LONGEST_MS = 5 * 60_000;

/**
 * Tells one channel what waits for it, at least once: a letter counts as told when the channel has taken it. However long the channel
 * is away, what has come together meanwhile is one letter.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  /** Tries in a row that failed. */
  #failures = 0;
  /** Its words were refused: from then on counts alone are tried, so that no letter stands in the way of all that follow. */
  #brief = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Tells until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await sleep(this.#options.clock, await this.#turn(signal), signal);
  }

  /** What still waits at the end, where the channel takes letters. Never rejects. */
  async last(signal: AbortSignal): Promise<void> {
    if (this.#failures === 0) await this.#turn(signal);
  }

  /** How long to wait until the next one, milliseconds. */
  async #turn(signal: AbortSignal): Promise<number> {
    try {
      const waiting = this.#options.waiting();
      if (waiting === undefined) return LOOK_MS;
      const { channel, from, clock } = this.#options;
      const sent = await channel.send({ from, at: clock.now(), groups: waiting.groups, brief: this.#brief }, signal);
      if (sent.ok) {
        waiting.told();
        this.#well();
        return GAP_MS;
      }
      return signal.aborted ? 0 : this.#failed(sent);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return this.#failed({ ok: false, kind: 'transient', message, retryAfterMs: undefined });
    }
  }

  #well(): void {
    const tries = this.#failures;
    this.#failures = 0;
    this.#brief = false;
    if (tries > 0) this.#options.onWell(tries);
  }

  #failed(sent: Extract<Sent, { ok: false }>): number {
    this.#brief ||= sent.kind === 'refused';
    const own = Math.min(RETRY_FIRST_MS * 2 ** this.#failures, RETRY_LONGEST_MS);
    this.#failures += 1;
    this.#options.onFailing(sent, this.#failures);
    return Math.max(own, sent.kind === 'transient' ? (sent.retryAfterMs ?? 0) : 0);
  }
}

import type { Permit, Permits } from '../engine/ports.ts';
import type { Posted } from './engine-loop.ts';

/**
 * Takes each permit as soon as the limiter gives it and tells the engine, so that a match need not queue for one. The permit is
 * kept here until the engine spends it.
 */
export class PermitPump {
  readonly #permits: Permits;
  readonly #post: (event: Posted) => void;
  readonly #held: Permit[] = [];

  constructor(permits: Permits, post: (event: Posted) => void) {
    this.#permits = permits;
    this.#post = post;
  }

  /** Runs until the signal is aborted; permits that are still held then are given back. */
  async start(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        this.#held.push(await this.#permits.take(signal));
        this.#post({ type: 'permit' });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      for (const permit of this.#held.splice(0)) permit.done();
    }
  }

  /** The permit that the engine has just spent. */
  claim(): Permit {
    const permit = this.#held.shift();
    if (permit === undefined) throw new Error('a buy without a permit');
    return permit;
  }
}

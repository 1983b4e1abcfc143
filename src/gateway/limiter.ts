import Bottleneck from 'bottleneck';

/** Frees what was held; calling it twice does nothing. */
export type Release = () => void;

/** Places held already go before everything that waits (Bottleneck's highest). */
const HELD_FIRST = 0;

/**
 * A Bottleneck whose places are held by hand, and which can be exchanged for a new one while in use: Bottleneck reads the wall
 * clock, so that a step back would freeze its queue. Without `expiration` and `highWater`, which free a place that is still used and
 * drop what waits.
 */
export class Limiter {
  readonly #options: Bottleneck.ConstructorOptions;
  readonly #held = new Set<Promise<void>>();
  #bottleneck: Bottleneck;
  #closed = false;

  constructor(options: { readonly maxConcurrent: number; readonly minTime?: number }) {
    this.#options = options;
    this.#bottleneck = new Bottleneck(options);
  }

  /**
   * Waits for a place; priority 1 goes before 9. Rejects with the signal's reason; the place in the queue then comes to nothing when
   * its turn is there.
   */
  async hold(priority: number, signal: AbortSignal): Promise<Release> {
    for (;;) {
      signal.throwIfAborted();
      if (this.#closed) throw new Error('the gateway is closed');
      const release = await this.#enter(this.#bottleneck, priority, signal);
      if (release) return release;
    }
  }

  /** Starts afresh with an empty memory of time. Places that are held stay counted; what waits queues again. */
  renew(): void {
    const old = this.#bottleneck;
    this.#bottleneck = new Bottleneck(this.#options);
    // Exchanged again before one of these has begun, it rejects them; the next one has been told of what is held.
    for (const held of this.#held) this.#bottleneck.schedule({ priority: HELD_FIRST }, () => held).catch(() => undefined);
    this.#drop(old);
  }

  close(): void {
    this.#closed = true;
    this.#drop(this.#bottleneck);
  }

  #drop(bottleneck: Bottleneck): void {
    // It resolves only when its last held place is freed, which nobody needs to wait for.
    bottleneck.stop({ dropWaitingJobs: true }).catch(() => undefined);
  }

  /** undefined when the Bottleneck was exchanged while this waited. */
  #enter(bottleneck: Bottleneck, priority: number, signal: AbortSignal): Promise<Release | undefined> {
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', abort, { once: true });
      const answer = (release: Release | undefined): void => {
        signal.removeEventListener('abort', abort);
        resolve(release);
      };
      const work = async (): Promise<void> => {
        if (signal.aborted) return;
        if (bottleneck !== this.#bottleneck || this.#closed) return answer(undefined);
        await new Promise<void>((free) => answer(this.#place(free)));
      };
      // A Bottleneck that was stopped rejects what waited in it.
      bottleneck.schedule({ priority }, work).catch(() => answer(undefined));
    });
  }

  #place(free: () => void): Release {
    let done: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.#held.add(held);
    return () => {
      this.#held.delete(held);
      done();
      free();
    };
  }
}

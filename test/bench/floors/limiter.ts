import Bottleneck from 'bottleneck';

/** Bottleneck as it comes: how long until a job starts whose queue is empty and whose turn it is, milliseconds. */
export class LimiterFloor {
  readonly #limiter: Bottleneck;

  constructor(spacingMs: number) {
    this.#limiter = new Bottleneck({ maxConcurrent: 1, minTime: spacingMs });
  }

  async waitMs(): Promise<number> {
    const asked = performance.now();
    return this.#limiter.schedule(() => Promise.resolve(performance.now() - asked));
  }
}

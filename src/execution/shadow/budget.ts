import type { EpochMs } from '../../domain/clock.ts';

const MINUTE_MS = 60_000;

/** So many questions in any minute at most. */
export class Budget {
  readonly #perMinute: number;
  /** When those of the last minute were asked, oldest first. */
  readonly #spent: EpochMs[] = [];

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** From when on another may be asked; the past, or now, where it may be asked at once. */
  get freeAt(): EpochMs {
    const { length } = this.#spent;
    return length < this.#perMinute ? Number.NEGATIVE_INFINITY : (this.#spent[0] ?? 0) + MINUTE_MS;
  }

  spend(now: EpochMs): void {
    if (this.#spent.length >= this.#perMinute) this.#spent.shift();
    this.#spent.push(now);
  }
}

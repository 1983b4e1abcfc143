import { type Clock, sleep } from '../domain/clock.ts';
import type { Delivery } from '../notify/delivery.ts';

/** What the channels get at the end of a process: to let go, then to take the last letter, milliseconds. */
const LET_GO_MS = 300;
const LAST_MS = 1_000;

/** Tells every channel beside everything else: nothing waits for one of them, neither while it runs nor at the end. */
export class Deliveries {
  readonly #clock: Clock;
  readonly #each: readonly Delivery[];
  #running: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock, each: readonly Delivery[]) {
    this.#clock = clock;
    this.#each = each;
  }

  /** Tells until the signal is aborted; `beside` goes on as long. */
  start(signal: AbortSignal, beside: readonly Promise<void>[] = []): void {
    this.#running = Promise.all([...this.#each.map((delivery) => delivery.run(signal)), ...beside]);
  }

  /**
   * After the signal: what still waits is told where a channel takes it within `lastMs`, milliseconds. By default all is over within a
   * second and a half, whatever the channels do.
   */
  async finish(lastMs = LAST_MS): Promise<void> {
    await this.#within(LET_GO_MS, this.#running);
    const ending = new AbortController();
    await this.#within(lastMs, Promise.all(this.#each.map((delivery) => delivery.last(ending.signal))));
    ending.abort();
  }

  async #within(ms: number, work: Promise<unknown>): Promise<void> {
    if (this.#each.length === 0) return;
    const over = new AbortController();
    await Promise.race([work, sleep(this.#clock, ms, over.signal)]);
    over.abort();
  }
}

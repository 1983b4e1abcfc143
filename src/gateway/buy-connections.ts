import { type Dispatcher, Pool, buildConnector } from 'undici';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { connectorOptions, poolOptions } from './connect.ts';
import { type Spare, SpareConnection } from './spare-connection.ts';

interface Setting {
  readonly url: URL;
  /** For connecting, milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * The connections of buys, which no read ever takes. Each buy gets one that was made beforehand and that nothing was sent over yet, and
 * its request is written before `dispatch` returns: to see whether a connection in use is still good undici takes a turn of the event
 * loop, in which everything else that is to be done comes first. Only where none is ready yet does it go over the one before, or wait
 * for a new one.
 */
export class BuyConnections {
  readonly #spare: SpareConnection;
  readonly #pool: Pool;
  readonly #used = new Set<Spare>();

  constructor({ url, timeoutMs, clock, random }: Setting) {
    const connector = buildConnector(connectorOptions(timeoutMs));
    this.#spare = new SpareConnection({ url, connector, clock, random });
    this.#pool = new Pool(url.origin, { ...poolOptions, connect: connector });
    this.#spare.start();
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const spare = this.#spare.take();
    if (!spare) return this.#pool.dispatch(options, handler);
    this.#used.add(spare);
    const takesMore = spare.client.dispatch(options, handler);
    void this.#end(spare);
    return takesMore;
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    this.#spare.close();
    await Promise.all([this.#pool.destroy(), ...[...this.#used].map(({ client }) => client.destroy())]);
  }

  /** When the answer is there, or will never be. */
  async #end(spare: Spare): Promise<void> {
    await spare.client.close();
    this.#used.delete(spare);
  }
}

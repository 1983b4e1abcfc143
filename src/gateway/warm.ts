import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { IDLE_MAX_MS } from './connect.ts';

/** Between two attempts after failures: doubled each time, spread by half. */
const RETRY_FIRST_MS = 1_000;
const RETRY_LONGEST_MS = 30_000;

/** A reserve that was closed sooner than this was not wanted: the next one waits longer. */
const LONG_LIVED_MS = 15_000;

interface Setting {
  readonly url: URL;
  readonly connector: buildConnector.connector;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * A connector that keeps one connected socket in reserve, so that a buy needs no handshake. The reserve is exchanged for a fresh one
 * before proxies would close it, and costs the service no request.
 */
export class WarmConnector {
  readonly #setting: Setting;
  #spare: Socket | undefined;
  #connecting = false;
  #failures = 0;
  #keptAt = 0;
  #closed = false;
  #stopTimer: (() => void) | undefined;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** Begins to keep a socket in reserve. */
  start(): void {
    this.#renew();
  }

  close(): void {
    this.#closed = true;
    this.#stopTimer?.();
    this.#spare?.destroy();
    this.#spare = undefined;
  }

  /** For undici: gives the reserve away if it is still good, or connects as usual. */
  readonly connect: buildConnector.connector = (options, callback) => {
    const spare = this.#takeSpare();
    if (!spare) return this.#setting.connector(options, callback);
    spare.ref();
    // undici does not notice a connection that is there before it has finished asking for one.
    queueMicrotask(() => callback(null, spare));
  };

  #takeSpare(): Socket | undefined {
    const spare = this.#spare;
    if (!spare) return undefined;
    this.#spare = undefined;
    spare.removeListener('close', this.#onClose);
    this.#renewSoon(0);
    if (isFresh(spare)) {
      this.#failures = 0;
      return spare;
    }
    spare.destroy();
    return undefined;
  }

  readonly #onClose = (): void => {
    this.#spare = undefined;
    if (this.#setting.clock.mono() - this.#keptAt >= LONG_LIVED_MS) this.#failures = 0;
    this.#failed();
  };

  #renew(): void {
    if (this.#closed || this.#connecting) return;
    this.#connecting = true;
    const { url, connector } = this.#setting;
    const { host, protocol, port } = url;
    const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
    connector({ host, hostname, protocol, port }, (error, socket) => {
      this.#connecting = false;
      if (error) this.#failed();
      else this.#keep(socket);
    });
  }

  #failed(): void {
    this.#failures++;
    this.#renewSoon(this.#pauseMs());
  }

  #keep(socket: Socket): void {
    // undici's connector listens to errors for as long as the socket lives.
    if (this.#closed) return void socket.destroy();
    socket.unref();
    socket.once('close', this.#onClose);
    const old = this.#spare;
    this.#spare = socket;
    this.#keptAt = this.#setting.clock.mono();
    old?.removeListener('close', this.#onClose);
    old?.destroy();
    this.#renewSoon(IDLE_MAX_MS);
  }

  #renewSoon(ms: number): void {
    this.#stopTimer?.();
    if (this.#closed) return;
    this.#stopTimer = this.#setting.clock.after(ms, () => this.#renew());
  }

  #pauseMs(): number {
    const longest = Math.min(RETRY_FIRST_MS * 2 ** Math.min(this.#failures - 1, 10), RETRY_LONGEST_MS);
    return longest * (0.5 + this.#setting.random.next() / 2);
  }
}

/** Nothing has come over it yet: bytes before a request are an error page or a goodbye, and would pass for the answer. */
function isFresh(socket: Socket): boolean {
  return !socket.destroyed && socket.writable && socket.readableLength === 0 && !socket.readableEnded && socket.errored === null;
}

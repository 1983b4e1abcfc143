import type { Socket } from 'node:net';
import { Client, type buildConnector } from 'undici';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { IDLE_MAX_MS, poolOptions } from './connect.ts';

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

/** A client for one request, over a connection that is there. */
export interface Spare {
  readonly client: Client;
  readonly socket: Socket;
}

/**
 * One connection in reserve, so that a buy needs no handshake. It is exchanged for a fresh one before proxies would close it, and
 * costs the service no request.
 */
export class SpareConnection {
  readonly #setting: Setting;
  #spare: Spare | undefined;
  #connecting = false;
  #failures = 0;
  #keptAt = 0;
  #closed = false;
  #stopTimer: (() => void) | undefined;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** Begins to keep a connection in reserve. */
  start(): void {
    this.#renew();
  }

  close(): void {
    this.#closed = true;
    this.#stopTimer?.();
    this.#spare?.socket.destroy();
    this.#spare = undefined;
  }

  /** Gives it away if it is still good, and begins to make the next one. */
  take(): Spare | undefined {
    const spare = this.#spare;
    if (!spare) return undefined;
    this.#spare = undefined;
    spare.socket.removeListener('close', this.#onClose);
    // What it is taken for is written first.
    queueMicrotask(() => this.#renewSoon(0));
    if (isFresh(spare.socket)) {
      this.#failures = 0;
      return spare;
    }
    spare.socket.destroy();
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
    const old = this.#spare;
    old?.socket.removeListener('close', this.#onClose);
    old?.socket.destroy();
    this.#spare = { client: clientOver(socket, this.#setting.url.origin), socket };
    socket.unref();
    socket.once('close', this.#onClose);
    this.#keptAt = this.#setting.clock.mono();
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

/** The renewal comes first: undici must not close what is counted on. */
const NEVER_IDLE = { keepAliveTimeout: 2 * IDLE_MAX_MS, keepAliveMaxTimeout: 2 * IDLE_MAX_MS };

/** A client that has taken the connection over, and never makes another: what went over that would be a second request. */
function clientOver(socket: Socket, origin: string): Client {
  let given = false;
  const connect: buildConnector.connector = (_, callback) => {
    if (given) return callback(new Error('the connection in reserve is used up'), null);
    given = true;
    callback(null, socket);
  };
  const client = new Client(origin, { ...poolOptions, ...NEVER_IDLE, connect });
  // undici asks for its connection when there is a request, and lets go of one whose start fails before anything is written.
  client.dispatch({ method: 'GET', path: '/' }, nothingToSend);
  // It does not notice a connection that is there before it has finished asking. Told again what it is set to already, it looks.
  client.pipelining = poolOptions.pipelining;
  return client;
}

const nothingToSend = {
  onRequestStart: (): never => {
    throw new Error('only to connect');
  },
  onResponseError: (): void => undefined,
};

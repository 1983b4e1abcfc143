import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { endpoints } from '../../src/api/endpoints.ts';

/** What passes between a daemon and the exchange: an answer of the live feed, a buy, the answer to it. */
export type Passing = 'feed' | 'buy' | 'answer';

/** What to do with the bytes that are passing: lost, they and all that follow on their connection never arrive. */
export type Fate = 'pass' | 'lost';

const beginnings = [
  [`POST ${endpoints.buy.path}`, 'buy'],
  [`GET ${endpoints.liveListings.path}`, 'feed'],
] as const;

/**
 * The way from a daemon to the exchange, on which somebody can see what passes in the very moment in which it does. It copies bytes and
 * knows of HTTP only how a request begins: one request at a time goes over a connection of the daemon's.
 */
export class Passage {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Asked for each thing that passes, before it does. */
  onPassing: (what: Passing) => Fate = () => 'pass';

  private constructor(target: URL) {
    this.#server = createServer((client) => this.#carry(client, connect(Number(target.port), target.hostname)));
  }

  static async open(target: string): Promise<Passage> {
    const passage = new Passage(new URL(target));
    await new Promise<void>((resolve) => void passage.#server.listen(0, '127.0.0.1', resolve));
    return passage;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  #carry(client: Socket, service: Socket): void {
    let asked: 'feed' | 'buy' | undefined;
    let lost = false;
    const see = (what: Passing): boolean => {
      if (!lost && this.onPassing(what) === 'lost') lost = true;
      return !lost;
    };
    client.on('data', (bytes) => {
      const head = bytes.subarray(0, 64).toString('latin1');
      const begun = beginnings.find(([beginning]) => head.startsWith(beginning));
      if (begun !== undefined) [, asked] = begun;
      else if (/^[A-Z]+ \//.test(head)) asked = undefined;
      if (begun?.[1] === 'buy' ? see('buy') : !lost) service.write(bytes);
    });
    service.on('data', (bytes) => {
      const what = asked === 'buy' ? 'answer' : asked;
      asked = undefined;
      if (what === undefined ? !lost : see(what)) client.write(bytes);
    });
    // What has been passed on arrives, though its sender is dead: a reset might take it back.
    client.on('close', () => service.end());
    service.on('close', () => client.end());
    for (const socket of [client, service]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    }
  }
}

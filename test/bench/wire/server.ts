import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { Account } from './account.ts';
import type { Sent, Written } from './sending.ts';

const HEADERS_END = '\r\n\r\n';

/**
 * A raw HTTP server for one client. It holds the question for the live listings back until it is told what to answer, and stamps with
 * one clock when the last byte of the answer was handed to the socket and when the headers of the POST that it leads to were there.
 */
export class BenchServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #account = new Account();
  /** Who has asked for the listings and has no answer yet. */
  #asking: Socket | undefined;
  #onAsked: (() => void) | undefined;
  #awaited: { readonly listingId: string; readonly resolve: (at: number) => void } | undefined;

  private constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => this.#serve(socket));
  }

  static async start(): Promise<BenchServer> {
    const server = new BenchServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when the client waits for listings. */
  async asked(): Promise<void> {
    if (this.#asking === undefined) await new Promise<void>((resolve) => (this.#onAsked = resolve));
  }

  /** Resolves with the moment at which the headers of the POST for a listing were there, monotonic milliseconds. */
  posted(listingId: string): Promise<number> {
    return new Promise((resolve) => (this.#awaited = { listingId, resolve }));
  }

  /** Answers the question for the listings; `send` says how the bytes go. */
  async answer(
    { body, endOf, encoding }: { readonly body: Buffer; readonly endOf: number; readonly encoding?: string | undefined },
    send: (socket: Socket, written: Written) => Promise<Sent>,
  ): Promise<Sent> {
    const socket = this.#asking;
    if (socket === undefined) throw new Error('nobody has asked for listings');
    this.#asking = undefined;
    const head = Buffer.from(headOf(200, body.length, encoding));
    return send(socket, { bytes: Buffer.concat([head, body]), endOf: head.length + endOf });
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      if (this.#asking === socket) this.#asking = undefined;
    });
    socket.on('error', () => undefined);
    let unread = '';
    let headersAt: number | undefined;
    socket.on('data', (bytes) => {
      unread += bytes.toString('latin1');
      const end = unread.indexOf(HEADERS_END);
      if (end < 0) return;
      headersAt ??= performance.now();
      const length = Number(/^content-length: (\d+)/im.exec(unread.slice(0, end))?.[1] ?? 0);
      if (unread.length < end + HEADERS_END.length + length) return;
      const [method = '', path = ''] = unread.split(' ', 2);
      const body = unread.slice(end + HEADERS_END.length);
      if (method === 'POST') this.#notePost(body, headersAt);
      unread = '';
      headersAt = undefined;
      this.#ask(socket, method, path.split('?')[0] ?? '', body);
    });
  }

  /** One that comes too late is not taken for the next. */
  #notePost(body: string, at: number): void {
    const { itemId } = JSON.parse(body) as { itemId: string };
    if (this.#awaited?.listingId === itemId) this.#awaited.resolve(at);
  }

  #ask(socket: Socket, method: string, path: string, body: string): void {
    if (path === '/v2/partner/live/listings') {
      this.#asking = socket;
      this.#onAsked?.();
      this.#onAsked = undefined;
      return;
    }
    const data = this.#account.answer(method, path, body);
    const envelope = data === undefined ? { success: false, message: 'not here' } : { success: true, data };
    const text = JSON.stringify({ requestId: crypto.randomUUID(), ...envelope });
    socket.write(headOf(data === undefined ? 404 : 200, Buffer.byteLength(text), undefined) + text);
  }
}

function headOf(status: number, length: number, encoding: string | undefined): string {
  const coded = encoding === undefined ? '' : `content-encoding: ${encoding}\r\n`;
  const date = new Date().toUTCString();
  return `HTTP/1.1 ${status} OK\r\ncontent-type: application/json\r\n${coded}date: ${date}\r\ncontent-length: ${length}${HEADERS_END}`;
}

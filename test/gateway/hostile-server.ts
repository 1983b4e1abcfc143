import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When its last byte came, monotonic milliseconds. */
  readonly at: number;
  /** The how-manyeth connection it came over, from 0. */
  readonly connection: number;
}

/** How the server treats a connection. What it leaves out it does not do. */
export interface Manners {
  /** As soon as the connection is there. */
  readonly accept?: (socket: Socket) => void;
  /** At the first bytes of a request, whole or not. */
  readonly first?: (socket: Socket) => void;
  /** Once a request is there to its last byte; `nth` counts over all connections, from 0. */
  readonly answer?: (socket: Socket, request: SeenRequest, nth: number) => void;
}

/** A raw TCP server on loopback that keeps every byte it was sent and behaves as badly as it is told to. */
export class HostileServer {
  readonly requests: SeenRequest[] = [];
  readonly sockets: Socket[] = [];
  readonly #server: Server;
  #manners: Manners;
  #wire = '';

  private constructor(manners: Manners) {
    this.#manners = manners;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(manners: Manners): Promise<HostileServer> {
    const server = new HostileServer(manners);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** POSTs that reached the wire, whole or not. */
  get posts(): number {
    return this.#wire.match(/POST \S+ HTTP\/1\.1/g)?.length ?? 0;
  }

  get connections(): number {
    return this.sockets.length;
  }

  behave(manners: Manners): void {
    this.#manners = manners;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(socket: Socket): void {
    const connection = this.sockets.push(socket) - 1;
    socket.on('error', () => undefined);
    let unread = '';
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      this.#wire += text;
      if (unread === '') this.#manners.first?.(socket);
      unread += text;
      for (let parsed = parseRequest(unread); parsed; parsed = parseRequest(unread)) {
        unread = unread.slice(parsed.length);
        const request = { ...parsed.request, at: performance.now(), connection };
        const nth = this.requests.push(request) - 1;
        this.#manners.answer?.(socket, request, nth);
      }
    });
    this.#manners.accept?.(socket);
  }
}

function parseRequest(text: string): { request: Omit<SeenRequest, 'at' | 'connection'>; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [start = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < length) return undefined;
  const [method = '', path = ''] = start.split(' ');
  return { request: { method, path, headers, body: text.slice(end + 4, length) }, length };
}

/** The bytes of one HTTP answer. `content-length` is right unless given. */
export function httpAnswer(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Buffer {
  const bytes = Buffer.from(body);
  const all: Record<string, string> = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`), bytes]);
}

/** Answers every request with the same status and JSON. */
export function answering(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Manners {
  const bytes = httpAnswer(status, typeof body === 'string' ? body : JSON.stringify(body), headers);
  return { answer: (socket) => void socket.write(bytes) };
}

/** Writes one piece each `everyMs` until the socket is gone. */
export function trickle(socket: Socket, pieces: Iterable<string | Buffer>, everyMs: number): void {
  const rest = pieces[Symbol.iterator]();
  const timer = setInterval(() => {
    const next = rest.next();
    if (next.done || socket.destroyed) return clearInterval(timer);
    socket.write(next.value);
  }, everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the other side reads, `times` times or until the socket is gone. */
export function flood(socket: Socket, piece: Buffer, times: number): void {
  let left = times;
  const push = (): void => {
    while (left-- > 0 && !socket.destroyed) if (!socket.write(piece)) return void socket.once('drain', push);
  };
  push();
}

/** Does the work for every request. */
export const onAnswer = (work: (socket: Socket) => void): Manners => ({ answer: (socket) => work(socket) });

/** Writes the same bytes for every request. */
export const saying = (bytes: string | Buffer): Manners => onAnswer((socket) => void socket.write(bytes));

export const reset = (socket: Socket): void => void socket.resetAndDestroy();
export const end = (socket: Socket): void => void socket.end();

/** Chunks of white space, each as large as given, as a body that goes on for ever. */
export function chunkOfSpace(bytes: number): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes, 32), Buffer.from('\r\n')]);
}

import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import type { Secret } from '../domain/secret.ts';
import { addressOf, bound } from '../monitor/listening.ts';
import type { Asset } from './assets.ts';
import { Door } from './door.ts';
import { guarded, sandboxed } from './headers.ts';
import type { FactsOfEach, PageFacts } from './page-facts.ts';
import { Rooms } from './rooms.ts';
import type { Room } from './routes.ts';
import { Streams } from './stream.ts';
import { type Changed, change } from './writes.ts';

export interface PageOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly token: Secret;
  /** Of the one account; or of several, together and each. */
  readonly facts: PageFacts | FactsOfEach;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly clock: Clock;
  /** Masks secrets in what is answered. */
  readonly scrub: (text: string) => string;
}

/** Whoever sends slowly or asks for much gets no more than this of us. */
const CONNECTIONS_MAX = 64;
const REQUEST_MS = 10_000;
const HEADER_BYTES_MAX = 16_384;

export interface ServedPage {
  /** Where it listens: `http://127.0.0.1:8787`. */
  readonly address: string;
  close(): Promise<void>;
}

/** Serves the page. Rejects with the system's error where it cannot listen. */
export async function servePage(options: PageOptions): Promise<ServedPage> {
  const settings = {
    maxHeaderSize: HEADER_BYTES_MAX,
    ...{ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: REQUEST_MS },
  };
  const streams = new Streams(options);
  const desk = new Desk(options, streams);
  const answering = new WeakSet<Socket>();
  const server = createServer(settings, (request, response) => {
    // No browser asks before it has its answer; thousands of questions in one packet would keep everything else waiting.
    if (answering.has(request.socket)) return void request.socket.destroy();
    answering.add(request.socket);
    response.once('close', () => answering.delete(request.socket));
    response.on('error', () => response.destroy());
    void desk.answer(request, response);
  });
  server.maxConnections = CONNECTIONS_MAX;
  await bound(server, options);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      streams.end();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { address: addressOf(server), close };
}

/** Answers one request after the other. */
class Desk {
  readonly #options: PageOptions;
  readonly #streams: Streams;
  readonly #rooms: Rooms;
  readonly #door: Door;

  constructor(options: PageOptions, streams: Streams) {
    this.#options = options;
    this.#streams = streams;
    this.#rooms = new Rooms(options.facts);
    this.#door = new Door(options);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      say(response, 500, error instanceof Error ? error.message : String(error));
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers, url = '' } = request;
    const door = this.#door;
    if (!door.knowsName(headers)) return say(response, 421, 'this is not the machine that you have named');
    const [whole, query] = split(url);
    const reads = method === 'GET' || method === 'HEAD';
    const asset = this.#options.assets.get(whole);
    // What is the same for everybody and shows nothing; a link from elsewhere may lead to it.
    if (reads && asset !== undefined) return send(response, { type: asset.type, bytes: asset.bytes }, method);
    if (!door.isOurs(headers, !reads)) return say(response, 403, 'this was asked by another site');
    const { room, path } = this.#rooms.at(whole);
    if (!reads) return this.#change(room, path, request, response);
    if (!door.isOpenTo(headers, this.#options.clock.mono())) return say(response, 401, 'the token of the page is needed');
    if (room === undefined) return say(response, 404, 'no account is called so');
    if (path === '/api/events') return this.#join(room, response, method);
    const report = /^\/reports\/([^/]{1,200})$/.exec(path)?.[1];
    if (report !== undefined) return this.#report(room, report, response, method);
    const answer = room.answer(path, new URLSearchParams(query));
    if (answer === undefined) return say(response, 404, 'there is nothing of the kind');
    send(response, json(answer, this.#options.scrub), method);
  }

  async #change(room: Room | undefined, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nowMs = this.#options.clock.mono();
    const done: Changed = await change(path, request, { writes: room?.writes, door: this.#door, nowMs });
    if (done.cookie !== undefined) response.setHeader('set-cookie', done.cookie);
    if (done.status === 405) response.setHeader('allow', 'GET, HEAD');
    say(response, done.status, done.message);
  }

  #join(room: Room, response: ServerResponse, method: string): void {
    if (method === 'HEAD' || this.#streams.isFull) return say(response, 503, 'as many look on as may');
    this.#streams.join(room.told, response, guarded);
  }

  #report(room: Room, name: string, response: ServerResponse, method: string): void {
    const bytes = room.report(unescaped(name));
    if (bytes === undefined) return say(response, 404, 'there is no such report');
    send(response, { type: 'text/html; charset=utf-8', bytes }, method, sandboxed);
  }
}

function json(value: unknown, scrub = (text: string): string => text): Asset {
  return { type: 'application/json; charset=utf-8', bytes: Buffer.from(scrub(JSON.stringify(value))) };
}

function say(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  const { type, bytes } = json({ ok: status < 400, message });
  response.writeHead(status, { ...guarded, 'content-type': type, 'content-length': bytes.length });
  response.end(bytes);
}

function send(
  response: ServerResponse,
  { type, bytes }: Asset,
  method: string,
  headers: Readonly<Record<string, string>> = guarded,
): void {
  response.writeHead(200, { ...headers, 'content-type': type, 'content-length': bytes.length });
  response.end(method === 'HEAD' ? undefined : bytes);
}

function split(url: string): readonly [string, string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

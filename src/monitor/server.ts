import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hostNamed, listenAt, pathNamed, type ListenAt, type ListeningServer } from './listening.ts';

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface ServerOptions extends ListenAt {
  /** By path. A page that fails is answered with 500, without its reason. */
  readonly pages: Readonly<Record<string, () => Page | Promise<Page>>>;
  /** Whether a request may name us so, without the port. A page in a browser can have a name of its own lead to this machine. */
  readonly isOurName: (host: string) => boolean;
}

/** Serves a few pages to who asks with GET or HEAD. Rejects with the system's error where it cannot listen. */
export function serve(options: ServerOptions): Promise<ListeningServer> {
  const answering = new WeakSet<Socket>();
  return listenAt(options, (request, response) => {
    const { socket } = request;
    // Nobody who scrapes asks before he has his answer; thousands of questions in one packet would keep everything else waiting.
    if (answering.has(socket)) return void socket.destroy();
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
    // What a stranger sends after it is not read.
    request.resume();
    void answer(request, options).then((page) => send(request, response, page));
  });
}

async function answer(request: IncomingMessage, { pages, isOurName }: ServerOptions): Promise<Page> {
  if (!isOurName(hostNamed(request))) return plain(421, 'this is not the machine that you have named');
  const path = pathNamed(request);
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) return plain(404, `nothing is here; there are ${Object.keys(pages).join(', ')}`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET and HEAD');
  try {
    return await page();
  } catch {
    return plain(500, 'it cannot be told just now');
  }
}

function send({ method }: IncomingMessage, response: ServerResponse, { status, type, body }: Page): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 && { allow: 'GET, HEAD' }),
  });
  response.end(method === 'HEAD' ? undefined : bytes);
}

function plain(status: number, words: string): Page {
  return { status, type: 'text/plain; charset=utf-8', body: `${words}\n` };
}

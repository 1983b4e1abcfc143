import type { IncomingMessage } from 'node:http';
import type { Door } from './door.ts';
import type { Room } from './routes.ts';

/** What became of a request that wants to change something. */
export interface Changed {
  readonly status: number;
  readonly message: string;
  /** A header for the browser, where its session begins or ends. */
  readonly cookie?: string;
}

const BODY_BYTES_MAX = 8_192;
const REASON_MAX = 1_000;

interface Means {
  /** Undefined where no account is called as the path says. */
  readonly writes: Room['writes'] | undefined;
  readonly door: Door;
  readonly nowMs: number;
}

/** The two writes that there are, to stop and to allow buying, and the way in and out. Nothing else can be changed through the page. */
export async function change(path: string, request: IncomingMessage, { writes, door, nowMs }: Means): Promise<Changed> {
  if (request.method !== 'POST') return { status: 405, message: 'only GET, HEAD and POST' };
  const write = writes !== undefined && Object.hasOwn(writes, path) ? writes[path] : undefined;
  const isDoor = path === '/api/login' || path === '/api/logout';
  // Before anything else: who has no token learns no account's name.
  if (!isDoor && !door.isOpenTo(request.headers, nowMs)) return { status: 401, message: 'the token of the page is needed' };
  if (write === undefined && !isDoor) return { status: 404, message: 'nothing can be changed there' };
  const body = await bodyOf(request);
  if (body === undefined) return { status: 400, message: 'a small JSON object is needed' };
  if (path === '/api/logout') return { status: 200, message: 'signed out', cookie: door.cookie(request.headers, false) };
  if (write === undefined) return login(body, request, door, nowMs);
  const reason = textOf(body, 'reason').replace(/\s+/g, ' ').trim();
  if (reason === '' || reason.length > REASON_MAX)
    return { status: 400, message: `a reason is needed, at most ${REASON_MAX} characters` };
  write(reason);
  return { status: 200, message: 'done' };
}

function login(body: Body, { headers }: IncomingMessage, door: Door, nowMs: number): Changed {
  switch (door.tried(textOf(body, 'token').trim(), nowMs)) {
    case 'right':
      return { status: 200, message: 'welcome', cookie: door.cookie(headers, true) };
    case 'wrong':
      return { status: 401, message: 'that is not the token' };
    case 'late':
      return { status: 429, message: 'too many wrong tokens: try again in a minute' };
  }
}

type Body = Readonly<Record<string, unknown>>;

function textOf(body: Body, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}

/** JSON by type and by bytes: a form of another site can send neither. Undefined for anything else, or too much of it. */
async function bodyOf(request: IncomingMessage): Promise<Body | undefined> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return undefined;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    pieces.push(piece);
  }
  return objectOf(Buffer.concat(pieces).toString('utf8'));
}

function objectOf(text: string): Body | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
  } catch {
    return undefined;
  }
}

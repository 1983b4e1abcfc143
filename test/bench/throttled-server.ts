import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * A service in a process of its own, whose answers of live listings leave at the rate of a line. All times are this process's own:
 * when the last byte of the new listing was written, when the last byte of the answer was, when the headers of the buy came.
 */

/** To the server. `arm`: the next answer for that client shows a new listing that far into its list. */
export type ToServer =
  | { readonly do: 'market'; readonly entries: readonly string[]; readonly wanted: string; readonly bytesPerMs: number }
  | { readonly do: 'arm'; readonly way: string; readonly share: number };

export type FromServer =
  | { readonly say: 'port'; readonly port: number }
  | { readonly say: 'armed'; readonly way: string }
  | {
      readonly say: 'buy';
      readonly way: string;
      /** From the last byte of the listing to the headers of the buy. */
      readonly afterListingMs: number;
      /** From those to the last byte of the answer; below zero: the answer had ended before. */
      readonly beforeEndMs: number;
    };

/** Bytes that leave at once: about a packet. */
const PACKET = 1_460;

/** The id of the new listing in the text of one. */
export const NEW_ID = '999999999';
const NEW_IDS_FROM = 77_000_000_000;

let market: Extract<ToServer, { do: 'market' }> = { do: 'market', entries: [], wanted: '', bytesPerMs: 12_500 };
const armed = new Map<string, number>();
/** What each client is shown besides the market, and where. */
const shown = new Map<string, { readonly text: string; readonly at: number }>();
const running = new Map<string, { listingAt: number; endAt: number | undefined; boughtAt: number | undefined }>();
let count = 0;

const send = (message: FromServer): void => void process.send?.(message);

if (process.send !== undefined) serve();

function serve(): void {
  process.on('message', (message: ToServer) => {
    if (message.do === 'market') market = message;
    else {
      armed.set(message.way, message.share);
      send({ say: 'armed', way: message.way });
    }
  });
  process.on('disconnect', () => process.exit());
  const server = createServer(answer);
  server.listen(0, '127.0.0.1', () => send({ say: 'port', port: (server.address() as AddressInfo).port }));
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  response.socket?.setNoDelay(true);
  const way = String(request.headers['x-api-key']).includes('floor') ? 'floor' : 'magpie';
  const path = request.url ?? '';
  if (request.method === 'POST') return bought(way, request, response);
  if (path.includes('/live/listings')) return live(way, response);
  json(response, 200, { requestId: `r-${++count}`, success: true, data: dataOf(path) });
}

function dataOf(path: string): unknown {
  const well = { status: 'ok', staleMs: 100 };
  if (path.includes('market-health'))
    return { status: 'ok', ts: Date.now(), markets: { c5: well, ecosteam: well }, service: { c5: true, ecosteam: true } };
  if (path.includes('orders')) return { total: 0, returned: 0, orders: [], message: 'orders' };
  if (path.includes('transactions')) return { total: 0, transactions: [], message: 'transactions' };
  const profile = { id: 'a1b2c3d4e5f60718293a4b5c', balance: 100_000, twoFactor: { enabled: false, method: null } };
  const subscription = { active: false, nextBilling: null, cancelAtPeriodEnd: false };
  return { type: 'apiKey', message: 'profile', profile: { ...profile, subscription, chatAccount: null } };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

function live(way: string, response: ServerResponse): void {
  const share = armed.get(way);
  armed.delete(way);
  const { entries, wanted } = market;
  if (share !== undefined) {
    const text = wanted.replace(NEW_ID, String(NEW_IDS_FROM + ++count));
    shown.set(way, { text, at: Math.floor(share * entries.length) });
  }
  const extra = shown.get(way);
  const list = extra === undefined ? entries : entries.toSpliced(extra.at, 0, extra.text);
  const head = `{"requestId":"r-${++count}","success":true,"data":{"listings":[`;
  const body = Buffer.from(`${head}${list.join(',')}],"listingsCount":${list.length}}}`);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  const listingEnd = extra === undefined ? -1 : body.indexOf(extra.text) + Buffer.byteLength(extra.text);
  pace(body, response, (written, now) => {
    if (share === undefined || written < listingEnd) return;
    const poll = running.get(way) ?? { listingAt: now, endAt: undefined, boughtAt: undefined };
    running.set(way, poll);
    if (written === body.length) poll.endAt = now;
    tell(way);
  });
}

/** Writes packet by packet, none before its time; those that are due within a millisecond go together. */
function pace(body: Buffer, response: ServerResponse, onWritten: (written: number, now: number) => void): void {
  const began = performance.now();
  let written = 0;
  const more = (): void => {
    const due = (performance.now() - began) * market.bytesPerMs;
    while (written < body.length && written + PACKET <= due + PACKET) {
      const end = Math.min(written + PACKET, body.length);
      response.write(body.subarray(written, end));
      written = end;
      onWritten(written, performance.now());
    }
    // Not as fast as the loop goes: this process must not take the processor from the one that is measured.
    if (written < body.length) setTimeout(more, 1);
    else response.end();
  };
  more();
}

function bought(way: string, request: IncomingMessage, response: ServerResponse): void {
  const poll = running.get(way);
  if (poll !== undefined) poll.boughtAt = performance.now();
  request.resume();
  request.on('end', () => {
    json(response, 410, { requestId: `r-${++count}`, success: false, code: 'LISTING_NOT_FOUND', message: 'it is not for sale' });
  });
  tell(way);
}

/** Once both have happened. */
function tell(way: string): void {
  const poll = running.get(way);
  if (poll?.endAt === undefined || poll.boughtAt === undefined) return;
  running.delete(way);
  const { listingAt, endAt, boughtAt } = poll;
  send({ say: 'buy', way, afterListingMs: boughtAt - listingAt, beforeEndMs: endAt - boughtAt });
}

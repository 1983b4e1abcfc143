import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';

/** Whoever sends slowly or asks for much gets no more than this of us. */
const CONNECTIONS_MAX = 32;
const REQUEST_MS = 5_000;
/** Longer than the pause between two scrapes. */
const KEEP_ALIVE_MS = 75_000;
const HEADER_BYTES_MAX = 8_192;

export interface ListenAt {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
}

export interface ListeningServer {
  /** Where it listens: `http://127.0.0.1:9790`. */
  readonly address: string;
  /** Resolves when it has broken off what was under way. */
  close(): Promise<void>;
}

/** A server within bounds of time, bytes and connections. Rejects with the system's error where it cannot listen. */
export async function listenAt(
  at: ListenAt,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ListeningServer> {
  const settings = {
    maxHeaderSize: HEADER_BYTES_MAX,
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: REQUEST_MS,
  };
  const server = createServer(settings, onRequest);
  server.maxConnections = CONNECTIONS_MAX;
  await bound(server, at);
  return { address: addressOf(server), close: () => closed(server) };
}

/** The host that a request names, without its port: `127.0.0.1`, `[::1]`. */
export function hostNamed({ headers }: IncomingMessage): string {
  return (headers.host ?? '').replace(/:\d{0,5}$/, '');
}

/** The path of a request without its query. */
export function pathNamed({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** Resolves once a server listens. Rejects with the system's error where it cannot. */
export function bound(server: Server, { host, port }: ListenAt): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.removeListener('error', reject);
      // Out of descriptors, say: one connection less.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Where a server listens: `http://127.0.0.1:9790`; empty where it does not. */
export function addressOf(server: Server): string {
  const at = server.address();
  if (at === null || typeof at === 'string') return '';
  return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`;
}

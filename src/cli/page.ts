import { join } from 'node:path';
import { systemRandom } from '../app/system-random.ts';
import type { Daemon } from '../app/daemon.ts';
import type { Secret } from '../domain/secret.ts';
import { printable } from '../domain/text.ts';
import { prepareFolder } from '../ledger/folder.ts';
import type { SettingsRequest } from '../settings/load.ts';
import type { Settings } from '../settings/settings.ts';
import { TOKEN_FILE, ownToken } from '../web/own-token.ts';
import type { Io } from './io.ts';

/** The page that a run shall serve. */
export interface PageWanted {
  readonly web: NonNullable<Settings['web']>;
  readonly token: Secret;
  /** It was made here, and stands in the data folder. */
  readonly isOwn: boolean;
}

/** Undefined where no page is wanted. Without a token that could be kept there is none, and it is said why. */
export function pageWanted({ web, data }: Settings, io: Pick<Io, 'err' | 'thread'>): PageWanted | undefined {
  if (web === undefined || io.thread === undefined) return undefined;
  if (web.token !== undefined) return { web, token: web.token, isOwn: false };
  // Nothing starts on such a folder, and the start says why: a token would mend nothing.
  if (prepareFolder(data) !== undefined) return undefined;
  try {
    return { web, token: ownToken(data, systemRandom), isOwn: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    io.err.line(`No page is served, since its token cannot be kept: ${printable(message, 300)} → set web.token`);
    return undefined;
  }
}

/** A thread that has ended is started again after this. */
const AGAIN_MS = 60_000;

/** What the page is served beside: an account's daemon, or the process of several. */
type Served = Pick<Daemon, 'log' | 'stopping'>;

/** Serves the page for as long as the daemon runs. Nothing waits for it, and nothing ends with it. */
export function servePageOf(io: Io, daemon: Served, settings: Settings, wanted: PageWanted, request: SettingsRequest): void {
  const { thread: begin } = io;
  const { log, stopping } = daemon;
  if (begin === undefined) return;
  const { host, port } = wanted.web;
  const order = {
    host,
    port,
    token: wanted.token.reveal(),
    ...{ folder: settings.data, accounts: settings.accountNames },
    request: { ...request, env: { ...request.env } },
  };
  const start = (): void => {
    if (stopping.aborted) return;
    const thread = begin(order);
    const stop = (): void => thread.stop();
    stopping.addEventListener('abort', stop, { once: true });
    thread.onWord((word) => {
      if (word.kind === 'listening') tellAddress(io, daemon, settings, wanted, word.address);
      else if (word.kind === 'unheard') log.warn('page-unserved', unheard(word.message));
      else log.info('page-resumed', { reason: word.reason, account: word.account });
    });
    thread.onEnd((message) => {
      stopping.removeEventListener('abort', stop);
      if (stopping.aborted) return;
      log.warn('page-unserved', { message });
      const cancel = io.clock.after(AGAIN_MS, start);
      stopping.addEventListener('abort', cancel, { once: true });
    });
  };
  start();
}

function unheard(message: string): { readonly message: string; readonly next: string } {
  if (!message.includes('EADDRINUSE'))
    return { message, next: 'set web.host and web.port to where this machine may be listened at' };
  return {
    message: `another program listens there (${message})`,
    next: 'stop that program, or set web.port to a port that is free',
  };
}

/**
 * The token stands in the part of an address that no browser sends, and that the page takes away at once. It is shown where it was made
 * here and only its owner reads along: at a terminal, or for play money.
 */
function tellAddress({ out, err }: Io, { log }: Served, settings: Settings, { token, isOwn }: PageWanted, address: string): void {
  const shows = isOwn && (out.isTerminal || settings.service.kind === 'sandbox');
  if (!shows) return log.info('page-at', { address, token: isOwn ? join(settings.data, TOKEN_FILE) : 'web.token' });
  const line = `The page: ${address}/#token=${token.reveal()}\n`;
  if (settings.log.format === 'human') out.writeUnawaited(line);
  else err.write(line);
}

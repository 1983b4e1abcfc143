import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { Purchase } from '../../src/domain/purchase.ts';
import { openReader } from '../../src/ledger/open.ts';

type Source = (folder: string) => string | Promise<string>;

/** What a word of a page can stand for, asked of all that the session has written, at the block that says so. Anything else is the text itself. */
const sources: Readonly<Record<string, Source>> = {
  'newest purchase': (folder) => String(newestPurchase(folder).id),
  'listing of the newest purchase': (folder) => newestPurchase(folder).listingId,
  'market of the newest purchase': (folder) => newestPurchase(folder).market,
  'newest backup': (folder) => newestFile(folder, (path) => /\/backups\/[\w.-]+\.db$/.test(path)),
  'a free port': freePort,
  'a folder': (folder) => mkdtempSync(join(folder, 'folder-')),
};

/** The text that stands for a word. Throws when nothing does yet, such as a purchase before there is one. */
export async function valueOf(source: string, folder: string): Promise<string> {
  return (await sources[source]?.(folder)) ?? source;
}

/** A text with every word replaced. A word counts where it stands by itself: `ID` is not part of `VALID`. */
export function withWords(text: string, values: ReadonlyMap<string, string>): string {
  return [...values].reduce((told, [word, value]) => {
    const escaped = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return told.replace(new RegExp(`(?<![\\w])${escaped}(?![\\w])`, 'g'), () => value);
  }, text);
}

function newestPurchase(folder: string): Purchase {
  const data = dirname(newestFile(folder, (path) => path.endsWith('/magpie.db')));
  const opened = openReader(data);
  if (!opened.ok) throw new Error(`the ledger in ${data} cannot be read: ${opened.fault.message}`);
  try {
    const [newest] = opened.value.purchases({ limit: 1 });
    if (newest === undefined) throw new Error('there is no purchase yet for a word to stand for');
    return newest;
  } finally {
    opened.value.close();
  }
}

function newestFile(folder: string, isMeant: (path: string) => boolean): string {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isMeant)
    .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  if (found[0] === undefined) throw new Error('nothing of the kind that a word stands for has been made yet');
  return found[0];
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' && address !== null ? address.port : 0);
}

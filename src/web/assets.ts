import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The page as it was built, by path, read once: no path that somebody sends ever reaches the disk. Throws where the folder cannot be
 * read or holds no page.
 */
export function readAssets(folder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    assets.set(path.slice(folder.length).replaceAll('\\', '/').replace(/^\/?/, '/'), { type, bytes: readFileSync(path) });
  }
  const index = assets.get('/index.html');
  if (index === undefined) throw new Error(`no page was built in ${folder}`);
  return assets.set('/', index);
}

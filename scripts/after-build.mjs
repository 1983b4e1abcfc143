// Finishes what tsc leaves undone in dist: drops files whose source is gone, carries over what is no TypeScript, and makes the
// program executable.
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const src = join(root, 'src');
const dist = join(root, 'dist');
const program = join(dist, 'cli', 'main.js');

/**
 * Every file below a folder, as a path relative to it.
 * @param {string} folder
 */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** What stands there vite has built, from everything that is in the folder of the same name. */
const page = join('web', 'page');
/** @param {string} path */
const isOfPage = (path) => path.startsWith(page + sep);

const assets = filesBelow(src).filter((path) => !path.endsWith('.ts') && !isOfPage(path));
for (const path of assets) cpSync(join(src, path), join(dist, path));

const isAsset = new Set(assets);
for (const path of filesBelow(dist)) {
  const source = join(src, path.replace(/\.(?:js(?:\.map)?|d\.ts)$/, '.ts'));
  if (!isAsset.has(path) && !isOfPage(path) && !existsSync(source)) rmSync(join(dist, path));
}

if (!existsSync(join(dist, page, 'index.html'))) throw new Error('dist/web/page was not built: see src/web/page/vite.config.ts');
if (!existsSync(program)) throw new Error('dist/cli/main.js was not built: src/cli/main.ts is missing');
if (!readFileSync(program, 'utf8').startsWith('#!/usr/bin/env node\n')) {
  throw new Error('src/cli/main.ts must start with the line "#!/usr/bin/env node", or the installed command does not run');
}
chmodSync(program, statSync(program).mode | 0o111);

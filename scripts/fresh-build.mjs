// Builds `dist` unless it is newer than all that it is made of, so that a start that has nothing to build starts at once.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a build ends with: `scripts/after-build.mjs` fails without them. */
const made = ['dist/cli/main.js', 'dist/web/page/index.html'].map((path) => join(root, path));
const sources = ['src', 'scripts/after-build.mjs', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/**
 * When anything at a path was changed last, epoch milliseconds. A folder counts as well: what is deleted changes nothing else.
 * @param {string} path
 * @returns {number}
 */
function changedAt(path) {
  const { mtimeMs } = statSync(path);
  const below = statSync(path).isDirectory() ? readdirSync(path).map((name) => changedAt(join(path, name))) : [];
  return Math.max(mtimeMs, ...below);
}

const newest = Math.max(...sources.map((path) => changedAt(join(root, path))));
const isFresh = made.every((path) => existsSync(path) && statSync(path).mtimeMs >= newest);
if (!isFresh) {
  console.error('Building Magpie, since its source is newer than what was built: some 15 seconds …');
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'build', '--silent'], { cwd: root, encoding: 'utf8' });
  if (status !== 0)
    console.error(`${stdout}${stderr}→ the build failed: mend what stands above, or take the sources as they were`);
  process.exitCode = status ?? 1;
}

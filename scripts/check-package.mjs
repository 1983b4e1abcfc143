// Packs Magpie as it would be published, installs it into an empty folder and uses it there as a stranger would.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const elsewhere = mkdtempSync(join(tmpdir(), 'magpie-package-'));

/**
 * Runs a program with its output shown; throws when it fails.
 * @param {string} cwd
 * @param {string} program
 * @param {string[]} words
 */
function run(cwd, program, ...words) {
  console.log(`$ ${program} ${words.join(' ')}`);
  execFileSync(program, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

try {
  run(root, 'npm', 'pack', '--loglevel=error', '--pack-destination', elsewhere);
  const tarball = readdirSync(elsewhere).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball');
  writeFileSync(join(elsewhere, 'package.json'), JSON.stringify({ private: true, allowScripts: { 'better-sqlite3': true } }));
  run(elsewhere, 'npm', 'install', '--loglevel=error', '--prefer-offline', '--omit=dev', `./${tarball}`);
  run(elsewhere, 'npx', '--no-install', 'magpie', '--help');
  run(elsewhere, 'npx', '--no-install', 'magpie', 'check');
  run(elsewhere, 'npx', '--no-install', 'magpie', 'run', '--dry-run', '--once');
} finally {
  rmSync(elsewhere, { recursive: true, force: true });
}

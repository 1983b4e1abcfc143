// Packs Magpie as it would be published, installs it as a program of the whole machine, and uses it from an empty folder as a stranger would.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { walkAsNewUser } from './new-user.mjs';

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

/** What a program of a stranger begins with. */
const CLIENT = `import { createClient } from 'magpie/client';
const client = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'none' });
const kind = await client.user().catch((error) => error.kind);
if (kind !== 'transient') throw new Error('the client said ' + kind);
await client.close();
`;

try {
  run(root, 'npm', 'pack', '--loglevel=error', '--pack-destination', elsewhere);
  const tarball = readdirSync(elsewhere).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack made no tarball');
  const prefix = join(elsewhere, 'prefix');
  const empty = join(elsewhere, 'empty');
  mkdirSync(empty);
  run(elsewhere, 'npm', 'install', '-g', '--prefix', prefix, '--loglevel=error', '--prefer-offline', `./${tarball}`);
  const program = join(prefix, 'bin', 'magpie');
  run(empty, program, '--help');
  run(empty, program, 'check');
  run(empty, program, 'run', '--dry-run', '--once');
  // Beside the package's own folder, from where a program finds it as it finds any other.
  const client = join(prefix, 'lib', 'client.mjs');
  writeFileSync(client, CLIENT);
  run(empty, 'node', client);
  await walkAsNewUser({ program, folder: empty });
} finally {
  rmSync(elsewhere, { recursive: true, force: true });
}

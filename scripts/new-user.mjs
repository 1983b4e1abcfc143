// The way of a new user with the installed program, from an empty folder: init, doctor, a dry run against `magpie sandbox`, live, a
// strategy edited while it runs, an alert received, a backup restored.
import { execFile, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than anything here takes on a busy machine, milliseconds. */
const PATIENCE_MS = 60_000;

/**
 * Walks it; throws at the first step that is not as it should be.
 * @param {{ program: string, folder: string }} where `program`: the installed command, absolute; `folder`: empty
 */
export async function walkAsNewUser({ program, folder }) {
  const user = new User(program, folder);
  const inbox = await openInbox();
  try {
    const port = await freePort();
    await user.makesAPlace(port, inbox.url);
    await user.looksAround(port);
    await user.goesLive(inbox);
    await user.putsABackupBack();
  } finally {
    await user.leaves();
    inbox.close();
  }
}

class User {
  #program;
  #folder;
  /** @type {Running[]} */
  #running = [];

  /**
   * @param {string} program
   * @param {string} folder
   */
  constructor(program, folder) {
    this.#program = program;
    this.#folder = folder;
  }

  /**
   * @param {number} port
   * @param {string} inboxUrl
   */
  async makesAPlace(port, inboxUrl) {
    await this.#does(['--version'], 0);
    await this.#does(['init', 'play', '--sandbox', '--yes', '--service', `http://127.0.0.1:${port}`], 0);
    await this.#does(['init', 'play', '--sandbox', '--yes'], 2);
    const config = this.#file('live.yaml');
    const notify = 'notify:\n  webhook: { url: "${MAGPIE_HOOK_URL}", secret: "${MAGPIE_HOOK_SECRET}" }\n';
    writeFileSync(config, readFileSync(config, 'utf8').replace(/^# dry-run \| live/m, `${notify}\n$&`));
    appendFileSync(this.#file('.env'), `\nMAGPIE_HOOK_URL=${inboxUrl}\nMAGPIE_HOOK_SECRET=0123456789abcdef0123456789abcdef\n`);
    await this.#does(['check', ...CONFIG], 0);
  }

  /** @param {number} port */
  async looksAround(port) {
    const sandbox = this.#starts(['sandbox', '--port', String(port), '--speed', '60', '--faults', 'all=0']);
    await sandbox.says('For a client of the partner API');
    await this.#does(['doctor', ...CONFIG], 0);
    const looked = await this.#does(['run', '--once', ...CONFIG], 0);
    if (!looked.includes('would buy')) throw new Error('the dry run would buy nothing');
    if ((await this.#states()).some((state) => state !== 'simulated')) throw new Error('the dry run has bought something');
  }

  /** @param {Inbox} inbox */
  async goesLive(inbox) {
    const config = this.#file('live.yaml');
    writeFileSync(config, readFileSync(config, 'utf8').replace(/mode: dry-run\n$/, 'mode: live\n'));
    await this.#does(['check', ...CONFIG], 0);
    const daemon = this.#starts(['run', ...CONFIG]);
    await daemon.says('bought ');
    await this.#does(['doctor', ...CONFIG], 0);
    await this.#does(['status', '--alive', ...CONFIG], 0);
    const strategy = this.#file('strategies/first.yaml');
    writeFileSync(strategy, readFileSync(strategy, 'utf8').replace('maxOfSteam: 0.65', 'maxOfSteam: 0.64'));
    await daemon.says('first was changed');
    await inbox.has('purchase');
    await this.#does(['notify', 'test', ...CONFIG], 0);
    await this.#does(['backup', 'kept.db', ...CONFIG], 0);
    await this.#does(['restore', 'kept.db', ...CONFIG], 3);
    await daemon.ends();
    await this.#does(['status', '--alive', ...CONFIG], 1);
  }

  async putsABackupBack() {
    await this.#does(['restore', 'kept.db', ...CONFIG], 0);
    const states = await this.#states();
    if (!states.includes('bought') && !states.includes('completed')) throw new Error('the backup holds no purchase');
    if (!readdirSync(join(this.#folder, 'play', 'data')).some((name) => name.startsWith('magpie.db.before-')))
      throw new Error('what was there is gone');
    await this.#does(['export', 'purchases', '--csv', ...CONFIG], 0);
  }

  async leaves() {
    for (const running of this.#running) await running.ends();
  }

  /** @param {string} name */
  #file(name) {
    return join(this.#folder, 'play', name);
  }

  /** @returns {Promise<string[]>} */
  async #states() {
    const rows = /** @type {{ state: string }[]} */ (JSON.parse(await this.#does(['purchases', '--json', ...CONFIG], 0, false)));
    return rows.map(({ state }) => state);
  }

  /**
   * Waits for its end while letters may come in; gives what it printed.
   * @param {string[]} words
   * @param {number} code that it must end with
   * @param {boolean} shown
   * @returns {Promise<string>}
   */
  #does(words, code, shown = true) {
    console.log(`$ magpie ${words.join(' ')}`);
    return new Promise((resolve, reject) => {
      const child = execFile(this.#program, words, { cwd: this.#folder, timeout: PATIENCE_MS }, (error, stdout, stderr) => {
        if (shown) console.log(stdout.slice(0, 3_000));
        if (child.exitCode === code) return resolve(stdout);
        const said = `${error?.message ?? ''}\n${stdout}\n${stderr}`;
        reject(new Error(`magpie ${words.join(' ')} ended with ${child.exitCode}, not with ${code}:\n${said}`));
      });
    });
  }

  /** @param {string[]} words */
  #starts(words) {
    console.log(`$ magpie ${words.join(' ')} &`);
    const running = new Running(spawn(this.#program, words, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'pipe'] }));
    this.#running.push(running);
    return running;
  }
}

const CONFIG = ['--config', 'play/live.yaml'];

class Running {
  #child;
  #text = '';
  #over = false;

  /** @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child */
  constructor(child) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (this.#text += String(piece)));
    child.on('exit', () => (this.#over = true));
  }

  /** @param {string} words */
  async says(words) {
    await until(
      `"${words}"`,
      () => this.#text.includes(words),
      () => (this.#over ? `it has ended:\n${this.#text}` : this.#text.slice(-3_000)),
    );
  }

  async ends() {
    if (this.#over) return;
    this.#child.kill('SIGTERM');
    await until(
      'its end',
      () => this.#over,
      () => this.#text.slice(-3_000),
    );
  }
}

/** @typedef {{ url: string, has: (kind: string) => Promise<void>, close: () => void }} Inbox */

/**
 * Where a webhook of `notify` is received.
 * @returns {Promise<Inbox>}
 */
async function openInbox() {
  let received = '';
  const server = createServer((request, response) => {
    request.on('data', (piece) => (received += String(piece)));
    request.on('end', () => response.end('{}'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return {
    url: `http://127.0.0.1:${portOf(server)}/told`,
    has: (kind) =>
      until(
        `a letter about "${kind}"`,
        () => received.includes(kind),
        () => received.slice(0, 2_000),
      ),
    close: () => void server.close(),
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @param {import('node:http').Server} server */
function portOf(server) {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/**
 * @param {string} what
 * @param {() => boolean} condition
 * @param {() => string} seen
 */
async function until(what, condition, seen) {
  for (let waited = 0; !condition(); waited += 100) {
    if (waited > PATIENCE_MS) throw new Error(`not within a minute: ${what}\n${seen()}`);
    await sleep(100);
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built program, as a user runs it. */
const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How long a block may take, and what is asked to stop, milliseconds. */
const BLOCK_MS = 120_000;
const STOP_MS = 20_000;

export interface Ended {
  readonly code: number | null;
  /** Both streams, as a terminal shows them. */
  readonly output: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has said so far. */
  said(): string;
}

/** One person at one terminal: working folder and variables go on from block to block, each of which is a shell of its own. */
export class Session {
  /** Where it began. */
  readonly folder: string;
  /** All that it writes stands below. */
  readonly base: string;
  readonly #background: Started[] = [];

  /** `base` is an empty folder for everything that the session writes; `env` goes beside the usual variables. */
  constructor(base: string, env: Readonly<Record<string, string>>) {
    this.base = base;
    this.folder = join(base, 'magpie');
    for (const name of ['bin', 'home', 'tmp', 'magpie']) mkdirSync(join(base, name));
    const magpie = join(base, 'bin/magpie');
    writeFileSync(magpie, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(magpie, 0o755);
    const own = {
      PATH: `${join(base, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: join(base, 'home'),
      // The locks of keys lie in the temporary folder: a session must meet nobody.
      ...{ TMPDIR: join(base, 'tmp'), XDG_RUNTIME_DIR: join(base, 'tmp'), NO_COLOR: '1', LC_ALL: 'C.UTF-8' },
    };
    const lines = Object.entries({ ...own, ...env }).map(([name, value]) => `export ${name}=${quoted(value)}`);
    writeFileSync(this.#state, `${lines.join('\n')}\ncd ${quoted(this.folder)}\n`);
  }

  get #state(): string {
    return join(this.base, 'state');
  }

  /** Runs commands to their end; the first that fails ends them. Given up after two minutes. */
  async run(commands: string): Promise<Ended> {
    const keep = `trap 'code=$?; { export -p; echo "cd \\"$PWD\\""; } > ${quoted(this.#state)}; exit $code' EXIT`;
    const { child, ended } = this.#start(`${keep}\n${commands}`);
    let over = '';
    const timer = setTimeout(() => {
      over = `\nIt had not ended after ${BLOCK_MS / 1_000} s: end it by --for, or let it go on with <!-- background until: TEXT -->.`;
      endGroup(child, 'SIGKILL');
    }, BLOCK_MS);
    try {
      const { code, output } = await ended;
      return { code, output: output + over };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Writes a text to a file, whose path is relative to where the session stands; at its end where it `appends`. */
  write(file: string, text: string, appends: boolean): Promise<Ended> {
    const target = quoted(file);
    return this.run(`mkdir -p "$(dirname ${target})"\nprintf '%s\\n' ${quoted(text)} ${appends ? '>>' : '>'} ${target}`);
  }

  /** Starts commands that go on, and waits until they have said `until` (anything where it is ''). Rejects when they end before. */
  async background(commands: string, until: string): Promise<void> {
    const started = this.#start(commands);
    this.#background.push(started);
    const deadline = Date.now() + BLOCK_MS;
    const hasSaid = (): boolean => (until === '' ? started.said() !== '' : started.said().includes(until));
    const early = started.ended.then(({ code, output }) => {
      throw new Error(`it was to go on, and ended with ${String(code)}:\n${output}`);
    });
    early.catch(() => undefined);
    while (!hasSaid()) {
      if (Date.now() > deadline) throw new Error(`it has not said "${until}":\n${started.said()}`);
      await Promise.race([new Promise((resolve) => setTimeout(resolve, 50)), early]);
    }
  }

  /** Ends what runs in the background as Ctrl-C does, the last first. Rejects when something does not end with 0. */
  async stop(): Promise<void> {
    for (let started = this.#background.pop(); started !== undefined; started = this.#background.pop()) {
      const { child, ended } = started;
      endGroup(child, 'SIGINT');
      const timer = setTimeout(() => endGroup(child, 'SIGKILL'), STOP_MS);
      const { code, output } = await ended;
      clearTimeout(timer);
      if (code !== 0) throw new Error(`what ran in the background ended with ${String(code)}:\n${output}`);
    }
  }

  /** Ends whatever is left, without a word. */
  kill(): void {
    for (const { child } of this.#background) endGroup(child, 'SIGKILL');
  }

  #start(commands: string): Started {
    const child = spawn('bash', ['--noprofile', '--norc', '-c', `. ${quoted(this.#state)}\nset -eo pipefail\n${commands}`], {
      cwd: this.folder,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own: Ctrl-C at a terminal reaches all of it too.
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => void (output += text));
    }
    const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, output }));
    return { child, ended, said: () => output };
  }
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, signal);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

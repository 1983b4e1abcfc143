import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ExchangeFaultRates } from '../../src/domain/exchange-fault.ts';
import type { BooksView } from '../../src/sandbox/audit.ts';

/** The built program, as a user runs it. */
const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end. */
export function magpie(args: readonly string[], { cwd, env }: Surroundings): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 256 * 1024 * 1024 };
    const child = execFile(process.execPath, [program, ...args], options, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

/** How a child that was started ended: its exit code, or the signal that ended it. */
export type End = number | NodeJS.Signals | null;

/** Of what has ended by itself so much is told. */
const LAST_LINES = 12;
const LAST_CHARACTERS = 2_000;

/** The program as a process of its own. */
export class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<End>;
  /** Everything it has said, the newest last; a run that says more than this keeps its end. */
  text = '';
  /** The first signal that it was sent to end it. */
  #asked: NodeJS.Signals | undefined;

  constructor(args: readonly string[], { cwd, env }: Surroundings, onText: (text: string) => void = () => undefined) {
    this.child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.text = (this.text + text).slice(-1_000_000);
        onText(text);
      });
    }
    this.ended = once(this.child, 'close').then(([code, signal]) => (code ?? signal) as End);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends it what is to end it; `ended` tells what came of it. What has ended is sent nothing. */
  strike(signal: NodeJS.Signals): void {
    if (this.isRunning && this.child.kill(signal)) this.#asked ??= signal;
  }

  /** Ends it in the given way and waits for it. */
  async end(signal: NodeJS.Signals): Promise<End> {
    this.strike(signal);
    return this.ended;
  }

  /** Whether a `kill -9` of ours has ended it: one that comes too late has killed nothing. */
  get wasKilled(): boolean {
    return this.#asked === 'SIGKILL' && this.child.signalCode === 'SIGKILL';
  }

  /**
   * How it ended where nobody had asked it to, with the last that it said; undefined while it runs, and where its end was asked for.
   * What may have been dead already when it was killed is told apart by its end: an exit code is not a kill's.
   */
  get endedByItself(): string | undefined {
    const wasAskedTo = this.#asked === 'SIGKILL' ? this.wasKilled : this.#asked !== undefined;
    if (this.isRunning || wasAskedTo) return undefined;
    const { exitCode, signalCode } = this.child;
    const how = exitCode === null ? `by ${String(signalCode)}` : `with ${exitCode}`;
    const last = this.text.trimEnd().split('\n').slice(-LAST_LINES).join('\n').slice(-LAST_CHARACTERS);
    return `ended by itself ${how}, and last said:\n${last}`;
  }
}

interface Keys {
  readonly baseUrl: string;
  readonly topLevelKey: string;
  readonly childKey: string;
  readonly tradeUrl: string;
  readonly controlKey: string;
}

/** The embedded exchange as a process of its own, with the auditor's view of its books. */
export class ExchangeProcess {
  readonly running: Running;
  readonly keys: Keys;

  private constructor(running: Running, keys: Keys) {
    this.running = running;
    this.keys = keys;
  }

  /** Starts it; rejects when it ends before it listens. */
  static async start(args: readonly string[], surroundings: Surroundings): Promise<ExchangeProcess> {
    const running = new Running(['sandbox', '--port', '0', ...args, '--json'], surroundings);
    void running.ended.then((end) => {
      if (end !== 0) process.stderr.write(`The exchange has ended (${String(end)}):\n${running.text.slice(-4_000)}\n`);
    });
    const lines = createInterface({ input: running.child.stdout! });
    const first = await Promise.race([once(lines, 'line'), running.ended]);
    if (!Array.isArray(first)) throw new Error(`the exchange did not start (${String(first)}):\n${running.text}`);
    return new ExchangeProcess(running, JSON.parse(String(first[0])) as Keys);
  }

  /** What a configuration needs to be sent here, as environment variables. */
  get environment(): Record<string, string> {
    const { baseUrl, childKey, topLevelKey, tradeUrl } = this.keys;
    return { MAGPIE_BASE_URL: baseUrl, MAGPIE_API_KEY: childKey, MAGPIE_PARTNER_KEY: topLevelKey, MAGPIE_TRADE_URL: tradeUrl };
  }

  /** The whole truth: accounts, orders, bookings, and what happened in order. */
  async books(): Promise<BooksView> {
    return (await this.#control('GET', '/sandbox/books')) as BooksView;
  }

  /** Rates from now on; those left out go back to what is usual. */
  async setFaults(rates: Partial<ExchangeFaultRates>): Promise<void> {
    await this.#control('POST', '/sandbox/faults', JSON.stringify(rates));
  }

  async #control(method: string, path: string, body?: string): Promise<unknown> {
    const headers = { 'x-sandbox-control': this.keys.controlKey, 'content-type': 'application/json' };
    const answer = await fetch(`${this.keys.baseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}

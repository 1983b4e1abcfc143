import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type FloorOptions, type Wish } from '../floors/buyer.ts';
import { WANTED } from '../market.ts';
import type { Profiles } from '../profiling.ts';
import type { BotOptions } from './bot.ts';
import { isSpent } from './cpu-meter.ts';
import { BenchServer } from './server.ts';

/** Who answers a snapshot with a buy: the floor, or Magpie in one of its ways. */
export type RivalKind =
  | { readonly name: string; readonly kind: 'floor'; readonly acceptEncoding?: string | undefined }
  | ({ readonly name: string; readonly kind: 'magpie' } & Pick<BotOptions, 'synchronous' | 'parse'>);

/** From the start of one poll to the start of the next: short, since the server holds each back until its turn. */
const INTERVAL_MS = 100;

/** What a new process may take until it has asked for listings. */
const START_MS = 60_000;

/** From one answer to the next question, at most. */
const ASKED_MS = 20_000;

const apiKey = 'sandbox-child-0123456789abcdef0123456789abcdef';
const tradeUrl = 'https://steamcommunity.com/tradeoffer/new/?partner=123456789&token=benchTok';

/** One of them wants the planted listing; the rest are there to be asked, and by both alike. */
const wishes: readonly Wish[] = [
  { name: WANTED, maxPriceWithFee: 5 },
  ...Array.from({ length: 9 }, (_, at) => ({ name: `AWP | Item Number ${at} (Field-Tested)`, maxPriceWithFee: 5 })),
];

/** A process with a server of its own, so that one never waits for the other. */
export class Rival {
  readonly name: string;
  readonly server: BenchServer;
  readonly folder: string;
  readonly #process: ChildProcess;

  private constructor(name: string, server: BenchServer, folder: string, child: ChildProcess) {
    this.name = name;
    this.server = server;
    this.folder = folder;
    this.#process = child;
  }

  static async start(rival: RivalKind, place: string): Promise<Rival> {
    const server = await BenchServer.start();
    const folder = mkdtempSync(join(place, `${rival.kind}-`));
    const common = { baseUrl: server.url, apiKey: `${apiKey}-${folder.slice(-6)}`, tradeUrl, intervalMs: INTERVAL_MS, wishes };
    const [file, options] =
      rival.kind === 'floor'
        ? [
            new URL('../floors/buyer-process.ts', import.meta.url),
            { ...common, acceptEncoding: rival.acceptEncoding } satisfies FloorOptions,
          ]
        : [
            new URL('bot-process.ts', import.meta.url),
            { ...common, folder, synchronous: rival.synchronous, parse: rival.parse } satisfies BotOptions,
          ];
    const env = { ...process.env, TMPDIR: folder };
    const child = fork(fileURLToPath(file), [JSON.stringify(options)], {
      execArgv: ['--import', 'tsx'],
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const started = new Rival(rival.name, server, folder, child);
    await started.asked(START_MS);
    return started;
  }

  /** Resolves when it waits for listings. Rejects when it does not in time, or has ended. */
  async asked(withinMs = ASKED_MS): Promise<void> {
    const late = new AbortController();
    const asked = this.server.asked().then(() => true);
    const ended = once(this.#process, 'exit', { signal: late.signal }).then(() => false);
    const over = sleep(withinMs, false, { signal: late.signal });
    for (const broken of [ended, over]) broken.catch(() => undefined);
    const inTime = this.#process.exitCode === null && (await Promise.race([asked, ended, over]));
    late.abort();
    if (!inTime) throw new Error(`${this.name} does not ask for listings\n${this.lastWords}`);
  }

  /** The end of its log, for whoever has to find out why it did not buy. */
  get lastWords(): string {
    try {
      return readFileSync(join(this.folder, 'log'), 'utf8').slice(-2_000);
    } catch {
      return '';
    }
  }

  /** What its next buy has cost it, milliseconds of CPU time from the first bytes of the answer to the buy. */
  async spentMs(): Promise<number> {
    return (await this.#message(isSpent)).cpuMs;
  }

  async startProfile(): Promise<void> {
    this.#process.send('profile:start');
    await this.#message((message) => message === 'profile:started');
  }

  stopProfile(): Promise<Profiles> {
    this.#process.send('profile:stop');
    return this.#message((message): message is Profiles => typeof message === 'object' && !isSpent(message));
  }

  #message<T>(is: ((message: unknown) => message is T) | ((message: unknown) => boolean)): Promise<T> {
    return new Promise((resolve) => {
      const listen = (message: unknown): void => {
        if (!is(message)) return;
        this.#process.off('message', listen);
        resolve(message as T);
      };
      this.#process.on('message', listen);
    });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGKILL');
      await once(this.#process, 'exit');
    }
    await this.server.close();
  }
}

/** A folder for everything that the rivals write; gone when `work` is done. */
export async function inPlace<T>(work: (place: string) => Promise<T>): Promise<T> {
  const place = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  try {
    return await work(place);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

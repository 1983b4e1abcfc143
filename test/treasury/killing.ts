import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { toldOf } from '../../scripts/proof/judgement.ts';
import { Running } from '../../scripts/proof/programs.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { sum } from '../../src/domain/money.ts';
import { type Random, pick, seededRandom, wholeBetween } from '../../src/domain/random.ts';
import { type RunningSandbox, startSandbox } from '../../src/sandbox/start.ts';
import type { TreasuryPolicy } from '../../src/treasury/decide/policy.ts';
import { openToWrite } from '../../src/treasury/journal-file.ts';
import { TreasuryJournal } from '../../src/treasury/journal.ts';
import { calm } from '../sandbox/harness.ts';
import { dollars } from '../support/values.ts';
import { auditTreasury } from './life-audit.ts';

/** When the process is killed: the request has reached the line; it has been carried out; its answer has been handed on. */
const moments = ['asked', 'carried out', 'answered'] as const;
export type KillMoment = (typeof moments)[number];

/** What else befalls a transfer on its way. */
const mishaps = ['none', 'none', 'none', 'twice', 'answer lost', 'too many'] as const;

export interface TreasuryKilled {
  readonly kills: ReadonlyMap<KillMoment, number>;
  /** Kills right after which a transfer stood open in the journal. */
  readonly caught: number;
  readonly transfers: number;
  /** In words; empty when every promise was kept. */
  readonly broken: readonly string[];
  /** Not settled in the end. */
  readonly open: number;
}

const TRANSFERS = '/v1/partner/transfers';
/** A start, and the transfers after it, on a machine that is busy with much else. */
const STRIKE_MS = 60_000;
/** What was tried three times is tried again after a minute, four times after five. */
const REST_MS = 900_000;

const limits = { perTransfer: 150, childDay: 150, hour: 20_000, day: 20_000 };
const policyOf = (names: readonly string[]): TreasuryPolicy => ({
  children: names.map((name) => ({ name, floor: dollars(50), target: dollars(140), perDay: dollars(limits.childDay) })),
  ...{ reserve: dollars(100), perTransfer: dollars(limits.perTransfer), hour: dollars(limits.hour), day: dollars(limits.day) },
  dedicated: true,
});

/**
 * `magpie treasury run` as a process that is killed (`kill -9`) around its transfers again and again and started anew, before an exchange
 * that it reaches over a line which loses and repeats; in the end it is let come to rest, and the books are compared.
 */
export async function killTreasury(given: {
  readonly rounds: number;
  readonly children: number;
  readonly seed: number;
  readonly folder: string;
}): Promise<TreasuryKilled> {
  const names = Array.from({ length: given.children }, (_, index) => `child-${index}`);
  const random = seededRandom(given.seed, 'treasury kills');
  // A key is one process's on a machine: no other run of this may have it.
  const key = `play-top-level-key-${basename(given.folder)}`;
  const accounts = [
    { kind: 'top-level' as const, key, balance: 15_000 },
    ...names.map((name) => ({
      kind: 'child' as const,
      key: `key-of-${name}`,
      email: `${name}@example.com`,
      balance: wholeBetween(random, 0, 49),
    })),
  ];
  const sandbox = await startSandbox({ seed: given.seed, listings: 20, clock: new SystemClock(), faults: calm, accounts });
  const line = await Line.open(sandbox, random);
  try {
    writeFileSync(join(given.folder, 'treasury.yaml'), configuration(line.baseUrl, key, names));
    return await new Rounds(given.folder, names, sandbox, line, random).all(given.rounds);
  } finally {
    await line.close();
    await sandbox.close();
  }
}

function configuration(baseUrl: string, key: string, names: readonly string[]): string {
  const children = names.map((name) => ({ name, email: `${name}@example.com`, key: `key-of-${name}` }));
  return JSON.stringify({
    service: { baseUrl },
    data: './data',
    rate: { reads: { perSecond: 1_000 }, timeout: '5s' },
    treasury: { mode: 'live', key, interval: '5s', floor: 50, target: 140, reserve: 100, dedicated: true, limits, children },
  });
}

class Rounds {
  readonly #folder: string;
  readonly #names: readonly string[];
  readonly #sandbox: RunningSandbox;
  readonly #line: Line;
  readonly #random: Random;
  readonly #kills = new Map<KillMoment, number>();
  readonly #endsByItself: string[] = [];
  #caught = 0;

  constructor(folder: string, names: readonly string[], sandbox: RunningSandbox, line: Line, random: Random) {
    this.#folder = folder;
    this.#names = names;
    this.#sandbox = sandbox;
    this.#line = line;
    this.#random = random;
  }

  async all(rounds: number): Promise<TreasuryKilled> {
    const startTotal = sum(this.#sandbox.books().accounts.map(({ balance }) => balance));
    for (let round = 0; round < rounds; round++) await this.#one();
    this.#line.calm();
    const ended = await this.#comeToRest();
    const books = this.#sandbox.books();
    const { rows, halted } = this.#journal((journal) => ({ rows: journal.transfers(0), halted: journal.halted()?.reason }));
    const policy = policyOf(this.#names);
    const broken = auditTreasury({ books, rows, policy, names: this.#names, startTotal, isBeyond: false });
    if (halted !== undefined) broken.push(`halted: ${halted}`);
    if (ended !== undefined) broken.push(ended);
    broken.push(...toldOf(this.#endsByItself));
    const open = rows.filter(({ state }) => state === 'open').length;
    return { kills: this.#kills, caught: this.#caught, transfers: books.transfers.length, broken, open };
  }

  /** One start and its end. */
  async #one(): Promise<void> {
    const moment = pick(this.#random, moments);
    const process = this.#started();
    const struck = this.#line.strikeAt(moment, wholeBetween(this.#random, 1, 3), () => process.strike('SIGKILL'));
    const inTime = await Promise.race([
      struck.then(() => true),
      process.ended.then(() => false),
      pause(STRIKE_MS).then(() => false),
    ]);
    await process.end('SIGKILL');
    if (process.endedByItself !== undefined) this.#endsByItself.push(`the treasury ${process.endedByItself}`);
    // What was dead by then shows nothing of a kill, whatever it left.
    if (!process.wasKilled) return;
    if (inTime) this.#kills.set(moment, (this.#kills.get(moment) ?? 0) + 1);
    if (this.#journal((journal) => journal.open().length) > 0) this.#caught += 1;
  }

  /** It runs without being killed until nothing is open, and is then stopped as a person stops it; in words, what went wrong. */
  async #comeToRest(): Promise<string | undefined> {
    const process = this.#started();
    const until = performance.now() + REST_MS;
    const before = this.#line.asked;
    // Before its first question it does not listen for the signal yet.
    while (process.isRunning && performance.now() < until && (this.#line.asked === before || !this.#isAtRest())) await pause(250);
    const end = await process.end('SIGTERM');
    return end === 0 ? undefined : `it ended with ${String(end)}: ${process.text.slice(-2_000)}`;
  }

  #isAtRest(): boolean {
    return this.#journal((journal) => journal.open().length === 0 && journal.transfers(0).length >= this.#names.length);
  }

  #started(): Running {
    // The locks of keys lie in the temporary folder: a run must leave nothing there and meet nobody.
    const env = { TMPDIR: this.#folder, XDG_RUNTIME_DIR: this.#folder, NO_COLOR: '1' };
    return new Running(['treasury', 'run', '--config', 'treasury.yaml'], { cwd: this.#folder, env });
  }

  #journal<T>(work: (journal: TreasuryJournal) => T): T {
    const opened = openToWrite(join(this.#folder, 'data'));
    if (!opened.ok) throw new Error(opened.fault.message);
    const journal = new TreasuryJournal(opened.value);
    try {
      return work(journal);
    } finally {
      journal.close();
    }
  }
}

/** The way to the exchange, on which a transfer is seen in the very moment in which it passes. */
class Line {
  readonly #server: Server;
  readonly #sandbox: RunningSandbox;
  readonly #random: Random;
  readonly #seen = new Set<string>();
  /** Questions of any kind that have come over it. */
  asked = 0;
  #isCalm = false;
  #strike: { readonly moment: KillMoment; left: number; readonly work: () => void; readonly done: () => void } | undefined;

  private constructor(sandbox: RunningSandbox, random: Random) {
    this.#sandbox = sandbox;
    this.#random = random;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void this.#handle(request, response, Buffer.concat(chunks).toString()));
    });
  }

  static async open(sandbox: RunningSandbox, random: Random): Promise<Line> {
    const line = new Line(sandbox, random);
    await new Promise<void>((resolve) => void line.#server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nothing is lost or repeated, and nobody is struck, from now on. */
  calm(): void {
    this.#isCalm = true;
    this.#strike = undefined;
  }

  /** Does `work` when the n-th transfer from now on comes to that moment; resolves then. */
  strikeAt(moment: KillMoment, nth: number, work: () => void): Promise<void> {
    return new Promise((done) => (this.#strike = { moment, left: nth, work, done }));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    this.asked += 1;
    const isTransfer = request.url === TRANSFERS;
    const mishap = isTransfer ? this.#mishapOf(body) : 'none';
    const strike = isTransfer ? this.#strike : undefined;
    if (strike !== undefined) strike.left -= 1;
    const comesTo = (moment: KillMoment): void => {
      if (strike === undefined || strike.left !== 0 || strike.moment !== moment) return;
      this.#strike = undefined;
      strike.work();
      strike.done();
    };
    comesTo('asked');
    if (mishap === 'too many') {
      response.writeHead(429, { 'retry-after': '1' }).end(JSON.stringify({ success: false, message: 'slow down' }));
      return comesTo('answered');
    }
    const answer = await this.#passed(request, body);
    const text = await answer.text();
    if (mishap === 'twice') await this.#passed(request, body);
    comesTo('carried out');
    if (mishap === 'answer lost') request.socket.destroy();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    comesTo('answered');
  }

  /** Of its first request alone: what fails again and again is repeated so much later that no test would see its end. */
  #mishapOf(body: string): (typeof mishaps)[number] {
    if (this.#isCalm || this.#seen.has(body)) return 'none';
    this.#seen.add(body);
    return pick(this.#random, mishaps);
  }

  #passed(request: IncomingMessage, body: string): Promise<Response> {
    const headers = { 'x-api-key': String(request.headers['x-api-key']), 'content-type': 'application/json' };
    const method = request.method ?? 'GET';
    return fetch(this.#sandbox.baseUrl + String(request.url), { method, headers, ...(body !== '' && { body }) });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

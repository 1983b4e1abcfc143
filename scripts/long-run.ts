// Runs the built daemon for a quarter of an hour against the exchange with every fault on, kills it again and again, then holds the
// exchange's books against `magpie purchases` and `magpie status`: every order, every state, every cent. Exit code 1 when they differ.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../src/domain/random.ts';
import type { BooksView } from '../src/sandbox/audit.ts';
import { brokenPromises } from './proof/audit.ts';
import { type Said, compareBooks } from './proof/comparison.ts';
import { DaemonProcess, around } from './proof/daemon-process.ts';
import { toldOf } from './proof/judgement.ts';
import { longRunOptions } from './proof/long-run-options.ts';
import { Person } from './proof/person.ts';
import { ExchangeProcess } from './proof/programs.ts';
import { report } from './proof/report.ts';
import { capsOf, longRunSetup, writeSetup } from './proof/setup.ts';
import { neverStruck, noTrouble, ratesAt } from './proof/trouble.ts';

const options = longRunOptions(process.argv.slice(2));
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'magpie-long-run-'));
mkdirSync(folder, { recursive: true });
writeSetup(folder, longRunSetup);

const STEP_MS = 1_000;
const TELL_MS = 30_000;
const KILL_EVERY_MS = 25_000;
/** When everything is well again, all that evidence can settle is settled within this. */
const SETTLE_MS = 12 * 60_000;
/** What an order comes to. */
const ENDED: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'REVERTED']);
/** A run that was kept from buying (by a ban, or an answer that asks for a quarter of an hour of silence) goes on for up to this many times its length. */
const LONGER = 3;

const random = seededRandom(options.seed, 'kills');
const startedAt = performance.now();
const elapsed = (): number => performance.now() - startedAt;
const say = (text: string): void => console.log(`${clockText(elapsed())}  ${text}`);

const exchange = await ExchangeProcess.start(
  ['--seed', String(options.seed), '--listings', '600', '--balance', '10000', '--speed', '3', '--data', join(folder, 'exchange')],
  { cwd: folder },
);
const daemon = new DaemonProcess(folder, exchange.environment);
const person = new Person(daemon);
const complaints: string[] = [];
let ending = false;
say(`everything goes wrong for ${options.minutes} minutes, seed ${options.seed}; what is said is kept in ${folder}`);

// A second signal (a shell sends one to each of a family of processes) must not cut the first one's work short.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end().then(() => process.exit(130)));
try {
  await trouble();
  await settle();
} finally {
  await end();
}

/** Nothing of it must be left running, however it ends. */
async function end(): Promise<void> {
  ending = true;
  await daemon.kill();
  await exchange.running.end('SIGTERM');
}

/** The faulty part: rates as planned, kill -9 at random moments, a person who resumes. */
async function trouble(): Promise<void> {
  const lengthMs = options.minutes * 60_000;
  let killAt = around(random, KILL_EVERY_MS);
  let tellAt = TELL_MS;
  daemon.start();
  for (let at = elapsed(); at < lengthMs || (purchasesNow() < options.purchases && at < LONGER * lengthMs); at = elapsed()) {
    const { faults } = await exchange.books();
    await exchange.setFaults(ratesAt(at / lengthMs, faults));
    if (!daemon.isRunning) restart();
    const halt = await person.look(faults);
    if (halt !== undefined) say(halt);
    if (at >= killAt && !ending) {
      await daemon.kill();
      if (!ending) daemon.start();
      killAt = at + around(random, KILL_EVERY_MS);
    }
    if (at >= tellAt) {
      say(await progress());
      tellAt = at + TELL_MS;
    }
    await pause(STEP_MS);
  }
}

/** It must never end by itself; how often it did all the same is told in the end. */
function restart(): void {
  if (ending) return;
  say('the daemon has ended by itself');
  daemon.start();
}

function purchasesNow(): number {
  const states = daemon.look((ledger) => ledger.countsByState());
  return states === undefined ? 0 : states.bought + states.completed + states.refunded;
}

async function progress(): Promise<string> {
  const { faults, orders } = await exchange.books();
  const struck = Object.values(faults).reduce((total, each) => total + each, 0);
  const states = Object.entries(daemon.look((ledger) => ledger.countsByState()) ?? {}).filter(([, count]) => count > 0);
  const words = states.map(([state, count]) => `${count} ${state}`).join(', ');
  return `${orders.length} orders at the exchange; on record ${words}; ${struck} faults struck, ${daemon.kills} × kill -9`;
}

/** No trouble any more: what evidence can settle must settle, and then all must agree. */
async function settle(): Promise<void> {
  const { faults } = await exchange.books();
  await exchange.setFaults(noTrouble);
  await daemon.command('halt', '--reason', 'the run is over');
  say('everything is well again and buying is halted; waiting until the books have settled');
  const { books, said } = await settled(performance.now() + SETTLE_MS);
  const end = await daemon.stop();
  if (end !== 0) complaints.push(`the daemon ended with ${String(end)} on SIGTERM`);
  const quiet = neverStruck(faults);
  if (quiet.length > 0) complaints.push(`never struck: ${quiet.join(', ')}`);
  const bought = said.purchases.filter(({ state }) => state === 'bought' || state === 'completed' || state === 'refunded').length;
  if (bought < options.purchases) complaints.push(`only ${bought} purchases, ${options.purchases} were wanted`);
  const comparison = compareBooks(books, said);
  const broken = brokenPromises(books, capsOf(longRunSetup), said);
  const failures = [...toldOf(daemon.endsByItself), ...complaints, ...person.complaints, ...broken, ...comparison.differences];
  console.log(report({ options, faults, kills: daemon.kills, halts: person.halts, books, said, comparison, failures }));
  process.exitCode = failures.length === 0 ? 0 : 1;
  if (failures.length === 0 && options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  else console.log(`Everything that was said and kept: ${folder}`);
}

/**
 * Waits until the books agree and no order is on its way any more, or for as long as that may take. Returns both as they were then: the
 * exchange goes on when the daemon has ended.
 */
async function settled(until: number): Promise<{ readonly books: BooksView; readonly said: Said }> {
  let tellAt = 0;
  for (;;) {
    if (!daemon.isRunning) restart();
    const [books, said] = [await exchange.books(), await daemon.says()];
    const { differences } = compareBooks(books, said);
    const moving = books.orders.filter(({ code }) => !ENDED.has(code)).length;
    if ((differences.length === 0 && moving === 0) || performance.now() >= until) return { books, said };
    if (performance.now() >= tellAt) {
      say(
        `${differences.length} differences left${differences.length === 0 ? '' : `, such as: ${differences[0]}`}; ${moving} orders on their way`,
      );
      tellAt = performance.now() + TELL_MS;
    }
    await pause(3 * STEP_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}

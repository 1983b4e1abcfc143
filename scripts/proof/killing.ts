import { type Random, seededRandom } from '../../src/domain/random.ts';
import { brokenPromises } from './audit.ts';
import { type Comparison, compareBooks } from './comparison.ts';
import { DaemonProcess } from './daemon-process.ts';
import { wrongWith } from './judgement.ts';
import { type Moment, drawMoment, struck } from './moments.ts';
import { Passage } from './passage.ts';
import { ExchangeProcess } from './programs.ts';
import { type Setup, capsOf, writeSetup } from './setup.ts';
import { noTrouble } from './trouble.ts';

/** What may go wrong with a buy and its traces without stopping all buying: the daemon is to be killed in the midst of work. */
const trouble = {
  ...noTrouble,
  ...{ buyLostBefore: 0.03, buyLostAfter: 0.05, buyLate: 0.05, buyExecutedLate: 0.03, buyCut: 0.05, buyHtml: 0.03 },
  ...{ buyErrorBefore: 0.02, buyErrorAfter: 0.03, buyRefusedYetBought: 0.05, buyProcessing: 0.03, buyWithoutOrderId: 0.03 },
  ...{ ordersLate: 0.1, ordersPartial: 0.1, ordersOtherItemId: 0.2, transactionsLate: 0.1, orderFails: 0.05, orderReverts: 0.05 },
};

export interface Killing {
  readonly rounds: number;
  readonly seed: number;
  readonly folder: string;
  /** What the daemon buys with; `reserve` and the caps are what is audited. */
  readonly setup: Setup;
  /** Dollars on the account. */
  readonly balance: number;
  /** Promises are looked at after every so many rounds; then all is let settle after every so many of those. */
  readonly lookEvery: number;
  readonly settleEvery: number;
  /** How long the end waits for purchases that are still unknown, though books may agree with some left: a proof takes a minute at least. */
  readonly doubtMs: number;
  readonly say: (words: string) => void;
}

export interface Killed {
  readonly kills: number;
  /** Buys that reached the exchange. */
  readonly posts: number;
  readonly orders: number;
  /** Kills right after which a purchase stood without an outcome. */
  readonly caught: number;
  /** How many kills fell at each moment; what did not come in time is 'at any moment'. */
  readonly at: ReadonlyMap<Moment, number>;
  /** Times at which all was settled and compared, the end included. */
  readonly settled: number;
  readonly states: Readonly<Record<string, number>>;
  readonly comparison: Comparison;
  /** In words; empty when every promise was kept, the books agree, the daemon never ended by itself, and the run has shown it. */
  readonly wrong: readonly string[];
}

/** How long a start may take until buying is open, the moment of a kill until it comes, and everything until it has settled. */
const OPEN_MS = 60_000;
const MOMENT_MS = 6_000;
const SETTLE_MS = 240_000;

/** How long an audit may go on finding something: two whole looks, and what they settle. */
const AUDIT_MS = 90_000;

/**
 * Runs the built daemon against the built exchange in another process, kills it (`kill -9`) again and again, mostly in the midst of a
 * buy, and starts it anew; then lets it settle and audits by the exchange's own books, by the comparison and by `magpie audit`.
 */
export async function killing(given: Killing): Promise<Killed> {
  const { folder, setup, seed, balance } = given;
  writeSetup(folder, setup);
  const args = ['--seed', String(seed), '--listings', '600', '--balance', String(balance), '--speed', '10'];
  const exchange = await ExchangeProcess.start([...args, '--data', `${folder}/exchange`], { cwd: folder });
  const passage = await Passage.open(exchange.keys.baseUrl);
  const daemon = new DaemonProcess(folder, { ...exchange.environment, MAGPIE_BASE_URL: passage.baseUrl });
  try {
    return await new Rounds(given, exchange, passage, daemon).all();
  } finally {
    await daemon.kill();
    await passage.close();
    await exchange.running.end('SIGTERM');
  }
}

class Rounds {
  readonly #given: Killing;
  readonly #exchange: ExchangeProcess;
  readonly #passage: Passage;
  readonly #daemon: DaemonProcess;
  readonly #random: Random;
  readonly #broken = new Set<string>();
  readonly #at = new Map<Moment, number>();
  #caught = 0;
  #settled = 0;

  constructor(given: Killing, exchange: ExchangeProcess, passage: Passage, daemon: DaemonProcess) {
    this.#given = given;
    this.#exchange = exchange;
    this.#passage = passage;
    this.#daemon = daemon;
    this.#random = seededRandom(given.seed, 'kills');
  }

  async all(): Promise<Killed> {
    const { rounds, lookEvery, settleEvery } = this.#given;
    await this.#exchange.setFaults(trouble);
    for (let round = 1; round <= rounds; round++) {
      await this.#one();
      if (round % lookEvery === 0) await this.#look(round);
      if (round % (lookEvery * settleEvery) === 0 && round < rounds) await this.#settle(false);
    }
    const kills = this.#daemon.kills;
    const comparison = await this.#settle(true);
    const { events, orders } = await this.#exchange.books();
    const caught = this.#caught;
    const bought = orders.filter(({ origin }) => origin === 'ours').length;
    const { endsByItself } = this.#daemon;
    const promises = [...this.#broken, ...comparison.differences];
    return {
      kills,
      posts: events.filter(({ kind }) => kind === 'post').length,
      orders: orders.length,
      caught,
      at: this.#at,
      settled: this.#settled,
      states: this.#daemon.look((ledger) => ledger.countsByState()) ?? {},
      comparison,
      wrong: wrongWith({ rounds, bought, caught, endsByItself, broken: promises }),
    };
  }

  /** One start and its end. */
  async #one(): Promise<void> {
    const daemon = this.#daemon;
    const { moment, aim } = drawMoment(this.#random);
    daemon.start();
    await this.#open();
    const inTime = daemon.isRunning && (await struck(this.#passage, aim, () => daemon.strike(), MOMENT_MS));
    // What ended by itself shows nothing of a kill, whatever it left.
    if (!(await daemon.kill())) return;
    const kept = inTime ? moment : 'at any moment';
    this.#at.set(kept, (this.#at.get(kept) ?? 0) + 1);
    if ((daemon.look((ledger) => ledger.countsByState().intended) ?? 0) > 0) this.#caught += 1;
  }

  /** Waits until the start checks have passed, so that a kill does not merely hit the start; one that is stuck is killed all the same. */
  async #open(): Promise<void> {
    const until = performance.now() + OPEN_MS;
    while (!this.#daemon.text.includes('Start checks passed') && performance.now() < until && this.#daemon.isRunning)
      await pause(10);
  }

  /** What was promised holds at any moment, whatever is still in doubt. */
  async #look(round: number): Promise<void> {
    const [books, said] = [await this.#exchange.books(), await this.#daemon.says()];
    for (const words of brokenPromises(books, capsOf(this.#given.setup), said)) this.#broken.add(words);
    const halt = this.#daemon.look((ledger) => ledger.halted());
    if (halt !== undefined) this.#broken.add(`halted by itself: ${halt.reason}`);
    const posts = books.events.filter(({ kind }) => kind === 'post').length;
    this.#given.say(
      `${round} rounds, ${this.#caught} of them ended with a purchase without an outcome; ${posts} buys, ${books.orders.length} orders, ${this.#broken.size} promises broken`,
    );
  }

  /** No trouble and no new buys: all that evidence can settle settles, and then the books must agree and the audit be clean. */
  async #settle(last: boolean): Promise<Comparison> {
    const daemon = this.#daemon;
    await this.#exchange.setFaults(noTrouble);
    await this.#must('halt', '--reason', last ? 'the rounds are over' : 'the rounds pause');
    daemon.start();
    const comparison = await this.#agreed(last);
    this.#settled += 1;
    await this.#audited();
    if (!last) {
      await this.#must('resume');
      await daemon.kill();
      await this.#exchange.setFaults(trouble);
    }
    return comparison;
  }

  async #agreed(last: boolean): Promise<Comparison> {
    const beganAt = performance.now();
    for (;;) {
      const [books, said] = [await this.#exchange.books(), await this.#daemon.says()];
      const comparison = compareBooks(books, said);
      const broken = brokenPromises(books, capsOf(this.#given.setup), said);
      const waits = last && comparison.agreed.unknown > 0 && performance.now() - beganAt < this.#given.doubtMs;
      if (comparison.differences.length === 0 && broken.length === 0 && !waits) return comparison;
      if (performance.now() - beganAt > SETTLE_MS) {
        // At the end the comparison itself is handed on.
        for (const words of last ? broken : [...broken, ...comparison.differences]) this.#broken.add(words);
        return comparison;
      }
      await pause(waits ? 5_000 : 500);
    }
  }

  /** An audit may come before what it awaits: only one that stays wrong counts. */
  async #audited(): Promise<void> {
    const until = performance.now() + AUDIT_MS;
    while ((await this.#daemon.command('audit')).code !== 0 && performance.now() < until) await pause(1_000);
    await this.#must('audit');
  }

  /** A command of a person that must end with 0. */
  async #must(...args: readonly string[]): Promise<void> {
    const { code, stdout, stderr } = await this.#daemon.command(...args);
    if (code !== 0) this.#broken.add(`magpie ${args[0]} ended with ${code}: ${(stdout + stderr).slice(0, 2_000)}`);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { brokenPromises } from '../../scripts/proof/audit.ts';
import { compareBooks } from '../../scripts/proof/comparison.ts';
import { DaemonProcess } from '../../scripts/proof/daemon-process.ts';
import { ExchangeProcess } from '../../scripts/proof/programs.ts';
import { type Setup, capsOf, writeSetup } from '../../scripts/proof/setup.ts';
import { noTrouble } from '../../scripts/proof/trouble.ts';
import { pause, within } from '../app/stage.ts';
import { freshFolder } from './fresh-folder.ts';
import { onlyEnded } from './only-ended.ts';

/** Buys about as fast as it may, under caps that leave room for a minute of it. */
const setup: Setup = {
  config: {
    feed: { interval: '200ms', health: { interval: '500ms' } },
    rate: { reads: { perSecond: 30, concurrent: 4 }, buys: { perSecond: 3, concurrent: 1 }, timeout: '2s' },
    reconcile: { interval: '1s' },
    recording: { maxSize: '1MB' },
  },
  limits: { maxPrice: 10, spend: { day: 5_000 }, perItem: { hour: 50 }, openPurchases: 2_000, unknown: 500 },
  strategies: { cheap: { when: { name: '*' }, price: { max: 10 } } },
};

/** Answers get lost as well, so that purchases are in doubt when the trouble with the disk begins. */
const trouble = { ...noTrouble, buyLostAfter: 0.1, buyCut: 0.1, buyErrorAfter: 0.1, ordersLate: 0.1 };

/** How long after an end of trouble the books may take to agree. */
const AGREE_MS = 140_000;

/** A daemon that buys from an exchange in another process, and whose data folder a test makes worse. */
export class Hardship {
  readonly exchange: ExchangeProcess;
  readonly daemon: DaemonProcess;

  private constructor(exchange: ExchangeProcess, daemon: DaemonProcess) {
    this.exchange = exchange;
    this.daemon = daemon;
  }

  /** Everything of it is gone after the test. `prepare` may put something in the place of the data folder before the first start. */
  static async open(seed: number, prepare: (data: string) => void = () => undefined): Promise<Hardship> {
    const folder = freshFolder();
    writeSetup(folder, setup);
    const args = ['--seed', String(seed), '--listings', '400', '--balance', '5000', '--speed', '10'];
    const exchange = await ExchangeProcess.start(args, { cwd: folder });
    onTestFinished(async () => void (await exchange.running.end('SIGTERM')));
    await exchange.setFaults(trouble);
    const daemon = new DaemonProcess(folder, exchange.environment);
    mkdirSync(daemon.data, { mode: 0o700 });
    prepare(daemon.data);
    // One that died of its hardship is started again below, and its books may agree: it must not die all the same.
    return new Hardship(exchange, onlyEnded(daemon));
  }

  /** Buys that reached the exchange. */
  async posts(): Promise<number> {
    return (await this.exchange.books()).events.filter(({ kind }) => kind === 'post').length;
  }

  /** Runs until so many more buys have arrived. */
  async buys(count: number): Promise<void> {
    const until = (await this.posts()) + count;
    const beganAt = performance.now();
    while ((await this.posts()) < until) {
      if (performance.now() - beganAt > 120_000) throw new Error(`no ${count} buys in time\n${this.daemon.text.slice(-2_000)}`);
      await pause(100);
    }
  }

  /** How many buys arrive within some seconds, after what was on its way has had time to. */
  async buysWithin(ms: number): Promise<number> {
    await pause(1_500);
    const before = await this.posts();
    await pause(ms);
    return (await this.posts()) - before;
  }

  async says(words: string, ms = 120_000): Promise<void> {
    if (await within(() => this.daemon.text.includes(words), ms)) return;
    throw new Error(`does not say "${words}":\n${this.daemon.text.slice(-3_000)}`);
  }

  /** A start that ends by itself: its exit code, and what it said. */
  async failsToStart(): Promise<{ readonly code: number | null; readonly words: string }> {
    const { code, stdout, stderr } = await this.daemon.command('run', '--for', '5s');
    return { code, words: stdout + stderr };
  }

  /**
   * All is well again and nothing more is bought: what is wrong with the books then, in words, but for what cannot be otherwise, which
   * may depend on what else is said.
   */
  async differences(inevitable: (words: string, all: readonly string[]) => boolean = () => false): Promise<readonly string[]> {
    await this.exchange.setFaults(noTrouble);
    await this.daemon.command('halt', '--reason', 'the test is over');
    if (!this.daemon.isRunning) this.daemon.start();
    const until = performance.now() + AGREE_MS;
    for (;;) {
      const [books, said] = [await this.exchange.books(), await this.daemon.says()];
      const all = [...brokenPromises(books, capsOf(setup), said), ...compareBooks(books, said).differences];
      const wrong = all.filter((words) => !inevitable(words, all));
      // Books that have forgotten something are not whole to an audit either.
      if (wrong.length === 0 && all.length > 0) return [];
      // An audit may come before what it awaits.
      if (wrong.length === 0) {
        const audit = await this.daemon.command('audit');
        if (audit.code === 0) return [];
        wrong.push(`magpie audit: ${audit.stdout}${audit.stderr}`);
      }
      if (performance.now() > until) return wrong;
      await pause(500);
    }
  }
}

/** Mounts a file system of its own on a folder, gone after the test. False where that is not allowed. */
export function mountSmall(folder: string, bytes: number): boolean {
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', folder], { stdio: 'ignore' });
  if (status !== 0) return false;
  onTestFinished(() => void spawnSync('umount', ['-l', folder], { stdio: 'ignore' }));
  return true;
}

/** Mounts it anew, to be read only or to be written. */
export function remount(folder: string, how: 'ro' | 'rw'): void {
  execFileSync('mount', ['-o', `remount,${how}`, folder]);
}

import { brokenPromises } from '../../scripts/proof/audit.ts';
import { type Comparison, compareBooks } from '../../scripts/proof/comparison.ts';
import { DaemonProcess } from '../../scripts/proof/daemon-process.ts';
import { ExchangeProcess } from '../../scripts/proof/programs.ts';
import { type Setup, capsOf, writeSetup } from '../../scripts/proof/setup.ts';
import { noTrouble } from '../../scripts/proof/trouble.ts';
import { type Random, seededRandom } from '../../src/domain/random.ts';

/** What may go wrong with a buy and its traces without stopping all buying: the daemon is to be killed in the midst of work. */
const trouble = {
  ...noTrouble,
  ...{ buyLostBefore: 0.03, buyLostAfter: 0.05, buyLate: 0.05, buyExecutedLate: 0.03, buyCut: 0.05, buyHtml: 0.03 },
  ...{ buyErrorBefore: 0.02, buyErrorAfter: 0.03, buyRefusedYetBought: 0.05, buyProcessing: 0.03, buyWithoutOrderId: 0.03 },
  ...{ ordersLate: 0.1, ordersPartial: 0.1, ordersOtherItemId: 0.2, transactionsLate: 0.1, orderFails: 0.05, orderReverts: 0.05 },
};

/** Quick to buy, and with caps that bind before the end. */
const setup: Setup = {
  config: {
    feed: { interval: '200ms', health: { interval: '500ms' } },
    rate: { reads: { perSecond: 30, concurrent: 4 }, buys: { perSecond: 12, concurrent: 2 }, timeout: '1s' },
    reconcile: { interval: '1s' },
  },
  limits: { maxPrice: 30, spend: { hour: 400, day: 500 }, perItem: { hour: 2 }, reserve: 40, openPurchases: 400, unknown: 300 },
  strategies: {
    cheap: { when: { name: '*' }, price: { max: 2 }, count: { hour: 100 } },
    better: { priority: 5, when: { steamPrice: { min: 1 } }, price: { max: 30, maxOfSteam: 0.9 }, spend: { day: 300 } },
  },
};

export interface Killed {
  readonly kills: number;
  /** Buys that reached the exchange. */
  readonly posts: number;
  /** Kills right after which a start found a purchase without an outcome. */
  readonly caught: number;
  readonly broken: readonly string[];
  readonly comparison: Comparison;
}

/**
 * Runs the built daemon against the built exchange, kills it (`kill -9`) at random moments and starts it again, then lets it
 * settle and audits by the exchange's own books.
 */
export async function killing({
  kills,
  seed,
  folder,
}: {
  readonly kills: number;
  readonly seed: number;
  readonly folder: string;
}): Promise<Killed> {
  writeSetup(folder, setup);
  const exchange = await ExchangeProcess.start(
    ['--seed', String(seed), '--listings', '600', '--balance', '450', '--speed', '10', '--data', `${folder}/exchange`],
    { cwd: folder },
  );
  const daemon = new DaemonProcess(folder, exchange.environment);
  try {
    return await killed(exchange, daemon, kills, seededRandom(seed, 'kills'));
  } finally {
    await daemon.kill();
    await exchange.running.end('SIGTERM');
  }
}

async function killed(exchange: ExchangeProcess, daemon: DaemonProcess, kills: number, random: Random): Promise<Killed> {
  await exchange.setFaults(trouble);
  let caught = 0;
  for (let done = 0; done < kills; done++) {
    daemon.start();
    await buying(daemon);
    await pause(random.next() ** 2 * 2_000);
    await daemon.kill();
    if ((daemon.look((ledger) => ledger.countsByState().intended) ?? 0) > 0) caught += 1;
  }
  await exchange.setFaults(noTrouble);
  await daemon.command('halt', '--reason', 'the test is over');
  daemon.start();
  const { comparison, broken } = await settled(exchange, daemon);
  const posts = (await exchange.books()).events.filter(({ kind }) => kind === 'post').length;
  return { kills, posts, caught, broken, comparison };
}

/** Waits until the start checks have passed, so that a kill does not merely hit the start; one that is stuck is killed all the same. */
async function buying(daemon: DaemonProcess): Promise<void> {
  const until = performance.now() + 10_000;
  while (!daemon.text.includes('buying is open') && performance.now() < until && daemon.isRunning) await pause(20);
}

/** Until the books agree and no promise is broken, or for two minutes. */
async function settled(exchange: ExchangeProcess, daemon: DaemonProcess): Promise<Pick<Killed, 'broken' | 'comparison'>> {
  const until = performance.now() + 120_000;
  for (;;) {
    const [books, said] = [await exchange.books(), await daemon.says()];
    const comparison = compareBooks(books, said);
    const broken = brokenPromises(books, capsOf(setup), said);
    if ((comparison.differences.length === 0 && broken.length === 0) || performance.now() > until) return { comparison, broken };
    await pause(500);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

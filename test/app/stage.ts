import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { type Daemon, type Ended, type Started, startDaemon } from '../../src/app/daemon.ts';
import { plainPalette } from '../../src/app/narrate.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { systemRandom } from '../../src/app/system-random.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { type Purchase, purchaseJson } from '../../src/domain/purchase.ts';
import type { Beside } from '../../src/ledger/ledger.ts';
import { openBeside } from '../../src/ledger/open.ts';
import type { BooksView } from '../../src/sandbox/audit.ts';
import { type RunningSandbox, type StartOptions, startSandbox } from '../../src/sandbox/start.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { ruleFiles } from '../../src/settings/rule-files.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { entry } from '../support/feed-entries.ts';

/** Faults that are part of ordinary life on the exchange, switched off so that a test meets only what it asks for. */
export const calm = { orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 };

/** Everything below a folder that is gone after the test; the locks of keys, which lie in the temporary folder, stand there too. */
export function freshPlace(): string {
  const place = mkdtempSync(join(process.env['MAGPIE_TEST_TMP'] ?? tmpdir(), 'magpie-app-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  vi.stubEnv('TMPDIR', place);
  onTestFinished(() => void vi.unstubAllEnvs());
  return place;
}

/** Entries of a market that stands still: `price` is the base price, the fee 5 % rounded to the cent. */
export function offer(id: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const price = typeof fields['price'] === 'number' ? fields['price'] : 10;
  return entry({ id, price, priceWithFee: Math.round(price * 105) / 100, steamPrice: 40, ...fields });
}

export interface ExchangeOptions extends Partial<Omit<StartOptions, 'clock' | 'snapshot'>> {
  /** Exactly these stand; without them the market is made up. */
  readonly offers?: readonly unknown[];
}

/** The exchange over HTTP, closed after the test. */
export async function openExchange({ offers, ...options }: ExchangeOptions = {}): Promise<RunningSandbox> {
  const saved = { success: true, data: { listings: offers, listingsCount: offers?.length } };
  const exchange = await startSandbox({
    seed: 7,
    speed: 1,
    ...options,
    ...(offers && { snapshot: JSON.stringify(saved) }),
    faults: { ...calm, ...options.faults },
    clock: new SystemClock(),
  });
  onTestFinished(() => exchange.close());
  return exchange;
}

/** The truth about one account of the exchange. */
export function ordersAt(exchange: RunningSandbox): BooksView['orders'] {
  return exchange.books().orders;
}

/** How many buys arrived at the exchange, whatever became of them. */
export function postsAt(exchange: RunningSandbox): number {
  return Object.values(exchange.books().posts).reduce((total, each) => total + each, 0);
}

type Block = Readonly<Record<string, unknown>>;

export interface BotOptions {
  readonly place: string;
  /** Where it buys: an exchange, or the account and address of any other server. */
  readonly at: Pick<RunningSandbox, 'baseUrl' | 'childKey' | 'topLevelKey' | 'tradeUrl'>;
  /** What differs from a quick, open-handed live configuration. */
  readonly config?: Block;
  /** By file name without `.yaml`; without them one that wants everything below $1,000. */
  readonly strategies?: Readonly<Record<string, Block>>;
  readonly clock?: Clock;
  readonly once?: boolean;
  readonly dryRun?: boolean;
  /** Of its environment, besides. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** It follows its files. */
  readonly follow?: boolean;
}

const wantsAll = { wants: { when: { name: '*' }, price: { max: 1000 } } };

/** Quick enough for a test, and nothing in the way of buying. */
export const openHanded = {
  mode: 'live',
  feed: { interval: '100ms', health: { interval: '200ms' } },
  rate: { reads: { perSecond: 100, concurrent: 4 }, buys: { perSecond: 100, concurrent: 1 }, timeout: '3s' },
  limits: { maxPrice: 1000, spend: { day: 100_000 } },
  reconcile: { interval: '1s' },
};

/** Writes a configuration with its strategies as a user would and loads it as the commands do. */
export function written(options: BotOptions): Parameters<typeof startDaemon>[0]['settings'] {
  const { place, at, config = {}, strategies = wantsAll, dryRun } = options;
  const account = { apiKey: at.childKey, partnerKey: at.topLevelKey, tradeUrl: at.tradeUrl };
  const whole = { ...openHanded, service: { baseUrl: at.baseUrl }, account, ...config };
  mkdirSync(join(place, 'strategies'), { recursive: true });
  writeFileSync(join(place, 'magpie.yaml'), JSON.stringify(whole), { mode: 0o600 });
  for (const [name, strategy] of Object.entries(strategies)) {
    writeFileSync(join(place, 'strategies', `${name}.yaml`), JSON.stringify({ name, ...strategy }));
  }
  const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd: place, overrides: { dryRun } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return loaded.settings;
}

/** One daemon in this process, on real parts. */
export class Bot {
  readonly place: string;
  readonly data: string;
  readonly lines: string[];
  readonly daemon: Daemon;

  constructor(place: string, data: string, lines: string[], daemon: Daemon) {
    this.place = place;
    this.data = data;
    this.lines = lines;
    this.daemon = daemon;
  }

  get text(): string {
    return this.lines.join('');
  }

  /** The ledger as another process sees it. */
  beside<T>(work: (ledger: Beside) => T): T {
    return beside(this.data, work);
  }

  /** Oldest first. */
  purchases(): Purchase[] {
    return this.beside((ledger) => [...ledger.purchases({})].reverse());
  }

  json(): Record<string, unknown>[] {
    return this.purchases().map(purchaseJson);
  }

  async stop(): Promise<Ended> {
    this.daemon.stop('the test is over');
    return this.daemon.ended;
  }

  /** Resolves when the condition holds; the lines so far are in the message when it never does. */
  async sees(what: string, condition: () => boolean, ms = PATIENCE_MS): Promise<void> {
    if (!(await within(condition, ms))) throw new Error(`not within ${ms} ms: ${what}\n${this.text.slice(-3_000)}`);
  }

  says(words: string, ms?: number): Promise<void> {
    return this.sees(`"${words}"`, () => this.text.includes(words), ms);
  }
}

/** Opens the ledger of a folder beside whoever holds it, for a moment. */
export function beside<T>(data: string, work: (ledger: Beside) => T): T {
  const opened = openBeside(data);
  if (!opened.ok) throw new Error(opened.fault.message);
  try {
    return work(opened.value);
  } finally {
    opened.value.close();
  }
}

/** Starts a daemon, or says why it cannot. What starts is stopped after the test. */
export async function tryBot(options: BotOptions): Promise<{ bot: Bot } | Extract<Started, { ok: false }>> {
  const settings = written(options);
  const strategies = loadStrategies(settings.strategies, settings.strategies);
  if (!strategies.ok) throw new Error(JSON.stringify(strategies.faults));
  const lines: string[] = [];
  const started = await startDaemon({
    settings,
    strategies: strategies.strategies,
    notices: [],
    env: { ...options.env, XDG_RUNTIME_DIR: options.place },
    version: '0.0.0-test',
    clock: options.clock ?? new SystemClock(),
    random: systemRandom,
    palette: plainPalette,
    write: (line) => void lines.push(line),
    once: options.once ?? false,
    filesIntervalMs: 100,
    files: options.follow ? ruleFiles({ file: 'magpie.yaml', env: {}, cwd: options.place }, settings) : undefined,
  });
  if (!started.ok) return started;
  const { daemon } = started;
  onTestFinished(async () => {
    daemon.stop('the test is over');
    await daemon.ended;
  });
  return { bot: new Bot(options.place, settings.data, lines, daemon) };
}

export async function startBot(options: BotOptions): Promise<Bot> {
  const tried = await tryBot(options);
  if (!('bot' in tried)) throw new Error(tried.message);
  return tried.bot;
}

/** Whether a condition comes true in time. */
/** What is waited for comes in a fraction of it; a busy machine may take its time, and only what never comes fails. */
export const PATIENCE_MS = 90_000;

export async function within(condition: () => boolean, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  while (!condition()) {
    if (performance.now() >= until) return false;
    await pause(10);
  }
  return true;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

import { mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startDaemon } from '../../../src/app/daemon.ts';
import { plainPalette } from '../../../src/app/narrate.ts';
import { openSink } from '../../../src/app/sink.ts';
import { SystemClock } from '../../../src/app/system-clock.ts';
import { systemRandom } from '../../../src/app/system-random.ts';
import { loadSettings } from '../../../src/settings/load.ts';
import { loadStrategies } from '../../../src/settings/strategies.ts';
import type { Wish } from '../floors/buyer.ts';

export interface BotOptions {
  /** Everything of it lies in here. */
  readonly folder: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tradeUrl: string;
  readonly intervalMs: number;
  readonly wishes: readonly Wish[];
  /** FULL is Magpie as it is; NORMAL leaves the sync of a commit out, to tell what that costs. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** As `feed.parse` says; left out: the default. */
  readonly parse?: string | undefined;
}

/** Magpie as `magpie run` composes it: journal, limiter, log, recording and all, with a configuration that lets it buy often. */
export async function runBot(options: BotOptions): Promise<void> {
  const { folder, synchronous } = options;
  if (synchronous === 'NORMAL') leaveSyncsOut();
  const loaded = loadSettings({ file: writeConfiguration(options), env: {}, cwd: folder, overrides: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const strategies = loadStrategies(loaded.settings.strategies, loaded.settings.strategies);
  if (!strategies.ok) throw new Error(JSON.stringify(strategies.faults));
  const sink = openSink(openSync(join(folder, 'log'), 'a'));
  const started = await startDaemon({
    ...{ settings: loaded.settings, strategies: strategies.strategies, notices: [], once: false },
    env: { XDG_RUNTIME_DIR: folder },
    version: 'bench',
    clock: new SystemClock(),
    random: systemRandom,
    palette: plainPalette,
    write: (line) => sink.write(line),
  });
  if (!started.ok) throw new Error(started.message);
}

function writeConfiguration({ folder, baseUrl, apiKey, tradeUrl, intervalMs, wishes, parse }: BotOptions): string {
  const file = join(folder, 'magpie.yaml');
  const configuration = {
    mode: 'live',
    service: { baseUrl },
    account: { apiKey, tradeUrl },
    feed: { interval: `${intervalMs}ms`, ...(parse === undefined ? {} : { parse }) },
    // The spacing of the buys is shorter than a round of the bench, so that the limiter is there and never what is measured.
    rate: { reads: { perSecond: 50, concurrent: 4 }, buys: { perSecond: 50, concurrent: 1 }, timeout: '2m' },
    limits: { maxPrice: 50, spend: { day: 100_000 }, openPurchases: 100_000, breaker: { perHour: 100_000, unusual: 1_000_000 } },
  };
  writeFileSync(file, JSON.stringify(configuration), { mode: 0o600 });
  mkdirSync(join(folder, 'strategies'));
  for (const [index, { name, maxPriceWithFee }] of wishes.entries()) {
    const strategy = { name: `wish-${index}`, when: { name }, price: { max: maxPriceWithFee } };
    writeFileSync(join(folder, 'strategies', `wish-${index}.yaml`), JSON.stringify(strategy));
  }
  return file;
}

/** The last thing that is set on each connection of the ledger, after its durability was set and asserted. */
const LAST_PRAGMA = 'journal_size_limit';

/**
 * Magpie has no switch for this, and must have none. So the bench turns the pragma of a connection back once it was opened and
 * checked.
 */
function leaveSyncsOut(): void {
  const prototype = Database.prototype as { pragma: (source: string, options?: object) => unknown };
  const { pragma } = prototype;
  prototype.pragma = function (this: unknown, source: string, options?: object) {
    const result = pragma.call(this, source, options);
    if (source.startsWith(LAST_PRAGMA)) pragma.call(this, 'synchronous = NORMAL');
    return result;
  };
}

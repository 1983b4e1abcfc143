/* oxlint-disable no-console -- a bench prints */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { startDaemon } from '../../src/app/daemon.ts';
import { plainPalette } from '../../src/app/narrate.ts';
import { SystemClock } from '../../src/app/system-clock.ts';
import { systemRandom } from '../../src/app/system-random.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { loadSettings } from '../../src/settings/load.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { Bench } from '../sandbox/harness.ts';
import { type FromServer, NEW_ID, type ToServer } from './throttled-server.ts';

/*
 * From the last byte of a new listing to the headers of its buy, while the answer comes at 100 Mbit/s: what a good engineer writes
 * first (the whole body, JSON.parse, a Map, a POST over a warm pool) beside the whole daemon, its commit synced to the disk before
 * the buy leaves. Both see the same answers in turns, the new listing at the same place; what is compared is the median of ratios.
 * npx tsx test/bench/stream.ts [buys] [stream|slices|whole]
 */

const LISTINGS = 1_000;
const WARM_UP = 10;
const MEGABIT_PER_MS = 125;

type Buy = Omit<Extract<FromServer, { say: 'buy' }>, 'say' | 'way'>;

export interface StreamFigures {
  readonly listings: number;
  readonly megabits: number;
  readonly bytes: number;
  readonly buys: number;
  /** From the listing's last byte to the headers of the buy, milliseconds. */
  readonly floorMs: Quantiles;
  readonly magpieMs: Quantiles;
  /** Median of the ratios of pairs. */
  readonly ratio: number;
  /** How long before the last byte of the answer the buy came, milliseconds; below zero: after it. */
  readonly beforeEndMs: Quantiles;
  /** Share of the buys that came before the last byte. */
  readonly beforeEnd: number;
}

interface Quantiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

const wanted = {
  itemId: '10807006fab895f4',
  id: NEW_ID,
  ...{ marketHashName: 'AK-47 | Redline (Field-Tested)', type: 'rifle', iconUrl: 'https://img.example.invalid/a.png' },
  ...{ price: 1, priceWithFee: 1.05, steamPrice: 15, delivery: 'normal', market: 'c5game', exterior: 'Field-Tested' },
  ...{ wear: 0.2, paintSeed: 7, rarity: 'Classified', collection: null, color: '#d32ce6', stickers: [], charm: null },
};

/** Times the same polls in the floor and in the daemon, in turns. */
export async function measureStream(buys = 60, parse = 'stream', megabits = 100): Promise<StreamFigures> {
  const place = mkdtempSync(join(tmpdir(), 'magpie-bench-'));
  const server = new Server();
  try {
    const baseUrl = await server.open(megabits);
    const daemon = await daemonAt(baseUrl, place, parse);
    const floor = new Floor(baseUrl);
    const pairs = await pairsOf(server, floor, buys);
    daemon.stop('the bench is over');
    await daemon.ended;
    await floor.close();
    return figuresOf(pairs, { megabits, bytes: server.bytes });
  } finally {
    server.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function pairsOf(server: Server, floor: Floor, buys: number): Promise<{ floor: Buy; magpie: Buy }[]> {
  const random = seededRandom(1);
  const pairs: { floor: Buy; magpie: Buy }[] = [];
  await floor.poll();
  for (let pair = 0; pair < WARM_UP + buys; pair++) {
    const share = random.next();
    const { told } = await server.arm('magpie', share);
    const magpie = await told;
    const armed = await server.arm('floor', share);
    await floor.poll();
    const both = { magpie, floor: await armed.told };
    if (pair >= WARM_UP) pairs.push(both);
  }
  return pairs;
}

class Server {
  readonly #child: ChildProcess;
  readonly #armed = new Map<string, () => void>();
  readonly #bought = new Map<string, (buy: Buy) => void>();
  bytes = 0;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('throttled-server.ts', import.meta.url)));
  }

  async open(megabits: number): Promise<string> {
    const port = await new Promise<number>((resolve) => {
      this.#child.on('message', (message: FromServer) => {
        if (message.say === 'port') resolve(message.port);
        else if (message.say === 'armed') this.#armed.get(message.way)?.();
        else this.#bought.get(message.way)?.(message);
      });
    });
    const feed = new Bench({ listings: LISTINGS }).feed();
    const entries = feed.map((wire) => JSON.stringify({ ...wire, marketHashName: `★ ${wire.marketHashName}` }));
    this.bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry) + 1, 0);
    this.#send({ do: 'market', entries, wanted: JSON.stringify(wanted), bytesPerMs: megabits * MEGABIT_PER_MS });
    return `http://127.0.0.1:${port}`;
  }

  /** The next answer shows a new listing that far into it; told when that has been bought and the answer has ended. */
  async arm(way: string, share: number): Promise<{ readonly told: Promise<Buy> }> {
    const told = new Promise<Buy>((resolve) => void this.#bought.set(way, resolve));
    const armed = new Promise<void>((resolve) => void this.#armed.set(way, resolve));
    this.#send({ do: 'arm', way, share });
    await armed;
    return { told };
  }

  close(): void {
    this.#child.disconnect();
  }

  #send(message: ToServer): void {
    this.#child.send(message);
  }
}

interface Listing {
  readonly id: string;
  readonly market: string;
  readonly marketHashName: string;
  readonly price: number;
}

/** As a good engineer writes it first. */
class Floor {
  readonly #pool: Pool;
  #known = new Map<string, number>();

  constructor(baseUrl: string) {
    this.#pool = new Pool(baseUrl, { connections: 2 });
  }

  async poll(): Promise<void> {
    const first = this.#known.size === 0;
    const headers = { 'x-api-key': 'floor' };
    const { body } = await this.#pool.request({ method: 'GET', path: '/v2/partner/live/listings', headers });
    const { data } = JSON.parse(await body.text()) as { data: { listings: Listing[] } };
    const now = new Map<string, number>();
    const buys: Promise<unknown>[] = [];
    for (const listing of data.listings) {
      const key = `${listing.market}:${listing.id}`;
      if (!first && this.#known.get(key) !== listing.price && this.#wants(listing)) buys.push(this.#buy(listing));
      now.set(key, listing.price);
    }
    this.#known = now;
    await Promise.all(buys);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  #wants({ marketHashName, price }: Listing): boolean {
    return price <= 2 && marketHashName.startsWith('AK-47 | Redline');
  }

  async #buy({ id, market, price }: Listing): Promise<void> {
    const headers = { 'x-api-key': 'floor', 'content-type': 'application/json' };
    const body = JSON.stringify({ itemId: id, price, market, tradeUrl: 'https://example.invalid/' });
    const answer = await this.#pool.request({ method: 'POST', path: '/v2/market/buy', headers, body });
    await answer.body.dump();
  }
}

async function daemonAt(baseUrl: string, place: string, parse: string) {
  const config = {
    ...{ mode: 'live', service: { baseUrl }, reconcile: { interval: '5s' } },
    account: {
      ...{ apiKey: 'bench-account-0123456789abcdef', partnerKey: 'bench-top-level-0123456789abcdef' },
      tradeUrl: 'https://steamcommunity.com/tradeoffer/new/?partner=123456789&token=benchTKn',
    },
    feed: { interval: '250ms', health: { interval: '1s' }, parse },
    rate: { reads: { perSecond: 100, concurrent: 4 }, buys: { perSecond: 100, concurrent: 1 }, timeout: '5s' },
    limits: { maxPrice: 10, spend: { day: 1_000_000 }, openPurchases: 10_000 },
  };
  mkdirSync(join(place, 'strategies'));
  writeFileSync(join(place, 'magpie.yaml'), JSON.stringify(config), { mode: 0o600 });
  const strategy = { name: 'redline', when: { name: 'AK-47 | Redline*' }, price: { max: 2 } };
  writeFileSync(join(place, 'strategies', 'redline.yaml'), JSON.stringify(strategy));
  const loaded = loadSettings({ file: 'magpie.yaml', env: {}, cwd: place, overrides: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const { settings } = loaded;
  const strategies = loadStrategies(settings.strategies, settings.strategies);
  if (!strategies.ok) throw new Error(JSON.stringify(strategies.faults));
  let opened: () => void = () => undefined;
  const open = new Promise<void>((resolve) => {
    opened = resolve;
  });
  const started = await startDaemon({
    ...{
      settings,
      strategies: strategies.strategies,
      notices: [],
      env: { XDG_RUNTIME_DIR: place },
      version: 'bench',
      once: false,
    },
    ...{ clock: new SystemClock(), random: systemRandom, palette: plainPalette },
    write: (line) => {
      if (line.includes('Start checks passed')) opened();
    },
  });
  if (!started.ok) throw new Error(JSON.stringify(started));
  await open;
  return started.daemon;
}

function figuresOf(
  pairs: readonly { readonly floor: Buy; readonly magpie: Buy }[],
  { megabits, bytes }: Pick<StreamFigures, 'megabits' | 'bytes'>,
): StreamFigures {
  const beforeEnd = pairs.map(({ magpie }) => magpie.beforeEndMs);
  return {
    ...{ listings: LISTINGS, megabits, bytes, buys: pairs.length },
    floorMs: quantiles(pairs.map(({ floor }) => floor.afterListingMs)),
    magpieMs: quantiles(pairs.map(({ magpie }) => magpie.afterListingMs)),
    ratio: quantiles(pairs.map(({ magpie, floor }) => magpie.afterListingMs / floor.afterListingMs)).p50,
    beforeEndMs: quantiles(beforeEnd),
    beforeEnd: beforeEnd.filter((ms) => ms > 0).length / pairs.length,
  };
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

function shownMs({ p50, p90, p99 }: Quantiles): string {
  return `p50 ${p50.toFixed(2)} ms, p90 ${p90.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [buys = '60', parse = 'stream'] = process.argv.slice(2);
  const { listings, megabits, bytes, floorMs, magpieMs, ratio, beforeEndMs, beforeEnd } = await measureStream(
    Number(buys),
    parse,
  );
  console.log(
    `${listings} listings, ${bytes} bytes at ${megabits} Mbit/s: listing fully sent to headers of its buy, ${buys} pairs`,
  );
  console.log(`floor (whole body)   ${shownMs(floorMs)}`);
  console.log(`magpie (${parse})     ${shownMs(magpieMs)}`);
  console.log(`ratio, median of pairs ${ratio.toFixed(3)} (goal 0.05)`);
  console.log(
    `buy before the last byte in ${(beforeEnd * 100).toFixed(0)} % of the pairs; ahead of it by ${shownMs(beforeEndMs)}`,
  );
}

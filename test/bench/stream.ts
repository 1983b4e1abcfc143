/* oxlint-disable no-console -- a bench prints */
import { type ChildProcess, fork } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Timings } from '../../src/domain/outcome.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { openBeside } from '../../src/ledger/open.ts';
import { Bench } from '../sandbox/harness.ts';
import { daemonAt } from './stream-daemon.ts';
import { Floor } from './stream-floor.ts';
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
  /** Where the daemon's own time goes, by its ledger, milliseconds; `committed`: until the row is on the disk. */
  readonly stages: { readonly decided: Quantiles; readonly committed: Quantiles; readonly sent: Quantiles };
  /** What a sync of the same disk takes, after each pair, milliseconds. */
  readonly syncMs: Quantiles;
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
    const { daemon, data } = await daemonAt(baseUrl, place, parse);
    const floor = new Floor(baseUrl);
    const disk = new Disk(join(place, 'synced'));
    const pairs = await pairsOf(server, floor, disk, buys);
    disk.close();
    daemon.stop('the bench is over');
    await daemon.ended;
    await floor.close();
    return figuresOf(pairs, { megabits, bytes: server.bytes, stages: stagesIn(data, buys), syncMs: quantiles(disk.ms) });
  } finally {
    server.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function pairsOf(server: Server, floor: Floor, disk: Disk, buys: number): Promise<{ floor: Buy; magpie: Buy }[]> {
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
    disk.sync();
    if (pair >= WARM_UP) pairs.push(both);
  }
  return pairs;
}

/** How long the file system takes for what a commit needs of it. */
class Disk {
  readonly ms: number[] = [];
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  sync(): void {
    writeSync(this.#file, Buffer.alloc(4_096), 0, 4_096, 0);
    const began = performance.now();
    fdatasyncSync(this.#file);
    this.ms.push(performance.now() - began);
  }

  close(): void {
    closeSync(this.#file);
  }
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

function figuresOf(
  pairs: readonly { readonly floor: Buy; readonly magpie: Buy }[],
  given: Pick<StreamFigures, 'megabits' | 'bytes' | 'stages' | 'syncMs'>,
): StreamFigures {
  const beforeEnd = pairs.map(({ magpie }) => magpie.beforeEndMs);
  return {
    ...{ ...given, listings: LISTINGS, buys: pairs.length },
    floorMs: quantiles(pairs.map(({ floor }) => floor.afterListingMs)),
    magpieMs: quantiles(pairs.map(({ magpie }) => magpie.afterListingMs)),
    ratio: quantiles(pairs.map(({ magpie, floor }) => magpie.afterListingMs / floor.afterListingMs)).p50,
    beforeEndMs: quantiles(beforeEnd),
    beforeEnd: beforeEnd.filter((ms) => ms > 0).length / pairs.length,
  };
}

/** Of the newest so many purchases. */
function stagesIn(data: string, buys: number): StreamFigures['stages'] {
  const opened = openBeside(data);
  if (!opened.ok) throw new Error(opened.fault.message);
  try {
    const newest = [...opened.value.purchases({})].toSorted((a, b) => b.id - a.id).slice(0, buys);
    const timings = newest.flatMap(({ id }) => opened.value.timingsOf(id) ?? []);
    const lasted = (from: keyof Timings, to: keyof Timings): Quantiles =>
      quantiles(timings.flatMap((timing) => (timing[to] ?? Number.NaN) - (timing[from] ?? Number.NaN)).filter(Number.isFinite));
    return {
      decided: lasted('seenAt', 'decidedAt'),
      committed: lasted('decidedAt', 'committedAt'),
      sent: lasted('committedAt', 'sentAt'),
    };
  } finally {
    opened.value.close();
  }
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
  const { listings, megabits, bytes, floorMs, magpieMs, ratio, beforeEndMs, beforeEnd, stages, syncMs } = await measureStream(
    Number(buys),
    parse,
  );
  console.log(
    `${listings} listings, ${bytes} bytes at ${megabits} Mbit/s: listing fully sent to headers of its buy, ${buys} pairs`,
  );
  console.log(`floor (whole body)   ${shownMs(floorMs)}`);
  console.log(`magpie (${parse})     ${shownMs(magpieMs)}`);
  for (const [stage, lasted] of Object.entries(stages)) console.log(`  until ${stage.padEnd(9)}    ${shownMs(lasted)}`);
  console.log(`  a bare fdatasync    ${shownMs(syncMs)}`);
  console.log(`ratio, median of pairs ${ratio.toFixed(3)} (goal 0.05)`);
  console.log(
    `buy before the last byte in ${(beforeEnd * 100).toFixed(0)} % of the pairs; ahead of it by ${shownMs(beforeEndMs)}`,
  );
}

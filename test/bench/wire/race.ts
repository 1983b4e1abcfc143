import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Random, seededRandom } from '../../../src/domain/random.ts';
import { SyncFloor } from '../floors/sync.ts';
import { Market, type Planted, type Snapshot, snapshotOf } from '../market.ts';
import type { Profiles } from '../profiling.ts';
import { Rival, type RivalKind } from './rivals.ts';
import { type Sent, type Written, sendAtOnce } from './sending.ts';

export interface RaceOptions {
  readonly listings: number;
  /** Of the listings, the share that differs from one poll to the next. */
  readonly share: number;
  readonly rounds: number;
  readonly warmUp: number;
  readonly rivals: readonly RivalKind[];
  readonly place: string;
  readonly shuffled?: boolean;
  readonly encoding?: 'gzip' | 'br';
  readonly send?: (socket: Socket, written: Written) => Promise<Sent>;
  /** Whom to profile over the measured rounds, by name. */
  readonly profiled?: string;
}

/** One rival's rounds, in the order of the rounds. Milliseconds; negative where the POST came before. */
export interface Times {
  /** From the last byte of the snapshot to the headers of the POST. */
  readonly fromLast: number[];
  /** From the last byte of the listing. */
  readonly fromListing: number[];
  /** CPU time of the process, from the first bytes of the answer to the POST. */
  readonly cpuMs: number[];
}

export interface Race {
  readonly times: ReadonlyMap<string, Times>;
  /** A bare fdatasync beside each round. */
  readonly syncMs: readonly number[];
  readonly profile: Profiles | undefined;
  /** Rounds that do not count, since one of the rivals did not buy. */
  readonly lost: number;
}

/** A rival does in between what it puts off: it writes outcomes, asks for more. */
const BREATH_MS = 12;

/** A POST that is not there by then does not count, nor does its round: Magpie drops a match whose turn comes too late. */
const LOST_MS = 2_000;

/** Of the rounds, the share that may be lost before the whole race says nothing any more. */
const LOST_SHARE = 0.05;

/** All rivals are given the same snapshots, one after the other and in a new order each round. */
export async function race(options: RaceOptions): Promise<Race> {
  const rivals: Rival[] = [];
  const sync = new SyncFloor(options.place);
  try {
    for (const kind of options.rivals) rivals.push(await Rival.start(kind, options.place));
    return await rounds(options, rivals, sync);
  } finally {
    sync.close();
    for (const rival of rivals) await rival.stop();
  }
}

async function rounds(options: RaceOptions, rivals: readonly Rival[], sync: SyncFloor): Promise<Race> {
  const { listings, share, warmUp, profiled } = options;
  const random = seededRandom(1, `race of ${listings}`);
  const market = new Market(listings, random);
  const times = new Map<string, Times>(rivals.map(({ name }) => [name, { fromLast: [], fromListing: [], cpuMs: [] }]));
  const syncMs: number[] = [];
  const looked = rivals.find(({ name }) => name === profiled);
  await opened(rivals, market);
  let lost = 0;
  for (let round = 0; round < warmUp + options.rounds; round++) {
    if (round === warmUp) await looked?.startProfile();
    const planted = market.planted(market.next(share));
    if (options.shuffled === true) market.shuffle();
    const answer = answerFor(planted, round + FIRST, options.encoding);
    const took = await heats(inAnyOrder(rivals, random), answer, options.send ?? sendAtOnce);
    if (took === undefined && ++lost > LOST_SHARE * options.rounds + 2) throw new Error(`${lost} rounds without a buy`);
    if (round < warmUp || took === undefined) continue;
    for (const [{ name }, { fromLast, fromListing, cpuMs }] of took) {
      times.get(name)?.fromLast.push(fromLast);
      times.get(name)?.fromListing.push(fromListing);
      times.get(name)?.cpuMs.push(cpuMs);
    }
    syncMs.push(sync.syncMs());
  }
  return { times, syncMs, profile: await looked?.stopProfile(), lost };
}

function inAnyOrder<T>(all: readonly T[], random: Random): readonly T[] {
  return all
    .map((one) => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** Request ids of the rounds begin after those of the opening. */
const FIRST = 1_000;

/** How long a rival may take until it buys at all: Magpie first looks at its account. */
const OPENING_MS = 20_000;

/** Until each has bought once: a start has to look at account, orders, health and balance before it may. */
async function opened(rivals: readonly Rival[], market: Market): Promise<void> {
  for (const rival of rivals) {
    const until = performance.now() + OPENING_MS;
    for (let seq = 0; ; seq++) {
      await rival.asked();
      const answer = answerFor(market.planted(market.next(0)), seq, undefined);
      if ((await heat(rival, answer, sendAtOnce, 500)) !== undefined) break;
      if (performance.now() > until) throw new Error(`${rival.name} does not buy\n${rival.lastWords}`);
    }
  }
}

type Answer = Snapshot & { readonly listingId: string; readonly encoding: RaceOptions['encoding'] };
type Send = NonNullable<RaceOptions['send']>;

interface Took {
  readonly fromLast: number;
  readonly fromListing: number;
  readonly cpuMs: number;
}

function answerFor({ entries, wanted }: Planted, seq: number, encoding: RaceOptions['encoding']): Answer {
  const snapshot = snapshotOf(entries, seq, wanted);
  return { ...snapshot, body: encoded(snapshot, encoding), listingId: String(wanted['id']), encoding };
}

/** One after the other; undefined when one of them did not buy. */
async function heats(rivals: readonly Rival[], answer: Answer, send: Send): Promise<ReadonlyMap<Rival, Took> | undefined> {
  const took = new Map<Rival, Took>();
  for (const rival of rivals) {
    await rival.asked();
    await sleep(BREATH_MS);
    const one = await heat(rival, answer, send);
    if (one !== undefined) took.set(rival, one);
  }
  return took.size === rivals.length ? took : undefined;
}

async function heat(rival: Rival, answer: Answer, send: Send, withinMs = LOST_MS): Promise<Took | undefined> {
  const bought = Promise.all([rival.server.posted(answer.listingId), rival.spentMs()]);
  const { lastAt, listingAt } = await rival.server.answer(answer, send);
  const both = await Promise.race([bought, sleep(withinMs, undefined, { ref: false })]);
  if (both === undefined) return undefined;
  const [postedAt, cpuMs] = both;
  return { fromLast: postedAt - lastAt, fromListing: postedAt - listingAt, cpuMs };
}

function encoded({ body }: Snapshot, encoding: RaceOptions['encoding']): Buffer {
  if (encoding === 'gzip') return gzipSync(body, { level: 1 });
  if (encoding === 'br') return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return body;
}

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { seededRandom } from '../../../src/domain/random.ts';
import { SyncFloor } from '../floors/sync.ts';
import { Market, type Snapshot, snapshotOf } from '../market.ts';
import type { Profile } from '../profiling.ts';
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
}

export interface Race {
  readonly times: ReadonlyMap<string, Times>;
  /** A bare fdatasync beside each round. */
  readonly syncMs: readonly number[];
  readonly profile: Profile | undefined;
}

/** A rival does in between what it puts off: it writes outcomes, asks for more. */
const BREATH_MS = 12;

/** A POST that is not there by then never comes. */
const LOST_MS = 10_000;

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
  const times = new Map<string, Times>(rivals.map(({ name }) => [name, { fromLast: [], fromListing: [] }]));
  const syncMs: number[] = [];
  const looked = rivals.find(({ name }) => name === profiled);
  await opened(rivals, market);
  for (let round = 0; round < warmUp + options.rounds; round++) {
    const measured = round >= warmUp;
    if (round === warmUp) await looked?.startProfile();
    const planted = market.planted(market.next(share));
    if (options.shuffled === true) market.shuffle();
    const snapshot = snapshotOf(planted.entries, round + FIRST, planted.wanted);
    const sent = { ...snapshot, body: encoded(snapshot, options.encoding), encoding: options.encoding };
    for (const rival of rivals.toSorted(() => random.next() - 0.5)) {
      const took = await heat(rival, sent, options.send ?? sendAtOnce);
      if (measured) times.get(rival.name)?.fromLast.push(took.fromLast);
      if (measured) times.get(rival.name)?.fromListing.push(took.fromListing);
    }
    if (measured) syncMs.push(sync.syncMs());
  }
  return { times, syncMs, profile: await looked?.stopProfile() };
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
      await rival.server.asked();
      const posted = rival.server.posted();
      const { entries, wanted } = market.planted(market.next(0));
      await rival.server.answer(snapshotOf(entries, seq, wanted), sendAtOnce);
      if ((await Promise.race([posted, sleep(500)])) !== undefined) break;
      if (performance.now() > until) throw new Error(`${rival.name} does not buy\n${rival.lastWords}`);
    }
  }
}

type Answer = Snapshot & { readonly encoding: string | undefined };

async function heat(
  rival: Rival,
  answer: Answer,
  send: NonNullable<RaceOptions['send']>,
): Promise<{ fromLast: number; fromListing: number }> {
  await rival.server.asked();
  await sleep(BREATH_MS);
  const posted = rival.server.posted();
  const { lastAt, listingAt } = await rival.server.answer(answer, send);
  const postedAt = await Promise.race([posted, sleep(LOST_MS, undefined, { ref: false })]);
  if (postedAt === undefined) throw new Error(`${rival.name} did not buy\n${rival.lastWords}`);
  return { fromLast: postedAt - lastAt, fromListing: postedAt - listingAt };
}

function encoded({ body }: Snapshot, encoding: RaceOptions['encoding']): Buffer {
  if (encoding === 'gzip') return gzipSync(body, { level: 1 });
  if (encoding === 'br') return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return body;
}

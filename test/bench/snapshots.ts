import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../src/domain/random.ts';
import { Secret, scrubber } from '../../src/domain/secret.ts';
import { ListingsDiff } from '../../src/feed/diff.ts';
import { EntryMemory } from '../../src/feed/entry.ts';
import type { SlicedAnswer } from '../../src/feed/slices/arrival.ts';
import { SliceReader } from '../../src/feed/slices/reader.ts';
import { maskListing, withoutSecrets } from '../../src/gateway/without-secrets.ts';
import { time } from './figure.ts';
import { PollFloor } from './floors/poll.ts';
import { Market, snapshotOf } from './market.ts';
import { median, medianOfRatios } from './statistics.ts';

/*
 * CPU of one poll of 10,000 listings, from the pieces of its body to what it changes: what a good engineer writes first (the floor)
 * beside Magpie's three ways. All four read the same answers in turns, in changing order; what is compared is the median of ratios.
 * npx tsx test/bench/snapshots.ts [polls]
 */

const LISTINGS = 10_000;
const PIECE = 65_536;

export const pollGoals = [
  { share: 0.01, goal: 0.1 },
  { share: 0.1, goal: 0.2 },
  { share: 1, goal: 1 },
];

interface Way {
  /** How many changed or are gone: that of all ways is the same. */
  poll(pieces: readonly Buffer[]): number;
}

/** text → JSON.parse → Map. */
class Floor implements Way {
  readonly #floor = new PollFloor();

  poll(pieces: readonly Buffer[]): number {
    const { changed, gone } = this.#floor.poll(Buffer.concat(pieces).toString('utf8'));
    return changed.length + gone;
  }
}

const scrub = scrubber([new Secret('a-key-of-the-bench-0123456789'), new Secret('tokenOfTheBench')]);

interface LiveAnswer {
  readonly requestId: string;
  readonly data: { readonly listings: readonly unknown[]; readonly listingsCount: number };
}

/** What the gateway and the feed do with an answer, without the wire. */
abstract class Magpie implements Way {
  protected readonly diff: ListingsDiff;
  protected seq = 0;

  constructor(diff: ListingsDiff) {
    this.diff = diff;
  }

  poll(pieces: readonly Buffer[]): number {
    this.seq++;
    const { value, listings } = this.read(pieces);
    const { data } = value as LiveAnswer;
    withoutSecrets(data, scrub, listings);
    const times = { pollSeq: this.seq, beganAt: this.seq * 1000, endedAt: this.seq * 1000 + 50 };
    const { changed, gone } = this.diff.apply({ ...times, ...data });
    return changed.length + gone.length;
  }

  protected abstract read(pieces: readonly Buffer[]): { readonly value: unknown; readonly listings?: readonly unknown[] };
}

/** feed.parse: whole. */
class Whole extends Magpie {
  constructor() {
    super(new ListingsDiff());
  }

  protected read(pieces: readonly Buffer[]): { readonly value: unknown } {
    return { value: JSON.parse(Buffer.concat(pieces).toString('utf8')) };
  }
}

/** feed.parse: slices. */
class Slices extends Magpie {
  protected readonly reader = new SliceReader((entry) => maskListing(entry, scrub));

  constructor() {
    super(new ListingsDiff(new EntryMemory()));
  }

  protected read(pieces: readonly Buffer[]): SlicedAnswer {
    return cut(this.reader.read(pieces));
  }
}

/** feed.parse: stream. It looks at each piece as it comes. */
class Stream extends Slices {
  protected override read(pieces: readonly Buffer[]): SlicedAnswer {
    const arrival = this.reader.arriving();
    let told = 0;
    for (const piece of pieces) {
      arrival.push(piece);
      const part = arrival.soFar();
      if (part === undefined || part.listings.length === told) continue;
      told = part.listings.length;
      withoutSecrets((part.value as LiveAnswer).data, scrub, part.listings);
      this.diff.early({ pollSeq: this.seq, listings: part.listings }, this.seq * 1000 + 25);
    }
    return cut(arrival.end());
  }
}

function cut(answer: SlicedAnswer | undefined): SlicedAnswer {
  if (answer === undefined) throw new Error('an ordinary answer was left to be read whole');
  return answer;
}

interface Measured {
  readonly share: number;
  readonly polls: number;
  readonly warmUp: number;
  /** For a second look: in another order each time. */
  readonly shuffled?: boolean;
  readonly listings?: number;
}

export interface PollFigures {
  /** Medians of CPU time, milliseconds. */
  readonly floorMs: number;
  readonly oursMs: number;
  /** Medians of ratios: by what is new, once it is there or as it arrives, and each answer whole. */
  readonly ratio: number;
  readonly streamRatio: number;
  readonly wholeRatio: number;
}

export function measurePolls({ share, polls, warmUp, shuffled = false, listings = LISTINGS }: Measured): PollFigures {
  const market = new Market(listings, seededRandom(1, 'polls'));
  const ways = [new Floor(), new Slices(), new Stream(), new Whole()];
  const seen: number[][] = ways.map(() => []);
  for (let poll = 0; poll < warmUp + polls; poll++) {
    const pieces = piecesOf(market, share, poll, shuffled);
    for (let turn = 0; turn < ways.length; turn++) {
      const which = (turn + poll) % ways.length;
      const ms = cpuMs(() => ways[which]!.poll(pieces));
      if (poll >= warmUp) seen[which]!.push(ms);
    }
  }
  const [floor = [], ours = [], stream = [], whole = []] = seen;
  return {
    ...{ floorMs: median(floor), oursMs: median(ours) },
    ...{ ratio: medianOfRatios({ ours, floor }), streamRatio: medianOfRatios({ ours: stream, floor }) },
    wholeRatio: medianOfRatios({ ours: whole, floor }),
  };
}

/** An answer in the pieces in which it comes over the wire. */
function piecesOf(market: Market, share: number, seq: number, shuffled: boolean): Buffer[] {
  const entries = market.next(share);
  if (shuffled) market.shuffle();
  const { body } = snapshotOf(entries, seq, entries[0]!);
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += PIECE) pieces.push(Buffer.from(body.subarray(at, at + PIECE)));
  return pieces;
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function main(polls: number): void {
  const line = (text: string): void => void process.stdout.write(`${text}\n`);
  line('new      floor        slices      ratio   goal    stream  whole: ratios');
  for (const { share, goal } of pollGoals) {
    const { floorMs, oursMs, ratio, streamRatio, wholeRatio } = measurePolls({ share, polls, warmUp: 20 });
    const cells = [`${share * 100} %`.padEnd(6), time(floorMs).padStart(8), time(oursMs).padStart(11)];
    const others = [streamRatio.toFixed(3).padStart(8), wholeRatio.toFixed(2).padStart(5)];
    line([...cells, ratio.toFixed(3).padStart(8), goal.toFixed(2).padStart(5), ...others].join('  '));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(Number(process.argv[2] ?? 21));

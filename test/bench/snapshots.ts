/* oxlint-disable no-console -- a bench prints */
import { ListingsDiff } from '../../src/feed/diff.ts';
import { EntryMemory } from '../../src/feed/entry.ts';
import { SliceReader } from '../../src/feed/slices/reader.ts';
import { Secret, scrubber } from '../../src/domain/secret.ts';
import { maskListing, withoutSecrets } from '../../src/gateway/without-secrets.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { Bench } from '../sandbox/harness.ts';

/*
 * CPU of one poll of 10,000 listings, from the pieces of its body to what it changes: what a good engineer writes first (the floor)
 * beside Magpie's two ways. All three read the same answers in turns, in changing order; what is compared is the median of ratios.
 * npx tsx test/bench/snapshots.ts [polls]
 */

type Wire = Readonly<Record<string, unknown>>;

const LISTINGS = 10_000;
const WARM_UP = 20;
const POLLS = Number(process.argv[2] ?? 21);
const PIECE = 65_536;

const goals = [
  { share: 0.01, goal: 0.1 },
  { share: 0.1, goal: 0.2 },
  { share: 1, goal: 1 },
];

const random = seededRandom(1);
const below = (limit: number): number => Math.floor(random.next() * limit);

/** A market whose answers differ by a share of their listings: half of that edits of prices, half listings that others replace. */
class Market {
  #nextId = 950_000_000;
  #poll = 0;
  readonly #pool: readonly Wire[];
  #standing: Wire[];

  constructor(pool: readonly Wire[]) {
    this.#pool = pool;
    this.#standing = pool.slice(0, LISTINGS);
  }

  next(share: number): Buffer[] {
    if (this.#poll++ > 0) this.#move(Math.round(LISTINGS * share));
    const data = { listings: this.#standing, listingsCount: this.#standing.length };
    const requestId = `bd09c449-98bf-4c15-b889-${String(this.#poll).padStart(12, '0')}`;
    const bytes = Buffer.from(JSON.stringify({ requestId, success: true, data }));
    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += PIECE) pieces.push(Buffer.from(bytes.subarray(at, at + PIECE)));
    return pieces;
  }

  #move(count: number): void {
    if (count >= LISTINGS) {
      this.#standing = this.#standing.map(() => this.#newcomer());
      return;
    }
    const touched = new Set<number>();
    while (touched.size < count) touched.add(below(LISTINGS));
    for (const [index, at] of [...touched].entries()) {
      if (index % 2 === 0) this.#standing[at] = edited(this.#standing[at]!);
      else {
        this.#standing.splice(at, 1);
        this.#standing.splice(below(LISTINGS), 0, this.#newcomer());
      }
    }
  }

  #newcomer(): Wire {
    return { ...this.#pool[below(this.#pool.length)], id: String(this.#nextId++) };
  }
}

function edited(wire: Wire): Wire {
  const price = Math.round(Number(wire['price']) * 99) / 100 + 0.01;
  return { ...wire, price, priceWithFee: Math.round(price * 105) / 100 };
}

interface LiveAnswer {
  readonly requestId: string;
  readonly data: { readonly listings: readonly unknown[]; readonly listingsCount: number };
}

interface Poll {
  changed: number;
  gone: number;
}

/** text → JSON.parse → Map. */
class Floor {
  #known = new Map<string, Wire>();

  poll(pieces: readonly Buffer[]): Poll {
    const text = Buffer.concat(pieces).toString('utf8');
    const { data } = JSON.parse(text) as { data: { listings: Wire[] } };
    const now = new Map<string, Wire>();
    let changed = 0;
    for (const listing of data.listings) {
      const key = `${String(listing['market'])}:${String(listing['id'])}`;
      const before = this.#known.get(key);
      if (!before || before['price'] !== listing['price'] || before['priceWithFee'] !== listing['priceWithFee']) changed++;
      now.set(key, listing);
    }
    let gone = 0;
    for (const key of this.#known.keys()) if (!now.has(key)) gone++;
    this.#known = now;
    return { changed, gone };
  }
}

const scrub = scrubber([new Secret('a-key-of-the-bench-0123456789'), new Secret('tokenOfTheBench')]);

/** What the gateway and the feed do with an answer, without the wire. */
class Magpie {
  readonly #reader: SliceReader | undefined;
  readonly #diff: ListingsDiff;
  #seq = 0;

  constructor(parse: 'slices' | 'whole') {
    this.#reader = parse === 'slices' ? new SliceReader((entry) => maskListing(entry, scrub)) : undefined;
    this.#diff = parse === 'slices' ? new ListingsDiff(new EntryMemory()) : new ListingsDiff();
  }

  poll(pieces: readonly Buffer[]): Poll {
    const { data } = this.#answer(pieces);
    const times = { pollSeq: ++this.#seq, beganAt: this.#seq * 1000, endedAt: this.#seq * 1000 + 50 };
    const { changed, gone } = this.#diff.apply({ ...times, ...data });
    return { changed: changed.length, gone: gone.length };
  }

  #answer(pieces: readonly Buffer[]): LiveAnswer {
    const sliced = this.#reader?.read(pieces);
    const value = (sliced?.value ?? JSON.parse(Buffer.concat(pieces).toString('utf8'))) as LiveAnswer;
    withoutSecrets(value.data, scrub, sliced?.listings);
    return value;
  }
}

function cpuMs(work: () => Poll): { ms: number; poll: Poll } {
  const before = process.cpuUsage();
  const poll = work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, poll };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function measure(pool: readonly Wire[], share: number): { floorMs: number; slices: number; whole: number; slicesMs: number } {
  const market = new Market(pool);
  const ways = { floor: new Floor(), slices: new Magpie('slices'), whole: new Magpie('whole') };
  const names = ['floor', 'slices', 'whole'] as const;
  const seen: Record<(typeof names)[number], number[]> = { floor: [], slices: [], whole: [] };
  for (let poll = 0; poll < WARM_UP + POLLS; poll++) {
    const pieces = market.next(share);
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + poll) % names.length]!;
      const { ms } = cpuMs(() => ways[name].poll(pieces));
      if (poll >= WARM_UP) seen[name].push(ms);
    }
  }
  const ratios = (of: readonly number[]): number => median(of.map((ms, index) => ms / (seen.floor[index] ?? 1)));
  return { floorMs: median(seen.floor), slicesMs: median(seen.slices), slices: ratios(seen.slices), whole: ratios(seen.whole) };
}

const pool = new Bench({ listings: 2 * LISTINGS }).feed() as unknown as Wire[];
console.log('new      floor        slices      ratio   goal   whole parse, ratio');
for (const { share, goal } of goals) {
  const { floorMs, slicesMs, slices, whole } = measure(pool, share);
  const cells = [`${share * 100} %`.padEnd(6), `${floorMs.toFixed(1)} ms`.padStart(8), `${slicesMs.toFixed(1)} ms`.padStart(11)];
  console.log([...cells, slices.toFixed(3).padStart(8), goal.toFixed(2).padStart(5), whole.toFixed(2).padStart(8)].join('  '));
}

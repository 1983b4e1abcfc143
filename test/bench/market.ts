import type { Random } from '../../src/domain/random.ts';
import { Bench } from '../sandbox/harness.ts';

export type Wire = Readonly<Record<string, unknown>>;

/** What the strategies of the wire's rows want: no other listing of a market has this name. */
export const WANTED = 'AK-47 | Redline (Field-Tested)';

const POOL = 20_500;

let drawn: readonly Wire[] | undefined;

/** Made-up listings of both markets as the feed has them, with none of the name that is wanted. */
function pool(): readonly Wire[] {
  drawn ??= (new Bench({ listings: POOL }).feed() as unknown as Wire[]).filter((wire) => wire['marketHashName'] !== WANTED);
  return drawn;
}

/** Listings among which one is wanted. */
export interface Planted {
  readonly entries: readonly Wire[];
  readonly wanted: Wire;
}

/** A market whose answers differ by a share of their listings: half of that edits of prices, half listings that others replace. */
export class Market {
  readonly #random: Random;
  readonly #pool: readonly Wire[];
  #nextId = 950_000_000;
  #begun = false;
  #standing: Wire[];

  /** `size` listings stand at first; newcomers are drawn from the same. */
  constructor(size: number, random: Random, from = pool()) {
    this.#random = random;
    this.#pool = from;
    this.#standing = from.slice(0, size);
  }

  /** The listings of the next poll. */
  next(share: number): readonly Wire[] {
    if (this.#begun) this.#move(Math.round(this.#standing.length * share));
    this.#begun = true;
    return this.#standing;
  }

  /** In another order. */
  shuffle(): void {
    for (let at = this.#standing.length - 1; at > 0; at--) {
      const other = this.#below(at + 1);
      [this.#standing[at], this.#standing[other]] = [this.#standing[other]!, this.#standing[at]!];
    }
  }

  /** A cheap listing that every strategy of the wire's rows wants, somewhere among the others; this poll only. */
  planted(entries: readonly Wire[]): Planted {
    const id = String(this.#nextId++);
    const wanted = { ...entries[0], id, marketHashName: WANTED, price: 1, priceWithFee: 1.05, steamPrice: 10, market: 'c5game' };
    return { entries: entries.toSpliced(this.#below(entries.length + 1), 0, wanted), wanted };
  }

  #below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  #move(count: number): void {
    const size = this.#standing.length;
    if (count >= size) {
      this.#standing = this.#standing.map(() => this.#newcomer());
      return;
    }
    const touched = new Set<number>();
    while (touched.size < count) touched.add(this.#below(size));
    const [edits, leaving] = [new Set<number>(), new Set<number>()];
    for (const [index, at] of [...touched].entries()) (index % 2 === 0 ? edits : leaving).add(at);
    for (const at of edits) this.#standing[at] = edited(this.#standing[at]!);
    this.#standing = this.#standing.filter((_, at) => !leaving.has(at));
    for (let more = 0; more < leaving.size; more++) this.#standing.splice(this.#below(size), 0, this.#newcomer());
  }

  #newcomer(): Wire {
    return { ...this.#pool[this.#below(this.#pool.length)], id: String(this.#nextId++) };
  }
}

/** A percent less, a cent at least. */
function edited(wire: Wire): Wire {
  const cents = Math.round(Number(wire['price']) * 100);
  const fewer = cents > 1 ? Math.min(Math.round(cents * 0.99), cents - 1) : cents + 1;
  return { ...wire, price: fewer / 100, priceWithFee: Math.round(fewer * 1.05) / 100 };
}

const written = new WeakMap<Wire, string>();

/** The body of one answer, and where the bytes of one of its listings end. */
export interface Snapshot {
  readonly body: Buffer;
  readonly endOf: number;
}

/** `seq` makes the answer's own request id. */
export function snapshotOf(entries: readonly Wire[], seq: number, marked: Wire): Snapshot {
  const texts = entries.map(textOf);
  const requestId = `bd09c449-98bf-4c15-b889-${String(seq).padStart(12, '0')}`;
  const head = `{"requestId":"${requestId}","success":true,"data":{"listings":[`;
  const tail = `],"listingsCount":${entries.length}}}`;
  const upTo = texts.slice(0, entries.indexOf(marked) + 1).join(',');
  return { body: Buffer.from(head + texts.join(',') + tail), endOf: Buffer.byteLength(head + upTo) };
}

function textOf(wire: Wire): string {
  const known = written.get(wire);
  if (known !== undefined) return known;
  const text = JSON.stringify(wire);
  written.set(wire, text);
  return text;
}

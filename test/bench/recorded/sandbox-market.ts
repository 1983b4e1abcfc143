import { seededRandom } from '../../../src/domain/random.ts';
import type { Listing, ListingKey } from '../../../src/domain/listing.ts';
import type { ListingChange, PollResult } from '../../../src/engine/snapshot.ts';
import { loadCatalogue } from '../../../src/sandbox/catalogue.ts';
import { EventQueue } from '../../../src/sandbox/event-queue.ts';
import type { MarketListing } from '../../../src/sandbox/listing.ts';
import { Market, usualRivalry } from '../../../src/sandbox/market.ts';
import { type Change, Changes, noStore } from '../../../src/sandbox/records.ts';
import { readListing } from '../../../src/strategy/read-listing.ts';

export interface MarketOptions {
  readonly seed: number;
  readonly listings: number;
  /** How many times faster than usual it moves. */
  readonly pace: number;
  /** When it opens, epoch milliseconds. */
  readonly from: number;
}

const POLL_MS = 50;

/**
 * The sandbox's own market on a clock of its own, watched without a transport: what each poll changes is told by what the market has
 * written down, so that a month passes in minutes. It equals what the feed's diff would find.
 */
export class SandboxMarket {
  readonly #market: Market;
  readonly #queue = new EventQueue();
  readonly #changes = new Changes();
  readonly #known = new Map<ListingKey, Listing>();
  #seq = 0;

  constructor({ seed, listings, pace, from }: MarketOptions) {
    this.#market = new Market({
      settings: { size: listings, pace, feeRate: 0.05, rivalry: usualRivalry },
      catalogue: loadCatalogue(),
      random: seededRandom(seed, 'market'),
      queue: this.#queue,
      changes: this.#changes,
      nextSeq: 1,
    });
    this.#market.open(from);
  }

  /** A poll that begins then, and how many events it has. */
  poll(beganAt: number): { readonly result: PollResult; readonly events: number } {
    this.#queue.runUntil(beganAt);
    const endedAt = beganAt + POLL_MS;
    const changed: ListingChange[] = [];
    const gone: ListingKey[] = [];
    for (const { kind, id, body } of this.#written()) {
      if (kind !== 'listing') continue;
      const key: ListingKey = id;
      if (body === undefined) {
        if (this.#known.delete(key)) gone.push(key);
        continue;
      }
      const change = this.#change(body as MarketListing, endedAt, changed.length);
      if (change !== undefined) changed.push(change);
    }
    const seq = ++this.#seq;
    const count = this.#known.size;
    const mark = { requestId: undefined, serviceDate: undefined };
    const facts = { seq, beganAt, endedAt, status: 200, bytes: 500 * count, count, ...mark };
    const times = { pollSeq: seq, beganAt, endedAt, first: seq === 1, complete: true };
    const rest = { bad: [], badCount: 0, unchangedInARow: 0, trouble: undefined };
    return {
      result: { ok: true, facts, change: { ...times, count, changed, gone, ...rest } },
      events: changed.length + gone.length,
    };
  }

  #written(): readonly Change[] {
    let written: readonly Change[] = [];
    this.#changes.commitTo({ ...noStore, commit: (changes) => (written = changes) });
    return written;
  }

  #change({ wire }: MarketListing, seenAt: number, position: number): ListingChange | undefined {
    const read = readListing(wire);
    if (!read.ok) throw new Error(`the sandbox offers what cannot be judged: ${read.bad.reason}`);
    const { listing } = read;
    const before = this.#known.get(listing.key);
    if (before !== undefined && before.price === listing.price && before.priceWithFee === listing.priceWithFee) return undefined;
    this.#known.set(listing.key, listing);
    const kind = before === undefined ? 'appeared' : 'repriced';
    return { kind, listing, seenAt, position, chunk: 0, raw: wire };
  }
}

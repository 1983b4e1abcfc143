import type { Listing } from '../../../src/domain/listing.ts';
import type { BuyOutcome } from '../../../src/domain/outcome.ts';
import { type Random, seededRandom } from '../../../src/domain/random.ts';
import type { SnapshotChange } from '../../../src/engine/snapshot.ts';
import type { PollResult } from '../../../src/engine/snapshot.ts';
import { ListingsDiff } from '../../../src/feed/diff.ts';
import { type Attempt, InputBuffer } from '../../../src/replay/inputs.ts';
import { changesOf } from '../../../src/replay/outage.ts';
import { openForWriting } from '../../../src/replay/tape-schema.ts';
import { TapeWriter } from '../../../src/replay/tape-writer.ts';
import { normal } from '../../../src/replay/backtest/statistics.ts';
import type { Strategy } from '../../../src/strategy/strategy.ts';
import { Bench } from '../../sandbox/harness.ts';
import { START } from '../../support/feed-entries.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** What a market is like, which nobody who bids in it is told. */
export interface Temper {
  /** How many times sooner than usual rivals take what they want, what share of offers they look at, how far apart prices are. */
  readonly rivalry: { readonly speed: number; readonly share: number; readonly spread: number };
  readonly feeRate: number;
  /** Of a buy, milliseconds: the middle, and how far the others spread around it. */
  readonly latency: { readonly medianMs: number; readonly sigma: number };
}

/** One that is as likely as any other of a wide range. */
export function drawTemper(random: Random): Temper {
  const between = (low: number, high: number): number => low * (high / low) ** random.next();
  return {
    rivalry: { speed: between(0.3, 4), share: 0.5 + random.next() / 2, spread: between(0.7, 1.4) },
    feeRate: 0.02 + random.next() * 0.06,
    latency: { medianMs: between(45_000, 720_000), sigma: 0.1 + random.next() * 0.6 },
  };
}

const WEEK_MS = 7 * 86_400_000;
/** Polls are as far apart as rivals are slow: a week of polls each second would be the same market, nine hundred times as long. */
const POLL_MS = 900_000;
const PACE = 1 / 30;
const LISTINGS = 16;

/** One buy that was sent in that market, and what its own rivals made of it. */
export interface Bidden {
  readonly listing: Listing;
  readonly strategy: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly won: boolean;
}

export interface Week {
  /** What was seen and bought, as a daemon would have recorded it. */
  readonly recording: string;
  readonly middle: number;
  readonly end: number;
  readonly bidden: readonly Bidden[];
}

/**
 * A week on the exchange's market, recorded poll by poll, with a buyer who sends a buy for whatever its strategy wants as soon as it is shown:
 * by the first strategy in the first half of the week, by the second one in the other. The rivals are the market's own.
 */
export function liveWeek(recording: string, seed: number, temper: Temper, [first, second]: readonly [Strategy, Strategy]): Week {
  const week = new LiveWeek(seed, temper, recording);
  const middle = START + WEEK_MS / 2;
  const end = START + WEEK_MS;
  for (let at = START; at <= end; at += POLL_MS) week.poll(at, at < middle ? first : second);
  week.close(end);
  return { recording, middle, end, bidden: week.bidden };
}

interface Sent {
  readonly listing: Listing;
  readonly strategy: string;
  readonly sentAt: number;
  readonly due: number;
}

class LiveWeek {
  readonly bidden: Bidden[] = [];
  readonly #bench: Bench;
  readonly #clock = new VirtualClock(START);
  readonly #tape: WeekTape;
  readonly #diff = new ListingsDiff();
  readonly #latency: () => number;
  readonly #standing = new Map<string, Listing>();
  readonly #sentFor = new Set<string>();
  #sent: Sent[] = [];
  #seq = 0;

  constructor(seed: number, { rivalry, feeRate, latency }: Temper, recording: string) {
    this.#bench = new Bench({ seed, listings: LISTINGS, speed: PACE, balance: 1_000_000, rivalry, feeRate }, this.#clock);
    this.#tape = new WeekTape(recording);
    const random = seededRandom(seed, 'latency');
    this.#latency = () => latency.medianMs * Math.exp(latency.sigma * normal(random));
  }

  poll(at: number, strategy: Strategy): void {
    this.#answersUntil(at);
    this.#clock.advanceSync(at - this.#clock.now());
    const listings = this.#bench.feed();
    const seq = ++this.#seq;
    const times = { pollSeq: seq, beganAt: at, endedAt: at + 1 };
    const change = this.#diff.apply({ ...times, listings, listingsCount: listings.length });
    const mark = { requestId: `request-${seq}`, serviceDate: at };
    const facts = { seq, ...times, status: 200, bytes: 1_000, count: listings.length, ...mark };
    this.#tape.poll({ ok: true, facts, change });
    this.#note(change);
    for (const listing of this.#standing.values()) if (strategy.matches(listing)) this.#send(listing, strategy.name, at + 1);
  }

  close(at: number): void {
    this.#answersUntil(Number.POSITIVE_INFINITY);
    this.#tape.close(at + 2);
    this.#bench.sandbox.close();
  }

  #note({ changed, gone }: SnapshotChange): void {
    for (const key of gone) this.#standing.delete(key);
    for (const { listing } of changed) this.#standing.set(listing.key, listing);
  }

  /** Once for each offer. */
  #send(listing: Listing, strategy: string, sentAt: number): void {
    const offer = `${listing.key}@${listing.cost}`;
    if (this.#sentFor.has(offer)) return;
    this.#sentFor.add(offer);
    this.#sent.push({ listing, strategy, sentAt, due: sentAt + this.#latency() });
  }

  #answersUntil(at: number): void {
    const due = this.#sent.filter((each) => each.due < at).sort((a, b) => a.due - b.due);
    this.#sent = this.#sent.filter((each) => each.due >= at);
    for (const each of due) this.#answer(each);
  }

  #answer({ listing, strategy, sentAt, due }: Sent): void {
    this.#clock.advanceSync(Math.max(0, due - this.#clock.now()));
    const { status } = this.#bench.buy(listing);
    const won = status === 200;
    this.bidden.push({ listing, strategy, sentAt, answeredAt: due, won });
    const attempt: Attempt = {
      ...{ purchaseId: this.bidden.length, lane: 'live', strategy, market: listing.market, listingId: listing.id },
      pollSeq: this.#seq,
      timings: { seenAt: sentAt, decidedAt: sentAt, committedAt: sentAt, sentAt, answeredAt: due },
      outcome: won ? bought : gone,
    };
    this.#tape.attempt(due, attempt);
  }
}

/** The daemon's own writer of a recording, a whole week in one transaction: a commit a poll would take longer than all the rest. */
class WeekTape {
  readonly #db: ReturnType<typeof openForWriting>;
  readonly #writer: TapeWriter;
  readonly #inputs = new InputBuffer((text) => text);

  constructor(path: string) {
    this.#db = openForWriting(path, 256 * 1024 * 1024);
    this.#writer = new TapeWriter(this.#db, { startedAt: START, version: '0.1.0', mode: 'live', scrub: (text) => text });
    this.#db.exec('BEGIN');
  }

  attempt(at: number, attempt: Attempt): void {
    this.#inputs.add('attempt', at, attempt);
  }

  poll(poll: PollResult): void {
    this.#writer.write({ poll, changes: changesOf(poll), inputs: this.#inputs.rows, gap: undefined });
    this.#inputs.written();
  }

  close(at: number): void {
    this.#writer.stop(at, this.#inputs.rows);
    this.#db.exec('COMMIT');
    this.#db.close();
  }
}

const bought: BuyOutcome = {
  ...{ kind: 'bought', serviceOrderId: 'o', upstreamOrderId: undefined, orderStatus: 'SUCCESS' },
  ...{ message: undefined, mismatch: undefined, requestId: undefined },
};

const gone: BuyOutcome = {
  ...{ kind: 'refused', cause: 'gone', status: 409, code: undefined, message: '', requestId: undefined },
  retryAfterMs: undefined,
};

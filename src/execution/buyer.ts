import { type Clock, type EpochMs, sleep } from '../domain/clock.ts';
import type { AccountLimits } from '../domain/limits.ts';
import type { BuyOutcome } from '../domain/outcome.ts';
import type { Purchase } from '../domain/purchase.ts';
import { type Committed, type Journal, JournalFailure, type SendTimes } from '../engine/journal.ts';
import type { BuyOrder, Permit, Venue, WireTimes } from '../engine/ports.ts';
import type { Approved, Intent } from '../risk/intent.ts';
import type { CrashPoint, Told } from './told.ts';
import { tripOf } from './trip.ts';

export interface BuyerOptions {
  readonly journal: Pick<Journal, 'commitIntent' | 'recordOutcome'>;
  readonly venue: Venue;
  readonly clock: Clock;
  /** The account's limits as they stand. */
  readonly limits: () => AccountLimits;
  readonly told: Told;
  readonly crashPoint?: CrashPoint | undefined;
}

/** An outcome that the journal has not taken yet. */
interface Unwritten {
  readonly purchase: Purchase;
  readonly outcome: BuyOutcome;
  readonly times: SendTimes;
}

/** How often an outcome that could not be written is tried again. */
const REWRITE_MS = 1_000;

/** How long purchases in flight may take to finish when Magpie is stopped. */
const FINISH_MS = 8_000;

const noTimes: WireTimes = { sentAt: undefined, answeredAt: undefined };

/** Journal, then send: the row is committed and synced before the request leaves, and what came of it is recorded after. */
export class Buyer {
  readonly #options: BuyerOptions;
  /** Purchases whose request has no outcome yet, each with what resolves when it has. */
  readonly #flights = new Map<number, { readonly purchase: Purchase; readonly landed: Promise<Purchase> }>();
  /** The rows of purchases in flight as they were last written. */
  readonly #newest = new Map<number, Purchase>();
  readonly #unwritten: Unwritten[] = [];
  #rewriting = false;
  #stopped = false;

  constructor(options: BuyerOptions) {
    this.#options = options;
  }

  /** Purchases whose request has no outcome yet, or none that is written. */
  get inFlight(): number {
    return this.#flights.size + this.#unwritten.length;
  }

  /**
   * One purchase, from the approval to its recorded outcome. The permit is spent or given back. Resolves with the row as it
   * stands then, or undefined when nothing was committed and so nothing was sent.
   */
  async buy(intent: Approved<Intent>, permit: Permit): Promise<Purchase | undefined> {
    const { told, clock } = this.#options;
    const committed = this.#commit(intent);
    const committedAt = clock.now();
    if (!committed.ok) {
      permit.done();
      told.notCommitted(intent, committed);
      return undefined;
    }
    const { purchase } = committed;
    const landed = this.#send(purchase, orderOf(intent), permit, committedAt);
    this.#flights.set(purchase.id, { purchase, landed });
    told.purchases([purchase]);
    return landed;
  }

  /** Starts nothing more; gives what is in flight some seconds, then leaves it as unknown. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const landed = Promise.allSettled([...this.#flights.values()].map((flight) => flight.landed));
    const over = new AbortController();
    await Promise.race([landed, sleep(this.#options.clock, FINISH_MS, over.signal)]);
    over.abort();
    for (const { purchase } of this.#flights.values()) this.#record({ purchase, outcome: unfinished, times: noTimes });
    this.#writeAgain();
  }

  #commit(intent: Approved<Intent>): Committed {
    const { journal, limits, clock, told } = this.#options;
    if (this.#stopped) return { ok: false, reason: 'stopping', detail: 'no purchase starts while Magpie stops' };
    if (this.#unwritten.length > 0) return { ok: false, reason: 'journal-failed', detail: 'an outcome is not written yet' };
    this.#point('buy:commit');
    try {
      const committed = journal.commitIntent(intent, limits(), clock.now());
      this.#point('buy:committed');
      return committed;
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      told.journal(error.message);
      return { ok: false, reason: 'journal-failed', detail: error.message };
    }
  }

  async #send(purchase: Purchase, order: BuyOrder, permit: Permit, committedAt: EpochMs): Promise<Purchase> {
    try {
      this.#point('buy:send');
      permit.begin();
      const answer = this.#options.venue.buy(order, (outcome) => this.#record({ purchase, outcome, times: noTimes }));
      this.#point('buy:sent');
      const { outcome, times } = await answer.catch(brokenVenue);
      this.#point('buy:answered');
      this.#record({ purchase, outcome, times: { committedAt, ...times } });
      this.#point('buy:recorded');
      return this.#newest.get(purchase.id) ?? purchase;
    } finally {
      permit.done();
      this.#flights.delete(purchase.id);
      this.#newest.delete(purchase.id);
    }
  }

  #record(result: Unwritten): void {
    this.#unwritten.push(result);
    this.#writeAgain();
  }

  /** Writes outcomes in the order in which they came; what the journal refuses is kept and tried again. */
  #writeAgain(): void {
    for (let next = this.#unwritten[0]; next !== undefined; next = this.#unwritten[0]) {
      const written = this.#write(next);
      if (written === undefined) return this.#later();
      this.#unwritten.shift();
      // Only now: what is told may lead to the next purchase at once.
      this.#tell(written, next.outcome);
    }
  }

  #write({ purchase, outcome, times }: Unwritten): { readonly settled: Purchase; readonly halt: string | undefined } | undefined {
    const { journal, clock, told } = this.#options;
    const halt = tripOf(purchase, outcome);
    try {
      const settled = journal.recordOutcome(purchase.id, outcome, times, halt, clock.now());
      if (this.#flights.has(purchase.id)) this.#newest.set(purchase.id, settled);
      return { settled, halt };
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      told.journal(error.message);
      return undefined;
    }
  }

  #tell({ settled, halt }: { readonly settled: Purchase; readonly halt: string | undefined }, outcome: BuyOutcome): void {
    const { told } = this.#options;
    told.journal(undefined);
    told.purchases([settled]);
    told.outcome(settled, outcome);
    if (halt !== undefined) told.halted();
  }

  #later(): void {
    if (this.#rewriting) return;
    this.#rewriting = true;
    this.#options.clock.after(REWRITE_MS, () => {
      this.#rewriting = false;
      this.#writeAgain();
    });
  }

  #point(name: string): void {
    this.#options.crashPoint?.(name);
  }
}

const unfinished = unknownBecause('Magpie was stopped before the answer came');

/** A venue never rejects. Should it, the request may have left all the same. */
function brokenVenue(error: unknown): { readonly outcome: BuyOutcome; readonly times: WireTimes } {
  return { outcome: unknownBecause(error instanceof Error ? error.message : String(error)), times: noTimes };
}

function unknownBecause(message: string): BuyOutcome {
  return { kind: 'unknown', cause: 'other', message, status: undefined, upstreamOrderId: undefined, requestId: undefined };
}

/** Exactly what was seen: id, market and price of the one listing that was approved, the price as the number received. */
function orderOf({ listing }: Approved<Intent>): BuyOrder {
  return Object.freeze({ listingId: listing.id, itemId: listing.itemId, market: listing.market, price: listing.price });
}

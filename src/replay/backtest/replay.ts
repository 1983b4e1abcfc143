import type { EpochMs } from '../../domain/clock.ts';
import type { Decision } from '../../domain/decision.ts';
import type { Listing, ListingKey } from '../../domain/listing.ts';
import { MICROS_MAX, type Micros, ZERO, subtract } from '../../domain/money.ts';
import type { BalanceReading } from '../../domain/readings.ts';
import type { Lane, Purchase } from '../../domain/purchase.ts';
import type { Effect } from '../../engine/effect.ts';
import type { Event } from '../../engine/event.ts';
import { type EngineState, type Rules, initialState } from '../../engine/state.ts';
import { step } from '../../engine/step.ts';
import { Stillness } from '../../engine/stillness.ts';
import type { Approved, Intent } from '../../risk/intent.ts';
import { Agenda } from './agenda.ts';
import type { Sent } from './fates.ts';
import { type Heard, type MarketHistory, type ShownPoll, answerOf } from './market-history.ts';
import { accepted, begun, moved, refusedFor } from './trade.ts';

/** What one buy in a replay comes to. failed: the service refused it for a reason of its own. */
export type Fate = 'won' | 'lost' | 'failed';

/** What stands around the decisions in a replay. */
export interface Circumstances {
  readonly rules: Rules;
  /** Of buys: the limiter of the configuration. */
  readonly rate: { readonly perSecond: number; readonly concurrent: number };
  /** What there is to spend when it begins; undefined: not known, and no bound. */
  readonly balance: Micros | undefined;
  /** How long the next buy takes, milliseconds. */
  readonly latencyMs: (key: ListingKey) => number;
  readonly fateOf: (sent: Sent) => Fate;
  /** Whether one that was bought comes back after its hold, as money. */
  readonly isRefunded: (key: ListingKey) => boolean;
  /** What had been bought before it begins, oldest first: caps and listings that are taken go by it; missing: nothing. */
  readonly purchasedBefore?: readonly Purchase[];
  /** What stopped buying in the recorded days stops it again; missing: they are replayed without. */
  readonly withStops?: boolean;
  /** Every answer is told to `step`, those that can decide nothing too: slower by orders, and the same. */
  readonly stepByStep?: boolean;
  /** From a purchase to the end of its trade hold, milliseconds. */
  readonly holdMs: number;
}

/** One buy of a replay. */
export interface Bid {
  readonly listing: Listing;
  readonly lane: Lane;
  readonly strategy: string;
  readonly seenAt: EpochMs;
  readonly decidedAt: EpochMs;
  readonly answeredAt: EpochMs;
  readonly fate: Fate;
  readonly refunded: boolean;
}

export interface Replayed {
  readonly bids: readonly Bid[];
  /** Why and since when it stood halted at the end; undefined when it did not. */
  readonly halt: { readonly at: EpochMs; readonly reason: string } | undefined;
}

/** How long the money of a refused buy stays held: two looks at the orders, two seconds apart or more. */
const REFUSAL_HELD_MS = 3_000;
/** A balance is read so often. */
const BALANCE_MS = 15_000;

/**
 * The daemon's own `step` over a recorded time: it is told what the daemon was told, in the same order, and never anything that came
 * later. Only `fateOf` knows what came later; its answer reaches `step` when the service's would have.
 */
export function replay(
  history: MarketHistory,
  circumstances: Circumstances,
  onDecisions: (each: readonly Decision[]) => void,
): Replayed {
  const run = new Run(history, circumstances, onDecisions);
  run.all();
  return run.result;
}

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

class Run {
  readonly #history: MarketHistory;
  readonly #around: Circumstances;
  readonly #onDecisions: (each: readonly Decision[]) => void;
  readonly #agenda = new Agenda();
  readonly #bids: Bid[] = [];
  readonly #stillness = new Stillness();
  #state: EngineState;
  #nextHeard = 0;
  #nextShown = 0;
  #balance: Micros;
  #balanceAt = Number.NEGATIVE_INFINITY;
  /** Polls that end before this and show nothing new are still like the last one that was. */
  #stillUntil = Number.NEGATIVE_INFINITY;
  #lastSentAt = Number.NEGATIVE_INFINITY;
  #inFlight = 0;
  #nextId = 1;
  #halt: Replayed['halt'];

  constructor(history: MarketHistory, around: Circumstances, onDecisions: (each: readonly Decision[]) => void) {
    this.#history = history;
    this.#around = around;
    this.#onDecisions = onDecisions;
    this.#balance = around.balance ?? MICROS_MAX;
    const nothingYet = { adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0 };
    const past = { ...nothingYet, purchases: around.purchasedBefore ?? [], now: history.from };
    this.#state = initialState(around.rules, past);
    this.#nextId = (past.purchases.at(-1)?.id ?? 0) + 1;
  }

  get result(): Replayed {
    return { bids: this.#bids, halt: this.#halt };
  }

  all(): void {
    const { from, heard, shown, polls } = this.#history;
    if (this.#around.withStops !== true) this.#post(from, { type: 'unblocked', name: 'starting' });
    this.#permit(from);
    for (let poll = 0; poll < polls.endedAt.length; poll++) {
      const mine = shown[this.#nextShown]?.poll === poll ? shown[this.#nextShown++] : undefined;
      const endedAt = polls.endedAt.at(poll);
      if (mine === undefined && polls.first.at(poll) !== 1 && (endedAt < this.#stillUntil || this.#isStill(poll))) continue;
      this.#stillUntil = Number.NEGATIVE_INFINITY;
      for (let each = heard[this.#nextHeard]; each !== undefined && each.at <= endedAt; each = heard[++this.#nextHeard])
        this.#hear(each);
      this.#poll(poll, mine, endedAt);
    }
    this.#agenda.until(this.#history.to);
  }

  /** Whether a poll that shows nothing new decides nothing either; what was heard until then is known by now in any case. */
  #isStill(poll: number): boolean {
    const { polls, heard } = this.#history;
    if (this.#around.stepByStep === true) return false;
    const endedAt = polls.endedAt.at(poll);
    if (this.#agenda.nextAt <= endedAt) return false;
    for (let each = heard[this.#nextHeard]; each !== undefined && each.at <= endedAt; each = heard[++this.#nextHeard])
      if (each.of !== 'health' || !this.#isHeard(each)) return false;
    this.#readBalance(endedAt);
    const complete = polls.complete.at(poll) === 1;
    if (!this.#stillness.passes(this.#state, endedAt, complete)) return false;
    const nextAt = Math.min(this.#agenda.nextAt, heard[this.#nextHeard]?.at ?? Infinity, this.#balanceAt + BALANCE_MS);
    if (complete) this.#stillUntil = Math.min(nextAt, this.#stillness.passesUntil(this.#state));
    return true;
  }

  #hear(heard: Heard): void {
    this.#agenda.until(heard.at);
    const at = Math.max(heard.at, this.#history.from);
    if (heard.of === 'health') {
      if (!this.#isHeard(heard)) this.#post(at, { type: 'health', health: heard.health });
    } else if (heard.of === 'rules') {
      this.#post(at, { type: 'rules', rules: heard.rules });
      this.#post(at, { type: 'shown', listings: heard.listings });
    } else if (heard.of === 'references') this.#post(at, { type: 'references', records: heard.records });
    else if (this.#around.withStops === true) this.#post(at, heard.stop);
  }

  #poll(poll: number, shown: ShownPoll | undefined, endedAt: EpochMs): void {
    this.#readBalance(endedAt);
    const change = answerOf(this.#history.polls, poll, shown);
    const { changed, complete, first } = change;
    if (changed.some(({ chunk }) => chunk > 0)) this.#early(change.pollSeq, changed);
    this.#agenda.until(endedAt);
    const asJudged =
      this.#around.stepByStep !== true && complete && !first && this.#stillness.standsAsJudged(this.#state, endedAt);
    this.#post(endedAt, { type: 'snapshot', change, asJudged });
  }

  /** What an answer showed before its end. */
  #early(pollSeq: number, changed: ShownPoll['changed']): void {
    for (const chunk of new Set(changed.map((change) => change.chunk))) {
      if (chunk === 0) continue;
      const part = changed.filter((change) => change.chunk === chunk);
      const at = Math.max(...part.map(({ seenAt }) => seenAt));
      this.#agenda.until(at);
      this.#post(at, { type: 'early', change: { pollSeq, at, changed: part, gone: [] } });
    }
  }

  #readBalance(at: EpochMs): void {
    if (at - this.#balanceAt < BALANCE_MS) return;
    this.#agenda.until(at);
    if (this.#isHeard({ balance: this.#reading(at) })) this.#balanceAt = at;
    else this.#tellBalance(at);
  }

  /** Whether a reading is known without a step, which would decide nothing. */
  #isHeard(reading: Parameters<Stillness['hears']>[1]): boolean {
    return this.#around.stepByStep !== true && this.#stillness.hears(this.#state, reading);
  }

  #tellBalance(at: EpochMs): void {
    this.#balanceAt = at;
    this.#post(at, { type: 'balance', reading: this.#reading(at) });
  }

  #reading(at: EpochMs): BalanceReading {
    return { amount: this.#balance, beganAt: at, endedAt: at };
  }

  #post(at: EpochMs, event: Unstamped<Event>): void {
    const { state, effects } = step(this.#state, { ...event, at });
    this.#state = state;
    if (this.#around.stepByStep !== true) this.#stillness.note(state, at, effects);
    for (const effect of effects) this.#obey(effect, at);
  }

  #obey(effect: Effect, at: EpochMs): void {
    if (effect.type === 'decide') this.#onDecisions(effect.decisions);
    else if (effect.type === 'halt') this.#halt ??= { at, reason: effect.reason };
    else if (effect.type === 'buy') this.#buy(effect.intent, at);
    else if (effect.type === 'simulate') this.#simulate(effect.intent, at);
  }

  /** The limiter: one leave to send at a time, spaced, and no more under way than are allowed. */
  #permit(at: EpochMs): void {
    this.#agenda.add(at, (due) => this.#post(due, { type: 'permit' }));
  }

  #permitAfter(at: EpochMs): void {
    this.#permit(Math.max(at, this.#lastSentAt + 1_000 / this.#around.rate.perSecond));
  }

  #buy(intent: Approved<Intent>, at: EpochMs): void {
    const purchase = begun(this.#nextId++, intent, at);
    const bid = this.#bid(intent, at);
    const { concurrent } = this.#around.rate;
    this.#lastSentAt = at;
    this.#inFlight += 1;
    if (this.#inFlight < concurrent) this.#permitAfter(at);
    this.#agenda.add(at, () => this.#post(at, { type: 'purchases', purchases: [purchase] }));
    this.#agenda.add(bid.answeredAt, (due) => {
      if (this.#inFlight === concurrent) this.#permitAfter(due);
      this.#inFlight -= 1;
      this.#answer(purchase, bid, due);
    });
  }

  #simulate(intent: Approved<Intent>, at: EpochMs): void {
    this.#bid(intent, at);
    const purchase = begun(this.#nextId++, intent, at);
    this.#agenda.add(at, () => this.#post(at, { type: 'purchases', purchases: [purchase] }));
  }

  #bid(intent: Approved<Intent>, at: EpochMs): Bid {
    const { listing, lane, strategy, seenAt } = intent;
    const answeredAt = at + this.#around.latencyMs(listing.key);
    const fate = this.#around.fateOf({ key: listing.key, cost: listing.cost, decidedAt: at, answeredAt });
    const refunded = fate === 'won' && this.#around.isRefunded(listing.key);
    const bid = { listing, lane, strategy, seenAt, decidedAt: at, answeredAt, fate, refunded };
    this.#bids.push(bid);
    return bid;
  }

  #answer(purchase: Purchase, { fate, refunded }: Bid, at: EpochMs): void {
    if (fate === 'won') return this.#bought(purchase, refunded, at);
    const outcome = refusedFor(fate === 'lost' ? 'gone' : 'other');
    const cause = fate === 'lost' ? 'gone' : 'other';
    const row = moved(purchase, 'rejected', at, { held: true, refusalCause: cause, answeredAt: at });
    this.#post(at, { type: 'purchases', purchases: [row] });
    this.#post(at, { type: 'outcome', purchase: row, outcome });
    this.#agenda.add(at + REFUSAL_HELD_MS, (due) =>
      this.#post(due, { type: 'purchases', purchases: [moved(row, 'rejected', due, { held: false })] }),
    );
  }

  #bought(purchase: Purchase, refunded: boolean, at: EpochMs): void {
    const { cost } = purchase;
    const row = moved(purchase, 'bought', at, { answeredAt: at, paid: cost, debitSeen: true });
    this.#spend(cost);
    // In this order the money counts twice for a moment, and never not at all.
    this.#tellBalance(at);
    this.#post(at, { type: 'purchases', purchases: [row] });
    this.#post(at, { type: 'outcome', purchase: row, outcome: accepted });
    this.#agenda.add(at + this.#around.holdMs, (due) => {
      const settled = refunded
        ? moved(row, 'refunded', due, { refunded: cost })
        : moved(row, 'completed', due, { completedAt: due });
      if (refunded) this.#spend(subtract(ZERO, cost));
      this.#post(due, { type: 'purchases', purchases: [settled] });
    });
  }

  #spend(amount: Micros): void {
    if (this.#around.balance !== undefined) this.#balance = subtract(this.#balance, amount);
    if (this.#balance < ZERO) throw new Error('more was spent in a replay than there was');
  }
}

import type { Clock } from '../domain/clock.ts';
import { isTold } from '../domain/repetition.ts';
import type { HealthMissing, HealthReading } from '../domain/readings.ts';
import type { ListingKey } from '../domain/listing.ts';
import type { StandingListing } from '../engine/event.ts';
import type { Log } from '../engine/ports.ts';
import type { PollResult, SnapshotChange } from '../engine/snapshot.ts';
import { BothViews } from '../feed/both-views.ts';
import type { Watched, Watchlist } from '../feed/watchlist.ts';
import type { BalanceAnswer } from '../engine/balance-answer.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tape } from '../replay/tape.ts';
import type { Posted } from './engine-loop.ts';
import type { PollFacts } from './facts.ts';
import type { JournalGuard } from './journal-guard.ts';
import { LookRecord } from './look-record.ts';
import type { StartGate } from './start-gate.ts';
import type { Bell } from './bell.ts';
import type { Observer } from './monitoring/observer.ts';
import type { Heard, MarketSource } from './watching.ts';

export interface HearingOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly ledger: Ledger;
  readonly journal: JournalGuard;
  readonly post: (event: Posted) => void;
  readonly bell: Bell;
  readonly gate: Pick<StartGate, 'missing' | 'accountKnown'>;
  readonly facts: PollFacts;
  /** undefined: nothing is recorded. */
  readonly tape: Pick<Tape, 'poll' | 'input'> | undefined;
  readonly observer?: Observer | undefined;
  readonly market?: Pick<MarketSource, 'shown'> | undefined;
  /** Items that are looked at beside the live listings; missing: none. */
  readonly watchlist?: Watchlist | undefined;
  /** An answer of the live listings has ended and was judged, or none came. */
  readonly onAnswerEnded: () => void;
  /** The account has answered, and the data folder is its own. */
  readonly onAccount: () => void;
  /** The data folder belongs to another account: nothing may go on. */
  readonly onForeignFolder: (account: string, belongsTo: string) => void;
}

/** Turns what the service was heard to say into events, and keeps it: first the engine, then the disk. */
export class Hearing {
  readonly #options: HearingOptions;
  #aheadTold = false;
  readonly #shelf = new Map<ListingKey, StandingListing>();
  /** Whoever reads the listings for several keeps what they show, as long as no looks of this account's own come to it. */
  readonly #shown: ReadonlyMap<ListingKey, StandingListing> | undefined;
  /** undefined: there is but one view, the live listings. */
  readonly #both: BothViews | undefined;
  readonly #looks: LookRecord | undefined;
  #badTold = 0;
  #trouble: string | undefined;
  #accountTold = false;
  #accountFault: string | undefined = 'no answer yet';
  #isArriving = false;

  constructor(options: HearingOptions) {
    this.#options = options;
    this.#both = options.watchlist && new BothViews();
    this.#shown = options.watchlist === undefined ? options.market?.shown : undefined;
    this.#looks = options.tape && new LookRecord(options.tape);
  }

  hear(heard: Heard): void {
    switch (heard.of) {
      case 'listings':
        return this.#listings(heard.poll);
      case 'early':
        this.#isArriving = true;
        return this.#options.post({ type: 'early', change: this.#both?.early(heard.change) ?? heard.change });
      case 'watched':
        return this.#watched(heard.watched);
      case 'health':
        return this.#health(heard.health);
      case 'balance':
        return this.#balance(heard.answer);
    }
  }

  /** The listings as the newest answers show them. */
  get shelf(): ReadonlyMap<ListingKey, StandingListing> {
    return this.#shown ?? this.#shelf;
  }

  /** An answer of the live listings has shown a part of itself, and has not ended. */
  get isArriving(): boolean {
    return this.#isArriving;
  }

  /** Why the account did not answer the last question; undefined when it did. */
  get accountFault(): string | undefined {
    return this.#accountFault;
  }

  #listings(poll: PollResult): void {
    const { facts, post, clock, tape, observer, log } = this.#options;
    const failedBefore = facts.failuresInRow;
    facts.note(poll);
    const change = poll.change && this.#inBoth(poll.change);
    if (change !== undefined && this.#shown === undefined) this.#shelve(change);
    if (poll.ok) {
      post({ type: 'snapshot', change: change ?? poll.change });
      if (failedBefore > 0) log.info('poll-recovered', { times: failedBefore });
      this.#oddities(poll.change);
    } else {
      if (this.#both !== undefined && change !== undefined) post({ type: 'early', change: this.#both.brokenOff(change) });
      if (isTold(facts.failuresInRow))
        log.warn('poll-failed', { message: poll.fault.message, cause: poll.fault.cause, times: facts.failuresInRow });
    }
    this.#isArriving = false;
    this.#options.onAnswerEnded();
    // Recording and counting can wait until the buys that this poll led to are under way.
    if (tape !== undefined || observer !== undefined) {
      clock.after(0, () => {
        tape?.poll(poll);
        observer?.polled(poll);
      });
    }
  }

  /** What an answer changes in the market. */
  #inBoth(change: SnapshotChange): SnapshotChange {
    if (this.#both === undefined) return change;
    const merged = this.#both.live(change);
    if (merged !== change) this.#looks?.merged(change, merged);
    for (const key of merged.vouched ?? []) this.#shelveAgain(key, { alone: false });
    return merged;
  }

  #watched(watched: Watched): void {
    const { post, clock } = this.#options;
    if (this.#both === undefined) return;
    const look = watched.of === 'page' ? this.#both.page(watched.page) : this.#both.drop(watched.itemId, clock.now());
    this.#shelve(look);
    const alone = new Set(look.alone);
    for (const key of look.shown) this.#shelveAgain(key, { seenAt: look.beganAt, alone: alone.has(key) });
    post({ type: 'looked', look });
    this.#looks?.looked(look);
  }

  #shelveAgain(key: ListingKey, more: Partial<StandingListing>): void {
    const shelved = this.#shelf.get(key);
    if (shelved !== undefined) this.#shelf.set(key, { ...shelved, ...more });
  }

  #shelve({ changed, gone }: Pick<SnapshotChange, 'changed' | 'gone'>): void {
    for (const { listing, seenAt, position } of changed) this.#shelf.set(listing.key, { listing, seenAt, position });
    for (const key of gone) this.#shelf.delete(key);
  }

  #oddities({ trouble, badCount, bad }: Extract<PollResult, { ok: true }>['change']): void {
    const { bell, log, clock } = this.#options;
    if (trouble?.kind !== this.#trouble) {
      this.#trouble = trouble?.kind;
      if (trouble !== undefined)
        bell.ring({ kind: 'listing', at: clock.now(), message: trouble.message, next: oddAnswer, purchaseId: undefined });
    }
    if (badCount > this.#badTold) {
      const example = bad[0];
      log.warn('bad-listings', {
        count: badCount,
        example: example && `${example.name ?? example.id ?? 'one without a name'} (${example.reason})`,
      });
      this.#badTold = badCount;
    }
  }

  #health(health: HealthReading | HealthMissing): void {
    const { post, tape, clock, bell } = this.#options;
    post({ type: 'health', health });
    tape?.input('health', clock.now(), health);
    if (!('reason' in health)) bell.again('health-forbidden');
    else if (health.reason === 'forbidden') this.#healthForbidden(health);
  }

  #healthForbidden(health: HealthMissing): void {
    this.#options.bell.once('health-forbidden', {
      kind: 'health',
      at: health.at,
      message: `The key may not read the health of the markets (${health.message}): nothing is bought while feed.health.require is ok or degraded`,
      next: 'set `account.partnerKey` to a top-level key, or `feed: { health: { require: off } }` to buy whatever the health says',
      purchaseId: undefined,
    });
  }

  #balance(answer: BalanceAnswer): void {
    const { ledger, journal, post, gate, tape, log, bell, facts } = this.#options;
    this.#accountFault = answer.ok ? undefined : answer.message;
    facts.accountFault = answer.ok ? undefined : answer;
    if (!answer.ok) {
      gate.missing(`the account has not answered: ${answer.message}`);
      if (answer.forbidden) bell.once('key-refused', keyRefused(answer));
      return;
    }
    bell.again('key-refused');
    const bound = journal.attempt(() => ledger.bindAccount(answer.profileId));
    if (bound === undefined) return;
    if (!bound.ok) return this.#options.onForeignFolder(answer.profileId, bound.belongsTo);
    if (!this.#accountTold) {
      this.#accountTold = true;
      log.info('account', { id: answer.profileId, balance: answer.reading.amount });
    }
    this.#options.onAccount();
    const changed = journal.attempt(() => ledger.recordBalance(answer.reading)) ?? [];
    if (changed.length > 0) post({ type: 'purchases', purchases: changed });
    // What the ledger does not believe yet the engine must not spend from either, or each would undo what the other decides.
    post({ type: 'balance', reading: journal.attempt(() => ledger.spendable()) ?? answer.reading });
    tape?.input('balance', answer.reading.endedAt, answer.reading);
    if (gate.accountKnown(answer.serviceDate)) this.#drawBack();
  }

  /** What an earlier run has dated ahead of time must not be waited for until then. */
  #drawBack(): void {
    const { ledger, journal, post, clock, log } = this.#options;
    const drawn = journal.attempt(() => ledger.drawBack(clock.now())) ?? [];
    if (drawn.length > 0) post({ type: 'purchases', purchases: drawn });
    // Every answer about the account comes here until buying opens, which may be long.
    if (!this.#aheadTold) log.info('notice', { message: AHEAD });
    this.#aheadTold = true;
  }
}

const AHEAD =
  'Records are dated later than now, while the clock agrees with the service: an earlier run had a wrong clock. What was bought under it counts in the caps until then';

const oddAnswer = 'nothing, if it passes soon: such an answer buys nothing by itself; else ask the service about it';

function keyRefused(answer: Extract<BalanceAnswer, { ok: false }>): Parameters<Bell['ring']>[0] {
  return {
    kind: 'key',
    at: answer.at,
    message: `The service refuses the key: ${answer.message}`,
    next: 'check account.apiKey (MAGPIE_API_KEY); Magpie goes on trying',
    purchaseId: undefined,
  };
}

import type { Clock } from '../domain/clock.ts';
import type { HealthMissing, HealthReading } from '../domain/readings.ts';
import type { Listing, ListingKey } from '../domain/listing.ts';
import type { Log } from '../engine/ports.ts';
import type { PollResult } from '../engine/snapshot.ts';
import type { BalanceAnswer } from '../engine/balance-answer.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tape } from '../replay/tape.ts';
import type { Posted } from './engine-loop.ts';
import type { PollFacts } from './facts.ts';
import type { JournalGuard } from './journal-guard.ts';
import type { StartGate } from './start-gate.ts';
import type { Bell } from './bell.ts';
import type { Heard } from './watching.ts';

export interface HearingOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly ledger: Ledger;
  readonly journal: JournalGuard;
  readonly post: (event: Posted) => void;
  readonly bell: Bell;
  readonly gate: StartGate;
  readonly facts: PollFacts;
  /** undefined: nothing is recorded. */
  readonly tape: Pick<Tape, 'poll' | 'input'> | undefined;
  /** The account has answered, and the data folder is its own. */
  readonly onAccount: () => void;
  /** The data folder belongs to another account: nothing may go on. */
  readonly onForeignFolder: (account: string, belongsTo: string) => void;
}

/** Turns what the service was heard to say into events, and keeps it: first the engine, then the disk. */
export class Hearing {
  readonly #options: HearingOptions;
  readonly #shelf = new Map<ListingKey, { readonly listing: Listing; readonly seenAt: number }>();
  #badTold = 0;
  #trouble: string | undefined;
  #accountTold = false;
  #accountFault: string | undefined = 'no answer yet';

  constructor(options: HearingOptions) {
    this.#options = options;
  }

  hear(heard: Heard): void {
    switch (heard.of) {
      case 'listings':
        return this.#listings(heard.poll);
      case 'early':
        return this.#options.post({ type: 'early', change: heard.change });
      case 'health':
        return this.#health(heard.health);
      case 'balance':
        return this.#balance(heard.answer);
    }
  }

  /** A listing as the newest answers show it; undefined when they do not. */
  standing(key: ListingKey): { readonly listing: Listing; readonly seenAt: number } | undefined {
    return this.#shelf.get(key);
  }

  /** Why the account did not answer the last question; undefined when it did. */
  get accountFault(): string | undefined {
    return this.#accountFault;
  }

  #listings(poll: PollResult): void {
    const { facts, post, clock, tape, log } = this.#options;
    const failedBefore = facts.failuresInRow;
    facts.note(poll);
    for (const { listing, seenAt } of poll.change?.changed ?? []) this.#shelf.set(listing.key, { listing, seenAt });
    for (const key of poll.change?.gone ?? []) this.#shelf.delete(key);
    if (poll.ok) {
      post({ type: 'snapshot', change: poll.change });
      if (failedBefore > 0) log.info('poll-recovered', { times: failedBefore });
      this.#oddities(poll.change);
    } else if (isPowerOfTwo(facts.failuresInRow)) {
      log.warn('poll-failed', { message: poll.fault.message, cause: poll.fault.cause, times: facts.failuresInRow });
    }
    // The recording can wait until the buys that this poll led to are under way.
    if (tape !== undefined) clock.after(0, () => tape.poll(poll));
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
    const { post, tape, clock } = this.#options;
    post({ type: 'health', health });
    tape?.input('health', clock.now(), health);
    if ('reason' in health && health.reason === 'forbidden') this.#healthForbidden(health);
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
    gate.accountKnown(answer.serviceDate);
  }
}

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

/** The first, the second, the fourth … of a row of failures is told: never a flood, never silence. */
function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0;
}

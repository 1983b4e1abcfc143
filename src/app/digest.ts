import type { Clock, EpochMs } from '../domain/clock.ts';
import { windowMs } from '../domain/limits.ts';
import { type Micros, formatDollars, sum } from '../domain/money.ts';
import { type Lane, type PurchaseState, isCommitted } from '../domain/purchase.ts';
import { counted } from '../domain/text.ts';
import type { DayFacts } from '../ledger/day.ts';
import type { Ledger } from '../ledger/ledger.ts';

export interface DigestOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly ledger: Pick<Ledger, 'dayFacts' | 'digestAt' | 'balance' | 'halted' | 'recordAlert'>;
  /** Does it unless the journal refuses; undefined then. */
  readonly keep: <T>(work: () => T) => T | undefined;
  readonly lane: Lane;
  /** Time of day, milliseconds from midnight UTC. */
  readonly timeMs: number;
}

/** Once a day, at its time, leaves a digest among the alerts: what happened since the last one, and what is open. */
export class Digest {
  readonly #options: DigestOptions;
  readonly #startedAt: EpochMs;
  /** The time of day up to which all digests are made. */
  #doneUntil: EpochMs | undefined;

  constructor(options: DigestOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /** To be called now and then. A time that passed while nothing ran is made up for, once. */
  tick(): void {
    const { clock, keep, ledger, lane, timeMs } = this.#options;
    const now = clock.now();
    const due = Math.floor((now - timeMs) / windowMs.day) * windowMs.day + timeMs;
    if (this.#doneUntil !== undefined && due <= this.#doneUntil) return;
    const done = keep(() => {
      // One that a clock far ahead has dated would keep all others away until then.
      const last = ledger.digestAt(now + windowMs.day);
      if (due <= (last ?? this.#startedAt)) return true;
      const since = last ?? due - windowMs.day;
      const message = digestWords(ledger.dayFacts(lane, since, now), {
        ...{ since, until: now, lane, balance: ledger.balance()?.amount, halted: ledger.halted()?.reason },
      });
      ledger.recordAlert({ kind: 'digest', at: now, message, next: undefined, purchaseId: undefined });
      return true;
    });
    if (done === true) this.#doneUntil = due;
  }
}

interface Around {
  readonly since: EpochMs;
  readonly until: EpochMs;
  readonly lane: Lane;
  readonly balance: Micros | undefined;
  /** Why buying is halted; undefined when it is not. */
  readonly halted: string | undefined;
}

/** A few plain sentences. */
function digestWords(facts: DayFacts, { since, until, lane, balance, halted }: Around): string {
  const { refunds, open, unknown, offers } = facts;
  const back = refunds.count === 0 ? 'no refund' : `${counted(refunds.count, 'refund')} of ${formatDollars(refunds.amount)}`;
  const waiting = offers === 0 ? '' : `, ${counted(offers, 'trade offer waits', 'trade offers wait')} to be accepted`;
  const live = `${madeWords(facts)}; ${back}. Open now: ${open}${waiting}; unknown: ${unknown}.`;
  return [
    `From ${moment(since)} to ${moment(until)} UTC:`,
    lane === 'live' ? live : `${madeWords(facts)}, on paper.`,
    balance === undefined ? 'The balance is not known.' : `The balance is ${formatDollars(balance)}.`,
    ...(halted === undefined ? [] : [`Buying is halted: ${halted}`]),
  ].join(' ');
}

function madeWords({ made }: DayFacts): string {
  const counting = made.filter(({ state }) => isCommitted({ state, held: false }));
  const others = made.filter((each) => !counting.includes(each));
  const total = counting.reduce((all, { count }) => all + count, 0);
  const spent = formatDollars(sum(counting.map(({ spent: each }) => each)));
  const states = (rows: readonly { state: PurchaseState; count: number }[]): string =>
    rows.map(({ state, count }) => `${count} ${state}`).join(', ');
  const bought = total === 0 ? 'no purchase' : `${counted(total, 'purchase')} for ${spent} (${states(counting)})`;
  return others.length === 0 ? bought : `${bought}, besides ${states(others)}`;
}

function moment(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BalanceReading } from '../../src/domain/readings.ts';
import { BALANCE_MAX_AGE_MS, type Hold, available, debitsShown, spendableReading } from '../../src/risk/balance.ts';
import { NOON, dollars } from '../support/values.ts';

const RESERVE = 6_000;
const FIRST = 10_000;
/** More readings than any minute of these lives has. */
const READINGS_KEPT = 100;

/** Amounts in cents, times in milliseconds. */
type Step =
  | { readonly kind: 'wait'; readonly ms: number }
  | {
      readonly kind: 'buy';
      readonly cents: number;
      readonly debitAfter: number;
      readonly answerAfter: number;
      readonly bought: boolean;
    }
  | { readonly kind: 'read'; readonly lag: number; readonly takes: number; readonly factor: number }
  | { readonly kind: 'deposit'; readonly cents: number }
  | { readonly kind: 'stranger'; readonly cents: number };

const upTo = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
/** Few amounts, so that one debit is often taken for another. */
const cents = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(1_000, 1_500, 2_000) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
);
/** No balance lags by more than a minute, most by nothing. */
const lag = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: upTo(60_000) });
/** A decimal point that is lost. */
const factor = fc.oneof({ weight: 19, arbitrary: fc.constant(1) }, fc.constant(100));
const wait = fc.record({ kind: fc.constant('wait'), ms: upTo(15_000) });
const read = fc.record({ kind: fc.constant('read'), lag, takes: fc.constantFrom(0, 0, 400), factor });
const deposit = fc.record({ kind: fc.constant('deposit'), cents });
const stranger = fc.record({ kind: fc.constant('stranger'), cents });
const mostly = fc.constantFrom(true, true, true, false);
const buy = fc
  .record({
    kind: fc.constant('buy'),
    cents,
    debitAfter: fc.constantFrom(0, 300),
    patience: fc.constantFrom(0, 100),
    bought: mostly,
  })
  .map(({ patience, ...rest }) => ({ ...rest, answerAfter: rest.debitAfter + patience }));

interface Move {
  readonly at: number;
  readonly cents: number;
  readonly by: 'us' | 'others';
}

/** An account with a balance, what moves it, and a buyer who is told of readings that may be old. */
class Account {
  now = NOON;
  admitted = 0;
  /** The least that was left after an admission. */
  leastLeft = FIRST;
  /** Up to when a reading has shown what others spent. */
  shownUpTo = NOON;
  readonly #isAlone: boolean;
  readonly #moves: Move[] = [];
  readonly #holds = new Map<number, Hold>();
  readonly #due: { readonly at: number; readonly work: () => void }[] = [];
  #readings: BalanceReading[] = [{ amount: dollars(FIRST / 100), beganAt: NOON, endedAt: NOON }];

  constructor(isAlone: boolean) {
    this.#isAlone = isAlone;
  }

  do(step: Step): void {
    this.#passes(1);
    if (step.kind === 'wait') this.#passes(step.ms);
    else if (step.kind === 'buy') this.#buy(step);
    else if (step.kind === 'read') this.#read(step);
    else this.#moves.push({ at: this.now, cents: step.kind === 'deposit' ? step.cents : -step.cents, by: 'others' });
  }

  /** What there will be once all that was sent is debited, less what readings have shown that others spent; deposits are in it. */
  #left(): number {
    return this.#balance(({ at, by, cents: moved }) => by === 'us' || moved > 0 || at <= this.shownUpTo);
  }

  #balance(counts: (move: Move) => boolean): number {
    return this.#moves.filter(counts).reduce((total, move) => total + move.cents, FIRST);
  }

  #passes(ms: number): void {
    const until = this.now + ms;
    const next = this.#due.sort((a, b) => a.at - b.at)[0];
    if (next !== undefined && next.at <= until) {
      this.#due.shift();
      this.now = next.at;
      next.work();
      return this.#passes(until - this.now);
    }
    this.now = until;
  }

  #buy({ cents: price, debitAfter, answerAfter, bought }: Extract<Step, { kind: 'buy' }>): void {
    const amount = dollars(price / 100);
    const reading = spendableReading(this.#readings);
    if (reading === undefined || this.now - reading.beganAt > BALANCE_MAX_AGE_MS) return;
    if (available(reading, this.#holds.values()) - amount < dollars(RESERVE / 100)) return;
    const purchaseId = (this.admitted += 1);
    this.#holds.set(purchaseId, { purchaseId, amount, answeredAt: undefined });
    if (bought) this.#moves.push({ at: this.now + debitAfter, cents: -price, by: 'us' });
    const answered = (): void => {
      if (bought) this.#holds.set(purchaseId, { purchaseId, amount, answeredAt: this.now });
      else this.#holds.delete(purchaseId);
    };
    this.#due.push({ at: this.now + answerAfter, work: answered });
    this.leastLeft = Math.min(this.leastLeft, this.#left());
  }

  #read({ lag: behind, takes, factor: times }: Extract<Step, { kind: 'read' }>): void {
    const [beganAt, moment] = [this.now, this.now - behind];
    const shown = this.#balance(({ at }) => at <= moment) * times;
    const answered = (): void => {
      const reading = { amount: dollars(shown / 100), beganAt, endedAt: this.now };
      if (beganAt < (this.#readings.at(-1)?.beganAt ?? beganAt)) return;
      for (const id of debitsShown(this.#readings, reading, [...this.#holds.values()], this.#isAlone)) this.#holds.delete(id);
      this.#readings = [...this.#readings, reading].slice(-READINGS_KEPT);
      if (times === 1) this.shownUpTo = Math.max(this.shownUpTo, moment);
    };
    this.#due.push({ at: beganAt + takes, work: answered });
  }
}

/** How many purchases were admitted in all of some invented lives, none of which touched the reserve. */
function admittedIn(step: fc.Arbitrary<Step>, isAlone: boolean): number {
  let admitted = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
      const account = new Account(isAlone);
      for (const one of steps) account.do(one);
      expect(account.leastLeft).toBeGreaterThanOrEqual(RESERVE);
      admitted += account.admitted;
    }),
    { numRuns: 3_000 },
  );
  return admitted;
}

describe('the reserve, whatever lags by up to a minute', () => {
  const ours = [
    { weight: 4, arbitrary: buy },
    { weight: 5, arbitrary: read },
    { weight: 3, arbitrary: wait },
  ] as const;

  it('is never spent by our purchases', () => {
    expect(admittedIn(fc.oneof(...ours, deposit) as fc.Arbitrary<Step>, true)).toBeGreaterThan(1_000);
  });

  it('is not spent where others are known to buy, once a reading has shown what they spent', () => {
    expect(admittedIn(fc.oneof(...ours, deposit, stranger) as fc.Arbitrary<Step>, false)).toBeGreaterThan(1_000);
  });
});

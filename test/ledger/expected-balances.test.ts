import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Micros, ZERO, subtract, sum } from '../../src/domain/money.ts';
import type { BalanceReading } from '../../src/domain/readings.ts';
import { type Movement, expectedBalance } from '../../src/ledger/expected-balances.ts';
import { NOON, dollars } from '../support/values.ts';
import { begun, freshFolder, freshLedger, outcomes, raw, readBalance, settled } from './support.ts';

const SECOND = 1_000;

function reading(amount: number, at: number): BalanceReading {
  return { amount: dollars(amount), beganAt: at, endedAt: at + 200 };
}

function debit(amount: number, notBefore: number, knownAt: number): Movement {
  return { amount: subtract(ZERO, dollars(amount)), notBefore, knownAt };
}

describe('the balance that a purchase in doubt would leave if it was not debited', () => {
  const written = NOON + 600 * SECOND;

  it('is a reading from before it, and what moved since', () => {
    const readings = [reading(90, NOON + 300 * SECOND), reading(100, NOON)];
    const since = [debit(10, NOON + 60 * SECOND, NOON + 61 * SECOND), debit(7, written + 1, written + SECOND)];
    expect(expectedBalance(written, readings, since)).toBe(dollars(83));
  });

  it('does not rest on a reading that overlaps with a purchase, whose debit it may or may not show', () => {
    const bought = debit(10, NOON + 299 * SECOND, NOON + 301 * SECOND);
    for (const shown of [100, 90]) {
      const readings = [reading(shown, NOON + 300 * SECOND), reading(100, NOON)];
      expect(expectedBalance(written, readings, [bought])).toBe(dollars(90));
    }
  });

  it('does not count twice what had come back before its transaction was seen', () => {
    const back: Movement = { amount: dollars(10), notBefore: undefined, knownAt: NOON + 310 * SECOND };
    const readings = [reading(100, NOON + 300 * SECOND), reading(90, NOON - 900 * SECOND)];
    expect(expectedBalance(written, readings, [back])).toBe(dollars(100));
  });

  it('asks no reading from between the service’s date of a refund and when it was seen', () => {
    const back: Movement = {
      amount: dollars(10),
      notBefore: undefined,
      knownAt: NOON + 500 * SECOND,
      bookedAt: NOON + 150 * SECOND,
    };
    const seen = [200, 260, 320, 380, 430].map((at) => reading(100, NOON + at * SECOND));
    expect(expectedBalance(written, [...seen, reading(90, NOON)], [back])).toBe(dollars(100));
    expect(expectedBalance(written, [...seen, reading(90, NOON)], [{ ...back, bookedAt: undefined }])).toBe(dollars(110));
  });

  it('knows that nothing came back before its purchase was written, however far the service’s clock is behind ours', () => {
    const owedSince = NOON + 60 * SECOND;
    const bought: Movement = debit(10, owedSince, owedSince + SECOND);
    const back: Movement = {
      amount: dollars(10),
      notBefore: undefined,
      knownAt: NOON + 75 * SECOND,
      bookedAt: NOON - 20 * SECOND,
    };
    const readings = [reading(100, NOON)];
    expect(expectedBalance(written, readings, [bought, back])).toBeUndefined();
    expect(expectedBalance(written, readings, [bought, { ...back, owedSince }])).toBe(dollars(100));
  });

  it('goes by most readings where one is wrong', () => {
    const readings = [reading(10_000, NOON + 500 * SECOND), reading(100, NOON + 400 * SECOND), reading(100, NOON + 300 * SECOND)];
    expect(expectedBalance(written, readings, [])).toBe(dollars(100));
  });

  it('is not known when no reading is from before it, or each overlaps with a purchase', () => {
    expect(expectedBalance(written, [reading(100, written)], [])).toBeUndefined();
    expect(expectedBalance(written, [reading(100, NOON)], [debit(10, NOON - SECOND, NOON + SECOND)])).toBeUndefined();
  });

  it('is right whenever balances do not lag, however purchases and readings overlap', () => {
    const moment = fc.integer({ min: 0, max: 900 });
    const buys = fc.array(
      fc.tuple(moment, fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 50 })),
    );
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 40 }), buys, (looks, purchases) => {
        const movements = purchases.map(([at, toExchange, back, amount]) => ({
          movedAt: NOON + (at + toExchange) * SECOND,
          one: debit(amount, NOON + at * SECOND, NOON + (at + toExchange + back) * SECOND + 1),
        }));
        const balanceAt = (at: number): Micros =>
          sum([dollars(10_000), ...movements.filter(({ movedAt }) => movedAt <= at).map(({ one }) => one.amount)]);
        const readings = looks
          .map((look) => NOON + look * SECOND)
          .sort((a, b) => b - a)
          .map((at) => ({ amount: balanceAt(at + 100), beganAt: at, endedAt: at + 200 }));
        const expected = expectedBalance(
          NOON + 950 * SECOND,
          readings,
          movements.map(({ one }) => one),
        );
        expect([undefined, balanceAt(Number.POSITIVE_INFINITY)]).toContain(expected);
      }),
    );
  });
});

describe('the ledger', () => {
  it('knows it though a reading had shown a debit before its answer came', () => {
    const ledger = freshLedger();
    const first = begun(ledger, 1, NOON + 10 * SECOND);
    readBalance(ledger, 989.5, NOON + 11 * SECOND);
    settled(ledger, first, outcomes.bought('o1'), NOON + 12 * SECOND);
    readBalance(ledger, 989.5, NOON + 20 * SECOND);
    const doubtful = settled(ledger, begun(ledger, 2, NOON + 25 * SECOND), outcomes.unknown(), NOON + 30 * SECOND);
    const { expectedBalances } = ledger.known([], [], NOON + 40 * SECOND);
    expect(expectedBalances).toEqual(new Map([[doubtful.id, dollars(989.5)]]));
  });

  it('counts what moved while the clock was set back, whatever its time says [P25]', () => {
    const ledger = freshLedger();
    readBalance(ledger, 1_000, NOON);
    const bought = settled(ledger, begun(ledger, 1, NOON + 10 * SECOND), outcomes.bought('O-1'), NOON + 11 * SECOND);
    readBalance(ledger, 989.5, NOON + 690 * SECOND);
    const doubtful = settled(ledger, begun(ledger, 2, NOON + 700 * SECOND), outcomes.unknown(), NOON + 701 * SECOND);
    readBalance(ledger, 989.5, NOON + 900 * SECOND);
    const hourAgo = NOON - 3_600 * SECOND;
    readBalance(ledger, 989.5, hourAgo);
    ledger.apply(
      [{ kind: 'refund', purchaseId: bought.id, amount: bought.cost, transactionId: 'R-1', note: '' }],
      hourAgo + SECOND,
    );
    expect(ledger.known([], [], NOON + 1_000 * SECOND).expectedBalances).toEqual(new Map([[doubtful.id, dollars(1_000)]]));
  });

  it('asks no reading that a refund seen minutes late is in already', () => {
    const ledger = freshLedger();
    readBalance(ledger, 1_000, NOON);
    const bought = settled(ledger, begun(ledger, 1, NOON + 10 * SECOND), outcomes.bought('O-1'), NOON + 11 * SECOND);
    readBalance(ledger, 989.5, NOON + 100 * SECOND);
    for (const at of [300, 400, 500]) readBalance(ledger, 1_000, NOON + at * SECOND);
    const refund = { purchaseId: bought.id, amount: bought.cost, transactionId: 'R-1', bookedAt: NOON + 250 * SECOND, note: '' };
    ledger.apply([{ kind: 'refund', ...refund }], NOON + 600 * SECOND);
    readBalance(ledger, 1_000, NOON + 690 * SECOND);
    const doubtful = settled(ledger, begun(ledger, 2, NOON + 700 * SECOND), outcomes.unknown(), NOON + 701 * SECOND);
    expect(ledger.known([], [], NOON + 800 * SECOND).expectedBalances).toEqual(new Map([[doubtful.id, dollars(1_000)]]));
  });

  it('asks no reading of a time that the clock was set back from', () => {
    const ledger = freshLedger();
    readBalance(ledger, 990, NOON + 240 * SECOND);
    readBalance(ledger, 990, NOON + 100 * SECOND);
    const doubtful = settled(ledger, begun(ledger, 1, NOON + 110 * SECOND), outcomes.unknown(), NOON + 111 * SECOND);
    expect(ledger.known([], [], NOON + 120 * SECOND).expectedBalances).toEqual(new Map([[doubtful.id, dollars(1_000)]]));
  });

  it('asks no reading that came after it, however early a clock that was set back has dated it [P25]', () => {
    const ledger = freshLedger();
    readBalance(ledger, 1_000, NOON);
    settled(ledger, begun(ledger, 1, NOON + 10 * SECOND), outcomes.bought('O-1'), NOON + 11 * SECOND);
    const doubtful = settled(ledger, begun(ledger, 2, NOON + 12 * SECOND), outcomes.unknown(), NOON + 13 * SECOND);
    for (const at of [3, 4, 5, 6]) readBalance(ledger, 989.5, NOON + at * SECOND);
    expect(ledger.known([], [], NOON + 20 * SECOND).expectedBalances).toEqual(new Map([[doubtful.id, dollars(989.5)]]));
  });

  it('asks no reading that held what seems to have moved after it', () => {
    const ledger = freshLedger();
    readBalance(ledger, 1_000, NOON);
    settled(ledger, begun(ledger, 1, NOON + 50 * SECOND), outcomes.bought('O-1'), NOON + 51 * SECOND);
    for (const at of [3, 4, 5, 6]) readBalance(ledger, 989.5, NOON + at * SECOND);
    const doubtful = settled(ledger, begun(ledger, 2, NOON + 60 * SECOND), outcomes.unknown(), NOON + 61 * SECOND);
    expect(ledger.known([], [], NOON + 80 * SECOND).expectedBalances).toEqual(new Map([[doubtful.id, dollars(989.5)]]));
  });

  it('is known however many readings have come since', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    readBalance(ledger, 1_000, NOON);
    const doubtful = settled(ledger, begun(ledger, 1, NOON + 10 * SECOND), outcomes.unknown(), NOON + 11 * SECOND);
    const db = raw(folder);
    const insert = db.prepare(
      'INSERT INTO balances (amount, began_at, ended_at, after_seq) VALUES (1e9, ?, ?, (SELECT max(seq) FROM evidence))',
    );
    db.transaction(() => {
      for (let at = 20; at <= 3_020; at++) insert.run(NOON + at * SECOND, NOON + at * SECOND + 1);
    })();
    expect(ledger.known([], [], NOON + 3_100 * SECOND).expectedBalances).toEqual(new Map([[doubtful.id, dollars(1_000)]]));
  });
});

import { describe, expect, it } from 'vitest';
import { ZERO, micros } from '../../../src/domain/money.ts';
import { type BalancesSeen, contradictionOfAnswer, contradictionOfBalances } from '../../../src/treasury/decide/contradiction.ts';
import type { TreasuryPolicy } from '../../../src/treasury/decide/policy.ts';
import { type Reading, type TreasuryBooks, treasuryStep } from '../../../src/treasury/decide/step.ts';
import type { TransferRow } from '../../../src/treasury/decide/transfer.ts';
import { NOON, dollars } from '../../support/values.ts';

const policy: TreasuryPolicy = {
  children: [
    { name: 'a', floor: dollars(50), target: dollars(200), perDay: dollars(500) },
    { name: 'b', floor: dollars(50), target: dollars(200), perDay: dollars(500) },
  ],
  reserve: dollars(100),
  perTransfer: dollars(180),
  hour: dollars(300),
  day: dollars(1_000),
  dedicated: true,
};

const at = (balance: number, askedAt = NOON): Reading => ({ balance: dollars(balance), askedAt });

function books(change: Partial<TreasuryBooks> = {}, a = 10, b = 60): TreasuryBooks {
  const children = new Map([
    ['a', at(a)],
    ['b', at(b)],
  ]);
  return { isHalted: false, top: at(1_000), children, rows: [], ...change };
}

const row = (change: Partial<TransferRow>): TransferRow => ({
  ...{ id: 1, child: 'a', amount: dollars(100), state: 'made', createdAt: NOON - 120_000, settledAt: NOON - 120_000 },
  ...change,
});

const told = (given: TreasuryBooks, by = policy): unknown[] =>
  treasuryStep(by, given, NOON).map(({ child, reason, amount, cutBy }) => [child, reason, amount / 1_000_000, cutBy]);

describe('one step of the treasury', () => {
  it('fills what is below its floor up to its target, in one transfer as large as its cap', () => {
    expect(told(books({}, 30))).toEqual([
      ['a', 'transfer', 170, undefined],
      ['b', 'enough', 0, undefined],
    ]);
    expect(told(books({}, 10))[0]).toEqual(['a', 'transfer', 180, 'perTransfer']);
  });

  it('serves the neediest first, and the next one with what the caps leave', () => {
    expect(told(books({}, 20, 10))).toEqual([
      ['b', 'transfer', 180, 'perTransfer'],
      ['a', 'transfer', 120, 'hour'],
    ]);
  });

  it('leaves the reserve alone, whatever the floor', () => {
    expect(told(books({ top: at(150) }, 0))[0]).toEqual(['a', 'transfer', 50, 'reserve']);
    expect(told(books({ top: at(100) }, 0))[0]).toEqual(['a', 'reserve', 0, undefined]);
    expect(told(books({ top: at(100.5) }, 0))[0]).toEqual(['a', 'reserve', 0, undefined]);
  });

  it.each([
    ['halted', books({ isHalted: true })],
    ['open', books({ rows: [row({ state: 'open', settledAt: undefined, createdAt: NOON - 1e10 })] })],
    ['unread', books({ children: new Map([['b', at(60)]]) })],
    ['unread', books({ children: new Map([['a', at(10, NOON - 61_000)]]) })],
    ['recent', books({ rows: [row({ settledAt: NOON - 59_000 })] })],
    ['resting', books({ rows: [row({ state: 'refused', settledAt: NOON - 59_000 })] })],
    ['top-unread', books({ top: undefined })],
    ['top-unread', books({ top: at(1_000, NOON - 61_000) })],
    ['cap-child-day', books({ rows: [row({ amount: dollars(500) })] })],
    ['cap-day', books({ rows: [row({ child: 'b', amount: dollars(1_000), settledAt: NOON - 20 * 3_600_000 })] })],
    ['cap-hour', books({ rows: [row({ child: 'b', amount: dollars(300), state: 'open', createdAt: 0, settledAt: undefined })] })],
  ] as const)('says %s where that keeps it', (reason, given) => {
    expect(treasuryStep(policy, given, NOON).find(({ child }) => child === 'a')).toMatchObject({ reason, amount: ZERO });
  });

  it('rests longer after each refusal in a row, and no longer than an hour', () => {
    const refusals = (count: number, ago: number): TreasuryBooks =>
      books({
        rows: Array.from({ length: count }, (_, index) => row({ id: index + 1, state: 'refused', settledAt: NOON - ago })),
      });
    const isResting = (count: number, ago: number): boolean =>
      treasuryStep(policy, refusals(count, ago), NOON)[0]?.reason === 'resting';
    expect([isResting(1, 59_999), isResting(1, 60_000), isResting(2, 299_999), isResting(2, 300_000)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect([isResting(9, 3_599_999), isResting(9, 3_600_000)]).toEqual([true, false]);
  });

  it('moves whole cents and leaves the fraction', () => {
    const children = new Map([['a', { balance: micros(49_999_999), askedAt: NOON }]]);
    expect(told(books({ children }))).toContainEqual(['a', 'transfer', 150, undefined]);
  });

  it('holds an open transfer against the balance that it may still take', () => {
    const open = row({ child: 'b', amount: dollars(100), state: 'open', settledAt: undefined });
    expect(told(books({ top: at(250), rows: [open] }, 0)).find((each) => (each as unknown[])[0] === 'a')).toEqual([
      ...['a', 'transfer', 50, 'reserve'],
    ]);
  });
});

describe('a contradiction', () => {
  const nothing = { partnerKeyId: undefined, childKeyId: undefined };

  it('is another amount, another child or another partner than was meant, and nothing that is left out', () => {
    expect(contradictionOfAnswer(500, { ...nothing, amountCents: 500 }, nothing)).toBeUndefined();
    expect(contradictionOfAnswer(500, { ...nothing, amountCents: undefined }, nothing)).toBeUndefined();
    expect(contradictionOfAnswer(500, { ...nothing, amountCents: 501 }, nothing)).toContain(
      'has moved 501 cents, and 500 were asked for',
    );
    const sides = { amountCents: 500, partnerKeyId: 'p', childKeyId: 'C' };
    expect(contradictionOfAnswer(500, sides, { partnerKeyId: 'p', childKeyId: 'c' })).toBeUndefined();
    expect(contradictionOfAnswer(500, sides, { partnerKeyId: 'p', childKeyId: 'd' })).toContain('moved to C, and it is d');
    expect(contradictionOfAnswer(500, sides, { partnerKeyId: 'q', childKeyId: 'c' })).toContain('moved from p, and it is q');
  });

  const seen = (change: Partial<BalancesSeen>): BalancesSeen => ({
    ...{ top: at(900), topBefore: at(1_000, NOON - 300_000), children: new Map(), rows: [row({})] },
    ...change,
  });

  it('is a balance below zero', () => {
    expect(contradictionOfBalances(policy, seen({ top: at(-0.01) }))).toContain('top-level balance is negative: -$0.01');
    expect(contradictionOfBalances(policy, seen({ children: new Map([['a', at(-1)]]) }))).toContain('balance of a is negative');
    expect(contradictionOfBalances(policy, seen({ children: new Map([['a', at(0)]]) }))).toBeUndefined();
  });

  it('is a fall of a dedicated top-level balance that no transfer explains', () => {
    expect(contradictionOfBalances(policy, seen({}))).toBeUndefined();
    expect(contradictionOfBalances(policy, seen({ top: at(1_200) }))).toBeUndefined();
    expect(contradictionOfBalances(policy, seen({ top: at(800) }))).toContain('fell by $200.00, and transfers explain $100.00');
    expect(contradictionOfBalances({ ...policy, dedicated: false }, seen({ top: at(800) }))).toBeUndefined();
    const open = row({ state: 'open', createdAt: 0, settledAt: undefined });
    expect(
      contradictionOfBalances(policy, seen({ top: at(800), rows: [row({}), { ...open, id: 2, child: 'b' }] })),
    ).toBeUndefined();
  });
});

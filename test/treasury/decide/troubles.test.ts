import { describe, expect, it } from 'vitest';
import { ZERO } from '../../../src/domain/money.ts';
import type { Verdict, VerdictReason } from '../../../src/treasury/decide/step.ts';
import { type TroubleBooks, standingSince, troublesOf } from '../../../src/treasury/decide/troubles.ts';
import { NOON, dollars } from '../../support/values.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];

const verdict = (reason: VerdictReason, balance: number | undefined = 20): Verdict => ({
  ...{ child: 'shop', reason, amount: ZERO, cutBy: undefined },
  balance: balance === undefined ? undefined : dollars(balance),
});

const calm: TroubleBooks = {
  policy: { children: [{ name: 'shop', floor: dollars(50), target: dollars(200), perDay: dollars(500) }] },
  ...{ halts: [], open: [], verdicts: [], standing: new Map(), repeatForMs: 12 * HOUR },
};

const standing = (reason: VerdictReason, forMs: number) => new Map([['shop', { reason, since: NOON - forMs }]]);

const transfer = (ageMs: number): TroubleBooks['open'][number] => ({
  ...{ id: 12, child: 'shop', amount: dollars(180), state: 'open' as const, settledAt: undefined, said: 'no answer in time' },
  createdAt: NOON - ageMs,
});

const told = (books: Partial<TroubleBooks>): string[] =>
  troublesOf({ ...calm, ...books }, NOON).map(({ message, next }) => `${message} → ${next}`);

describe('what a person should know of the treasury', () => {
  it('is nothing while all children have what they need', () => {
    const well = (['enough', 'transfer', 'recent', 'open'] as const).map((reason) => verdict(reason));
    expect(told({ verdicts: well })).toEqual([]);
  });

  it('is that it has halted itself, and not that a person has', () => {
    const halt = { reason: 'a balance is negative', by: 'treasury', at: NOON };
    expect(told({ halts: [halt], verdicts: [verdict('halted')] })).toEqual([
      'the treasury has halted itself: a balance is negative → `magpie treasury status`, then `magpie treasury resume` once you know why',
    ]);
    expect(told({ halts: [{ ...halt, by: 'person' }] })).toEqual([]);
    expect(told({ halts: [{ ...halt, by: 'person' }, halt] }), 'nor is it hidden by that').toHaveLength(1);
  });

  it('is a transfer that nobody settles for an hour, and once more when it is not asked again by itself', () => {
    const next = '→ see on the site what became of it, then `magpie treasury settle 12 --as made|not-made --reason TEXT`';
    const what = 'transfer 12, $180.00 to shop, is not settled (no answer in time)';
    expect(told({ open: [transfer(59 * MINUTE)] })).toEqual([]);
    expect(told({ open: [transfer(HOUR)] })).toEqual([`${what}; it is asked again with the same key ${next}`]);
    expect(told({ open: [transfer(13 * HOUR)] })).toEqual([`${what}, and is not asked again by itself any more ${next}`]);
    const marks = [HOUR, 13 * HOUR].flatMap((age) =>
      troublesOf({ ...calm, open: [transfer(age)] }, NOON).map(({ mark }) => mark),
    );
    expect(new Set(marks).size).toBe(2);
  });

  it('is at once that a child stays short because of the reserve or a cap', () => {
    expect(told({ verdicts: [verdict('reserve')] })).toEqual([
      'shop has $20.00, less than its floor of $50.00, gets nothing: the top-level account has nothing to spare above its reserve → add to the top-level balance, or lower `treasury.reserve`',
    ]);
    for (const cap of ['cap-perTransfer', 'cap-child-day', 'cap-day'] as const)
      expect(told({ verdicts: [verdict(cap)] })).toHaveLength(1);
  });

  it.each(['unread', 'top-unread', 'resting', 'clock', 'cap-hour'] as const)(
    'is after ten minutes that a child gets nothing for what mostly passes by itself: %s',
    (reason) => {
      const verdicts = [verdict(reason, reason === 'unread' ? undefined : 20)];
      expect(told({ verdicts, standing: standing(reason, 10 * MINUTE - 1) })).toEqual([]);
      expect(told({ verdicts, standing: standing(reason, 10 * MINUTE) })).toHaveLength(1);
    },
  );

  it('counts from when the reason began that stands now', () => {
    const first = standingSince(new Map(), [verdict('unread')], NOON);
    const same = standingSince(first, [verdict('unread')], NOON + MINUTE);
    expect(same.get('shop')).toEqual({ reason: 'unread', since: NOON });
    const other = standingSince(same, [verdict('resting')], NOON + 2 * MINUTE);
    expect(other.get('shop')).toEqual({ reason: 'resting', since: NOON + 2 * MINUTE });
    expect(standingSince(other, [], NOON).size).toBe(0);
    const ahead = new Map([['shop', { reason: 'unread' as const, since: NOON + 100 * HOUR }]]);
    expect(standingSince(ahead, [verdict('unread')], NOON).get('shop')?.since, 'a wrong clock has dated it').toBe(NOON);
  });
});

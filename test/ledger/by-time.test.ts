import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Purchase } from '../../src/domain/purchase.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { NOON, listing } from '../support/values.ts';
import { begun, freshFolder, freshLedger, outcomes, raw, settled } from './support.ts';

const names = ['AK-47 | Redline (Field-Tested)', 'AWP | Asiimov (Battle-Scarred)'] as const;

/** Forty purchases of all kinds, some at the same moment, made with a clock that was set back half way. */
function history(ledger: Ledger): readonly Purchase[] {
  for (let number = 0; number < 40; number += 1) {
    const at = NOON + 10 + Math.floor((number < 20 ? number : number - 12) / 2) * 0.5;
    const purchase = begun(ledger, number, at, {
      lane: number % 5 === 0 ? 'paper' : 'live',
      strategy: number % 3 === 0 ? 'knives' : 'redlines',
      listing: listing({ id: String(number), name: names[number % 2] ?? '', price: 1 }),
    });
    if (number % 5 === 0) continue;
    if (number % 4 === 1) settled(ledger, purchase, outcomes.bought(`order-${number}`), at + 1);
    else if (number % 4 === 2) settled(ledger, purchase, outcomes.unsent(), at + 1);
    else if (number % 4 === 3) settled(ledger, purchase, outcomes.unknown(), at + 1);
  }
  return ledger.purchases({});
}

describe('purchases by time', () => {
  it('are those of the slice that fit, newest first, and of one moment the larger number first', () => {
    const ledger = freshLedger();
    const all = history(ledger).toSorted((one, other) => other.createdAt - one.createdAt || other.id - one.id);
    expect(new Set(all.map(({ state }) => state)).size).toBe(5);
    const some = fc.constantFrom(...all);
    const slice = fc.record({
      before: some.map(({ createdAt: at, id }) => ({ at, id })),
      since: some.map(({ createdAt }) => createdAt),
      limit: fc.integer({ min: 1, max: 45 }),
      state: fc.constantFrom('bought', 'simulated', 'expired', undefined),
      strategy: fc.constantFrom('knives', undefined),
      words: fc.constantFrom('asiimov', '7', undefined),
    });
    fc.assert(
      fc.property(slice, ({ before, since, limit, state, strategy, words }) => {
        const fitting = all.filter(
          (each) =>
            (each.createdAt < before.at || (each.createdAt === before.at && each.id < before.id)) &&
            each.createdAt >= since &&
            (state === undefined || each.state === state) &&
            (strategy === undefined || each.strategy === strategy) &&
            (words === undefined || each.listingId === words || each.marketHashName.toLowerCase().includes(words)),
        );
        expect(ledger.purchasesByTime({ before, since, limit, state, strategy, words })).toEqual(fitting.slice(0, limit));
      }),
      { numRuns: 200 },
    );
  });

  it('are read from an index, however many there are', () => {
    const folder = freshFolder();
    history(freshLedger(folder));
    const plan = raw(folder)
      .prepare<[], { detail: string }>(
        `EXPLAIN QUERY PLAN SELECT * FROM purchases WHERE lane = 'live' AND committed = 1
         AND created_at BETWEEN 0 AND 9 AND (created_at < 9 OR id < 9) ORDER BY created_at DESC, id DESC LIMIT 9`,
      )
      .all();
    expect(plan[0]?.detail).toMatch(/^SEARCH purchases USING INDEX purchases_recent \(.*created_at>\? AND created_at<\?\)$/);
  });
});

describe('alerts by time', () => {
  it('are those of the slice, newest first, without digests and without offers that no longer wait', () => {
    const ledger = freshLedger();
    const bought = settled(ledger, begun(ledger, 1), outcomes.bought('order-1'));
    const at = [5, 9, 9, 7, 1];
    for (const [index, ms] of at.entries())
      ledger.recordAlert({ kind: 'stuck', at: NOON + ms, message: `the ${index}.`, next: undefined, purchaseId: undefined });
    ledger.recordAlert({ kind: 'digest', at: NOON + 8, message: 'a day', next: undefined, purchaseId: undefined });
    ledger.recordAlert({ kind: 'accept', at: NOON + 8, message: 'no longer', next: 'Accept.', purchaseId: bought.id });
    const told = (limit: number, before = { at: NOON + 99, id: 99 }, since = 0): (string | number)[][] =>
      ledger.alertsByTime({ before, since, limit }).map(({ message, at: ms }) => [message, ms - NOON]);
    expect(told(9)).toEqual([
      ['the 2.', 9],
      ['the 1.', 9],
      ['the 3.', 7],
      ['the 0.', 5],
      ['the 4.', 1],
    ]);
    const [, second] = ledger.alertsByTime({ before: { at: NOON + 99, id: 99 }, since: 0, limit: 2 });
    expect(told(2, { at: second?.at ?? 0, id: second?.id ?? 0 }, NOON + 5)).toEqual([
      ['the 3.', 7],
      ['the 0.', 5],
    ]);
    expect(ledger.alerts(0, 9).length).toBe(5);
  });
});

import { describe, expect, it } from 'vitest';
import { NOON, dollars } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, order, outcomes, raw, settled } from './support.ts';

const YEAR = 365 * 86_400_000;

describe('what a run under a clock far ahead has left', () => {
  it('counts as of now once it is certain what time it is, with evidence of that', () => {
    const folder = freshFolder();
    const before = freshLedger(folder);
    begun(before, 1);
    settled(before, begun(before, 2), outcomes.bought('o2'), NOON + 5);
    settled(before, begun(before, 3), outcomes.bought('o3'), NOON + 6);
    before.close();
    const ahead = opened(folder);
    expect(ahead.orphansToUnknown(NOON + 10 * YEAR)).toMatchObject([{ id: 1, answeredAt: NOON + 10 * YEAR }]);
    ahead.apply([{ kind: 'look', beganAt: NOON + 10 * YEAR, baseTotal: undefined }], NOON + 10 * YEAR);
    ahead.apply([{ kind: 'completed', purchaseId: 2, order: order('o2', { statusCode: 'COMPLETED' }) }], NOON + 10 * YEAR + 1);
    ahead.close();
    const ledger = opened(folder);
    const now = NOON + 60_000;
    expect(ledger.newestRowAt()).toBeGreaterThan(NOON + YEAR);
    expect(ledger.drawBack(now)).toMatchObject([
      { id: 1, state: 'unknown', answeredAt: now },
      { id: 2, state: 'completed', answeredAt: NOON + 5, completedAt: now },
    ]);
    expect(ledger.purchase(1)).toMatchObject({ state: 'unknown', answeredAt: now, cost: dollars(10.5) });
    expect(ledger.evidenceOf(1).at(-1)).toMatchObject({ kind: 'clock', from: 'unknown', to: 'unknown', at: now });
    expect(ledger.newestRowAt(), 'no later start waits for it').toBeLessThanOrEqual(now);
    const moved = raw(folder).prepare<[], number>('SELECT moved_at FROM purchases ORDER BY id').pluck().all();
    expect(Math.max(...moved)).toBe(now);
    expect(ledger.baselineAt()).toBe(now);
    expect(ledger.drawBack(now)).toEqual([]);
  });
});

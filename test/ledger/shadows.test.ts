import { describe, expect, it } from 'vitest';
import type { Shadow } from '../../src/domain/shadow.ts';
import { shadowSum, shadowWords, shareWon } from '../../src/domain/shadow.ts';
import { NOON, dollars } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, outcomes, raw, settled } from './support.ts';

const paper = { lane: 'paper' } as const;

function shadow(purchaseId: number, reason: Shadow['reason'], given: Partial<Shadow> = {}): Shadow {
  const latency = { ms: 420, measuredOn: 12 };
  return { purchaseId, reason, detail: undefined, latency, at: NOON + 1_000, askedAfterMs: 700, ...given };
}

describe('what became of listings that were bought on paper', () => {
  it('is kept with the purchase and read again, and changes nothing about it', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const purchases = [1, 2, 3].map((number) => begun(ledger, number, NOON + number, paper));
    const kept = [
      shadow(1, 'standing'),
      shadow(2, 'repriced', { detail: '$11.00 with the fee', latency: { ms: 500, measuredOn: undefined } }),
    ];
    const [seq, usage] = [ledger.evidenceSeq(), ledger.usageOfAccount('paper', NOON + 10)];
    ledger.keepShadows(kept);
    expect([...ledger.shadowsOf([1, 2, 3]).values()]).toEqual(kept);
    expect(opened(folder).shadowsOf([2])).toEqual(new Map([[2, kept[1]]]));
    expect(purchases.map(({ id }) => ledger.purchase(id))).toEqual(purchases);
    expect([ledger.evidenceSeq(), ledger.usageOfAccount('paper', NOON + 10)]).toEqual([seq, usage]);
  });

  it('is what was learnt first', () => {
    const ledger = freshLedger();
    begun(ledger, 1, NOON + 1, paper);
    ledger.keepShadows([shadow(1, 'gone')]);
    ledger.keepShadows([shadow(1, 'standing')]);
    expect(ledger.shadowsOf([1]).get(1)?.reason).toBe('gone');
  });

  it('is unknown for those that an earlier process left in the middle, and for no live purchase', () => {
    const folder = freshFolder();
    const before = freshLedger(folder);
    for (const number of [1, 2]) begun(before, number, NOON + number, paper);
    settled(before, begun(before, 3), outcomes.bought('o3'));
    before.keepShadows([shadow(1, 'standing')]);
    before.close();
    const ledger = opened(folder);
    ledger.leaveShadows(NOON + 5_000);
    expect([...ledger.shadowsOf([1, 2, 3])].map(([id, { reason }]) => [id, reason])).toEqual([
      [1, 'standing'],
      [2, 'stopped'],
    ]);
    expect(ledger.shadowsOf([2]).get(2)).toEqual(
      shadow(2, 'stopped', { latency: undefined, askedAfterMs: undefined, at: NOON + 5_000 }),
    );
  });

  it('adds up to counts, money and the share won with its sample; what is not known counts in neither', () => {
    const ledger = freshLedger();
    for (let number = 1; number <= 7; number++) begun(ledger, number, NOON + number, paper);
    settled(ledger, begun(ledger, 9), outcomes.bought('o9'));
    expect(shadowWords(ledger.shadowFigures(0))).toBeUndefined();
    ledger.keepShadows([
      ...[1, 2, 3].map((id) => shadow(id, 'standing')),
      ...[shadow(4, 'gone'), shadow(5, 'repriced'), shadow(6, 'failed')],
    ]);
    const figures = ledger.shadowFigures(0);
    expect(shadowSum(figures, 'won')).toEqual({ count: 3, amount: dollars(31.5) });
    expect(shareWon(figures)).toEqual({ share: 0.6, of: 5 });
    expect(shadowWords(figures)).toBe(
      'live would have won 3 for $31.50 and lost 2 for $21.00 (1 gone, 1 repriced), 1 for $10.50 unknown, 1 not checked: 60 % won of 5 that are known',
    );
    expect(shadowWords(ledger.shadowFigures(NOON + 6))).toBe(
      'live would have won 0 and lost 0, 1 for $10.50 unknown, 1 not checked: no share can be told',
    );
  });

  it('of a word that a later Magpie has put there is as good as none', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    begun(ledger, 1, NOON + 1, paper);
    ledger.keepShadows([shadow(1, 'standing')]);
    raw(folder).exec("UPDATE shadows SET reason = 'outbid'");
    expect(ledger.shadowsOf([1])).toEqual(new Map());
    expect(shadowWords(ledger.shadowFigures(0))).toBeUndefined();
  });
});

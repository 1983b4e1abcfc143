import { describe, expect, it } from 'vitest';
import type { Timings } from '../../../src/domain/outcome.ts';
import { UNMEASURED_MS } from '../../../src/domain/latency.ts';
import { buyLatency } from '../../../src/execution/shadow/latency.ts';
import { awaiting, judged } from '../../../src/execution/shadow/verdict.ts';
import { NOON, purchase } from '../../support/values.ts';

const onPaper = purchase({ lane: 'paper', state: 'simulated' });
const one = awaiting(onPaper, { ms: 400, measuredOn: 3 }, 100);
const standing = { kind: 'standing', price: 10, priceWithFee: 10.5 } as const;

/** Asked so long after the decision, answered 20 ms later. */
const askedAfter = (ms: number, lasted = 20) => ({ beganAt: NOON + ms, endedAt: NOON + ms + lasted });

describe('a purchase on paper', () => {
  it('is won when its listing stands at the same price after the latency of a buy and the margin', () => {
    expect(judged(one, standing, askedAfter(500))).toMatchObject({ purchaseId: 1, reason: 'standing', askedAfterMs: 500 });
    expect(judged(one, { ...standing, priceWithFee: undefined }, askedAfter(500))?.reason).toBe('standing');
  });

  it('is lost when the listing is gone or has another price, with or without the fee, and says which', () => {
    expect(judged(one, { kind: 'gone' }, askedAfter(600))).toMatchObject({ reason: 'gone', detail: undefined });
    expect(judged(one, { kind: 'standing', price: 11, priceWithFee: 11.55 }, askedAfter(600))).toMatchObject({
      reason: 'repriced',
      detail: '$11.55 with the fee',
    });
    expect(judged(one, { ...standing, priceWithFee: 10.6 }, askedAfter(600))?.reason).toBe('repriced');
  });

  it('is told nothing of by an answer from before its time, whenever that came, nor by one without a word about it', () => {
    expect(judged(one, standing, askedAfter(499.9, 1_000))).toBeUndefined();
    expect(judged(one, { kind: 'gone' }, askedAfter(499.9, 1_000))).toBeUndefined();
    expect(judged(one, undefined, askedAfter(600))).toBeUndefined();
  });

  it('is told nothing of too late, whether it still stands or not, so that the share won is not made better', () => {
    for (const detail of [standing, { kind: 'gone' } as const]) {
      expect(judged(one, detail, askedAfter(3_480))).toBeDefined();
      expect(judged(one, detail, askedAfter(3_481))).toBeUndefined();
    }
  });
});

describe('what a buy lasts', () => {
  const lasted = (ms: number | undefined): Timings => ({
    ...{ seenAt: NOON, decidedAt: NOON + 5, committedAt: NOON + 6, sentAt: NOON + 7 },
    answeredAt: ms === undefined ? undefined : NOON + 5 + ms,
  });

  it('is what the configuration says, before anything that was measured', () => {
    expect(buyLatency(80, [lasted(700)])).toEqual({ ms: 80, measuredOn: undefined });
  });

  it('is what nine in ten of our own lasted at most, from decision to answer; those without an answer tell nothing', () => {
    const ten = [100, 200, 300, 400, 500, 600, 700, 800, 900, 5_000].map(lasted);
    expect(buyLatency(undefined, [...ten, lasted(undefined)])).toEqual({ ms: 900, measuredOn: 10 });
    expect(buyLatency(undefined, [lasted(120)])).toEqual({ ms: 120, measuredOn: 1 });
  });

  it('is a guess that does not pass for a measurement where none of ours was answered', () => {
    expect(buyLatency(undefined, [lasted(undefined)])).toEqual({ ms: UNMEASURED_MS, measuredOn: undefined });
  });
});

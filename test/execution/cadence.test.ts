import { describe, expect, it } from 'vitest';
import { nextLookAt } from '../../src/execution/cadence.ts';
import { NOON } from '../support/values.ts';
import { accepted, refused, sent } from './support/looks.ts';

const pace = 30_000;
const dueIn = (purchases: Parameters<typeof nextLookAt>[0], lastBeganAt = NOON): number =>
  nextLookAt(purchases, lastBeganAt, pace) - lastBeganAt;

describe('the next look', () => {
  it('is due after half a minute while something is open, else after a minute', () => {
    expect(dueIn([accepted({ answeredAt: NOON - 1 })])).toBe(30_000);
    expect(dueIn([])).toBe(60_000);
    expect(dueIn([refused({ held: false })])).toBe(60_000);
  });

  it('is due at once for what has become uncertain since the last, a second after it at the soonest', () => {
    for (const fresh of [refused({ answeredAt: NOON + 5_000 }), sent({ answeredAt: NOON + 5_000 })])
      expect(dueIn([fresh])).toBe(5_000);
    expect(dueIn([refused({ answeredAt: NOON + 1 })])).toBe(1_000);
  });

  it('confirms a refusal after two seconds, and then asks less and less often [money-6]', () => {
    expect(dueIn([refused({ answeredAt: NOON })])).toBe(2_000);
    expect(dueIn([refused({ answeredAt: NOON - 10_000 })])).toBe(5_000);
    expect(dueIn([refused({ answeredAt: NOON - 3_600_000 }), accepted({ answeredAt: NOON - 1 })])).toBe(30_000);
  });

  it('is that of the most pressing purchase', () => {
    expect(dueIn([accepted(), refused({ answeredAt: NOON }), sent({ answeredAt: NOON - 3_000 })])).toBe(1_000);
  });

  it('waits for the answer of a request in flight', () => {
    expect(dueIn([sent({ state: 'intended', answeredAt: undefined })])).toBe(30_000);
  });
});

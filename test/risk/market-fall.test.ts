import { describe, expect, it } from 'vitest';
import { type FallPolicy, type MarketFall, MarketMeasure, fallAfter } from '../../src/risk/market-fall.ts';
import { dollars } from '../support/values.ts';

const policy: FallPolicy = { share: 0.3, by: 0.1, calmMs: 24 };

function measured(
  names: number,
  floors: (n: number) => number,
  steams: (n: number) => number = () => 10,
): MarketMeasure['worst'] {
  const measure = new MarketMeasure(policy);
  for (let n = 0; n < names; n++) {
    measure.add({
      ...{ floor: dollars(floors(n)), floorBefore: dollars(10) },
      ...{ steam: dollars(steams(n)), steamBefore: dollars(10) },
    });
  }
  return measure.worst;
}

describe('a measure of the market', () => {
  it('counts how many more names are down than up by so much, to the micro-dollar', () => {
    expect(measured(200, (n) => (n < 100 ? 9 : 10))?.share).toBe(0.5);
    expect(measured(200, (n) => (n < 100 ? 9.000001 : 10))?.share).toBe(0);
    expect(measured(200, (n) => (n < 100 ? 8 : 12))?.share).toBe(0);
    expect(measured(200, (n) => (n < 120 ? 8 : 12))?.share).toBeCloseTo(0.2);
  });

  it('goes by cheapest listings or by steamPrices, whichever fell further, and says so', () => {
    expect(
      measured(
        100,
        () => 10,
        (n) => (n < 40 ? 5 : 10),
      ),
    ).toEqual({
      share: 0.4,
      words: 'of 100 names the steamPrices of 40 are down by 10 % or more against the day before, of 0 up by as much',
    });
  });

  it('says nothing of fewer than a hundred names', () => {
    expect(measured(99, () => 1)).toBeUndefined();
  });
});

describe('a fall of the market', () => {
  const worst = (share: number) => ({ share, words: 'words' });
  const fallen: MarketFall = { since: 5, why: 'words', calmSince: undefined, resumed: false };

  it('begins at the share that is named, and not below', () => {
    expect(fallAfter(undefined, worst(0.3), policy, 5)).toEqual(fallen);
    expect(fallAfter(undefined, worst(0.29), policy, 5)).toBeUndefined();
  });

  it('goes on while half of that is left, or nobody can tell', () => {
    for (const share of [0.5, 0.3, 0.15]) expect(fallAfter(fallen, worst(share), policy, 100)).toEqual(fallen);
    expect(fallAfter(fallen, undefined, policy, 1_000)).toEqual(fallen);
  });

  it('is over when less was left for long enough, in one piece', () => {
    const calm = fallAfter(fallen, worst(0.14), policy, 10);
    expect(calm).toEqual({ ...fallen, calmSince: 10 });
    expect(fallAfter(calm, worst(0), policy, 33)).toEqual(calm);
    expect(fallAfter(calm, worst(0), policy, 34)).toBeUndefined();
    expect(fallAfter(calm, worst(0.2), policy, 34)).toEqual(fallen);
  });

  it('is over in time where a clock far ahead has dated the calm later than now', () => {
    const calm = fallAfter({ ...fallen, calmSince: 1_000_000 }, worst(0), policy, 10);
    expect(calm).toEqual({ ...fallen, calmSince: 10 });
    expect(fallAfter(calm, worst(0), policy, 34)).toBeUndefined();
  });

  it('that a person has ended does not begin anew before it is over, however much is still down', () => {
    const resumed = { ...fallen, resumed: true };
    expect(fallAfter(resumed, worst(0.9), policy, 10)).toEqual(resumed);
    expect(fallAfter(resumed, worst(0.1), policy, 11)).toBeUndefined();
    expect(fallAfter(undefined, worst(0.9), policy, 12)).toEqual({ ...fallen, since: 12 });
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offer, priced, strategyOf } from './offers.ts';

const at = (priceWithFee: number, steamPrice: unknown = 20, marketHashName = 'AK-47 | Redline (Field-Tested)') =>
  offer({ price: Math.min(priceWithFee, 0.01), priceWithFee, steamPrice, marketHashName });

describe('price.max', () => {
  it('includes its bound and nothing above', () => {
    expect(priced({ max: 0.6 }, at(0.6))).toBe(true);
    expect(priced({ max: 0.6 }, at(0.600001))).toBe(false);
    expect(priced({ max: 0.6 }, at(0.6000001))).toBe(false);
  });

  it('needs no reference price [M8]', () => {
    expect(priced({ max: 20 }, at(20, null))).toBe(true);
  });
});

describe('price.maxOfSteam', () => {
  it('compares exact decimals, so that equal is within', () => {
    expect(priced({ maxOfSteam: 0.7 }, at(0.7, 1))).toBe(true);
    expect(priced({ maxOfSteam: 0.575 }, at(57.5, 100))).toBe(true);
    expect(priced({ maxOfSteam: 0.1 }, at(0.3, 3))).toBe(true);
    expect(priced({ maxOfSteam: 0.07 }, at(0.07, 1))).toBe(true);
    expect(priced({ maxOfSteam: 0.7 }, at(0.700001, 1))).toBe(false);
    expect(priced({ maxOfSteam: 0.333333333333 }, at(33_333.333333, 100_000))).toBe(true);
    expect(priced({ maxOfSteam: 0.333333333333 }, at(33_333.333334, 100_000))).toBe(false);
  });

  it('agrees with whole numbers of any size', () => {
    const micros = fc.integer({ min: 1, max: 9_000_000_000_000 });
    const share = fc.integer({ min: 1, max: 99_999 }).map((parts) => parts / 100_000);
    fc.assert(
      fc.property(micros, micros, share, (cost, steam, maxOfSteam) => {
        const expected = BigInt(cost) * 100_000n <= BigInt(steam) * BigInt(Math.round(maxOfSteam * 100_000));
        expect(priced({ maxOfSteam }, at(cost / 1_000_000, steam / 1_000_000))).toBe(expected);
      }),
    );
  });

  it.each([null, 0, -1, 'free', {}])('does not hold on a steamPrice of %j [M7 money-21]', (steamPrice) => {
    expect(priced({ maxOfSteam: 0.7 }, at(0.01, steamPrice))).toBe(false);
    expect(strategyOf({ price: { maxOfSteam: 0.7 } }).explain(at(0.01, steamPrice))[0]?.verdict).toBe('absent');
  });
});

describe('price.minProfit', () => {
  it("counts what Steam's exact fee leaves [money-18]", () => {
    expect(priced({ minProfit: 1.5 }, at(7.2, 10))).toBe(true);
    expect(priced({ minProfit: 1.5 }, at(7.200001, 10))).toBe(false);
    expect(priced({ minProfit: 0.01 }, at(0.18, 0.22))).toBe(true);
    expect(priced({ minProfit: 0.01 }, at(0.19, 0.22))).toBe(false);
    expect(priced({ minProfit: 0 }, at(0.01, 0.02))).toBe(false);
  });

  it('counts a flat rate where the strategy sets one, as an exact fraction', () => {
    expect(priced({ minProfit: 1.5, steamFee: 0.15 }, at(7, 10))).toBe(true);
    expect(priced({ minProfit: 1.5, steamFee: 0.15 }, at(7.000001, 10))).toBe(false);
    expect(priced({ minProfit: 0, steamFee: 0.1 }, at(0.9, 1))).toBe(true);
    expect(priced({ minProfit: 0.1, steamFee: 0 }, at(0.2, 0.3))).toBe(true);
    expect(priced({ minProfit: -1, steamFee: 0.5 }, at(1.5, 1))).toBe(true);
    expect(priced({ minProfit: -1, steamFee: 0.5 }, at(1.500001, 1))).toBe(false);
  });

  it('does not hold without a reference price', () => {
    expect(priced({ minProfit: -100 }, at(0.01, null))).toBe(false);
  });
});

describe('rules on price', () => {
  it('must all hold', () => {
    expect(priced({ max: 10, maxOfSteam: 0.5 }, at(10, 20))).toBe(true);
    expect(priced({ max: 9, maxOfSteam: 0.5 }, at(10, 20))).toBe(false);
    expect(priced({ max: 10, maxOfSteam: 0.4 }, at(10, 20))).toBe(false);
    expect(priced({ max: 10, minProfit: 8 }, at(10, 20))).toBe(false);
  });

  const dopplers = [
    '★ Karambit | Doppler (Factory New)',
    '★ StatTrak™ Karambit | Gamma Doppler (Minimal Wear)',
    'Glock-18 | Gamma Doppler (Factory New)',
    '★ Bayonet | Doppler Phase 2 (Factory New)',
    '★ Bayonet | DOPPLER (Ruby)',
  ];

  it.each(dopplers)('that judge by steamPrice never hold for %s, unless the strategy says so', (name) => {
    expect(priced({ maxOfSteam: 0.9 }, at(1, 100, name))).toBe(false);
    expect(priced({ minProfit: 1 }, at(1, 100, name))).toBe(false);
    expect(priced({ maxOfSteam: 0.9 }, at(1, 100, name), { doppler: false })).toBe(false);
    expect(priced({ max: 10 }, at(1, 100, name))).toBe(true);
    expect(priced({ maxOfSteam: 0.9, minProfit: 1 }, at(1, 100, name), { doppler: true })).toBe(true);
  });

  it.each([
    'Sticker | Doppler Poison Frog (Foil)',
    'AK-47 | Redline (Doppler)',
    'Doppler Case',
    '★ Karambit | Dopplered (Factory New)',
  ])('go by the finish and not by the word: %s', (name) => {
    expect(priced({ maxOfSteam: 0.9 }, at(1, 100, name))).toBe(true);
  });

  it('say whether they believe the reference price', () => {
    expect(strategyOf({ price: { max: 1 } }).usesReference).toBe(false);
    expect(strategyOf({ price: { maxOfSteam: 1 } }).usesReference).toBe(true);
    expect(strategyOf({ price: { minProfit: 1 } }).usesReference).toBe(true);
    expect(strategyOf({ when: { any: [{ charm: true }, { not: { steamPrice: { min: 1 } } }] } }).usesReference).toBe(true);
  });
});

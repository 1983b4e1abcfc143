import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { micros } from '../../src/domain/money.ts';
import { netOfSteam, steamBuyerCents, steamSellerCents } from '../../src/strategy/steam-fee.ts';

describe("Steam's fee", () => {
  it.each([
    [1, 3],
    [2, 4],
    [19, 21],
    [20, 23],
    [50, 57],
    [100, 115],
    [870, 1_000],
    [8_697, 10_000],
  ])('lets a seller who gets %i cents ask for %i', (seller, buyer) => {
    expect(steamBuyerCents(seller)).toBe(buyer);
    expect(steamSellerCents(buyer)).toBe(seller);
  });

  it('counts a price that no sale can reach as the next lower one', () => {
    expect(steamSellerCents(22)).toBe(steamSellerCents(21));
    expect(steamSellerCents(33)).toBe(steamSellerCents(32));
    expect([21, 22, 23].map(steamSellerCents)).toEqual([19, 19, 20]);
  });

  it('leaves nothing below the lowest possible sale', () => {
    expect([0, 1, 2, 3].map(steamSellerCents)).toEqual([0, 0, 0, 1]);
  });

  it('agrees with trying every price in cents', () => {
    let seller = 0;
    const wrong: number[] = [];
    for (let buyer = 1; buyer <= 30_000; buyer++) {
      while (steamBuyerCents(seller + 1) <= buyer) seller++;
      if (steamSellerCents(buyer) !== seller) wrong.push(buyer);
    }
    expect(wrong).toEqual([]);
  });

  it('is the most that a seller can get, at any price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 900_000_000_000 }), (buyer) => {
        const seller = steamSellerCents(buyer);
        expect(steamBuyerCents(seller)).toBeLessThanOrEqual(buyer);
        expect(steamBuyerCents(seller + 1)).toBeGreaterThan(buyer);
      }),
    );
  });

  it('does not count a fraction of a cent', () => {
    expect(netOfSteam(micros(10_009_999))).toBe(8_700_000);
    expect(netOfSteam(micros(9_999_999))).toBe(8_690_000);
    expect(netOfSteam(micros(29_999))).toBe(0);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkListing, compileCheck } from '../../src/api/check.ts';
import { listingCore } from '../../src/api/schemas.ts';

const bySchema = compileCheck(listingCore);

const sound = {
  itemId: '10807006fab895f4',
  id: '800000037',
  marketHashName: 'AK-47 | Redline (Field-Tested)',
  price: 10,
  priceWithFee: 10.5,
  market: 'ecosteam',
};

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('', ' ', '0', '12\n', '-1', '١٢', 'x'.repeat(64), 'x'.repeat(65), '7'.repeat(64), '7'.repeat(65)),
  fc.constantFrom('x'.repeat(512), 'x'.repeat(513), '💥'.repeat(64), '💥'.repeat(256), '💥'.repeat(512), '💥'.repeat(513)),
  fc.constantFrom(0, -0, -1, 1e-12, 5, Infinity, -Infinity, Number.NaN, 1e308, null, undefined, true, [], {}, ['12']),
  fc.string(),
  fc.double(),
);

const listings = fc.oneof(
  { weight: 1, arbitrary: odd },
  {
    weight: 9,
    arbitrary: fc
      .dictionary(fc.constantFrom(...Object.keys(sound), 'wear', '__proto__'), odd, { maxKeys: 2 })
      .map((changed) => ({ ...sound, ...changed })),
  },
);

describe('the check of a listing', () => {
  it('says what the schema says, of whatever JSON there is', () => {
    let [right, wrong] = [0, 0];
    fc.assert(
      fc.property(listings, (value) => {
        const said = checkListing(value);
        expect(said).toBe(bySchema(value));
        if (said === undefined) right++;
        else wrong++;
      }),
      { numRuns: 3_000 },
    );
    expect(right).toBeGreaterThan(200);
    expect(wrong).toBeGreaterThan(200);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/domain/random.ts';
import { drawPlace, meanOverSpread, placeAfterEdit, placeBeside, placeOf, ratioAt, rivalRate } from '../../src/sandbox/spread.ts';

function quantiles(values: number[]): { tenth: number; median: number; ninetieth: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { tenth: at(0.1), median: at(0.5), ninetieth: at(0.9) };
}

describe('the spread of prices', () => {
  it('stands at 0.76 of Steam’s price, a tenth below 0.48 and a tenth above 1.06', () => {
    const random = seededRandom(1, 'test');
    const { tenth, median, ninetieth } = quantiles(Array.from({ length: 20_000 }, () => ratioAt(drawPlace(random))));
    expect(tenth).toBeCloseTo(0.48, 1);
    expect(median).toBeCloseTo(0.76, 1);
    expect(ninetieth).toBeCloseTo(1.06, 1);
  });

  it('is left as it is by edits', () => {
    const random = seededRandom(2, 'test');
    const edited = Array.from({ length: 20_000 }, () =>
      ratioAt(placeAfterEdit(placeAfterEdit(drawPlace(random), random), random)),
    );
    expect(quantiles(edited).median).toBeCloseTo(0.76, 1);
    expect(quantiles(edited).tenth).toBeCloseTo(0.48, 1);
  });

  it('puts a second seller 0.3 % beside the first in the median, 8.5 % at the ninetieth percentile', () => {
    const random = seededRandom(3, 'test');
    const gaps = Array.from({ length: 20_000 }, () => Math.abs(Math.log(ratioAt(placeBeside(0.2, random)) / ratioAt(0.2))));
    expect(quantiles(gaps).median).toBeCloseTo(0.003, 3);
    expect(quantiles(gaps).ninetieth).toBeCloseTo(0.082, 2);
  });

  it('finds the place of any ratio again', () => {
    fc.assert(
      fc.property(fc.double({ min: -3, max: 3, noNaN: true }), (place) => {
        expect(placeOf(ratioAt(place))).toBeCloseTo(place, 6);
      }),
    );
  });

  it('sends rivals sooner to what is cheaper', () => {
    const ratio = fc.double({ min: 0.05, max: 2, noNaN: true });
    fc.assert(
      fc.property(ratio, ratio, (a, b) => {
        expect(rivalRate(Math.min(a, b))).toBeGreaterThanOrEqual(rivalRate(Math.max(a, b)));
      }),
    );
    expect(rivalRate(0.45) / rivalRate(0.8)).toBeGreaterThan(10);
    expect(meanOverSpread(() => 1)).toBeCloseTo(1);
  });
});

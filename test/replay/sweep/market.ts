import { bargain, recorded } from '../backtest/stage.ts';
import { seededRandom } from '../../../src/domain/random.ts';

/** A recording in which a new offer comes with each look, of any discount, and most stay for some looks. */
export function changingMarket(looks = 120, seed = 1): string {
  const random = seededRandom(seed);
  const offers = Array.from({ length: looks }, (_, index) => ({
    from: index,
    to: index + 1 + Math.floor(random.next() * 12),
    entry: bargain(String(index), {
      marketHashName: `Case ${index % 7}`,
      priceWithFee: 10.5,
      steamPrice: Number((13 + random.next() * 30).toFixed(2)),
      wear: Number(random.next().toFixed(3)),
    }),
  }));
  return recorded(
    Array.from({ length: looks }, (_, look) =>
      offers.filter(({ from, to }) => from <= look && look < to).map(({ entry }) => entry),
    ),
  );
}

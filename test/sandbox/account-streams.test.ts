import { expect, it } from 'vitest';
import { Bench, type Json } from './harness.ts';

/** What the third child is sold and answered after another child has bought so many. */
function afterOthers(bought: number): Json[] {
  const bench = new Bench({ children: 3 });
  const [, second, third] = bench.sandbox.childKeys;
  const listings = bench.cheap();
  const buy = (key: string | undefined, at: number): Json => {
    const { id, price, market } = listings[at] ?? bench.cheapest();
    const body = { itemId: id, price, market, tradeUrl: bench.sandbox.tradeUrl };
    return JSON.parse(bench.ask('POST', '/v2/market/buy', { key, body }).bodyText) as Json;
  };
  for (let at = 0; at < bought; at++) buy(second, at + 5);
  return [buy(third, 0), buy(third, 1)];
}

it('what one account buys shifts nothing of what another is answered', () => {
  expect(afterOthers(3)).toEqual(afterOthers(0));
  expect(afterOthers(0)).toMatchObject([{ success: true }, { success: true }]);
});

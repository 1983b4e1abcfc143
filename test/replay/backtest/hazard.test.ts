import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/domain/random.ts';
import { micros } from '../../../src/domain/money.ts';
import { AGES, addLife, emptyTally, survival } from '../../../src/replay/backtest/hazard.ts';
import { Offers } from '../../../src/replay/backtest/offers.ts';
import { fitRivals, ratioClass } from '../../../src/replay/backtest/rival-model.ts';

/** Offers that go at a rate that is known, watched once a second; those that come and go between two looks are never seen. */
function market(count: number, halfLifeMs: number, seed: number): Offers {
  const random = seededRandom(seed);
  const offers = new Offers();
  for (let id = 0; id < count; id++) {
    const born = random.next() * 1_000 + id * 7;
    const dies = born - (Math.log(1 - random.next()) / Math.LN2) * halfLifeMs;
    const shownAt = Math.ceil(born / 1_000) * 1_000;
    if (dies < shownAt) continue;
    const key = `m:${id}`;
    const missedAt = Math.ceil(dies / 1_000) * 1_000;
    offers.show({
      key,
      name: 'x',
      cost: micros(400_000),
      steam: micros(1_000_000),
      at: shownAt,
      absentAt: shownAt - 1_000,
      lastSeenAt: shownAt,
    });
    offers.end(key, missedAt - 1_000, missedAt, 'gone');
  }
  return offers;
}

describe('how fast offers go', () => {
  it('is told nothing by a life that a recording says began at no time there is', () => {
    const tally = emptyTally();
    const hazard = Array.from({ length: AGES }, () => 0.001);
    for (const entered of [Infinity, Number.NaN]) addLife(tally, { entered, stood: 5, missed: undefined }, hazard);
    expect([...tally.watched, ...tally.ended]).toEqual(Array.from({ length: 2 * AGES }, () => 0));
  });

  it.each([1_500, 8_000, 60_000])('is found again in a market where half are gone after %i ms', (halfLifeMs) => {
    const fitted = fitRivals(market(4_000, halfLifeMs, halfLifeMs), () => undefined);
    expect(fitted.source).toBe('fitted');
    const hazard = fitted.hazards[ratioClass(micros(400_000), micros(1_000_000))] ?? [];
    const half = survival(hazard, 500, 500 + halfLifeMs);
    expect(half).toBeGreaterThan(0.46);
    expect(half).toBeLessThan(0.54);
  });

  it('is a guess that says so where hardly anything went', () => {
    const few = fitRivals(market(20, 5_000, 1), () => undefined);
    expect(few).toMatchObject({ source: 'assumed', went: expect.any(Number) as number });
  });

  it('is drawn towards that of all prices where few of one price went', () => {
    const offers = market(2_000, 4_000, 9);
    offers.show({
      key: 'm:dear',
      name: 'x',
      cost: micros(950_000),
      steam: micros(1_000_000),
      at: 5_000,
      absentAt: 4_000,
      lastSeenAt: 5_000,
    });
    offers.end('m:dear', 900_000, 901_000, 'gone');
    const { hazards } = fitRivals(offers, () => undefined);
    const dear = survival(hazards[ratioClass(micros(950_000), micros(1_000_000))] ?? [], 0, 2_000);
    expect(dear).toBeGreaterThan(0.5);
    expect(dear).toBeLessThan(0.99);
  });
});

import { describe, expect, it } from 'vitest';
import { Fates, OwnWords, type Sent } from '../../../src/replay/backtest/fates.ts';
import type { SeenOffers } from '../../../src/replay/backtest/offers.ts';
import { fitRivals } from '../../../src/replay/backtest/rival-model.ts';
import { START } from '../../support/feed-entries.ts';
import { dollars } from '../../support/values.ts';
import { attempt, bargain, historyOf, recorded } from './stage.ts';

/** Sent when the second poll had shown it, answered so long after that. */
function sent(id: string, afterMs: number): Sent {
  const decidedAt = START + 2_050;
  return { key: `c5game:${id}`, cost: dollars(10.5), decidedAt, answeredAt: decidedAt + afterMs };
}

const noise = bargain('1');
const looks = [[noise], [noise, bargain('2'), bargain('3')], [noise, bargain('2')], [noise]];

describe('what would have become of a buy', () => {
  const world = (): { fates: Fates; offers: SeenOffers } => {
    const { offers } = historyOf(recorded(looks));
    return { offers, fates: new Fates(offers, new OwnWords([])) };
  };

  it('is pessimistic: won only where a look that began after the answer still showed it', () => {
    const { fates } = world();
    expect(fates.pessimistic(sent('2', 300))).toBe(true);
    expect(fates.pessimistic(sent('3', 300))).toBe(false);
    // The look that still showed it had begun before the answer came.
    expect(fates.pessimistic(sent('2', 960))).toBe(false);
  });

  it('is optimistic: won where nothing tells that it was gone', () => {
    const { fates } = world();
    expect(fates.optimistic(sent('3', 300))).toBe(true);
  });

  it('is as likely as the rates of going say, in between: sure where it was still shown, impossible once it was missed', () => {
    const { fates, offers } = world();
    const { hazards } = fitRivals(offers, () => undefined);
    expect(fates.chance(sent('2', 300), hazards)).toBe(1);
    const soon = fates.chance(sent('3', 100), hazards);
    const late = fates.chance(sent('3', 900), hazards);
    expect(soon).toBeGreaterThan(0.8);
    expect(late).toBeLessThan(soon);
    expect(fates.chance(sent('3', 1_000), hazards)).toBe(0);
  });

  it('is lost at another price than the one that stood', () => {
    const { fates } = world();
    expect(fates.optimistic({ ...sent('2', 300), cost: dollars(9) })).toBe(false);
  });

  it('is what a purchase of our own came to, where there was one', () => {
    const own = [attempt('2', START + 3_100, 'bought', 3), attempt('3', START + 2_200, 'gone', 2)];
    const history = historyOf(recorded(looks, own));
    expect(history.past).toMatchObject({ won: 1, lost: 1, refused: 0 });
    const told = new Fates(history.offers, new OwnWords(history.attempts));
    // We took it ourselves: until then nobody else had.
    expect(told.pessimistic(sent('2', 1_040))).toBe(true);
    expect(told.optimistic(sent('3', 100))).toBe(true);
    expect(told.optimistic(sent('3', 300))).toBe(false);
  });
});

describe('offers', () => {
  it('begin when they were first seen, end when a complete look misses them, and are others at another price', () => {
    const { offers } = historyOf(
      recorded([[noise], [noise, bargain('2')], 'fails', [noise, bargain('2', { priceWithFee: 11 })], [noise]]),
    );
    const at = (place: number): unknown => offers.at(place);
    expect(offers.count).toBe(3);
    expect(at(0)).toMatchObject({ absentAt: undefined, end: 'open', lastSeenAt: START + 5_000 });
    expect(at(1)).toMatchObject({
      absentAt: START + 1_000,
      shownAt: START + 2_050,
      lastSeenAt: START + 2_050,
      missedAt: START + 4_050,
      end: 'repriced',
    });
    expect(at(2)).toMatchObject({ cost: dollars(11), shownAt: START + 4_050, missedAt: START + 5_050, end: 'gone' });
  });
});

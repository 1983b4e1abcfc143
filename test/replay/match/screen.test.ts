import { describe, expect, it } from 'vitest';
import { loadHistory } from '../../../src/replay/backtest/load-history.ts';
import type { MarketHistory } from '../../../src/replay/backtest/market-history.ts';
import type { Offers } from '../../../src/replay/backtest/offers.ts';
import { screenFor } from '../../../src/replay/match/screen.ts';
import { Recording } from '../../../src/replay/recordings.ts';
import { compactRecording } from '../../../src/replay/segment/compact-recording.ts';
import type { Screen } from '../../../src/replay/segment/loaded.ts';
import type { Strategy } from '../../../src/strategy/strategy.ts';
import { START } from '../../support/feed-entries.ts';
import { strategyOf } from '../../strategy/offers.ts';
import { bargain, recorded } from '../backtest/stage.ts';

const strategies = [
  strategyOf({ name: 'cheap', when: { name: 'Case *', wear: { below: 0.3 } }, price: { max: 11 } }),
  strategyOf({ name: 'stickered', when: { stickers: { min: 1 } }, price: { maxOfSteam: 0.3 } }),
];

/** Listings that come, go and are repriced in and out of what is wanted; one that no version can judge. */
const looks = Array.from({ length: 60 }, (_, poll) =>
  Array.from({ length: 12 }, (_unused, place) =>
    bargain(String(1 + place + Math.floor(poll / 6)), {
      ...{ wear: ((poll + place) % 7) / 10, priceWithFee: 10 + ((place * 3 + poll) % 5), price: 9 },
      ...(place % 4 === 0 ? { stickers: [{ name: 'Crown (Foil)' }], priceWithFee: 9 - (poll % 3) * 0.1, price: 8 } : {}),
      ...(place === 3 ? { marketHashName: 'AK-47 | Redline (Field-Tested)', delivery: null, collection: 'X' } : {}),
    }),
  ),
);

function loaded(path: string, screen: (() => Screen | undefined) | undefined): MarketHistory {
  const recording = new Recording(path);
  const wants = (strategy: Strategy): ((listing: Parameters<Strategy['matches']>[0]) => boolean) =>
    strategy.matches.bind(strategy);
  try {
    return loadHistory({
      ...{ recordings: [recording], from: START, to: START + 61_000, screen },
      interest: (listing) => strategies.some((strategy) => wants(strategy)(listing)),
    });
  } finally {
    recording.close();
  }
}

describe('a recording that is read through a screen', () => {
  it('tells the same of what is wanted and of all offers, and leaves texts that nobody asks for unread', () => {
    const path = recorded(looks);
    compactRecording(path);
    let passedOver = 0;
    const screen = screenFor(strategies);
    const counting: Screen = (segment) => {
      const wanted = screen(segment);
      passedOver += wanted?.filter((each) => each === 0).length ?? 0;
      return wanted;
    };
    const whole = loaded(path, undefined);
    const screened = loaded(path, () => counting);
    expect(passedOver).toBeGreaterThan(50);
    expect(screened.shown).toEqual(whole.shown);
    expect(whole.shown.length).toBeGreaterThan(20);
    const offers = ({ offers: all }: MarketHistory): unknown => Array.from({ length: all.count }, (_, index) => all.at(index));
    expect(offers(screened)).toEqual(offers(whole));
    const names = ({ offers: all }: MarketHistory): unknown => (all as Offers).names;
    expect(names(screened)).toEqual(names(whole));
    const { events, listings, unreadable } = whole;
    expect(screened).toMatchObject({ events, listings, unreadable });
  });

  it('is read whole while nothing is known of what will be asked', () => {
    const path = recorded(looks);
    compactRecording(path);
    expect(loaded(path, () => undefined).shown).toEqual(loaded(path, undefined).shown);
  });
});

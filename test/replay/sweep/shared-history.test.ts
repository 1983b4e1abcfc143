import { describe, expect, it } from 'vitest';
import type { Strategy } from '../../../src/strategy/strategy.ts';
import { loadHistory } from '../../../src/replay/backtest/load-history.ts';
import type { MarketHistory } from '../../../src/replay/backtest/market-history.ts';
import { Recording } from '../../../src/replay/recordings.ts';
import { fingerprint, historyFor, shareHistory, sharedMarket } from '../../../src/replay/sweep/shared-history.ts';
import { parseStrategy } from '../../../src/strategy/parse.ts';
import { changingMarket } from './market.ts';

function strategyOf(document: unknown): Strategy {
  const parsed = parseStrategy(document, { text: '', hash: 'x' });
  if (!parsed.ok) throw new Error('no strategy');
  return parsed.strategy;
}

function read(path: string, wanting: readonly Strategy[]): MarketHistory {
  const recording = new Recording(path);
  try {
    const [covered] = recording.coverage();
    const { from = 0, to = 0 } = covered ?? {};
    const sees = wanting.some(({ looksAround }) => looksAround !== undefined);
    const interest = sees ? () => true : (listing: never) => wanting.some(({ matches }) => matches(listing));
    return loadHistory({ recordings: [recording], from, to, interest: interest as () => boolean });
  } finally {
    recording.close();
  }
}

const strict = strategyOf({ name: 'a', price: { maxOfSteam: 0.4 } });
const loose = strategyOf({ name: 'a', price: { maxOfSteam: 0.7 } });
const worn = strategyOf({ name: 'a', when: { wear: { above: 0.5 } }, price: { max: 11 } });
const around = strategyOf({ name: 'a', price: { max: 11, belowFloor: 0.01 } });

/** The bytes of all buffers in a value that are not shared between threads. */
function unsharedBytes(value: unknown): number {
  if (ArrayBuffer.isView(value)) return value.buffer instanceof SharedArrayBuffer ? 0 : value.byteLength;
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + unsharedBytes(each), 0)
    : 0;
}

describe('a history that threads share', () => {
  it.each([
    ['strict', strict, [strict, loose, worn]],
    ['loose', loose, [strict, loose, worn]],
    ['by wear', worn, [strict, loose, worn]],
    ['looking around', around, [strict, around]],
  ] as const)('is for one strategy what would have been read for it alone: %s', (_, own, all) => {
    const path = changingMarket();
    const shared = shareHistory(read(path, all));
    const made = historyFor(own, shared, sharedMarket(shared));
    const { offers, polls, shown, ...rest } = read(path, [own]);
    const { offers: madeOffers, polls: madePolls, shown: madeShown, ...madeRest } = made;
    expect(madeShown).toEqual(shown);
    expect({ ...madeRest, completePolls: undefined }).toEqual({ ...rest, completePolls: undefined });
    for (const column of ['beganAt', 'endedAt', 'complete', 'first'] as const)
      expect([...madePolls[column].values]).toEqual([...polls[column].values]);
    expect(madeOffers.count).toBe(offers.count);
    for (let index = 0; index < offers.count; index++) {
      const [key, { name, shownAt }] = [offers.keyAt(index), offers.at(index)];
      expect([madeOffers.at(index), madeOffers.keyAt(index)]).toEqual([offers.at(index), key]);
      for (const at of [shownAt - 1, shownAt, shownAt + 5_000]) expect(madeOffers.of(key, at)).toEqual(offers.of(key, at));
      expect([...madeOffers.named(`Case ${name}`)]).toEqual([...offers.named(`Case ${name}`)]);
    }
    expect(madeOffers.of('c5game:nobody', Infinity)).toBeUndefined();
    expect([...madeOffers.named('nothing')]).toEqual([]);
  });

  it('holds nothing that grows with it but shared memory, and reads it where it lies', () => {
    const shared = shareHistory(read(changingMarket(), [loose]));
    expect(unsharedBytes(shared)).toBe(0);
    const [one, other] = [sharedMarket(shared), sharedMarket(shared)];
    shared.offers.columns.cost[3] = 42;
    expect([one.offers.at(3).cost, other.offers.at(3).cost]).toEqual([42, 42]);
  });

  it('is known again by its fingerprint, whoever asks for it, and told from another', () => {
    const path = changingMarket();
    const print = (from: string, wanting: Strategy): string => fingerprint(shareHistory(read(from, [wanting])));
    expect(print(path, strict)).toBe(print(path, loose));
    expect(print(path, strict)).not.toBe(print(changingMarket(120, 2), strict));
  });
});

import { createHash } from 'node:crypto';
import { Floats } from '../backtest/columns.ts';
import type { MarketHistory, Polls } from '../backtest/market-history.ts';
import { Offers } from '../backtest/offers.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import { type OfferMemory, SharedOffers, shareOffers } from './shared-offers.ts';
import { type ShownMemory, shareShown, shownFor } from './shared-shown.ts';

type PollColumn = Float64Array<SharedArrayBuffer>;

/** A history as threads are handed it: what grows with it is shared, the rest is small and copied. */
export interface SharedHistory {
  readonly polls: Readonly<Record<keyof Polls, PollColumn>>;
  readonly completePolls: Readonly<Record<'beganAt' | 'endedAt', PollColumn>>;
  readonly offers: OfferMemory;
  readonly shown: ShownMemory;
  readonly rest: Omit<MarketHistory, 'polls' | 'completePolls' | 'offers' | 'shown'>;
}

export function shareHistory({ polls, completePolls, offers, shown, ...rest }: MarketHistory): SharedHistory {
  if (!(offers instanceof Offers)) throw new TypeError('only a history that was just read is shared');
  const memory = shareOffers(offers);
  const { beganAt, endedAt, complete, first } = polls;
  return {
    polls: { beganAt: beganAt.values, endedAt: endedAt.values, complete: complete.values, first: first.values },
    completePolls: { beganAt: completePolls.beganAt.values, endedAt: completePolls.endedAt.values },
    offers: memory,
    shown: shareShown(shown, memory.keys),
    rest,
  };
}

/** The history behind such memory, without what was shown: that depends on who asks. */
export function sharedMarket({ polls, completePolls, offers, rest }: SharedHistory): Omit<MarketHistory, 'shown'> {
  const { beganAt, endedAt, complete, first } = polls;
  return {
    ...rest,
    polls: {
      beganAt: Floats.over(beganAt),
      endedAt: Floats.over(endedAt),
      complete: Floats.over(complete),
      first: Floats.over(first),
    },
    completePolls: { beganAt: Floats.over(completePolls.beganAt), endedAt: Floats.over(completePolls.endedAt) },
    offers: new SharedOffers(offers),
  };
}

/** A history as it would have been read for one strategy alone. */
export function historyFor(
  strategy: Strategy,
  { offers, shown }: SharedHistory,
  market: Omit<MarketHistory, 'shown'>,
): MarketHistory {
  return { ...market, shown: shownFor(shown, offers.keys, strategy) };
}

/** Tells one recorded time from another by all polls, offers and words of it: SHA-256, hex. Not by what any strategy wants of it. */
export function fingerprint({ polls, offers, rest }: SharedHistory): string {
  const hash = createHash('sha256');
  const add = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array | Float64Array): void =>
    void hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  for (const column of [...Object.values(polls), ...Object.values(offers.columns)]) add(column);
  for (const { units, ends } of [offers.names, offers.keys]) for (const part of [units, ends]) add(part);
  add(offers.keyOf);
  return hash.update(JSON.stringify(rest)).digest('hex');
}

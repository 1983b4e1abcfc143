import { describe, expect, it } from 'vitest';
import type { Listing, ListingKey } from '../../src/domain/listing.ts';
import type { Effect } from '../../src/engine/effect.ts';
import type { Event } from '../../src/engine/event.ts';
import type { ItemLook } from '../../src/engine/item-look.ts';
import { initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/step.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { NOON, dollars, listing, strategy, wideLimits } from '../support/values.ts';
import { appeared } from './appeared.ts';

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/** An engine that wants everything below $100, has seen an empty market, and looks at items beside it. */
class Watching {
  at = NOON;
  state = initialState(
    {
      strategies: new StrategyIndex([strategy({ matches: (each) => each.price < 100 })]),
      limits: wideLimits,
      never: () => false,
      health: { require: 'off', staleAfterMs: 15_000 },
      patienceMs: 2_000,
    },
    { purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: NOON },
  );
  #poll = 0;

  constructor() {
    this.send({ type: 'unblocked', name: 'starting' });
    this.send({ type: 'balance', reading: { amount: dollars(10_000), beganAt: NOON, endedAt: NOON } });
    this.live([]);
  }

  send(event: Unstamped<Event>): readonly Effect[] {
    const next = step(this.state, { ...event, at: this.at });
    this.state = next.state;
    return next.effects;
  }

  /** A whole answer of the live listings, a second later. */
  live(
    changed: readonly Listing[],
    more: { gone?: readonly ListingKey[]; vouched?: readonly ListingKey[] } = {},
  ): readonly Effect[] {
    this.at += 1_000;
    const known = { complete: true, count: 0, bad: [], badCount: 0, unchangedInARow: 0, trouble: undefined, gone: [], ...more };
    const times = { pollSeq: ++this.#poll, beganAt: this.at, endedAt: this.at, first: this.#poll === 1 };
    return this.send({ type: 'snapshot', change: { ...known, ...times, changed: appeared(changed, this.at) } });
  }

  look(changed: readonly Listing[], more: Partial<ItemLook> = {}): readonly Effect[] {
    const shown = changed.map(({ key }) => key);
    const times = { beganAt: this.at, endedAt: this.at, first: false, complete: true };
    const look = { itemId: 'x', page: 1, ...times, changed: appeared(changed, this.at), shown, alone: shown, gone: [], ...more };
    return this.send({ type: 'looked', look });
  }
}

const block = { type: 'blocked', name: 'market', refusal: { reason: 'market-fall', detail: 'the market falls' } } as const;

function reasons(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) =>
    effect.type === 'decide' ? effect.decisions.map(({ listingId, reason }) => `${listingId} ${reason ?? 'admitted'}`) : [],
  );
}

const bought = (effects: readonly Effect[]): readonly string[] =>
  effects.flatMap((effect) => (effect.type === 'buy' ? [effect.intent.listing.id] : []));

const counted = (effects: readonly Effect[]): number =>
  effects.reduce((sum, effect) => sum + (effect.type === 'count-matches' ? effect.matches : 0), 0);

const one = listing({ id: '1' });

describe('a page of a watched item', () => {
  it('leads to purchases as an answer of the live listings does', () => {
    const bench = new Watching();
    bench.send({ type: 'permit' });
    const effects = bench.look([one, listing({ id: '2', price: 200 })]);
    expect([bought(effects), counted(effects), reasons(effects)]).toEqual([['1'], 1, ['1 admitted']]);
    expect(bought(bench.live([one]))).toEqual([]);
  });

  it('counts no match the first time its item is looked at', () => {
    expect(counted(new Watching().look([one], { first: true }))).toBe(0);
  });

  it('alone makes fresh what only pages have shown: no answer of the live listings has it judged again', () => {
    const bench = new Watching();
    bench.send(block);
    expect(reasons(bench.look([one]))).toEqual(['1 market-fall']);
    bench.send({ type: 'unblocked', name: 'market' });
    bench.send({ type: 'permit' });
    for (let answer = 0; answer < 10; answer++) expect(bought(bench.live([]))).toEqual([]);
    expect(bought(bench.look([], { shown: [one.key], alone: [one.key] }))).toEqual(['1']);
  });

  it('says nothing of what it does not show', () => {
    const bench = new Watching();
    const other = listing({ id: '2' });
    bench.send(block);
    bench.look([one, other]);
    bench.send({ type: 'unblocked', name: 'market' });
    for (let permit = 0; permit < 2; permit++) bench.send({ type: 'permit' });
    expect(bought(bench.look([], { shown: [other.key], alone: [other.key], complete: false }))).toEqual(['2']);
  });

  it('leaves to the live listings what they have come to show as well', () => {
    const bench = new Watching();
    bench.send(block);
    bench.look([one]);
    bench.live([], { vouched: [one.key] });
    bench.send({ type: 'unblocked', name: 'market' });
    bench.send({ type: 'permit' });
    expect(bought(bench.live([]))).toEqual(['1']);
  });

  it('drops a match that waits and is gone or costs something else', () => {
    const bench = new Watching();
    bench.look([one]);
    expect(reasons(bench.look([], { gone: [one.key] }))).toEqual(['1 expired']);
    bench.look([one]);
    const dearer = listing({ id: '1', price: 11 });
    expect(reasons(bench.look([dearer]))).toEqual(['1 expired']);
    bench.at += 3_000;
    expect(reasons(bench.send({ type: 'tick' }))).toEqual(['1 expired']);
    bench.send({ type: 'permit' });
    const buy = bench.look([], { shown: [dearer.key], alone: [dearer.key] }).find(({ type }) => type === 'buy');
    expect(buy).toMatchObject({ intent: { listing: { price: 11 } } });
  });

  it('is vouched for by an answer of the live listings that showed it and then broke off', () => {
    const one = listing({ id: '1' });
    const bench = new Watching();
    bench.look([one]);
    expect(bench.state.watchedAlone).toEqual(new Set([one.key]));
    bench.send({ type: 'early', change: { pollSeq: 2, at: bench.at, changed: [], gone: [], vouched: [one.key] } });
    expect(bench.state.watchedAlone).toEqual(new Set());
  });
});

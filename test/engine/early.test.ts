import { describe, expect, it } from 'vitest';
import type { Listing, ListingKey } from '../../src/domain/listing.ts';
import type { Effect } from '../../src/engine/effect.ts';
import type { Event } from '../../src/engine/event.ts';
import { initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/step.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { NOON, dollars, listing, strategy, wideLimits } from '../support/values.ts';
import { appeared } from './appeared.ts';

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

/** An engine that has seen its first answer and wants everything below $100; the second answer arrives. */
class Arriving {
  state;
  poll = 2;

  constructor(permits = 0) {
    this.state = initialState(
      {
        strategies: new StrategyIndex([strategy({ matches: (each) => each.price < 100 })]),
        limits: wideLimits,
        never: () => false,
        health: { require: 'off', staleAfterMs: 15_000 },
        patienceMs: 2_000,
      },
      { purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: NOON },
    );
    this.send({ type: 'unblocked', name: 'starting' });
    this.send({ type: 'balance', reading: { amount: dollars(10_000), beganAt: NOON, endedAt: NOON } });
    this.whole([], { pollSeq: 1, first: true });
    for (let permit = 0; permit < permits; permit++) this.send({ type: 'permit' });
  }

  send(event: Unstamped<Event>): readonly Effect[] {
    const next = step(this.state, { ...event, at: NOON });
    this.state = next.state;
    return next.effects;
  }

  early(listings: readonly Listing[], gone: readonly ListingKey[] = []): readonly Effect[] {
    return this.send({ type: 'early', change: { pollSeq: this.poll, at: NOON, changed: appeared(listings, NOON, 1), gone } });
  }

  whole(listings: readonly Listing[], given: { pollSeq?: number; first?: boolean; gone?: ListingKey[] } = {}): readonly Effect[] {
    const known = { complete: true, count: listings.length, bad: [], badCount: 0, unchangedInARow: 0, trouble: undefined };
    const times = { pollSeq: this.poll, beganAt: NOON, endedAt: NOON };
    return this.send({
      type: 'snapshot',
      change: { ...known, ...times, first: false, gone: [], changed: appeared(listings, NOON, 1), ...given },
    });
  }
}

function bought(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.type === 'buy' ? [effect.intent.listing.id] : []));
}

function counted(effects: readonly Effect[]): number {
  return effects.reduce((sum, effect) => sum + (effect.type === 'count-matches' ? effect.matches : 0), 0);
}

function reasons(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) =>
    effect.type === 'decide' ? effect.decisions.map(({ listingId, reason }) => `${listingId} ${reason ?? 'admitted'}`) : [],
  );
}

const several = (count: number): Listing[] =>
  Array.from({ length: count }, (_, index) => listing({ id: String(index + 1), steam: dollars(20 + index) }));

describe('a listing that is shown before its answer ends', () => {
  it('is bought by then, and neither judged nor counted again with the whole answer', () => {
    const bench = new Arriving(2);
    const [one, other] = several(2) as [Listing, Listing];
    const early = bench.early([one]);
    expect([bought(early), counted(early), reasons(early)]).toEqual([['1'], 1, ['1 admitted']]);
    const whole = bench.whole([one, other]);
    expect([bought(whole), counted(whole), reasons(whole)]).toEqual([['2'], 1, ['2 admitted']]);
  });

  it('waits for its permit as any other, and is not dropped when the whole answer shows it once more', () => {
    const bench = new Arriving();
    const [one] = several(1) as [Listing];
    bench.early([one]);
    expect(reasons(bench.whole([one]))).toEqual([]);
    expect(bought(bench.send({ type: 'permit' }))).toEqual(['1']);
  });

  it('is judged by everything that keeps a purchase from being made', () => {
    const bench = new Arriving(1);
    bench.send({ type: 'halted', halt: { reason: 'enough', by: 'person', at: NOON } });
    expect(reasons(bench.early(several(1)))).toEqual(['1 halted']);
  });

  it('goes no more once the same answer contradicts it', () => {
    const bench = new Arriving();
    const [one] = several(1) as [Listing];
    bench.early([one]);
    expect(reasons(bench.early([], [one.key]))).toEqual(['1 expired']);
    expect(reasons(bench.whole([], { gone: [one.key] }))).toEqual([]);
    expect(bought(bench.send({ type: 'permit' }))).toEqual([]);
  });

  it('is another offer when the whole answer shows another price for it', () => {
    const bench = new Arriving();
    const [one] = several(1) as [Listing];
    bench.early([one]);
    expect(reasons(bench.whole([listing({ id: '1', price: 11 })]))).toEqual(['1 expired']);
    const [sent] = bench.send({ type: 'permit' });
    expect(sent).toMatchObject({ type: 'buy', intent: { listing: { price: 11 } } });
  });

  it('is forgotten when the whole answer shows that nobody wants it', () => {
    const bench = new Arriving();
    bench.early(several(1));
    bench.whole([listing({ id: '1', price: 1_000 })]);
    expect(bought(bench.send({ type: 'permit' }))).toEqual([]);
  });
});

describe('an answer that shows more than three wanted listings before its end', () => {
  it('is judged when it is whole, the best first', () => {
    const bench = new Arriving(1);
    const many = several(5);
    expect(bought(bench.early(many.slice(0, 4)))).toEqual([]);
    expect(bought(bench.early(many.slice(4)))).toEqual([]);
    const whole = bench.whole(many);
    expect([bought(whole), counted(whole)]).toEqual([['5'], 0]);
  });

  it('has all of them counted by breakers before the first may go', () => {
    const bench = new Arriving(10);
    bench.send({ type: 'usual', usual: { days: 7, matchesPerHour: 1, spendPerHour: dollars(1_000) } });
    const many = several(25);
    expect(bought(bench.early(many.slice(0, 10)))).toEqual([]);
    const effects = bench.whole(many);
    expect(bought(effects)).toEqual([]);
    expect(effects).toContainEqual(expect.objectContaining({ type: 'halt', by: 'unusual-hour' }));
  });

  it('and comes to nothing is judged by the next one that is whole', () => {
    const bench = new Arriving(10);
    bench.early(several(4));
    bench.poll = 3;
    const effects = bench.whole([]);
    expect([bought(effects), counted(effects)]).toEqual([['4', '3', '2', '1'], 0]);
  });
});

describe('an answer that came to nothing', () => {
  it('leaves what it has shown standing, bought once', () => {
    const bench = new Arriving(2);
    expect(bought(bench.early(several(1)))).toEqual(['1']);
    bench.poll = 3;
    expect(bought(bench.early([]))).toEqual([]);
    expect(bought(bench.whole([]))).toEqual([]);
    expect(bought(bench.whole([listing({ id: '1', steam: dollars(20) })], { pollSeq: 4 }))).toEqual([]);
  });
});

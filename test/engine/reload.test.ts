import { describe, expect, it } from 'vitest';
import type { Listing } from '../../src/domain/listing.ts';
import type { Effect } from '../../src/engine/effect.ts';
import type { Event } from '../../src/engine/event.ts';
import { type Rules, initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/step.ts';
import type { Strategy } from '../../src/strategy/strategy.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { NOON, dollars, listing, strategy, wideLimits } from '../support/values.ts';
import { appeared } from './appeared.ts';

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

function rules(strategies: readonly Strategy[], given: Partial<Rules> = {}): Rules {
  const health = { require: 'off', staleAfterMs: 15_000 } as const;
  return {
    limits: wideLimits,
    never: () => false,
    health,
    patienceMs: 2_000,
    ...given,
    strategies: new StrategyIndex(strategies),
  };
}

const all = strategy({ name: 'all' });
const nothing = strategy({ name: 'nothing', matches: () => false });

/** An open engine that has seen these listings, and whose rules change. */
class Running {
  state;
  poll = 0;
  at = NOON;

  constructor(first: Rules, standing: readonly Listing[]) {
    this.state = initialState(first, {
      ...{ purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: NOON },
    });
    this.send({ type: 'unblocked', name: 'starting' });
    this.send({ type: 'balance', reading: { amount: dollars(10_000), beganAt: NOON, endedAt: NOON } });
    this.snapshot(standing);
  }

  send(event: Unstamped<Event>): readonly string[] {
    const { state, effects } = step(this.state, { ...event, at: this.at });
    this.state = state;
    return effects.flatMap(inWords);
  }

  snapshot(changed: readonly Listing[], complete = true): readonly string[] {
    this.poll += 1;
    const times = { pollSeq: this.poll, beganAt: this.at, endedAt: this.at, first: this.poll === 1, complete };
    const rest = { count: 1, gone: [], bad: [], badCount: 0, unchangedInARow: 0, trouble: undefined };
    return this.send({ type: 'snapshot', change: { ...times, ...rest, changed: appeared(changed, this.at) } });
  }

  shown(...standing: readonly Listing[]): readonly string[] {
    return this.send({
      type: 'shown',
      listings: standing.map((each, position) => ({ listing: each, seenAt: NOON, position })),
    });
  }
}

function inWords(effect: Effect): readonly string[] {
  if (effect.type === 'buy') return [`buys ${effect.intent.listing.id} for ${effect.intent.strategy}`];
  if (effect.type !== 'decide') return effect.type === 'count-matches' ? [] : [effect.type];
  return effect.decisions.map(({ listingId, strategy: by, reason }) => `${listingId} ${by} ${reason ?? 'admitted'}`);
}

describe('other rules', () => {
  it('match what stands, which is bought once a complete answer confirms it', () => {
    const running = new Running(rules([nothing]), [listing()]);
    running.send({ type: 'permit' });
    expect(running.send({ type: 'rules', rules: rules([all]) })).toEqual([]);
    expect(running.shown(listing())).toEqual([]);
    expect(running.snapshot([], false)).toEqual([]);
    expect(running.snapshot([])).toEqual(['buys 800000001 for all', '800000001 all admitted']);
    expect(running.snapshot([])).toEqual([]);
  });

  it('drop what waited for the old ones, with a reason, and judge it anew', () => {
    const running = new Running(rules([all]), [listing()]);
    const smaller = { ...wideLimits, maxPrice: dollars(1) };
    expect(running.send({ type: 'rules', rules: rules([all], { limits: smaller }) })).toEqual(['800000001 all expired']);
    expect(running.send({ type: 'permit' })).toEqual([]);
    running.shown(listing());
    expect(running.snapshot([])).toEqual(['800000001 all max-price']);
  });

  it('leave nothing that only the old ones wanted', () => {
    const running = new Running(rules([all]), [listing()]);
    running.send({ type: 'rules', rules: rules([nothing]) });
    running.shown(listing());
    running.send({ type: 'permit' });
    expect(running.snapshot([])).toEqual([]);
  });

  it('do not buy again what was bought by the old ones', () => {
    const running = new Running(rules([all]), []);
    running.send({ type: 'permit' });
    running.send({ type: 'permit' });
    expect(running.snapshot([listing()])).toContain('buys 800000001 for all');
    running.send({ type: 'rules', rules: rules([strategy({ name: 'others' })]) });
    running.shown(listing());
    expect(running.snapshot([])).toEqual(['800000001 others taken']);
  });

  it('hold for what a person asked for by hand and waits', () => {
    const running = new Running(rules([nothing]), []);
    running.send({ type: 'by-hand', listing: listing(), seenAt: NOON, lane: 'live', requestId: 1 });
    expect(running.send({ type: 'rules', rules: rules([nothing]) })).toEqual([]);
    expect(running.send({ type: 'permit' })).toContain('buys 800000001 for by-hand');

    const refused = new Running(rules([nothing]), []);
    refused.send({ type: 'by-hand', listing: listing(), seenAt: NOON, lane: 'live', requestId: 1 });
    refused.send({ type: 'rules', rules: rules([nothing], { limits: { ...wideLimits, maxPrice: dollars(1) } }) });
    expect(refused.send({ type: 'permit' })).toContain('refuse-by-hand');
  });

  it('judge what an answer showed early by what that answer shows, not by what stood before it', () => {
    const running = new Running(rules([all]), [listing({ price: 10 })]);
    running.send({ type: 'rules', rules: rules([strategy({ name: 'cheap', matches: ({ price }) => price < 9 })]) });
    const cheaper = listing({ price: 8 });
    const change = { kind: 'repriced', listing: cheaper, seenAt: NOON, position: 0, chunk: 1, raw: {} } as const;
    running.send({ type: 'early', change: { pollSeq: 2, at: NOON, changed: [change], gone: [] } });
    running.shown(listing({ price: 10 }));
    expect(running.state.standing.get(cheaper.key)?.listing).toBe(cheaper);
  });

  it('keep what they have matched already when it is shown again, with what was said of it', () => {
    const each = listing();
    const running = new Running(rules([all], { limits: { ...wideLimits, maxPrice: dollars(1) } }), [each]);
    running.shown(each);
    expect(running.snapshot([])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { RuleChange } from '../../src/app/rule-change.ts';
import type { Posted } from '../../src/app/engine-loop.ts';
import type { ListingKey } from '../../src/domain/listing.ts';
import type { StandingListing } from '../../src/engine/event.ts';
import type { Rules } from '../../src/engine/state.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { NOON, listing, strategy, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

function rules(strategies: number): Rules {
  const all = Array.from({ length: strategies }, (_, index) => strategy({ name: `s${index}` }));
  const health = { require: 'off', staleAfterMs: 15_000 } as const;
  return { strategies: new StrategyIndex(all), limits: wideLimits, never: () => false, health, patienceMs: 2_000 };
}

/** Listings on the shelf, and what is posted to the engine. */
class Stand {
  readonly clock = new VirtualClock();
  readonly shelf = new Map<ListingKey, StandingListing>();
  readonly posted: Posted[] = [];
  isArriving = false;
  readonly change: RuleChange;

  constructor(listings: number) {
    for (let id = 1; id <= listings; id++) this.put(String(id));
    this.change = new RuleChange({
      ...{ clock: this.clock, heard: this, post: (event: Posted) => void this.posted.push(event) },
    });
  }

  put(id: string, price = 10): void {
    const each = listing({ id, price });
    this.shelf.set(each.key, { listing: each, seenAt: NOON, position: 0 });
  }

  /** In short: `rules`, or how many are shown. */
  async said(): Promise<readonly (string | number)[]> {
    await this.clock.advance(0);
    return this.posted.splice(0).map((event) => (event.type === 'shown' ? event.listings.length : event.type));
  }
}

describe('other rules', () => {
  it('count at once, and all that stands is shown to them', async () => {
    const stand = new Stand(3);
    stand.change.offer(rules(1));
    expect(stand.posted.map(({ type }) => type)).toEqual(['rules']);
    expect(await stand.said()).toEqual(['rules', 3]);
  });

  it('wait for the end of an answer that arrives, which is judged by one set of rules', async () => {
    const stand = new Stand(3);
    stand.isArriving = true;
    stand.change.offer(rules(1));
    expect(await stand.said()).toEqual([]);
    stand.change.answerEnded();
    expect(await stand.said()).toEqual(['rules', 3]);
    stand.change.answerEnded();
    expect(await stand.said()).toEqual([]);
  });

  it('are asked about few listings at a time where they are many', async () => {
    const stand = new Stand(120);
    stand.change.offer(rules(1_000));
    expect(await stand.said()).toEqual(['rules', 50, 50, 20]);
  });

  it('are shown what stands by then, not what stood when they came', async () => {
    const stand = new Stand(60);
    stand.change.offer(rules(1_000));
    stand.shelf.delete(listing({ id: '60' }).key);
    stand.put('59', 12);
    await stand.clock.advance(0);
    const shown = stand.posted.flatMap((event) => (event.type === 'shown' ? event.listings : []));
    expect(shown).toHaveLength(59);
    expect(shown.at(-1)?.listing).toMatchObject({ id: '59', price: 12 });
  });

  it('give way to others that come before they are done', async () => {
    const stand = new Stand(120);
    stand.change.offer(rules(1_000));
    stand.change.offer(rules(1));
    expect(await stand.said()).toEqual(['rules', 'rules', 120]);
  });
});

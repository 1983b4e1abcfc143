import { describe, expect, it } from 'vitest';
import type { Listing } from '../../src/domain/listing.ts';
import { DAY_MS, type ReferenceRecord } from '../../src/domain/reference.ts';
import type { Effect } from '../../src/engine/effect.ts';
import type { Event } from '../../src/engine/event.ts';
import type { SnapshotChange } from '../../src/engine/snapshot.ts';
import { initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/step.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { strategyOf } from '../strategy/offers.ts';
import { NOON, dollars, listing, wideLimits } from '../support/values.ts';
import { appeared } from './appeared.ts';

type Unstamped<T> = T extends unknown ? Omit<T, 'at'> : never;

const NAME = listing().nameFolded;

function record(given: Partial<ReferenceRecord> = {}): ReferenceRecord {
  return { median: dollars(20), samples: 7, low: dollars(19), high: dollars(21), newestAt: NOON - DAY_MS / 2, ...given };
}

/** The engine with open doors, a full purse and permits, and strategies as files say them. */
class Bench {
  state;
  at = NOON;
  #poll = 0;

  constructor(...documents: readonly Record<string, unknown>[]) {
    const strategies = new StrategyIndex(documents.map((keys, index) => ({ ...strategyOf(keys), name: `s${index}` })));
    this.state = initialState(
      {
        ...{ strategies, limits: wideLimits, never: () => false, patienceMs: 2_000 },
        health: { require: 'off', staleAfterMs: 15_000 },
        reference: { minSamples: 3, maxJump: 0.5 },
      },
      { purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: NOON },
    );
    this.send({ type: 'unblocked', name: 'starting' });
    this.send({ type: 'balance', reading: { amount: dollars(10_000), beganAt: NOON, endedAt: NOON } });
    for (let n = 0; n < 9; n++) this.send({ type: 'permit' });
  }

  send(event: Unstamped<Event>): readonly string[] {
    const next = step(this.state, { ...event, at: this.at });
    this.state = next.state;
    return next.effects.flatMap(said);
  }

  records(given: ReferenceRecord | null): readonly string[] {
    return this.send({ type: 'references', records: [{ name: NAME, record: given }] });
  }

  early(changed: readonly Listing[]): readonly string[] {
    const change = { pollSeq: this.#poll + 1, at: this.at, changed: appeared(changed, this.at), gone: [] };
    return this.send({ type: 'early', change });
  }

  snapshot(changed: readonly Listing[], given: Partial<SnapshotChange> = {}): readonly string[] {
    this.#poll += 1;
    return this.send({
      type: 'snapshot',
      change: {
        ...{ pollSeq: this.#poll, beganAt: this.at, endedAt: this.at, first: false, complete: true, count: changed.length },
        ...{ changed: appeared(changed, this.at), gone: [], bad: [], badCount: 0, unchangedInARow: 0, trouble: undefined },
        ...given,
      },
    });
  }
}

function said(effect: Effect): readonly string[] {
  if (effect.type === 'buy') return [`buy ${effect.intent.listing.id}`];
  if (effect.type === 'alert') return [`alert ${effect.alert.kind}: ${effect.alert.message}`];
  if (effect.type !== 'decide') return [];
  return effect.decisions.flatMap(({ listingId, reason, detail }) =>
    reason === undefined ? [] : [`${listingId} ${reason}: ${detail}`],
  );
}

const bySteam = { price: { maxOfSteam: 0.7 } };

describe('a steamPrice that jumps', () => {
  it.each([
    ['up tenfold', 200, '+900 %'],
    ['up a hundredfold', 2_000, '+9900 %'],
    ['down to a quarter', 15.01 / 1.51, '-50 %'],
  ])('%s from our own record buys nothing by rules that go by it, and is reported [money-23 M8]', (_, price, jump) => {
    const bench = new Bench({ price: { maxOfSteam: 10 } });
    bench.records(record());
    const steam = dollars(Math.round(price * 100) / 100);
    const cost = price / 3;
    const told = bench.snapshot([listing({ steam, price: cost, priceWithFee: cost })]);
    expect(told.filter((line) => line.startsWith('buy'))).toEqual([]);
    expect(told.find((line) => line.includes('reference-jumped'))).toContain(`is ${jump} from $20.00, the median of 7 days`);
    expect(told.filter((line) => line.startsWith('alert reference'))).toHaveLength(1);
  });

  it('is bought at by who does not go by it, and while too few days are on record to tell', () => {
    const jumped = listing({ steam: dollars(200) });
    const careless = new Bench({ price: { max: 100 } });
    careless.records(record());
    expect(careless.snapshot([jumped])).toEqual(['buy 800000001']);
    for (const young of [record({ samples: 2 }), null]) {
      const bench = new Bench(bySteam);
      bench.records(young);
      expect(bench.snapshot([jumped])).toEqual(['buy 800000001']);
    }
  });

  it('within the bound is believed', () => {
    const bench = new Bench(bySteam);
    bench.records(record());
    expect(bench.snapshot([listing({ steam: dollars(30) })])).toEqual(['buy 800000001']);
  });

  it('is told of once a day, and is bought once the record has followed it', () => {
    const bench = new Bench(bySteam);
    bench.records(record());
    expect(bench.snapshot([listing({ steam: dollars(200) })]).filter((line) => line.startsWith('alert'))).toHaveLength(1);
    const again = bench.snapshot([listing({ id: '2', steam: dollars(200) })]);
    expect(again).toEqual([expect.stringMatching(/^2 reference-jumped/)]);
    bench.records(record({ median: dollars(200) }));
    expect(bench.snapshot([]).filter((line) => line.startsWith('buy'))).toEqual(['buy 800000001', 'buy 2']);
  });
});

describe('a record', () => {
  it('that comes later makes what stands wanted, with the next complete answer', () => {
    const bench = new Bench({ when: { reference: { minSamples: 5 } } });
    expect(bench.snapshot([listing()])).toEqual([]);
    bench.records(record({ samples: 4 }));
    expect(bench.snapshot([])).toEqual([]);
    expect(bench.records(record({ samples: 5 }))).toEqual([]);
    expect(bench.snapshot([])).toEqual(['buy 800000001']);
  });

  it('that has grown worse keeps a match from being bought that waited', () => {
    const bench = new Bench({ price: { max: 100, maxOfMedian: 0.6 } });
    bench.records(record());
    bench.send({ type: 'blocked', name: 'orders', refusal: { reason: 'orders-unread', detail: '' } });
    expect(bench.snapshot([listing()])).toEqual(['800000001 orders-unread: ']);
    bench.records(record({ median: dollars(15) }));
    bench.send({ type: 'unblocked', name: 'orders' });
    expect(bench.snapshot([])).toEqual([
      '800000001 moved-on: price.maxOfMedian: $10.50; the limit is $9.00 of $15.00, the median of 7 days',
    ]);
  });

  it('is held against the time of the event, so that the same events always decide the same', () => {
    const bench = new Bench({ when: { reference: { maxAge: '1d' } } });
    bench.records(record({ newestAt: NOON - DAY_MS }));
    expect(bench.snapshot([listing()])).toEqual(['buy 800000001']);
    bench.at += 1;
    bench.send({ type: 'balance', reading: { amount: dollars(10_000), beganAt: bench.at, endedAt: bench.at } });
    expect(bench.snapshot([listing({ id: '2' })])).toEqual([]);
  });
});

describe('the cheapest other listing of a name', () => {
  const belowFloor = { price: { max: 1_000, belowFloor: 0.05 } };
  const at = (id: string, priceWithFee: number): Listing => listing({ id, price: priceWithFee, priceWithFee });

  it('is what a complete answer shows, the listing itself left out', () => {
    expect(new Bench(belowFloor).snapshot([at('1', 9.5), at('2', 10), at('3', 11)])).toEqual(['buy 1']);
    expect(new Bench(belowFloor).snapshot([at('1', 9.51), at('2', 10), at('3', 11)])).toEqual([]);
    expect(new Bench(belowFloor).snapshot([at('1', 1)])).toEqual([]);
  });

  it('is not known while an answer still arrives: what it shows early is judged when it is whole', () => {
    const bench = new Bench(belowFloor);
    bench.snapshot([at('2', 10)]);
    const [cheap, cheaper] = [at('1', 9), at('3', 8.9)];
    expect(bench.early([cheap])).toEqual([]);
    expect(bench.snapshot([cheap, cheaper])).toEqual([]);
    const again = new Bench(belowFloor);
    again.snapshot([at('2', 10)]);
    expect(again.early([cheap])).toEqual([]);
    expect(again.snapshot([cheap])).toEqual(['buy 1']);
  });

  it('is not known in an answer that is not whole, but in the next one that is', () => {
    const bench = new Bench(belowFloor);
    expect(bench.snapshot([at('1', 9), at('2', 10)], { complete: false })).toEqual([]);
    expect(bench.snapshot([])).toEqual(['buy 1']);
  });

  it('goes up when others go, and a listing that has not changed comes to be below it', () => {
    const bench = new Bench(belowFloor);
    expect(bench.snapshot([at('1', 9.8), at('2', 10), at('3', 12)])).toEqual([]);
    expect(bench.snapshot([], { gone: [at('2', 1).key] })).toEqual(['buy 1']);
  });

  it('goes down before a match is bought that waited: it is not bought any more', () => {
    const bench = new Bench(belowFloor);
    bench.send({ type: 'blocked', name: 'orders', refusal: { reason: 'orders-unread', detail: '' } });
    bench.snapshot([at('1', 9), at('2', 10)]);
    bench.send({ type: 'unblocked', name: 'orders' });
    expect(bench.snapshot([at('3', 9.2)])).toEqual(['1 moved-on: price.belowFloor: $9.00; the cheapest other costs $9.20']);
  });

  it('counts of listings of all markets, and follows a listing that becomes another item', () => {
    const bench = new Bench(belowFloor);
    const other = listing({ id: '2', market: 'ecosteam', price: 9.4, priceWithFee: 9.4 });
    expect(bench.snapshot([at('1', 9), other])).toEqual([]);
    expect(bench.snapshot([{ ...other, name: 'x', nameFolded: 'x' }, at('3', 9.5)])).toEqual(['buy 1']);
  });

  it('is known to strategies that come while it runs, from the first complete answer after them', () => {
    const bench = new Bench({ price: { max: 0.01 } });
    bench.snapshot([at('1', 9), at('2', 10)]);
    bench.send({ type: 'tick' });
    const strategies = new StrategyIndex([strategyOf(belowFloor)]);
    bench.send({ type: 'rules', rules: { ...bench.state.rules, strategies } });
    const listings = appeared([at('1', 9), at('2', 10)], NOON);
    expect(bench.send({ type: 'shown', listings })).toEqual([]);
    expect(bench.snapshot([])).toEqual(['buy 1']);
  });
});

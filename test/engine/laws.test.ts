import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Listing } from '../../src/domain/listing.ts';
import { micros } from '../../src/domain/money.ts';
import { type Purchase, type PurchaseState, closesListing } from '../../src/domain/purchase.ts';
import type { Effect } from '../../src/engine/effect.ts';
import type { Event } from '../../src/engine/event.ts';
import { initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/step.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { NOON, dollars, listing, purchase, strategy, wideLimits } from '../support/values.ts';

/** What may happen next; each names listings and purchases by small numbers so that they meet. */
const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      what: fc.constant('snapshot' as const),
      shown: fc.array(fc.record({ id: fc.integer({ min: 1, max: 6 }), price: fc.constantFrom<number>(5, 10, 20) }), {
        maxLength: 6,
      }),
      gone: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
      /** So many of its changes are handed on before it ends, and a permit may come in between. */
      early: fc.nat(6),
      permit: fc.boolean(),
      breaksOff: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: fc.record({ what: fc.constant('permit' as const) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('commit' as const), ok: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('settle' as const),
      to: fc.constantFrom('bought', 'unknown', 'rejected', 'expired'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('confirm' as const) }) },
  /** A row is told once more; where it was refused it may have been bought after all. */
  { weight: 3, arbitrary: fc.record({ what: fc.constant('retell' as const), which: fc.nat(20), late: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('halt' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('block' as const), on: fc.constantFrom(true, false, false) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('balance' as const), amount: fc.constantFrom(10, 200, 1_000) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('wait' as const), ms: fc.constantFrom(100, 3_000, 3_600_000) }) },
);

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** One listing is tried again and again, mostly in vain, while its earlier purchases are told of once more. */
const again: fc.Arbitrary<Happening | 'repriced'> = fc.oneof(
  fc.constant('repriced' as const),
  fc.record({ what: fc.constant('permit' as const) }),
  fc.record({ what: fc.constant('commit' as const), ok: fc.constantFrom(true, true, false) }),
  fc.record({
    what: fc.constant('settle' as const),
    to: fc.constantFrom('rejected' as const, 'rejected' as const, 'expired' as const),
  }),
  fc.record({ what: fc.constant('confirm' as const) }),
  fc.record({ what: fc.constant('retell' as const), which: fc.nat(20), late: fc.nat(9).map((of) => of === 0) }),
);

/** At a price that it has not had: one that was refused once is refused by the rows. */
function repriced(cents: number): Happening {
  const shown = [{ id: 1, price: 5 + cents / 100 }];
  return { what: 'snapshot', shown, gone: [], early: 0, permit: false, breaksOff: false };
}

const limits = { ...wideLimits, maxPrice: dollars(15), spend: { hour: dollars(20), day: dollars(60) }, perItem: { day: 5 } };

/** The world around the engine, as simple as it can be: it keeps rows and obeys. */
class World {
  at = NOON;
  state = initialState(
    {
      strategies: new StrategyIndex([
        strategy({ name: 'one', priority: 1, matches: (each) => each.price <= 10 }),
        strategy({ name: 'two' }),
      ]),
      limits,
      never: () => false,
      health: { require: 'off', staleAfterMs: 15_000 },
      patienceMs: 2_000,
    },
    { purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: NOON },
  );
  permits = 0;
  closed = false;
  polls = 0;
  readonly waiting: Extract<Effect, { type: 'buy' }>[] = [];
  readonly rows = new Map<number, Purchase>();
  readonly shown = new Map<string, Listing>();

  send(event: Record<string, unknown>): void {
    const { state, effects } = step(this.state, { ...event, at: this.at } as unknown as Event);
    this.state = state;
    for (const effect of effects) if (effect.type === 'buy') this.#bought(effect);
    this.#assertTaken();
  }

  /** What is on its way is known as that, and what is closed is so for a purchase that stands. */
  #assertTaken(): void {
    const { pending, taken } = this.state.lanes.live;
    const rows = [...this.rows.values()];
    const underWay = rows.filter(({ state }) => state === 'intended').map(({ listingId }) => listingId);
    const idOf = (key: string): string => key.slice(key.indexOf(':') + 1);
    const waiting = this.waiting.map((effect) => effect.intent.listing.id);
    assert.deepEqual([...pending.keys()].map(idOf).toSorted(), [...underWay, ...waiting].toSorted());
    for (const [key, what] of taken) {
      const stands = rows.some(
        (row) => row.listingId === idOf(key) && closesListing(row) && (row.state !== 'rejected' || row.wasUnknown),
      );
      assert.equal(what.kind === 'closed', stands || waiting.includes(idOf(key)), `${key} is ${what.kind}`);
    }
  }

  #bought(effect: Extract<Effect, { type: 'buy' }>): void {
    const { listing: wanted } = effect.intent;
    assert(!this.closed);
    this.permits -= 1;
    assert(this.permits >= 0);
    assert.equal(this.shown.get(wanted.key)?.price, wanted.price);
    const same = [...this.rows.values()].filter((row) => row.listingId === wanted.id);
    for (const row of same)
      assert(row.state === 'expired' || (row.state === 'rejected' && !row.held && !row.wasUnknown && row.price !== wanted.price));
    assert(!this.waiting.some((other) => other.intent.listing.id === wanted.id));
    this.waiting.push(effect);
    assert(this.#counted(3_600_000) <= dollars(20), 'the hour');
    assert(this.#counted(86_400_000) <= dollars(60), 'the day');
    assert(wanted.cost <= dollars(15));
    assert.equal(this.#unknown(), 0);
  }

  #counted(ms: number): number {
    const rows = [...this.rows.values()].filter(
      (row) => this.at - row.createdAt < ms && row.state !== 'expired' && (row.state !== 'rejected' || row.held),
    );
    return [...rows.map((row) => row.cost), ...this.waiting.map((effect) => effect.intent.listing.cost)].reduce(
      (total, cost) => total + cost,
      0,
    );
  }

  #unknown(): number {
    return [...this.rows.values()].filter((row) => row.state === 'unknown').length;
  }

  change(row: Purchase, change: Partial<Purchase>): void {
    const next = { ...row, ...change };
    this.rows.set(next.id, next);
    this.send({ type: 'purchases', purchases: [next] });
  }

  newest(state: PurchaseState): Purchase | undefined {
    return [...this.rows.values()].findLast((row) => row.state === state);
  }
}

function live(world: World, one: Happening): void {
  switch (one.what) {
    case 'snapshot':
      return snapshot(world, one);
    case 'permit':
      world.permits += 1;
      return world.send({ type: 'permit' });
    case 'commit':
      return commit(world, one.ok);
    case 'settle': {
      const row = world.newest('intended');
      if (row === undefined) return;
      const state = one.to as PurchaseState;
      return world.change(row, {
        state,
        held: state === 'rejected',
        wasUnknown: state === 'unknown',
        refusalCause: 'gone',
        answeredAt: world.at,
      });
    }
    case 'confirm': {
      const refused = [...world.rows.values()].find((row) => row.held);
      if (refused !== undefined) return world.change(refused, { held: false });
      const unknown = world.newest('unknown');
      return unknown && world.change(unknown, { state: 'rejected' });
    }
    case 'retell': {
      const row = [...world.rows.values()][one.which % world.rows.size];
      const isLate = one.late && row?.state === 'rejected' && row.held;
      return row && world.change(row, isLate ? { state: 'bought', held: false } : {});
    }
    case 'halt':
      world.closed = true;
      return world.send({ type: 'halted', halt: { reason: 'enough', by: 'person', at: world.at } });
    case 'resume':
      world.closed = world.state.blockers.size > 0;
      return world.send({ type: 'resumed' });
    case 'block':
      world.closed = one.on || world.state.halt !== undefined;
      return world.send(
        one.on
          ? { type: 'blocked', name: 'journal', refusal: { reason: 'journal-failed', detail: '' } }
          : { type: 'unblocked', name: 'journal' },
      );
    case 'balance':
      return world.send({ type: 'balance', reading: { amount: dollars(one.amount), beganAt: world.at, endedAt: world.at } });
    case 'wait':
      world.at += one.ms;
      return world.send({ type: 'tick' });
  }
}

function snapshot(world: World, happening: Extract<Happening, { what: 'snapshot' }>): void {
  const { shown, gone, early, permit, breaksOff } = happening;
  world.polls += 1;
  const byId = new Map(shown.map(({ id, price }) => [id, listing({ id: String(id), price, steam: dollars(40) })]));
  const changed = [...byId.values()].filter((each) => world.shown.get(each.key)?.price !== each.price);
  const left = gone.map((id) => listing({ id: String(id) }).key).filter((key) => !changed.some((each) => each.key === key));
  const entries = changed.map((each, position) => ({
    kind: 'appeared',
    listing: each,
    seenAt: world.at,
    position,
    chunk: 0,
    raw: {},
  }));
  if (early > 0 && world.polls > 1) {
    for (const each of changed.slice(0, early)) world.shown.set(each.key, each);
    world.send({ type: 'early', change: { pollSeq: world.polls, at: world.at, changed: entries.slice(0, early), gone: [] } });
    if (permit) {
      world.permits += 1;
      world.send({ type: 'permit' });
    }
    if (breaksOff) return;
  }
  for (const each of changed) world.shown.set(each.key, each);
  for (const key of left) world.shown.delete(key);
  const facts = {
    pollSeq: world.polls,
    beganAt: world.at,
    endedAt: world.at,
    first: world.polls === 1,
    complete: true,
    count: changed.length,
  };
  world.send({
    type: 'snapshot',
    change: { ...facts, changed: entries, gone: left, bad: [], badCount: 0, unchangedInARow: 0, trouble: undefined },
  });
}

function commit(world: World, ok: boolean): void {
  const effect = world.waiting.shift();
  if (effect === undefined) return;
  const { intent } = effect;
  if (!ok) return world.send({ type: 'not-committed', intent, refusal: { reason: 'journal-failed', detail: 'full' } });
  const { id, price, cost, name } = intent.listing;
  const row = purchase({
    id: world.rows.size + 1,
    state: 'intended',
    strategy: intent.strategy,
    listingId: id,
    price,
    cost,
    marketHashName: name,
    createdAt: world.at,
  });
  world.change(row, {});
}

describe('whatever happens, the engine', () => {
  it('buys no listing twice, passes no cap, spends no more permits than it has, and stands still when it is told to [B2 B3 P39]', () => {
    let bought = 0;
    fc.assert(
      fc.property(fc.array(happening, { minLength: 5, maxLength: 80 }), (happenings) => {
        const world = new World();
        world.send({ type: 'unblocked', name: 'starting' });
        world.send({ type: 'balance', reading: { amount: dollars(1_000), beganAt: NOON, endedAt: NOON } });
        for (const one of happenings) live(world, one);
        bought += world.rows.size + world.waiting.length;
      }),
      { numRuns: 400 },
    );
    expect(bought).toBeGreaterThan(100);
  });

  it('knows what is on its way, and what is closed, whatever it is told of earlier purchases of the same listing [B3]', () => {
    let retold = 0;
    fc.assert(
      fc.property(fc.array<Happening | 'repriced'>(again, { minLength: 20, maxLength: 60, size: 'max' }), (happenings) => {
        const world = new World();
        world.send({ type: 'unblocked', name: 'starting' });
        world.send({ type: 'balance', reading: { amount: dollars(1_000), beganAt: NOON, endedAt: NOON } });
        for (const [cents, given] of happenings.entries()) {
          const one = given === 'repriced' ? repriced(cents) : given;
          const isUnderWay = world.state.lanes.live.pending.size > 0 && world.rows.size > 1;
          if (one.what === 'retell' && isUnderWay) retold += 1;
          live(world, one);
        }
      }),
      { numRuns: 200 },
    );
    expect(retold).toBeGreaterThan(10);
  });

  it('decides the same from the same', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const run = (): string => {
          const world = new World();
          world.send({ type: 'unblocked', name: 'starting' });
          world.send({ type: 'balance', reading: { amount: micros(500_000_000), beganAt: NOON, endedAt: NOON } });
          for (const one of happenings) live(world, one);
          return JSON.stringify([[...world.rows.values()], world.waiting.map((effect) => effect.intent.listing.id)]);
        };
        expect(run()).toBe(run());
      }),
      { numRuns: 50 },
    );
  });
});

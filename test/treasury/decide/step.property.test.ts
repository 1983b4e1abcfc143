import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { type Micros, micros } from '../../../src/domain/money.ts';
import type { Random } from '../../../src/domain/random.ts';
import { seededRandom } from '../../../src/domain/random.ts';
import { DAY_MS, HOUR_MS, refusalOf } from '../../../src/treasury/decide/caps.ts';
import type { TreasuryPolicy } from '../../../src/treasury/decide/policy.ts';
import { LAG_MS, type Reading, intendedOf, treasuryStep } from '../../../src/treasury/decide/step.ts';
import type { TransferRow } from '../../../src/treasury/decide/transfer.ts';
import { NOON } from '../../support/values.ts';

const amount = (max: number): fc.Arbitrary<Micros> => fc.integer({ min: 0, max }).map((tenths) => micros(tenths * 100_000));

const child = fc
  .record({ floor: amount(2_000), above: amount(3_000), perDay: amount(8_000) })
  .map(({ floor, above, perDay }) => ({ floor, target: micros(floor + above), perDay }));

const policy = fc
  .record({
    children: fc.array(child, { minLength: 1, maxLength: 4 }),
    reserve: amount(3_000),
    perTransfer: amount(3_000),
    hour: amount(6_000),
    day: amount(12_000),
  })
  .map((drawn): TreasuryPolicy => {
    const children = drawn.children.map((each, index) => ({ ...each, name: `child-${index}` }));
    return { ...drawn, children, dedicated: true };
  });

const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('step' as const), lag: fc.integer({ min: 0, max: LAG_MS }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('spend' as const),
      who: fc.nat(3),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constant('settle' as const), how: fc.constantFrom('made', 'refused', 'moves' as const) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('wait' as const),
      ms: fc.constantFrom(1_000, 61_000, 600_000, HOUR_MS, 7 * HOUR_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('unread' as const), who: fc.nat(4) }) },
);

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

interface Moved {
  readonly child: string;
  readonly amount: Micros;
  readonly at: number;
}

/** The service with its true books, and a journal; readings come from books of up to a minute ago. */
class World {
  at = NOON;
  readonly rows: TransferRow[] = [];
  readonly moved: Moved[] = [];
  readonly #history = new Map<string, { readonly at: number; readonly balance: number }[]>();
  readonly #unread = new Set<string>();
  readonly #policy: TreasuryPolicy;
  readonly #random: Random;
  readonly #start: number;
  #spent = 0;

  constructor(given: TreasuryPolicy, seed: number) {
    this.#policy = given;
    this.#random = seededRandom(seed);
    this.#start = given.reserve + Math.floor(this.#random.next() * 20_000) * 100_000;
    this.#set('top', this.#start);
    for (const { name } of given.children) this.#set(name, 0);
  }

  happen(event: Happening): void {
    if (event.what === 'wait') this.at += event.ms;
    else if (event.what === 'unread') this.#unread.add(this.#policy.children[event.who]?.name ?? 'top');
    else if (event.what === 'spend') this.#spend(this.#policy.children[event.who]?.name, event.share);
    else if (event.what === 'settle') this.#settle(event.how);
    else this.#step(event.lag);
    this.#balanced();
  }

  #step(lag: number): void {
    const books = {
      isHalted: false,
      top: this.#read('top', lag),
      children: new Map(
        this.#policy.children.flatMap(({ name }) => {
          const reading = this.#read(name, lag);
          return reading === undefined ? [] : [[name, reading] as const];
        }),
      ),
      rows: this.rows.filter(
        (row) => row.state === 'open' || row.createdAt > this.at - DAY_MS - 1 || (row.settledAt ?? 0) > this.at - DAY_MS - 1,
      ),
    };
    const verdicts = treasuryStep(this.#policy, books, this.at);
    assert.deepEqual(treasuryStep(this.#policy, books, this.at), verdicts, 'the same books, the same decision');
    assert.deepEqual(
      verdicts.map((each) => each.child).sort(),
      this.#policy.children.map(({ name }) => name).sort(),
      'one verdict of each child',
    );
    for (const { child: name, amount: sent } of intendedOf(verdicts)) {
      const own = this.#policy.children.find((each) => each.name === name);
      assert(own && sent > 0 && sent % 10_000 === 0, 'whole cents of a child that there is');
      assert(sent <= this.#policy.perTransfer, 'the cap of one transfer');
      assert((books.children.get(name)?.balance ?? own.floor) < own.floor, 'only below the floor');
      assert(!this.rows.some((row) => row.child === name && row.state === 'open'), 'no second while one is open');
      assert.equal(refusalOf(this.#policy, { child: name, amount: sent }, this.rows, this.at), undefined, 'the journal agrees');
      this.rows.push({
        id: this.rows.length + 1,
        child: name,
        amount: sent,
        state: 'open',
        createdAt: this.at,
        settledAt: undefined,
      });
    }
    this.#unread.clear();
  }

  /** Of an open one: its money moves now and nobody hears of it, or it is settled, having moved or not. */
  #settle(how: 'made' | 'refused' | 'moves'): void {
    const index = this.rows.findIndex(({ state }) => state === 'open');
    const row = this.rows[index];
    if (row === undefined) return;
    const hasMoved = this.moved.some((each) => each.at >= row.createdAt && each.child === row.child);
    if (!hasMoved && how !== 'refused') this.#move(row);
    if (how === 'moves' || (how === 'refused' && hasMoved)) return;
    this.rows[index] = { ...row, state: how, settledAt: this.at };
  }

  #move({ child: name, amount: sent }: TransferRow): void {
    this.#set('top', this.#now('top') - sent);
    this.#set(name, this.#now(name) + sent);
    this.moved.push({ child: name, amount: sent, at: this.at });
    assert(this.#now('top') >= this.#policy.reserve, 'the reserve is never gone under');
    const own = this.#policy.children.find((each) => each.name === name);
    assert(own && this.#now(name) <= own.target, 'never beyond the target');
    this.#window(this.moved, HOUR_MS, this.#policy.hour);
    this.#window(this.moved, DAY_MS, this.#policy.day);
    this.#window(
      this.moved.filter((each) => each.child === name),
      DAY_MS,
      own.perDay,
    );
  }

  #window(moved: readonly Moved[], windowMs: number, cap: Micros): void {
    const inside = moved.filter(({ at }) => at > this.at - windowMs);
    assert(inside.reduce((total, each) => total + each.amount, 0) <= cap, 'what moved in a window is within its cap');
  }

  #spend(name: string | undefined, share: number): void {
    if (name === undefined) return;
    const spent = Math.floor((this.#now(name) * share) / 1_000) * 1_000;
    this.#spent += spent;
    this.#set(name, this.#now(name) - spent);
  }

  #balanced(): void {
    const names = ['top', ...this.#policy.children.map(({ name }) => name)];
    assert.equal(
      names.reduce((total, name) => total + this.#now(name), this.#spent),
      this.#start,
      'no cent is made or lost',
    );
  }

  #now(name: string): number {
    return this.#history.get(name)?.at(-1)?.balance ?? 0;
  }

  #set(name: string, balance: number): void {
    const own = this.#history.get(name) ?? [];
    own.push({ at: this.at, balance });
    this.#history.set(name, own);
  }

  #read(name: string, lag: number): Reading | undefined {
    if (this.#unread.has(name)) return undefined;
    const own = this.#history.get(name) ?? [];
    const then = own.findLast(({ at }) => at <= this.at - lag) ?? own[0];
    return { balance: micros(then?.balance ?? 0), askedAt: this.at };
  }
}

describe('the treasury, whatever happens', () => {
  it('keeps every cap, the reserve and the target, sends no second transfer while one is open, and makes and loses no cent', () => {
    const events = fc.array(happening, { minLength: 5, maxLength: 80 });
    fc.assert(
      fc.property(policy, fc.nat(), events, (given, seed, happenings) => {
        const world = new World(given, seed);
        for (const event of happenings) world.happen(event);
      }),
      { numRuns: 600 },
    );
  });

  it('moves something in most worlds, so that the law above says something', () => {
    let moving = 0;
    fc.assert(
      fc.property(policy, fc.nat(), (given, seed) => {
        const world = new World(given, seed);
        for (let round = 0; round < 10; round++) {
          world.happen({ what: 'step', lag: 0 });
          world.happen({ what: 'settle', how: 'made' });
          world.happen({ what: 'wait', ms: 61_000 });
        }
        if (world.moved.length > 0) moving++;
      }),
      { numRuns: 200, seed: 9 },
    );
    assert(moving > 80, `moved in ${moving} of 200`);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TurnDesk } from '../../src/app/accounts/turn-desk.ts';
import { EngineLoop, type Posted } from '../../src/app/engine-loop.ts';
import type { AccountLimits } from '../../src/domain/limits.ts';
import type { Listing, ListingKey } from '../../src/domain/listing.ts';
import type { Purchase } from '../../src/domain/purchase.ts';
import { initialState } from '../../src/engine/state.ts';
import { keepsFromOthers } from '../../src/risk/taken.ts';
import type { Strategy } from '../../src/strategy/strategy.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { NOON, dollars, listing, purchase, strategy, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

/** Dollars a day that never run out. */
const RICH = 1_000;

interface Own {
  readonly wants?: Strategy;
  readonly limits?: AccountLimits;
}

/** An engine at the desk, whose purchases come to what a test says. */
class Member {
  readonly loop: EngineLoop;
  /** `id at price` of each listing that it was let go for. */
  readonly bought: string[] = [];
  isEnding = false;
  readonly #own: Own;

  constructor(name: string, desk: TurnDesk, purchases: readonly Purchase[] = [], own: Own = {}) {
    const { wants = strategy(), limits = wideLimits } = own;
    this.#own = own;
    const rules = {
      ...{ strategies: new StrategyIndex([wants]), limits, never: () => false },
      ...{ reference: { minSamples: 5, maxJump: 0.5 }, health: { require: 'off' as const, staleAfterMs: 15_000 } },
      patienceMs: 2_000,
    };
    const past = { purchases, adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: NOON, inTurns: true };
    this.loop = new EngineLoop(
      initialState(rules, past),
      new VirtualClock(),
      (effect) => {
        if (effect.type === 'buy') this.bought.push(`${effect.intent.listing.id} at ${effect.intent.listing.price}`);
      },
      (event) => desk.stepped(name, event),
    );
    this.loop.post({ type: 'unblocked', name: 'starting' });
    this.loop.post({ type: 'balance', reading: { amount: dollars(10_000), beganAt: this.loop.state.judgedAt, endedAt: NOON } });
    desk.join(name, {
      state: () => this.loop.state,
      post: (event: Posted) => this.loop.post(event),
      isEnding: () => this.isEnding,
    });
  }

  settles(...purchases: Purchase[]): void {
    this.loop.post({ type: 'purchases', purchases });
  }

  /** Whether it would buy a listing, as far as its strategy, its money and what it has tried go. */
  wants({ key, price }: Listing): boolean {
    const { wants, limits } = this.#own;
    const isRich = limits?.spend.day === dollars(RICH);
    return isRich && wants?.matches({ price } as never) === true && !this.loop.state.lanes.live.taken.has(key);
  }

  /** Whether a listing is its own: on its way, bought, or refused in a way that frees it for nobody. */
  has(key: ListingKey): boolean {
    const { pending, taken } = this.loop.state.lanes.live;
    return pending.has(key) || keepsFromOthers(taken.get(key));
  }
}

let polls = 0;

function show(desk: TurnDesk, members: readonly Member[], changed: readonly Listing[]): void {
  polls += 1;
  const change = {
    ...{ pollSeq: polls, beganAt: NOON, endedAt: NOON, first: polls === 1, complete: true, count: changed.length },
    ...{ bad: [], badCount: 0, gone: [], unchangedInARow: 0, trouble: undefined },
    changed: changed.map((each, position) => ({
      ...{ kind: 'appeared' as const, listing: each, before: undefined, seenAt: NOON, position, raw: undefined, chunk: 0 },
    })),
  };
  members.forEach(({ loop }) => loop.post({ type: 'permit' }));
  desk.afterAll(() => members.forEach(({ loop }) => loop.post({ type: 'snapshot', change })));
}

const moved = { state: 'rejected', refusalCause: 'price', held: false } as const;
const tooMany = { state: 'rejected', refusalCause: 'rate', held: false } as const;

describe('where several accounts meet', () => {
  it('a listing whose refused price has changed goes to the account that it was refused to, and to no other', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    show(desk, [a, b], [listing()]);
    a.settles(purchase({ ...moved }));
    show(desk, [a, b], [listing({ price: 9 })]);
    expect([a.bought, b.bought]).toEqual([['800000001 at 10', '800000001 at 9'], []]);
  });

  it('what was let go of after a refusal and turns out to be bought is its own again', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    show(desk, [a], [listing()]);
    a.settles(purchase({ ...tooMany }));
    a.settles(purchase({ state: 'bought' }));
    show(desk, [a, b], [listing()]);
    expect([a.bought, b.bought]).toEqual([['800000001 at 10'], []]);
  });

  it('an account that is being ended gets no turn, and takes none from the others', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    a.isEnding = true;
    show(desk, [a, b], [listing()]);
    expect([a.bought, b.bought]).toEqual([[], ['800000001 at 10']]);
  });

  it('what an account had the turn for and no row is free once its ledger is read again', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    show(desk, [a], [listing()]);
    expect(a.bought).toHaveLength(1);
    // It fails before it writes a row, ends, and is started again.
    desk.leave('a');
    const again = new Member('a', desk);
    show(desk, [b], [listing()]);
    expect([again.bought, b.bought]).toEqual([[], ['800000001 at 10']]);
  });

  it('what is in its ledger stays its own when it is started again', () => {
    const desk = new TurnDesk(['a', 'b']);
    const [a, b] = [new Member('a', desk), new Member('b', desk)];
    show(desk, [a], [listing()]);
    desk.leave('a');
    const again = new Member('a', desk, [purchase({ state: 'intended' })]);
    show(desk, [again, b], [listing()]);
    expect([again.bought, b.bought]).toEqual([[], []]);
  });

  it('nobody who may buy is left waiting for what is free, and nothing is two accounts’, whatever comes of purchases', async () => {
    const step = fc.oneof(
      fc.record({ shown: fc.array(fc.record({ id: fc.integer({ min: 1, max: 8 }), price: fc.integer({ min: 1, max: 6 }) })) }),
      fc.record({ account: fc.nat(3), end: fc.constantFrom('bought', 'rate', 'price') }),
      fc.record({ account: fc.nat(3), permits: fc.integer({ min: 1, max: 3 }) }),
    );
    const owns = fc.array(fc.record({ most: fc.integer({ min: 1, max: 6 }), day: fc.constantFrom(8, RICH) }), {
      ...{ minLength: 2, maxLength: 4 },
    });
    await fc.assert(
      fc.asyncProperty(owns, fc.array(step, { maxLength: 20 }), async (accounts, steps) => {
        polls = 0;
        const standing = new Map<ListingKey, Listing>();
        const desk = new TurnDesk(accounts.map((_, place) => `${place}`));
        const members = accounts.map(({ most, day }, place) => {
          const wants = strategy({ matches: ({ price }) => price <= most });
          return new Member(`${place}`, desk, [], { wants, limits: { ...wideLimits, spend: { day: dollars(day) } } });
        });
        for (const each of steps) {
          take(each, desk, members, standing);
          // What was let go of is judged again with the next answer, though nothing has changed in it.
          show(desk, members, []);
          for (let turn = 0; turn < 5; turn++) await Promise.resolve();
          expectFair(members, standing);
        }
      }),
      { numRuns: 150 },
    );
  });
});

type Step =
  | { readonly shown: readonly { readonly id: number; readonly price: number }[] }
  | { readonly account: number; readonly end: string }
  | { readonly account: number; readonly permits: number };

const ends: Readonly<Record<string, Partial<Purchase>>> = { bought: { state: 'bought' }, rate: tooMany, price: moved };

function take(step: Step, desk: TurnDesk, members: readonly Member[], standing: Map<ListingKey, Listing>): void {
  if ('shown' in step) {
    const shown = new Map(step.shown.map(({ id, price }) => [id, listing({ id: `80000000${id}`, price })]));
    for (const each of shown.values()) standing.set(each.key, each);
    return show(desk, members, [...shown.values()]);
  }
  const member = members[step.account % members.length];
  if (member === undefined) return;
  if ('permits' in step) {
    for (let count = 0; count < step.permits; count++) member.loop.post({ type: 'permit' });
    return;
  }
  const [key] = member.loop.state.lanes.live.pending.keys();
  if (key !== undefined) member.settles(purchase({ ...ends[step.end], listingId: key.split(':')[1] ?? '' }));
}

function expectFair(members: readonly Member[], standing: ReadonlyMap<ListingKey, Listing>): void {
  const free = [...standing.values()].filter(({ key }) => !members.some((member) => member.has(key)));
  for (const member of members) {
    const { permits, lanes } = member.loop.state;
    if (permits > 0) expect(free.filter((each) => member.wants(each))).toEqual([]);
    const others = members.filter((other) => other !== member);
    for (const key of lanes.live.pending.keys()) expect(others.filter((other) => other.has(key))).toEqual([]);
  }
}

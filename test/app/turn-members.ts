import fc from 'fast-check';
import type { TurnDesk } from '../../src/app/accounts/turn-desk.ts';
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

/** What a desk is to those who meet there. */
export type Desk = Pick<TurnDesk, 'join' | 'stepped' | 'afterAll'>;

/** An engine at the desk, whose purchases come to what a test says. */
export class Member {
  readonly loop: EngineLoop;
  /** `id at price` of each listing that it was let go for. */
  readonly bought: string[] = [];
  isEnding = false;
  readonly #own: Own;

  constructor(name: string, desk: Desk, purchases: readonly Purchase[] = [], own: Own = {}) {
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
let rows = 100;

/** The next answer is the first again. */
export function showNothingYet(): void {
  polls = 0;
}

export function show(desk: Desk, members: readonly Member[], changed: readonly Listing[]): void {
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

export const moved = { state: 'rejected', refusalCause: 'price', held: false } as const;
export const tooMany = { state: 'rejected', refusalCause: 'rate', held: false } as const;

/** What happens next: an answer of the service, the end of somebody's oldest purchase, leave to send. */
export type Step =
  | { readonly shown: readonly { readonly id: number; readonly price: number }[] }
  | { readonly account: number; readonly end: string }
  | { readonly account: number; readonly permits: number };

const ends: Readonly<Record<string, Partial<Purchase>>> = { bought: { state: 'bought' }, rate: tooMany, price: moved };

export function take(step: Step, desk: Desk, members: readonly Member[], standing: Map<ListingKey, Listing>): void {
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
  if (key !== undefined) member.settles(purchase({ ...ends[step.end], id: ++rows, listingId: key.split(':')[1] ?? '' }));
}

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ shown: fc.array(fc.record({ id: fc.integer({ min: 1, max: 8 }), price: fc.integer({ min: 1, max: 6 }) })) }),
  fc.record({ account: fc.nat(3), end: fc.constantFrom('bought', 'rate', 'price') }),
  fc.record({ account: fc.nat(3), permits: fc.integer({ min: 1, max: 3 }) }),
);

/** What an account pays at most, and how much a day. */
export interface Means {
  readonly most: number;
  readonly day: number;
}

export const anyAccounts: fc.Arbitrary<Means[]> = fc.array(
  fc.record({ most: fc.integer({ min: 1, max: 6 }), day: fc.constantFrom(8, RICH) }),
  { minLength: 2, maxLength: 4 },
);

/** Accounts of such means at a desk, each named after its place. */
export function seatedAt(desk: Desk, accounts: readonly Means[]): readonly Member[] {
  return accounts.map(({ most, day }, place) => {
    const wants = strategy({ matches: ({ price }) => price <= most });
    return new Member(`${place}`, desk, [], { wants, limits: { ...wideLimits, spend: { day: dollars(day) } } });
  });
}

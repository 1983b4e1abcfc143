import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { DOLLARS_MAX, MICROS_PER_DOLLAR, micros } from '../../../src/domain/money.ts';
import type { Purchase } from '../../../src/domain/purchase.ts';
import type { Look } from '../../../src/engine/evidence.ts';
import { judge, learntFrom } from '../../../src/execution/evidence/judge.ts';
import { nothingLearnt } from '../../../src/execution/evidence/learnt.ts';
import { Book } from './book.ts';
import { accepted, known, look, policy, refused, sent } from './looks.ts';
import { type World, listingOf, lookAt, moment, serviceOrderId, worlds } from './world.ts';

/** Looks as the reconciler has them: right after each request and for a while every ten seconds, then every minute for an hour. */
function momentsOf(world: World): number[] {
  const after = world.attempts.flatMap(({ at }) => [at + 1.5, at + 4]);
  const often = Array.from({ length: 50 }, (_, index) => 10 + index * 10);
  const later = Array.from({ length: 60 }, (_, index) => 520 + index * 60);
  return [0, ...new Set([...after, ...often, ...later])].sort((a, b) => a - b);
}

/** Lives through a world. `seen` is called after each look with what has been made of it. */
function live(world: World, seen: (book: Book, at: number) => void, change: (look: Look) => Look = (look) => look): Book {
  const book = new Book();
  const ids = new Map<number, number>();
  let learnt = nothingLearnt;
  const todo = world.attempts
    .flatMap((one, index) => [
      { at: one.at, act: () => void ids.set(index, book.intend(listingOf(index, one, 'ours'), moment(one.at)).id) },
      {
        at: one.at + 1,
        act: () => book.answer(ids.get(index) ?? 0, moment(one.at + 1), outcomes[one.told], serviceOrderId(index)),
      },
    ])
    .sort((a, b) => a.at - b.at);
  for (const at of momentsOf(world)) {
    while (todo[0] !== undefined && todo[0].at <= at) todo.shift()?.act();
    const look = change(lookAt(world, at));
    const known = book.known(look);
    const before = learnt;
    learnt = learntFrom(look, known, policy, before);
    book.apply(judge(look, known, look.endedAt, policy, before), look);
    seen(book, at);
  }
  return book;
}

const outcomes = { bought: 'bought', refused: 'refused', nothing: 'unknown' } as const;

/** What a purchase's state claims; undefined while it claims nothing. */
function claimed({ state, held }: Purchase): boolean | undefined {
  if (state === 'bought' || state === 'completed') return true;
  return state === 'rejected' && !held ? false : undefined;
}

/** Seconds after which some look has shown an order whole: of a dozen looks of a bad day, once in four thousand worlds none had. */
const SEEN_WITHIN_S = { good: 25, bad: 300 } as const;

/**
 * Another order was debited before the purchase was written and found only after, so what the balance should be is not known; or
 * the list is a window, and its total counts an order of somebody else that may hide another, or no sound look had told the total
 * before the purchase was written. A purchase that was never bought then
 * stays unknown until a person resolves it. On bad days such things take longer, and an order of somebody else whose row shows the
 * price without the fee may be adopted before a transaction shows what it cost.
 */
function isMuddled(world: World, { createdAt, baseTotal }: Purchase, day: 'good' | 'bad'): boolean {
  if ((day === 'bad' || world.habits.ids === 'other') && world.habits.amounts === 'base' && world.foreign.length > 0) return true;
  const isWindow = world.old + world.attempts.length + world.foreign.length > world.habits.window;
  if (isWindow && (world.foreign.length > 0 || baseTotal === undefined)) return true;
  const mine = (createdAt - moment(0)) / 1_000;
  const made = [...world.attempts.filter(({ bought }) => bought), ...world.foreign];
  return made.some(({ at, lag }) => at <= mine && at + lag + SEEN_WITHIN_S[day] >= mine);
}

function truths(world: World): boolean[] {
  return world.attempts
    .map((one, index) => ({ ...one, index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ bought }) => bought);
}

function expectRight(world: World, book: Book, day: 'good' | 'bad' = 'good'): void {
  const truth = truths(world);
  for (const one of book.purchases.values()) {
    const claim = claimed(one);
    if (claim === undefined && isMuddled(world, one, day)) continue;
    expect({ id: one.id, claim }).toEqual({ id: one.id, claim: truth[one.id - 1] });
  }
}

function expectNothingWrong(world: World, book: Book, which: (one: Purchase) => boolean = () => true): void {
  const truth = truths(world);
  for (const one of book.purchases.values()) {
    const claim = claimed(one);
    if (claim !== undefined && which(one)) expect({ id: one.id, claim }).toEqual({ id: one.id, claim: truth[one.id - 1] });
  }
}

/** A look as a bad day serves it: rows missing or doubled, transactions down, a row that cannot be read, no balance. */
function badDay(look: Look, salt: number): Look {
  const bad = (kind: number): boolean => (Math.imul(salt + kind, 2_654_435_761) ^ (look.beganAt / 500)) % 5 === 0;
  if (look.orders === undefined || look.beganAt > moment(600)) return look;
  const { rows } = look.orders;
  const partly = bad(1) ? rows.filter((_, index) => (index + salt) % 3 !== 0) : rows;
  return {
    ...look,
    orders: bad(2) ? undefined : { ...look.orders, rows: bad(3) ? [...partly, ...partly] : partly, unreadable: bad(4) ? 1 : 0 },
    transactions: bad(5) ? undefined : look.transactions,
    balance: bad(6) ? undefined : look.balance,
    listings: bad(7) ? new Map() : look.listings,
  };
}

/** A list whose total is as late as its rows: nothing tells that an order is missing. */
function lateTotal(look: Look): Look {
  return look.orders === undefined ? look : { ...look, orders: { ...look.orders, total: look.orders.rows.length } };
}

/** The laws of evidence, each held against so many worlds. */
export function itHoldsInEveryWorld(worldsPerLaw: number): void {
  it('no verdict is ever wrong, and once everything shows all are right', () => {
    fc.assert(
      fc.property(worlds, (world) =>
        expectRight(
          world,
          live(world, (book) => expectNothingWrong(world, book)),
        ),
      ),
      { numRuns: worldsPerLaw },
    );
  });

  it('bad days make no verdict wrong, and good ones after them bring the right one', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), (world, salt) =>
        expectRight(
          world,
          live(
            world,
            (book) => expectNothingWrong(world, book),
            (look) => badDay(look, salt),
          ),
          'bad',
        ),
      ),
      { numRuns: worldsPerLaw },
    );
  });

  it('a list that hides orders without telling deceives about refusals only, and not for long', () => {
    fc.assert(
      fc.property(worlds, (given) => {
        const world = { ...given, habits: { ...given.habits, window: 1_000 } };
        const end = live(world, (book) => expectNothingWrong(world, book, ({ wasUnknown }) => wasUnknown), lateTotal);
        expectRight(world, end, 'bad');
      }),
      { numRuns: worldsPerLaw },
    );
  });

  it('every order ends up as ours or adopted, each once', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const adopted = [...live(world, () => {}).orders.values()].filter(({ as }) => as === 'adopted');
        expect(adopted).toHaveLength(world.foreign.length);
      }),
      { numRuns: worldsPerLaw },
    );
  });

  it('the order of rows never matters', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), (world, salt) => {
        live(world, (book, at) => {
          const look = lookAt(world, at);
          const known = book.known(look);
          expect(judge(lookAt(world, at, salt), known, look.endedAt, policy)).toEqual(judge(look, known, look.endedAt, policy));
        });
      }),
      { numRuns: worldsPerLaw },
    );
  });

  it('nothing in a row makes it throw', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('10807006fab895f4', '800000001', 'S-1', '__proto__', '', 'PENDING', 'FAILED', 'USD'),
    );
    const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });
    const amount = fc
      .oneof(fc.constantFrom(10_500_000, 10_000_000, 0), fc.integer({ min: 0, max: DOLLARS_MAX * MICROS_PER_DOLLAR }))
      .map(micros);
    const time = maybe(fc.integer({ min: 0, max: 8e15 }));
    const row = fc.record({
      orderId: text,
      itemId: maybe(text),
      itemName: maybe(text),
      amount,
      currency: maybe(text),
      statusCode: text,
      statusLabel: maybe(text),
      timestampMs: time,
      settlementAt: time,
      cancelReason: maybe(text),
    });
    const booking = fc.record({
      transactionId: text,
      itemId: maybe(text),
      itemName: maybe(text),
      float: maybe(fc.double()),
      price: maybe(amount),
      amount,
      type: fc.oneof(fc.constantFrom('purchase', 'refund'), text),
      status: maybe(text),
      timestampMs: time,
    });
    fc.assert(
      fc.property(fc.array(row), fc.array(booking), maybe(fc.integer()), (rows, transactions, total) => {
        const at = look({ rows, transactions, total, balance: 90 });
        const what = known({ purchases: [sent(), refused({ id: 2 }), accepted({ id: 3 }), sent({ id: 4, state: 'intended' })] });
        expect(judge(at, what, at.endedAt, policy)).toBeInstanceOf(Array);
      }),
    );
  });
}

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Purchase } from '../../../src/domain/purchase.ts';
import type { Look } from '../../../src/engine/evidence.ts';
import { judge } from '../../../src/execution/evidence/judge.ts';
import { Book } from '../support/book.ts';
import { policy } from '../support/looks.ts';
import { type World, listingOf, lookAt, moment, serviceOrderId, worlds } from '../support/world.ts';

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
  const todo = world.attempts
    .flatMap((one, index) => [
      { at: one.at, act: () => void ids.set(index, book.intend(listingOf(index, one, 'ours'), moment(one.at)).id) },
      { at: one.at + 1, act: () => book.answer(ids.get(index) ?? 0, moment(one.at + 1), outcomes[one.told], serviceOrderId(index)) },
    ])
    .sort((a, b) => a.at - b.at);
  for (const at of momentsOf(world)) {
    while (todo[0] !== undefined && todo[0].at <= at) todo.shift()?.act();
    const look = change(lookAt(world, at));
    book.apply(judge(look, book.known(look), look.endedAt, policy), look);
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

/**
 * Another order was debited before the purchase was written and found only after, so what the balance should be is not known; or
 * the list is a window, and a total counted somebody else's order before the list showed it. A purchase that was never bought then
 * stays unknown until a person resolves it.
 */
function isMuddled(world: World, { createdAt }: Purchase): boolean {
  if (world.old + world.attempts.length + world.foreign.length > world.habits.window && world.foreign.some(({ lag }) => lag > 0)) return true;
  const mine = (createdAt - moment(0)) / 1_000;
  const made = [...world.attempts.filter(({ bought }) => bought), ...world.foreign];
  return made.some(({ at, lag }) => at <= mine && at + lag + 25 >= mine);
}

function truths(world: World): boolean[] {
  return world.attempts.map((one, index) => ({ ...one, index })).sort((a, b) => a.at - b.at || a.index - b.index).map(({ bought }) => bought);
}

describe('whatever happens in the world', () => {
  it('no verdict is ever wrong, and once everything shows all are right', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const truth = truths(world);
        const end = live(world, (book) => {
          for (const one of book.purchases.values()) {
            const claim = claimed(one);
            if (claim !== undefined) expect({ id: one.id, claim }).toEqual({ id: one.id, claim: truth[one.id - 1] });
          }
        });
        for (const one of end.purchases.values()) {
          const claim = claimed(one);
          if (claim === undefined && isMuddled(world, one)) continue;
          expect({ id: one.id, claim }).toEqual({ id: one.id, claim: truth[one.id - 1] });
        }
      }),
      { numRuns: 400 },
    );
  });

  it('every order ends up as ours or adopted, each once', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const end = live(world, () => {});
        const adopted = [...end.orders.values()].filter(({ as }) => as === 'adopted').length;
        expect(adopted).toBe(world.foreign.length);
      }),
      { numRuns: 200 },
    );
  });

  it('the order of rows never matters', () => {
    fc.assert(
      fc.property(worlds, fc.nat(), (world, salt) => {
        const book = new Book();
        live(world, (so, at) => {
          const look = lookAt(world, at);
          const turned = lookAt(world, at, salt);
          const known = so.known(look);
          expect(judge(turned, known, look.endedAt, policy)).toEqual(judge(look, known, look.endedAt, policy));
        });
        expect(book.halted).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});

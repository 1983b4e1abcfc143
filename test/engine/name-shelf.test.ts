import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NameShelf } from '../../src/engine/name-shelf.ts';
import { NOON, listing } from '../support/values.ts';
import { appeared } from './appeared.ts';

const names = ['ak', 'awp', 'm4'] as const;

const shown = fc.record({
  id: fc.integer({ min: 1, max: 6 }).map(String),
  name: fc.constantFrom(...names),
  price: fc.integer({ min: 1, max: 4 }),
});

const happening = fc.oneof(
  fc.record({ what: fc.constant('answer' as const), changed: fc.array(shown, { maxLength: 4 }), complete: fc.boolean() }),
  fc.record({ what: fc.constant('gone' as const), ids: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }) }),
  fc.record({ what: fc.constant('settle' as const) }),
  fc.record({ what: fc.constant('forget' as const) }),
);

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function happens(shelf: NameShelf, each: Happening): void {
  if (each.what === 'answer')
    shelf.note(
      {
        changed: appeared(
          each.changed.map((given) => listing(given)),
          NOON,
        ),
        gone: [],
      },
      each.complete,
    );
  else if (each.what === 'gone') shelf.note({ changed: [], gone: each.ids.map((id) => listing({ id: String(id) }).key) }, false);
  else if (each.what === 'settle') shelf.settle();
  else shelf.forgetTouched();
}

/** Everything that it can be asked, in the order in which it answers. */
function told(shelf: NameShelf): unknown {
  return {
    sure: shelf.isSure,
    open: shelf.isOpen,
    of: names.map((name) => shelf.of(name)),
    beside: names.map((name) => shelf.floorBeside(listing({ id: '1', name }))),
    touched: shelf.cheapestOfTouched(),
    after: shelf.isOpen,
  };
}

describe('the live listings by name', () => {
  it('are the same, in the same order, for whoever asks late as for whoever has asked from the start', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), fc.array(happening, { maxLength: 10 }), (before, after) => {
        const [late, early] = [new NameShelf(), new NameShelf()];
        early.of('ak');
        for (const each of before) {
          happens(late, each);
          happens(early, each);
          early.of('ak');
          // What lies in its place is told alike whenever it was put there.
          late.settle();
        }
        expect(told(late)).toEqual(told(early));
        for (const each of after) {
          happens(late, each);
          happens(early, each);
        }
        expect(told(late)).toEqual(told(early));
      }),
    );
  });

  it('are what the newest answers show, whatever was there before', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 30 }), (all) => {
        const shelf = new NameShelf();
        const plain = new Map<string, string>();
        for (const each of all) {
          happens(shelf, each);
          if (each.what === 'answer') for (const { id, name } of each.changed) plain.set(listing({ id }).key, name);
          if (each.what === 'gone') for (const id of each.ids) plain.delete(listing({ id: String(id) }).key);
        }
        for (const name of names) {
          const keys = shelf.of(name).map(({ listing: { key } }) => key);
          expect(new Set(keys)).toEqual(new Set([...plain].filter(([, at]) => at === name).map(([key]) => key)));
          expect(keys).toHaveLength(new Set(keys).size);
        }
      }),
    );
  });
});

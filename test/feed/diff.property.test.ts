import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Listing, type ListingKey, listingKey } from '../../src/domain/listing.ts';
import { ListingsDiff } from '../../src/feed/diff.ts';
import { EntryMemory } from '../../src/feed/entry.ts';
import { readListing } from '../../src/strategy/read-listing.ts';
import { Polls, entry } from '../support/feed-entries.ts';

/** The rules once more, written for clarity: every entry is read anew each time and everything is compared with everything. */
class NaiveFeed {
  #standing = new Map<ListingKey, Listing>();
  readonly #itemOf = new Map<ListingKey, string>();

  apply(entries: readonly unknown[], complete: boolean): { changed: string[]; gone: string[] } {
    const groups = new Map<ListingKey, unknown[]>();
    for (const raw of entries) {
      const key = claimedKey(raw);
      if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), raw]);
    }
    const good = new Map<ListingKey, Listing>();
    for (const [key, copies] of groups) {
      const [first, ...others] = copies.map((copy) => readListing(copy));
      if (!first?.ok || !others.every((other) => isDeepStrictEqual(other, first))) continue;
      if ((this.#itemOf.get(key) ?? first.listing.itemId) !== first.listing.itemId) continue;
      good.set(key, first.listing);
    }
    const gone = [...this.#standing.keys()].filter((key) => !good.has(key) && (complete || groups.has(key)));
    const changed = [...good].flatMap(([key, listing]) => {
      const kind = kindOf(this.#standing.get(key), listing);
      return kind ? [`${kind} ${key}`] : [];
    });
    for (const key of gone) this.#standing.delete(key);
    for (const [key, listing] of good) {
      this.#standing.set(key, listing);
      this.#itemOf.set(key, listing.itemId);
    }
    return { changed, gone };
  }
}

function kindOf(before: Listing | undefined, now: Listing): string | undefined {
  if (!before) return 'appeared';
  if (before.price !== now.price || before.priceWithFee !== now.priceWithFee) return 'repriced';
  return isDeepStrictEqual(before, now) ? undefined : 'changed';
}

function claimedKey(raw: unknown): ListingKey | undefined {
  const { market, id } = (raw ?? {}) as { market?: unknown; id?: unknown };
  return typeof market === 'string' && typeof id === 'string' ? listingKey(market, id) : undefined;
}

const sound = fc
  .record({
    id: fc.integer({ min: 1, max: 9 }).map(String),
    market: fc.constantFrom('c5game', 'ecosteam'),
    itemId: fc.oneof(
      { weight: 9, arbitrary: fc.constant('10807006fab895f4') },
      { weight: 1, arbitrary: fc.constant('ffffffffffffffff') },
    ),
    price: fc.constantFrom(10, 10.5, 11),
    steamPrice: fc.constantFrom(15, null, 0, '15'),
    stickers: fc.constantFrom([], [{ name: 'Sticker | Crown (Foil)' }], [null, 3]),
    charm: fc.constantFrom(null, { name: 'Charm | Lil Ava' }, []),
    iconUrl: fc.constantFrom('a', 'b'),
  })
  .map((fields) => entry({ ...fields, priceWithFee: 12 }));

const damaged = fc.oneof(
  fc.constantFrom(null, 3, 'text', [], {}),
  fc
    .tuple(
      sound,
      fc.constantFrom('id', 'market', 'itemId', 'price', 'priceWithFee', 'wear', 'marketHashName'),
      fc.constantFrom(null, '7', -1, 7, {}, 1 / 0, undefined),
    )
    .map(([fields, name, value]) => ({ ...fields, [name]: value })),
);

const snapshot = fc.record({
  entries: fc.array(fc.oneof({ weight: 8, arbitrary: sound }, { weight: 1, arbitrary: damaged }), { maxLength: 15 }),
  complete: fc.boolean(),
});

/** The very same object for the same entry, as a feed that is read by what is new in it hands them on. */
function same(): (raw: unknown) => unknown {
  const known = new Map<string, unknown>();
  return (raw) => {
    const text = inspect(raw, { depth: null });
    if (!known.has(text)) known.set(text, raw);
    return known.get(text);
  };
}

interface Way {
  readonly diff: () => ListingsDiff;
  readonly handedOn: () => (raw: unknown) => unknown;
}

const ways: readonly (readonly [string, Way])[] = [
  ['entries that are read each time', { diff: () => new ListingsDiff(), handedOn: () => (raw) => raw }],
  ['entries that are known again', { diff: () => new ListingsDiff(new EntryMemory()), handedOn: same }],
];

describe.each(ways)('the diff of snapshots, %s,', (_, { diff, handedOn }) => {
  it('says what a full comparison of everything says, over any series of snapshots', () => {
    fc.assert(
      fc.property(fc.array(snapshot, { maxLength: 12 }), (snapshots) => {
        const polls = new Polls(diff());
        const naive = new NaiveFeed();
        const shared = handedOn();
        for (const { entries: made, complete } of snapshots) {
          const entries = made.map(shared);
          const { change } = polls.next(entries, { listingsCount: complete ? entries.length : -1 });
          const expected = naive.apply(entries, complete);
          expect(change.complete).toBe(complete);
          expect(change.changed.map(({ kind, listing }) => `${kind} ${listing.key}`)).toEqual(expected.changed);
          expect([...change.gone].sort()).toEqual([...expected.gone].sort());
          for (const { position, listing, raw } of change.changed) {
            expect(entries[position]).toBe(raw);
            expect(readListing(raw)).toEqual({ ok: true, listing });
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on the order of the entries [money-9]', () => {
    const shuffled = fc
      .array(snapshot, { minLength: 1, maxLength: 5 })
      .chain((snapshots) =>
        fc.tuple(
          fc.constant(snapshots),
          fc.tuple(...snapshots.map(({ entries }) => fc.shuffledSubarray(entries, { minLength: entries.length }))),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([snapshots, orders]) => {
        const [inOrder, inDisorder] = [new Polls(diff()), new Polls(diff())];
        const shared = handedOn();
        for (const [index, { entries, complete }] of snapshots.entries()) {
          const fields = { listingsCount: complete ? entries.length : -1 };
          const [a, b] = [
            inOrder.next(entries.map(shared), fields).change,
            inDisorder.next((orders[index] ?? []).map(shared), fields).change,
          ];
          const summary = (change: typeof a): unknown => [
            change.changed.map(({ kind, listing }) => `${kind} ${listing.key}`).sort(),
            [...change.gone].sort(),
            change.badCount,
          ];
          expect(summary(b)).toEqual(summary(a));
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('an entry that is known again', () => {
  it('changes nothing of what any series of snapshots comes to', () => {
    fc.assert(
      fc.property(fc.array(snapshot, { maxLength: 12 }), (snapshots) => {
        const [anew, again] = [new Polls(), new Polls(new ListingsDiff(new EntryMemory()))];
        const shared = same();
        for (const { entries, complete } of snapshots) {
          const fields = { listingsCount: complete ? entries.length : -1 };
          expect(again.next(entries.map(shared), fields)).toEqual(anew.next(entries, fields));
        }
      }),
      { numRuns: 300 },
    );
  });
});

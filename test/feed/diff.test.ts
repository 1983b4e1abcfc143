import { describe, expect, it } from 'vitest';
import { listingKey } from '../../src/domain/listing.ts';
import type { SnapshotChange } from '../../src/engine/snapshot.ts';
import { Polls, START, entries, entry } from '../support/feed-entries.ts';

/** The change in short: `appeared 1 at 0`, gone keys, reasons of bad entries. */
function short(change: SnapshotChange) {
  return {
    changed: change.changed.map(({ kind, listing, position }) => `${kind} ${listing.id} at ${position}`),
    gone: change.gone,
    bad: change.bad.map((bad) => bad.reason),
  };
}

describe('what a snapshot changes', () => {
  it('is everything at first, in the order of the feed', () => {
    const polls = new Polls();
    const { change } = polls.next([entry({ id: '3' }), entry({ id: '1' }), entry({ id: '2' })]);
    expect(short(change).changed).toEqual(['appeared 3 at 0', 'appeared 1 at 1', 'appeared 2 at 2']);
    expect(change).toMatchObject({
      pollSeq: 1,
      first: true,
      complete: true,
      count: 3,
      gone: [],
      badCount: 0,
      trouble: undefined,
    });
    expect(change.changed[0]).toMatchObject({ seenAt: START + 1_050, chunk: 0, raw: { id: '3', iconUrl: expect.any(String) } });
  });

  it('was seen when the last byte of the answer was there, before it was read', () => {
    const { change } = new Polls().next([entry()], { receivedAt: START + 1_020 });
    expect(change).toMatchObject({ endedAt: START + 1_050, changed: [{ seenAt: START + 1_020 }] });
  });

  it('is nothing when the next answer says the same, in any order of entries and of their fields', () => {
    const polls = new Polls();
    polls.next([entry({ id: '1' }), entry({ id: '2' })]);
    const turned = Object.fromEntries(Object.entries(entry({ id: '1' })).reverse());
    const { change } = polls.next([entry({ id: '2' }), turned]);
    expect(short(change)).toEqual({ changed: [], gone: [], bad: [] });
    expect(change).toMatchObject({ first: false, complete: true, unchangedInARow: 1 });
    expect(polls.next([entry({ id: '2' }), turned]).change.unchangedInARow).toBe(2);
    expect(polls.next([turned]).change.unchangedInARow).toBe(0);
  });

  it('names what appeared, what was repriced, what else changed, and what is gone', () => {
    const polls = new Polls();
    polls.next([entry({ id: '1' }), entry({ id: '2' }), entry({ id: '3' }), entry({ id: '4' })]);
    const { change } = polls.next([
      entry({ id: '5' }),
      entry({ id: '2', price: 9 }),
      entry({ id: '3', steamPrice: 16 }),
      entry({ id: '4', priceWithFee: 11 }),
    ]);
    expect(short(change)).toEqual({
      changed: ['appeared 5 at 0', 'repriced 2 at 1', 'changed 3 at 2', 'repriced 4 at 3'],
      gone: [listingKey('c5game', '1')],
      bad: [],
    });
    expect(short(polls.next([entry({ id: '1' }), entry({ id: '2', price: 9 })]).change).changed).toEqual(['appeared 1 at 0']);
  });

  it.each([
    ['a sticker', { stickers: [{ name: 'Sticker | Katowice 2014' }] }],
    ['a charm', { charm: { name: 'Charm | Lil Ava' } }],
    ['its wear', { wear: 0.21 }],
    ['its name', { marketHashName: 'AK-47 | Redline (Well-Worn)' }],
    ['a steamPrice that is null now', { steamPrice: null }],
  ])('sees %s change', (_, fields) => {
    const polls = new Polls();
    polls.next([entry()]);
    expect(short(polls.next([entry(fields)]).change).changed).toEqual(['changed 800000037 at 0']);
  });

  it.each([
    ['the image address', { iconUrl: 'https://img.example.invalid/b.png?token=2' }],
    ['an unknown field', { popularity: 3 }],
    ['an unknown field of any depth', { popularity: { nested: [1, { deep: [[[[[[[[3]]]]]]]] }] } }],
    ['a part of a sticker that nothing judges', { stickers: [{ name: 'Sticker | Crown (Foil)', slot: 3 }] }],
  ])('sees no change in %s [N27]', (_, fields: Record<string, unknown>) => {
    const polls = new Polls();
    polls.next([entry({ stickers: fields['stickers'] ? [{ name: 'Sticker | Crown (Foil)', slot: 1 }] : [] })]);
    for (let time = 1; time <= 2; time++)
      expect(short(polls.next([entry(fields)]).change)).toEqual({ changed: [], gone: [], bad: [] });
  });

  it('keeps the same id on two markets apart [M4]', () => {
    const polls = new Polls();
    const { change } = polls.next([entry(), entry({ market: 'ecosteam', price: 3, priceWithFee: 3.2 })]);
    expect(change.changed).toHaveLength(2);
    expect(short(polls.next([entry()]).change).gone).toEqual([listingKey('ecosteam', '800000037')]);
  });
});

describe('an id that stands twice in one snapshot', () => {
  it('counts once when the copies are identical [M3]', () => {
    const { change } = new Polls().next([entry(), entry(), entry({ iconUrl: 'https://img.example.invalid/b.png' })]);
    expect(short(change)).toEqual({ changed: ['appeared 800000037 at 0'], gone: [], bad: [] });
  });

  it('cannot be bought when the copies name two prices, and is gone if it was known [M3]', () => {
    const polls = new Polls();
    polls.next([entry(), entry({ id: '2' })]);
    const { change } = polls.next([
      entry(),
      entry({ id: '2' }),
      entry({ price: 9, priceWithFee: 9.5 }),
      entry({ price: 8, priceWithFee: 8.5 }),
    ]);
    expect(short(change)).toEqual({
      changed: [],
      gone: [listingKey('c5game', '800000037')],
      bad: ['two prices for one id in one snapshot: 10.5 and 9.5'],
    });
    expect(change.complete).toBe(true);
    expect(short(polls.next([entry(), entry({ id: '2' })]).change).changed).toEqual(['appeared 800000037 at 0']);
  });

  it.each([
    ['before', [entry({ price: '10' }), entry()]],
    ['after', [entry(), entry({ price: '10' })]],
  ])('cannot be bought when one copy is bad, whether it stands %s the other', (_, listings) => {
    const { change } = new Polls().next(listings);
    expect(change.changed).toEqual([]);
    expect(change.bad).toHaveLength(1);
  });
});

describe('a listing that turns bad', () => {
  it('can no longer be bought, though the answer is not complete', () => {
    const polls = new Polls();
    polls.next([entry(), entry({ id: '2' })]);
    const { change } = polls.next([entry({ wear: 7 }), entry({ id: '2' })], { listingsCount: 99 });
    expect(change).toMatchObject({ complete: false, gone: [listingKey('c5game', '800000037')], badCount: 1 });
  });

  it('is fresh once for each trouble it has', () => {
    const polls = new Polls();
    const fresh = (listing: unknown): boolean[] =>
      polls.next([listing, entry({ id: '2' }), entry({ id: '3' })]).change.bad.map((bad) => bad.fresh);
    expect(fresh(entry({ wear: 7 }))).toEqual([true]);
    expect(fresh(entry({ wear: 7 }))).toEqual([false]);
    expect(fresh(entry({ price: null }))).toEqual([true]);
    expect(fresh(entry())).toEqual([]);
    expect(fresh(entry({ price: null }))).toEqual([true]);
  });

  it('is handed on with details for a hundred, and counted beyond [N25]', () => {
    const { change } = new Polls().next([...Array.from({ length: 250 }, () => null), entry()]);
    expect(change.badCount).toBe(250);
    expect(change.bad).toHaveLength(100);
    expect(change.bad.filter((bad) => bad.fresh)).toHaveLength(1);
    expect(change.changed).toHaveLength(1);
    expect(change.trouble).toMatchObject({ kind: 'many-bad' });
  });
});

describe('an id that was first seen for another item', () => {
  it('cannot be bought, neither at once nor after it was gone [M20]', () => {
    const polls = new Polls();
    polls.next([entry(), entry({ id: '2' })]);
    const other = entry({ itemId: 'ffffffffffffffff', price: 1, priceWithFee: 1.1 });
    const { change } = polls.next([other, entry({ id: '2' })]);
    expect(short(change)).toEqual({
      changed: [],
      gone: [listingKey('c5game', '800000037')],
      bad: ['its id was first seen for another item (10807006fab895f4)'],
    });
    polls.next([entry({ id: '2' })]);
    expect(polls.next([other, entry({ id: '2' })]).change).toMatchObject({ changed: [], badCount: 1 });
    expect(short(polls.next([entry(), entry({ id: '2' })]).change).changed).toEqual(['appeared 800000037 at 0']);
  });
});

describe('an answer that cannot be trusted as a whole', () => {
  it('says nothing about what is gone when its count and its list contradict each other, but its listings are judged [M16]', () => {
    const polls = new Polls();
    polls.next([entry(), entry({ id: '2' })]);
    const { change } = polls.next([entry({ id: '2', price: 9 })], { listingsCount: 2 });
    expect(short(change)).toEqual({ changed: ['repriced 2 at 0'], gone: [], bad: [] });
    expect(change).toMatchObject({ complete: false, trouble: { message: 'the answer counts 2 listings but holds 1' } });
    expect(short(polls.next([entry({ id: '2', price: 9 })]).change).gone).toEqual([listingKey('c5game', '800000037')]);
  });

  it.each([
    ['a number', 1, true],
    ['digits as text', '1', true],
    ['missing', undefined, true],
    ['null', null, true],
    ['another number as text', '17', false],
    ['a word', 'many', false],
    ['infinite', 1 / 0, false],
    ['an object', {}, false],
  ])('compares a count that is %s [transport-9]', (_, listingsCount, complete) => {
    expect(new Polls().next([entry()], { listingsCount }).change.complete).toBe(complete);
  });

  it('does not believe that nearly everything is gone, until it has heard it five times [M16]', () => {
    const polls = new Polls();
    polls.next(entries(200));
    for (let time = 1; time <= 4; time++)
      expect(polls.next([]).change).toMatchObject({ complete: false, gone: [], trouble: { kind: 'shrunk' } });
    const { change } = polls.next([]);
    expect(change).toMatchObject({ complete: true, trouble: undefined });
    expect(change.gone).toHaveLength(200);
  });

  it('judges the listings of a list that shrank, and believes one that shrank less', () => {
    const polls = new Polls();
    polls.next(entries(200));
    expect(polls.next(entries(20, 300)).change).toMatchObject({
      complete: false,
      trouble: { message: 'only 20 listings after 200 in the answer before' },
    });
    const { change } = polls.next(entries(21, 300));
    expect(change.complete).toBe(true);
    expect(change.gone).toHaveLength(200);
    expect(change.changed).toHaveLength(1);
  });

  it('judges nothing while most known prices have jumped, as when dollars become cents [M11 money-17]', () => {
    const polls = new Polls();
    polls.next(entries(40));
    const cheap = entries(40).map((listing) => ({ ...listing, price: 0.1, priceWithFee: 0.105 }));
    expect(polls.next([...cheap, entry({ id: '999', price: 0.1, priceWithFee: 0.105 })]).change).toMatchObject({
      complete: false,
      changed: [],
      gone: [],
      trouble: { kind: 'prices' },
    });
    const { change } = polls.next([...entries(30), ...cheap.slice(30)]);
    expect(change.complete).toBe(true);
    expect(change.changed).toHaveLength(10);
  });

  it('follows no more listings than the bound, and forgets the oldest of what incomplete answers left over [P28 unattended-8]', () => {
    const polls = new Polls();
    const first = polls.next(entries(100_002));
    expect(first.change).toMatchObject({ complete: false, trouble: { kind: 'too-many' }, count: 100_002 });
    expect(first.change.changed).toHaveLength(100_000);
    const { change } = polls.next([entry({ id: '900000' })], { listingsCount: 5 });
    expect(short(change)).toMatchObject({ changed: ['appeared 900000 at 0'], gone: [listingKey('c5game', '1')] });
  });
});

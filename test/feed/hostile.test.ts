import { describe, expect, it } from 'vitest';
import { Polls, entries, entry } from '../support/feed-entries.ts';

/** What a service gone wrong, or someone in its place, might put where a listing belongs: as JSON text. */
const hostile: readonly (readonly [what: string, json: string])[] = [
  ['null', 'null'],
  ['a number', '17'],
  ['a list', '[[]]'],
  ['text', '"listing"'],
  ['an empty object', '{}'],
  ['a price as text [N24]', json({ price: '10' })],
  ['a price with a comma [N24]', json({ price: '1,20' })],
  ['a price of true [N24]', json({ price: true })],
  ['an infinite price [N23]', json({ price: 'HERE' }).replace('"HERE"', '1e400')],
  ['a price too small to be one [N23]', json({ price: 'HERE' }).replace('"HERE"', '1e-400')],
  ['a negative price', json({ price: -1 })],
  ['a price of zero [N23]', json({ price: 0 })],
  ['an absurd price', json({ price: 1e300, priceWithFee: 1e300 })],
  ['a missing price [N25]', json({ price: undefined })],
  ['a fee below zero [M10 money-24]', json({ priceWithFee: 9.99 })],
  ['wear 7 [M9]', json({ wear: 7 })],
  ['negative wear', json({ wear: -0.1 })],
  [
    'an id that is a number beyond 2^53 [N29 transport-7 transport-8]',
    json({ id: 'HERE' }).replace('"HERE"', '90071992547409931'),
  ],
  ['an id that is no digits', json({ id: '../../etc' })],
  ['no id', json({ id: undefined })],
  ['an item id that is a number [transport-8]', json({ itemId: 1e21 })],
  ['an empty name', json({ marketHashName: '' })],
  ['a name that is an object', json({ marketHashName: { toString: 'x' } })],
  ['a market that is null', json({ market: null })],
];

function json(fields: Record<string, unknown>): string {
  return JSON.stringify(entry({ id: '666', ...fields }));
}

describe('a hostile entry', () => {
  it.each(hostile)('that is %s is bad, and costs the good ones beside it nothing', (_, text) => {
    const polls = new Polls();
    const { change } = polls.next([entry({ id: '1' }), JSON.parse(text), entry({ id: '2' })]);
    expect(change.changed.map(({ listing }) => listing.id)).toEqual(['1', '2']);
    expect(change).toMatchObject({ complete: true, badCount: 1 });
    expect(polls.next([entry({ id: '1' }), JSON.parse(text), entry({ id: '2' })]).change).toMatchObject({
      changed: [],
      gone: [],
      badCount: 1,
    });
  });

  it('gains nothing with __proto__, constructor or toJSON [S17]', () => {
    const text = `{"__proto__":{"price":1,"polluted":true},"constructor":{"prototype":{"polluted":true}},"toJSON":"x",${json({}).slice(1)}`;
    const polls = new Polls();
    const { change } = polls.next([JSON.parse(text)]);
    expect(change.changed[0]?.listing.price).toBe(10);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const without = JSON.parse(text.replace('"__proto__":{"price":1,"polluted":true}', '"other":{}'));
    expect(polls.next([without]).change.changed).toEqual([]);
    expect(polls.next([JSON.parse('{"__proto__":{"id":"5","market":"c5game"}}')]).change.badCount).toBe(1);
  });

  it('does not exhaust the stack with depth, in an unknown field or in a known one [N21]', () => {
    const deep = (field: string): unknown =>
      JSON.parse(json({ [field]: 'HERE' }).replace('"HERE"', '['.repeat(100_000) + ']'.repeat(100_000)));
    const polls = new Polls();
    for (let time = 1; time <= 2; time++) {
      for (const field of ['other', 'charm']) expect(polls.next([deep(field), entry({ id: '1' })]).change.badCount).toBe(0);
    }
  });

  it('keeps texts of any length and kind as they came, but shows only the beginning of those that are bad', () => {
    const long = 'A'.repeat(1_000_000);
    const { change } = new Polls().next([
      entry({ id: '1', collection: long, rarity: '\u001b[2J\u202e\u0000' }),
      entry({ id: 'x', marketHashName: long, market: long }),
    ]);
    expect(change.changed).toHaveLength(1);
    const [bad] = change.bad;
    expect([bad?.name?.length, bad?.market?.length, bad?.reason.length].every((length) => (length ?? 0) <= 200)).toBe(true);
  });

  it('leaves markets that nobody has heard of to those who judge [M18]', () => {
    const { change } = new Polls().next([entry({ market: 'newmarket' }), entry({ market: 'c5game:9' })]);
    expect(change.changed.map(({ listing }) => listing.key)).toEqual(['newmarket:800000037', 'c5game:9:800000037']);
  });
});

describe('a hostile list', () => {
  it('of the same id ten thousand times at ten thousand prices is one bad listing', () => {
    const { change } = new Polls().next(
      Array.from({ length: 10_000 }, (_, index) => entry({ price: 1 + index / 1_000_000, priceWithFee: 20 })),
    );
    expect(change).toMatchObject({ changed: [], badCount: 1, complete: true });
  });

  it('that is empty beside a large total says nothing about what is gone [M16 transport-10]', () => {
    const polls = new Polls();
    polls.next([entry()]);
    expect(polls.next([], { listingsCount: 12_000 }).change).toMatchObject({
      complete: false,
      gone: [],
      trouble: { kind: 'count' },
    });
  });

  it('of new ids at every poll does not let the memory grow [P28 unattended-8]', () => {
    const polls = new Polls();
    for (let poll = 0; poll < 50; poll++) {
      const { change } = polls.next(entries(1_000, poll * 1_000 + 1));
      expect([change.changed.length, change.gone.length]).toEqual([1_000, poll === 0 ? 0 : 1_000]);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListingKey } from '../../src/domain/listing.ts';
import { type Turns, type Wanting, claim, freshTurns, nextTurn, release, seat } from '../../src/engine/turns.ts';

const names = ['a', 'b', 'c', 'd', 'e'] as const;

function wants(account: string, keys: Iterable<ListingKey>, mayBuy = true): Wanting {
  return { account, mayBuy, wants: new Set(keys) };
}

/** Gives turns until there are none, each account having as many permits as it is given. */
function round(
  turns: Turns,
  wanting: readonly Wanting[],
  permits: ReadonlyMap<string, number>,
): { account: string; key: ListingKey }[] {
  const left = new Map(permits);
  const given: { account: string; key: ListingKey }[] = [];
  for (;;) {
    const now = wanting.map(({ account, wants: keys }) => ({
      account,
      mayBuy: (left.get(account) ?? 0) > 0,
      wants: new Set([...keys].filter((key) => !turns.claims.has(key))),
    }));
    const turn = nextTurn(turns, now);
    if (turn === undefined) return given;
    left.set(turn.account, (left.get(turn.account) ?? 0) - 1);
    given.push(turn);
  }
}

const permitsOf = (each: number): ReadonlyMap<string, number> => new Map(names.map((name) => [name, each]));

describe('the turns of several accounts', () => {
  it('never give a listing to two, whatever is wanted, released and wanted again', () => {
    const happening = fc.oneof(
      fc.record({
        what: fc.constant('round' as const),
        wanted: fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 8 }))),
      }),
      fc.record({ what: fc.constant('release' as const), by: fc.constantFrom(...names), key: fc.integer({ min: 1, max: 8 }) }),
      fc.record({ what: fc.constant('claim' as const), by: fc.constantFrom(...names), key: fc.integer({ min: 1, max: 8 }) }),
    );
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const turns = freshTurns(names);
        const holders = new Map<string, string>();
        for (const happens of happenings) {
          if (happens.what === 'release') {
            const had = holders.get(`m:${happens.key}`) === happens.by;
            expect(release(turns, happens.by, `m:${happens.key}`)).toBe(had);
            if (had) holders.delete(`m:${happens.key}`);
          } else if (happens.what === 'claim') {
            const holder = holders.get(`m:${happens.key}`) ?? happens.by;
            expect(claim(turns, happens.by, `m:${happens.key}`)).toBe(holder === happens.by);
            holders.set(`m:${happens.key}`, holder);
          } else {
            const wanting = names.map((name) =>
              wants(
                name,
                happens.wanted.filter(([by]) => by === name).map(([, key]) => `m:${key}`),
              ),
            );
            for (const { account, key } of round(turns, wanting, permitsOf(2))) {
              expect(holders.has(key)).toBe(false);
              expect(wanting.find((each) => each.account === account)?.wants.has(key)).toBe(true);
              holders.set(key, account);
            }
          }
          expect(new Map(turns.claims)).toEqual(holders);
        }
      }),
    );
  });

  it('give the same number to all that want the same, within one, however many there are at a time and whatever each buys besides', () => {
    const answers = fc.array(fc.record({ shared: fc.nat(6), own: fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }) }), {
      minLength: 1,
      maxLength: 200,
    });
    fc.assert(
      fc.property(answers, fc.integer({ min: 2, max: 5 }), (polls, count) => {
        const accounts = names.slice(0, count);
        const turns = freshTurns(accounts);
        const got = new Map<string, number>(accounts.map((name) => [name, 0]));
        for (const [poll, { shared, own }] of polls.entries()) {
          const common = Array.from({ length: shared }, (_, i) => `both:${poll}-${i}`);
          const wanting = accounts.map((name, at) =>
            wants(name, [...Array.from({ length: own[at] ?? 0 }, (_, i) => `${name}:${poll}-${i}`), ...common]),
          );
          const given = round(turns, wanting, permitsOf(100));
          for (const { account, key } of given) if (key.startsWith('both:')) got.set(account, (got.get(account) ?? 0) + 1);
          // Whatever anybody wants is bought by somebody.
          expect(given).toHaveLength(shared + own.slice(0, count).reduce((sum, each) => sum + each, 0));
        }
        expect(Math.max(...got.values()) - Math.min(...got.values())).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });

  it('starve nobody: who wants what others want waits for each of them once at most', () => {
    const polls = fc.array(fc.subarray([...names], { minLength: 1 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(polls, (wantedBy) => {
        const turns = freshTurns(names);
        const waited = new Map<string, number>();
        for (const [poll, accounts] of wantedBy.entries()) {
          const [given] = round(
            turns,
            accounts.map((name) => wants(name, [`m:${poll}`])),
            permitsOf(1),
          );
          expect(given).toBeDefined();
          for (const name of accounts) waited.set(name, name === given?.account ? 0 : (waited.get(name) ?? 0) + 1);
          for (const each of waited.values()) expect(each).toBeLessThan(names.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('wait for nobody that may buy nothing: a halted account and one without a permit delay no other, and lose their turn to none', () => {
    const turns = freshTurns(['a', 'b', 'c']);
    const got: string[] = [];
    for (let poll = 0; poll < 60; poll += 1) {
      // What is halted admits nothing, so it wants nothing.
      const wanting = [wants('a', poll < 30 ? [] : [`m:${poll}`]), wants('b', [`m:${poll}`]), wants('c', [`m:${poll}`])];
      got.push(...round(turns, wanting, permitsOf(1)).map(({ account }) => account));
    }
    expect(got.slice(0, 30)).toEqual(Array.from({ length: 15 }, () => ['b', 'c']).flat());
    expect(got.slice(30, 36)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    const slow = freshTurns(['slow', 'fast']);
    const row = [wants('slow', ['m:1'], false), wants('fast', ['m:1'])];
    expect(nextTurn(slow, row)).toEqual({ account: 'fast', key: 'm:1' });
    expect(nextTurn(slow, [wants('slow', ['m:2']), wants('fast', ['m:2'])])).toEqual({ account: 'slow', key: 'm:2' });
  });

  it('go on after a restart where they were: who bought longest ago comes first, whatever it is called', () => {
    const turns = freshTurns(['a', 'b', 'c']);
    for (const [name, at] of [
      ['a', 3_000],
      ['b', 1_000],
      ['c', 2_000],
    ] as const)
      seat(turns, name, at);
    const all = (key: string): Wanting[] => ['a', 'b', 'c'].map((name) => wants(name, [key]));
    const row = ['m:1', 'm:2', 'm:3', 'm:4'].map((key) => nextTurn(turns, all(key))?.account);
    expect(row).toEqual(['b', 'c', 'a', 'b']);
  });

  it('are told the same by the same state', () => {
    const state = (): Turns => ({
      ...freshTurns(names),
      served: new Map<string, number>([
        ['a', 5],
        ['c', 2],
      ]),
      last: 5,
    });
    const wanting = names.map((name) => wants(name, ['m:1', 'm:2']));
    expect(round(state(), wanting, permitsOf(1))).toEqual(round(state(), wanting, permitsOf(1)));
  });
});

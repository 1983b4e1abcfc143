import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Gathered,
  Gathering,
  type GatheredPage,
  type Place,
  ROWS,
  type Wanted,
  placeOf,
  placeText,
} from '../../src/cli/gathering.ts';

/** A look takes so long. */
const LOOK_MS = 3;
const names = Array.from({ length: 30 }, (_, index) => `shop-${index}`);

interface Row extends Place {
  readonly fits: boolean;
}

/** Accounts with rows that a test changes, and what was asked of each. */
class World {
  rows: readonly Row[] = [];
  readonly asked: { readonly account: string; readonly given: number }[] = [];
  readonly broken = new Set<string>();
  mono = 0;

  gathering(before?: Place, names_: readonly string[] = names): Gathering {
    return new Gathering({
      ...{ names: names_, before, since: () => 0 },
      clock: { mono: () => this.mono, now: () => this.mono },
      look: (account, wanted) => this.#look(account, wanted),
    });
  }

  /** The whole list, as somebody with all the time in the world would make it. */
  list(before?: Place): readonly string[] {
    return this.rows
      .filter((row) => row.fits && (before === undefined || isBehind(row, before)))
      .toSorted((one, other) => (isBehind(other, one) ? -1 : 1))
      .map(placeText);
  }

  #look(account: string, { before, since, limit }: Wanted): readonly Gathered[] | { readonly unread: string } {
    this.mono += LOOK_MS;
    if (this.broken.has(account)) return { unread: 'it is damaged' };
    const own = this.rows
      .filter((row) => row.account === account && row.fits && row.at >= since)
      .filter((row) => row.at < before.at || (row.at === before.at && row.id < before.id))
      .toSorted((one, other) => other.at - one.at || other.id - one.id)
      .slice(0, limit);
    this.asked.push({ account, given: own.length });
    return own.map((row) => ({ ...row, json: {} }));
  }
}

function isBehind(row: Place, place: Place): boolean {
  if (row.at !== place.at) return row.at < place.at;
  return row.account === place.account ? row.id < place.id : row.account > place.account;
}

const texts = ({ rows }: GatheredPage): string[] => rows.map(placeText);

/** Goes on until every account was looked at since it began; returns how often it had to. */
function whole(gathering: Gathering, world: World, sliceMs = 200, of = names.length): number {
  for (let times = 1; times < 1_000; times += 1) {
    world.mono += 1_000;
    gathering.goOn(sliceMs);
    if (gathering.page().looked === of) return times;
  }
  throw new Error('it never ends');
}

const rowsOf = (seed: readonly (readonly [number, number])[]): Row[] =>
  seed.map(([shop, at], id) => ({ account: names[shop] ?? '', at, id, fits: true }));
const someRows = fc.array(fc.tuple(fc.integer({ min: 0, max: 29 }), fc.integer({ min: 1, max: 120 })), { maxLength: 700 });

describe('a list of many accounts', () => {
  it('read page by page has every row once, in order of time, however many accounts have it at the same moment', () => {
    fc.assert(
      fc.property(someRows, (seed) => {
        const world = new World();
        world.rows = rowsOf(seed);
        const read: string[] = [];
        let before: Place | undefined;
        do {
          const gathering = world.gathering(before);
          whole(gathering, world);
          const page = gathering.page();
          expect(page.rows.length).toBe(Math.min(ROWS, world.rows.length - read.length));
          read.push(...texts(page));
          before = page.next === undefined ? undefined : placeOf(placeText(page.next));
        } while (before !== undefined);
        expect(read).toEqual(world.list());
      }),
      { numRuns: 30 },
    );
  });

  it('that is kept follows what comes and what no longer fits, and leaves no gap', () => {
    const change = fc.record({ come: someRows, share: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(someRows, fc.array(change, { maxLength: 4 }), (seed, changes) => {
        const world = new World();
        world.rows = rowsOf(seed);
        const gathering = world.gathering();
        whole(gathering, world);
        for (const [turn, { come, share }] of changes.entries()) {
          const left = world.rows.map((row) => ({ ...row, fits: row.fits && (row.id * 7_919) % 100 >= share * 100 }));
          world.rows = [
            ...left,
            ...rowsOf(come).map((row) => ({ ...row, at: row.at + turn * 50, id: row.id + 10_000 * (turn + 1) })),
          ];
          // Twice, since too many that fit no more have it begin anew.
          for (let round = 0; round < 2; round += 1) {
            world.mono += 1_000;
            gathering.goOn(1e9);
          }
          expect(texts(gathering.page())).toEqual(world.list().slice(0, ROWS));
          expect(gathering.page().next !== undefined).toBe(world.list().length > ROWS);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('looks at no more accounts at once than fit into the time it has, and at each in its turn', () => {
    const world = new World();
    const atOnce = Math.ceil(200 / LOOK_MS);
    const many = Array.from({ length: 15 * atOnce }, (_, index) => `merchant-${index}`);
    const gathering = world.gathering(undefined, many);
    gathering.goOn(200);
    expect(gathering.page().looked).toBe(atOnce);
    expect(whole(gathering, world, 200, many.length)).toBe(14);
    expect(world.asked.map(({ account }) => account)).toEqual(many);
    world.mono += 1_000;
    gathering.goOn(200);
    expect(world.asked.slice(many.length).map(({ account }) => account)).toEqual(many.slice(0, atOnce));
    gathering.goOn(0);
    expect(world.asked.length, 'a few however little time there is').toBe(many.length + atOnce + 10);
  });

  it('asks an account for no more than could stand on the page, however much all of them have', () => {
    const world = new World();
    world.rows = names.flatMap((account, shop) =>
      Array.from({ length: 1_000 }, (_, id) => ({ account, id, at: id * 40 + shop, fits: true })),
    );
    const gathering = world.gathering();
    whole(gathering, world);
    expect(Math.max(...world.asked.map(({ given }) => given))).toBe(2 * ROWS + 1);
    expect(world.asked.reduce((sum, { given }) => sum + given, 0)).toBeLessThan(names.length * 50);
    expect(texts(gathering.page())).toEqual(world.list().slice(0, ROWS));
  });

  it('names the accounts that cannot be read, and hides no other behind them', () => {
    const world = new World();
    world.rows = rowsOf([
      [0, 5],
      [1, 6],
      [2, 7],
    ]);
    const gathering = world.gathering();
    whole(gathering, world);
    world.broken.add('shop-1');
    whole(gathering, world);
    world.mono += 1_000;
    gathering.goOn(200);
    expect(gathering.page()).toMatchObject({ looked: 30, unread: [{ account: 'shop-1', why: 'it is damaged' }] });
    expect(texts(gathering.page())).toEqual(['7_2_shop-2', '5_0_shop-0']);
    world.broken.clear();
    world.mono += 1_000;
    gathering.goOn(200);
    expect([gathering.page().unread, texts(gathering.page()).length]).toEqual([[], 3]);
  });
});

describe('a place of a list', () => {
  it('comes back from an address as it went there, and nothing else is one', () => {
    const place = fc.record({
      at: fc.double({ min: 1, max: 4e12, noNaN: true }).map((at) => Math.floor(at * 4_096) / 4_096),
      id: fc.integer({ min: 1 }),
      account: fc.stringMatching(/^[a-z0-9-]{1,40}$/),
    });
    fc.assert(
      fc.property(place, (each) => {
        expect(placeOf(placeText(each))).toEqual(each);
      }),
    );
    for (const text of ['', '12', '1_2', '1_2_', '1_2_A', '-1_2_a', '1e9_2_a', '1_2_a_b', '1_2_../a', ' 1_2_a'])
      expect(placeOf(text)).toBeUndefined();
  });
});

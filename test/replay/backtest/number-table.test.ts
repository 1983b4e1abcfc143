import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom, wholeBetween } from '../../../src/domain/random.ts';
import { Distinct } from '../../../src/replay/backtest/distinct.ts';
import { KeyNumbers } from '../../../src/replay/backtest/key-numbers.ts';
import { NumberTable } from '../../../src/replay/backtest/number-table.ts';

describe('a table of numbers', () => {
  it('holds what a map would, whatever is put in and taken out, and gives no two the same place', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const random = seededRandom(seed, 'table');
        const [table, map] = [new NumberTable(), new Map<number, number>()];
        for (let turn = 0; turn < 4_000; turn++) {
          const number = wholeBetween(random, 1, 900) * 8_000_000_007 - 3_000_000_000;
          const known = map.get(number);
          expect(table.placeOf(number)).toBe(known ?? -1);
          if (known === undefined) map.set(number, table.add(number));
          else if (random.next() < 0.7) {
            table.remove(number);
            map.delete(number);
          }
        }
        expect(new Map(table.entries())).toEqual(map);
        expect(table.size).toBe(map.size);
        expect(new Set(map.values()).size).toBe(map.size);
      }),
      { numRuns: 10 },
    );
  });

  it('grows with what is in it and not with what was', () => {
    const table = new NumberTable();
    for (let number = 0; number < 50_000; number++) {
      expect(table.add(number)).toBeLessThan(100);
      if (number >= 99) table.remove(number - 99);
    }
    expect(table.size).toBe(99);
  });
});

describe('a count of different numbers', () => {
  it('is exact up to its bound, and near beyond it, in whatever order they come and however often', () => {
    const counted = (order: (index: number) => number): number => {
      const distinct = new Distinct(10_000);
      for (let turn = 0; turn < 3; turn++) for (let index = 0; index < 100_000; index++) distinct.add(8 * order(index));
      return distinct.count;
    };
    const few = new Distinct(10_000);
    for (let index = 0; index < 30_000; index++) few.add(index % 10_000);
    expect(few.count).toBe(10_000);
    const [rising, falling] = [counted((index) => index), counted((index) => 99_999 - index)];
    expect(rising).toBe(falling);
    expect(Math.abs(rising - 100_000)).toBeLessThan(5_000);
  });
});

describe('listings by number', () => {
  it('are found again, whatever their ids and markets are like', () => {
    const numbers = new KeyNumbers();
    const ids = ['1', '999999999999999', '0', '007', '1234567890123456', 'x:y', ''];
    const keys = Array.from({ length: 12 }, (_, market) => ids.map((id) => `market ${market}:${id}`)).flat();
    const own = keys.map((key) => numbers.of(key));
    expect(new Set(own).size).toBe(keys.length);
    expect(own.map((number) => numbers.keyOf(number))).toEqual(keys);
    expect(keys.map((key) => numbers.of(key))).toEqual(own);
    expect(numbers.of('market 0:999999999999999')).toBe(KeyNumbers.of(0, 999_999_999_999_999));
  });
});

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NamedDay } from '../../src/ledger/references.ts';
import { dollars } from '../support/values.ts';
import { freshFolder, freshLedger, opened, raw } from './support.ts';

function named(name: string, day: number, given: Partial<NamedDay['sample']> = {}): NamedDay {
  return {
    name,
    reading: { at: day * 86_400_000 + 5, floor: dollars(7), nextFloor: dollars(8) },
    sample: { day, readings: 1, steam: dollars(10), floor: dollars(7), ...given },
  };
}

describe('samples of names', () => {
  it('are kept by name and day, a later state of a day in the place of the one before, across a restart', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    ledger.keepReferences([named('ak', 100), named('awp', 100, { steam: undefined })], 90);
    ledger.keepReferences([named('ak', 100, { readings: 2, steam: dollars(11) }), named('ak', 101)], 90);
    ledger.close();
    const again = opened(folder);
    expect(again.referenceOf('ak')).toEqual({
      name: 'ak',
      reading: named('ak', 101).reading,
      samples: [named('ak', 100, { readings: 2, steam: dollars(11) }).sample, named('ak', 101).sample],
    });
    expect([...again.everyReference(0, 200)].map(({ name, samples }) => [name, samples.length])).toEqual([
      ['ak', 2],
      ['awp', 1],
    ]);
    expect([...again.everyReference(101, 200)].map(({ name }) => name)).toEqual(['ak']);
    expect(again.referenceOf('nobody')).toBeUndefined();
  });

  it('are all read, however many names there are', () => {
    const ledger = freshLedger();
    for (let from = 0; from < 1_200; from += 300) {
      ledger.keepReferences(
        Array.from({ length: 300 }, (_, n) => named(`item ${from + n}`, 100)),
        90,
      );
    }
    expect(new Set([...ledger.everyReference(90, 100)].map(({ name }) => name)).size).toBe(1_200);
  });

  it('are forgotten when they are old, or of a day that has not come: of a name that is seen, and with a name that is not [P28]', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    ledger.keepReferences(
      [named('seen', 85), named('seen', 95), named('seen', 500), named('unseen', 85), named('ahead', 500)],
      80,
    );
    ledger.keepReferences([named('seen', 100)], 90);
    expect(ledger.referenceOf('seen')?.samples.map(({ day }) => day)).toEqual([95, 100]);
    expect(ledger.pruneReferences(90, 100, 1)).toBe(1);
    expect(ledger.pruneReferences(90, 100, 1)).toBe(1);
    expect(ledger.pruneReferences(90, 100, 1)).toBe(0);
    expect(raw(folder).prepare('SELECT count(*) FROM reference_days').pluck().get()).toBe(2);
  });

  it('of 30,000 names and 14 days take little room', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const names = Array.from({ length: 30_000 }, (_, n) => `stattrak™ weapon ${n} | some finish (field-tested)`);
    for (let day = 100; day < 114; day++) {
      ledger.keepReferences(
        names.map((name) => named(name, day, { readings: 24, steam: dollars(12.34), floor: dollars(9.87) })),
        100,
      );
    }
    ledger.close();
    expect(statSync(join(folder, 'magpie.db')).size).toBeLessThan(25_000_000);
  });
});

describe('a fall of the market', () => {
  it('is remembered across a restart until it is over', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    expect(ledger.marketFall()).toBeUndefined();
    const fall = { since: 5, why: '40 % of 500 names are down', calmSince: undefined, resumed: false };
    ledger.saveMarketFall(fall);
    ledger.close();
    const again = opened(folder);
    expect(again.marketFall()).toEqual(fall);
    again.saveMarketFall({ ...fall, calmSince: 7 });
    expect(again.marketFall()).toEqual({ ...fall, calmSince: 7 });
    again.saveMarketFall(undefined);
    expect(again.marketFall()).toBeUndefined();
  });
});

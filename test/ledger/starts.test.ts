import { describe, expect, it } from 'vitest';
import { NOON } from '../support/values.ts';
import { freshFolder, freshLedger, opened } from './support.ts';

const SECOND = 1_000;

describe('what a start finds', () => {
  it('is nothing odd after an end in order, however many there were', () => {
    const ledger = freshLedger();
    for (let n = 0; n < 5; n++) {
      expect(ledger.noteStart(NOON + n * SECOND, 'a')).toEqual({ afterCrash: 0, tradeUrlChanged: false });
      ledger.noteStop();
    }
  });

  it('counts ends that were not in order, of the last ten minutes, across processes [P11]', () => {
    const folder = freshFolder();
    freshLedger(folder).noteStart(NOON, undefined);
    const after = (seconds: number): number => opened(folder).noteStart(NOON + seconds * SECOND, undefined).afterCrash;
    expect([60, 120, 180].map(after)).toEqual([1, 2, 3]);
    expect(after(700)).toBe(3);
    expect(after(2_000)).toBe(1);
  });

  it('tells another trade URL from the one that was used last, also after starts that had none [C18]', () => {
    const ledger = freshLedger();
    const changed = (mark: string | undefined): boolean => ledger.noteStart(NOON, mark).tradeUrlChanged;
    expect([changed('a'), changed(undefined), changed('a'), changed('b'), changed('b')]).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
  });
});

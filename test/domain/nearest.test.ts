import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/domain/nearest.ts';

const keys = ['name', 'market', 'wear', 'paintSeed', 'stickers', 'steamPrice', 'maxOfSteam', 'minProfit', 'max', 'limits'];

describe('the nearest valid word', () => {
  it('is found across the usual slips of the hand', () => {
    expect(nearest('wera', keys)).toBe('wear');
    expect(nearest('paintseed', keys)).toBe('paintSeed');
    expect(nearest('paint_seed', keys)).toBe('paintSeed');
    expect(nearest('maxOfSteem', keys)).toBe('maxOfSteam');
    expect(nearest('sticker', keys)).toBe('stickers');
    expect(nearest('limit', keys)).toBe('limits');
  });

  it('is found for a word that only lacks its end', () => {
    expect(nearest('minProf', keys)).toBe('minProfit');
    expect(nearest('Mil-Spec', ['Mil-Spec Grade', 'Restricted'])).toBe('Mil-Spec Grade');
  });

  it('is none when nothing is near', () => {
    expect(nearest('colour', keys)).toBeUndefined();
    expect(nearest('', keys)).toBeUndefined();
    expect(nearest('x', [])).toBeUndefined();
  });

  it('is found at once, or not at all, for a word of a megabyte', () => {
    expect(nearest('w'.repeat(1_000_000), keys)).toBeUndefined();
  });
});

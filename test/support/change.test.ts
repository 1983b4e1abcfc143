import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeTried, seedOfLaws } from './change.ts';

describe('what laws are drawn from', () => {
  it('is chosen by the tree of the commit, and so the same wherever it is tried', () => {
    expect(changeTried()).toMatch(/^(?:[0-9a-f]{40}|\d+\.\d+\.\d+)$/);
    const hash = createHash('sha256').update(changeTried()).digest('hex');
    expect(seedOfLaws(undefined)).toBe(Number.parseInt(hash.slice(0, 8), 16) >>> 1);
  });

  it('is what somebody asks for, or new each time', () => {
    expect(seedOfLaws('1576918223')).toBe(1_576_918_223);
    expect(Number.isSafeInteger(seedOfLaws('fresh'))).toBe(true);
    expect(() => seedOfLaws('fresch')).toThrow('LAWS_SEED is "fresch": a whole number or "fresh" is allowed.');
  });

  it('is what this run draws from', () => {
    expect(fc.readConfigureGlobal()?.seed).toBe(Number(process.env['LAWS_SEED']));
  });
});

import { describe, expect, it } from 'vitest';
import { mutants } from '../../scripts/mutants/all.ts';
import { misfit } from '../../scripts/mutants/tree.ts';

describe('the planted faults', () => {
  it('each fit the program as it is', () => {
    expect(mutants.map(misfit).filter((words) => words !== undefined)).toEqual([]);
  });

  it('have names of their own, and are at least twenty that must be caught', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    expect(mutants.filter(({ survives }) => survives === undefined).length).toBeGreaterThanOrEqual(20);
  });
});

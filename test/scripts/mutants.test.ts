import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutants } from '../../scripts/mutants/all.ts';
import { plantedFaultsPage } from '../../scripts/mutants/page.ts';
import { misfit, top } from '../../scripts/mutants/tree.ts';
import { planted } from '../../scripts/mutants/verdict.ts';

const survivors = mutants.flatMap(({ name, survives }) => (survives === undefined ? [] : [{ name, ...survives }]));

describe('the planted faults', () => {
  it('each fit the program as it is', () => {
    expect(mutants.map(misfit).filter((words) => words !== undefined)).toEqual([]);
  });

  it('have names of their own, and are at least twenty that must be caught', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
    expect(mutants.filter(({ survives }) => survives === undefined).length).toBeGreaterThanOrEqual(20);
  });

  it('that no life has to show have a reason, and a test that there is and that a copy of the project runs by itself', () => {
    for (const { name, because, caughtBy } of survivors) {
      expect([name, because.split(' ').length > 4]).toEqual([name, true]);
      expect([name, /^test\/.*(?<!\.full)\.test\.ts$/.test(caughtBy) && existsSync(join(top, caughtBy))]).toEqual([name, true]);
    }
    expect(survivors.length).toBeGreaterThan(0);
  });

  it('are told with what they break, and those that no life has to show with why, and with their test', () => {
    const page = plantedFaultsPage(mutants, '');
    for (const { name, breaks } of mutants) expect(page).toContain(`| \`${name}\` | ${breaks} |`);
    for (const { because, caughtBy } of survivors) expect(page).toContain(`| ${because} | \`${caughtBy}\` |`);
    const edits = [{ file: 'src/a.ts', find: 'a', replace: 'b' }];
    expect(planted({ name: 'a', breaks: 'b', edits })).not.toContain('survives');
    expect(planted({ name: 'a', breaks: 'b', edits, survives: { because: 'c', caughtBy: 'd' } })).toMatch(
      /^a +b\n {4}survives: c\n {4}shown by: d$/,
    );
  });
});

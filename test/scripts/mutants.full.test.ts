import { expect, it, onTestFinished } from 'vitest';
import { mutants } from '../../scripts/mutants/all.ts';
import { Tree } from '../../scripts/mutants/tree.ts';

it('the test of a planted fault that no life has to show fails with it, and passes without any', async () => {
  const tree = new Tree();
  onTestFinished(() => tree.remove());
  const tests = new Set<string>();
  const missed: string[] = [];
  for (const mutant of mutants) {
    if (mutant.survives === undefined) continue;
    const { caughtBy } = mutant.survives;
    tests.add(caughtBy);
    const takeOut = tree.plant(mutant);
    if (!(await tree.testFails(caughtBy))) missed.push(`${mutant.name} is not shown by ${caughtBy}`);
    takeOut();
  }
  expect(missed).toEqual([]);
  for (const test of tests) expect([test, await tree.testFails(test)]).toEqual([test, false]);
});

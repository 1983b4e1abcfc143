import { describe, expect, it } from 'vitest';
import { liveBoth } from './accounts-life.ts';
import { AccountsFigures, summaryOfAccounts } from './figures.ts';
import { accountsPlanOf } from './plan.ts';
import { togetherPlanOf } from './together.ts';

const ACCOUNTS = 20;

describe('lives of twenty accounts', () => {
  it('break no promise, and each but the one that is struck fares as without the faults, hash for hash', async () => {
    const figures = new AccountsFigures();
    for (const seed of [1, 101, 104]) figures.add(summaryOfAccounts(await liveBoth(accountsPlanOf(seed, ACCOUNTS, 'short'))));
    expect(figures.failed.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
    // Two of them with wishes of its own for the one that is struck, each struck in two ways.
    expect(figures.json()).toMatchObject({ compared: 4 * (ACCOUNTS - 1), same: 4 * (ACCOUNTS - 1) });
  });

  it('go the same way each time they are lived', async () => {
    const plan = accountsPlanOf(108, 6, 'short');
    expect((await liveBoth(plan)).hash).toBe((await liveBoth(plan)).hash);
  });
});

describe('lives of twenty accounts that meet faults of the reader and ends of the process together', () => {
  it('break no promise, and each but the one that is struck fares as without what is aimed, hash for hash', async () => {
    const figures = new AccountsFigures();
    // All may want the same in the second; the process is killed, loses power and is stopped in one or another of them.
    for (const seed of [3, 4, 5]) figures.add(summaryOfAccounts(await liveBoth(togetherPlanOf(seed, ACCOUNTS, 'short'))));
    expect(figures.failed.map(({ seed, violations }) => ({ seed, violations }))).toEqual([]);
    expect(figures.json()).toMatchObject({ compared: 4 * (ACCOUNTS - 1), same: 4 * (ACCOUNTS - 1) });
    for (const kind of ['crash', 'power', 'stop', 'reload']) expect([kind, figures.befell.get(kind) ?? 0]).not.toEqual([kind, 0]);
  });

  it('go the same way each time they are lived', async () => {
    for (const seed of [7, 8]) {
      const plan = togetherPlanOf(seed, 4, 'short');
      expect((await liveBoth(plan)).hash).toBe((await liveBoth(plan)).hash);
    }
  });
});

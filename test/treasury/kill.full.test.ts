import { expect, it } from 'vitest';
import { freshFolder } from '../e2e/fresh-folder.ts';
import { killTreasury } from './killing.ts';

const ROUNDS = 30;

it(
  'kill -9 around its transfers, thirty times: each moves its money once, all are settled in the end, and no cent is made or lost',
  { timeout: 3_600_000 },
  async () => {
    const { kills, caught, transfers, broken, open } = await killTreasury({
      rounds: ROUNDS,
      children: 60,
      seed: 5,
      folder: freshFolder(),
    });
    expect({ broken, open }).toEqual({ broken: [], open: 0 });
    // A kill that finds nothing under way shows nothing.
    expect(caught).toBeGreaterThan(ROUNDS / 4);
    for (const moment of ['asked', 'carried out', 'answered'] as const)
      expect([moment, kills.get(moment) ?? 0]).not.toEqual([moment, 0]);
    expect(transfers).toBeGreaterThan(ROUNDS / 2);
  },
);

import { describe, expect, it } from 'vitest';
import { Life } from './life.ts';
import { liveAndAudit } from './lives.ts';

const ROUNDS = 40;

describe('simulated lives of a treasury', () => {
  it('make and lose no cent, keep every cap, and each row of the journal is one transfer at the exchange or none', async () => {
    expect(await liveAndAudit({ from: 1, seeds: 20, rounds: ROUNDS })).toBeGreaterThan(80);
  });

  it('are the same again by their seed', async () => {
    expect(await new Life(3).live(ROUNDS)).toEqual(await new Life(3).live(ROUNDS));
  });
});

import { expect } from 'vitest';
import { Life, amountIn, beyondFaults, isBeyond, transferFaults } from './life.ts';

/** Lives by their seeds, each audited; then whether all of them together have seen enough to prove something. Returns how many transfers were made. */
export async function liveAndAudit(asked: {
  readonly from: number;
  readonly seeds: number;
  readonly rounds: number;
}): Promise<number> {
  const { from, seeds, rounds } = asked;
  const struck = new Map<string, number>();
  let [transfers, made] = [0, 0];
  for (let seed = from; seed < from + seeds; seed++) {
    const told = await new Life(seed).live(rounds);
    expect({ seed, violations: told.violations }).toEqual({ seed, violations: [] });
    // Within its assumptions nothing halts it.
    if (!isBeyond(seed)) expect({ seed, halts: told.halts }).toEqual({ seed, halts: [] });
    for (const [fate, count] of Object.entries(told.struck)) struck.set(fate, (struck.get(fate) ?? 0) + count);
    transfers += told.transfers;
    made += amountIn(told.rows, 'made');
  }
  // Lives in which nothing happens would prove nothing.
  for (const fault of transferFaults) expect([fault, (struck.get(fault) ?? 0) >= seeds]).toEqual([fault, true]);
  for (const fault of beyondFaults) expect([fault, (struck.get(fault) ?? 0) > 0]).toEqual([fault, true]);
  expect(made).toBeGreaterThan(0);
  return transfers;
}

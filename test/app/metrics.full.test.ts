import { describe, expect, it } from 'vitest';
import { compareWhen } from './metrics-compared.ts';

describe('the metrics of a daemon', () => {
  it('agree with its ledger when money has come back', { timeout: 900_000 }, async () => {
    expect(
      await compareWhen(0.5, (states) => states.length === 9 && states.includes('completed') && states.includes('refunded')),
    ).toBe(9);
  });
});

import { expect, it } from 'vitest';
import { liveAndAudit } from './lives.ts';

it('two hundred lives of a treasury, and the books of each audited', async () => {
  expect(await liveAndAudit({ from: 1_000, seeds: 200, rounds: 60 })).toBeGreaterThan(800);
});

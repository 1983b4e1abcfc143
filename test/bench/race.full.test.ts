import { expect, it } from 'vitest';
import { race } from './wire/race.ts';
import { inPlace } from './wire/rivals.ts';

it('the floor and Magpie both buy what is planted in every round, with the syncs and without', { timeout: 900_000 }, async () => {
  const { times, syncMs, profile } = await inPlace((place) =>
    race({
      ...{ listings: 100, share: 0.05, rounds: 5, warmUp: 2, place, profiled: 'ours' },
      rivals: [
        { name: 'floor', kind: 'floor' },
        { name: 'relaxed', kind: 'magpie', synchronous: 'NORMAL' },
        { name: 'ours', kind: 'magpie', synchronous: 'FULL' },
      ],
    }),
  );
  for (const name of ['floor', 'relaxed', 'ours']) {
    expect(times.get(name)?.fromLast).toHaveLength(5);
    expect(times.get(name)?.fromLast.every((ms) => ms > 0 && ms < 10_000)).toBe(true);
  }
  expect(syncMs).toHaveLength(5);
  expect(profile?.whole.files.map(({ name }) => name)).toContain('src/ledger/store.ts');
  expect(profile?.hot.totalMs).toBeGreaterThan(0);
  expect(profile?.hot.totalMs).toBeLessThan(profile?.whole.totalMs ?? 0);
});

import { describe, expect, it } from 'vitest';
import { endurancePage } from '../../scripts/soak/page.ts';
import { type SoakCounts, type SoakSample, soakFigures } from '../../scripts/soak/verdict.ts';

const counts: SoakCounts = {
  ...{ bad: 3_000, purchases: 12, reloads: 12, backups: 5, checks: 1, digests: 1, alerts: 20, letters: 9, shadows: 40 },
};
const bounds = { recording: 10e6, backups: 4 };
const POLLS = 2_250;

/** A day that holds what it held, as far as memory ever does: it comes and goes by half a megabyte. */
function flat(given: (polls: number) => Partial<SoakSample> = () => ({})): SoakSample[] {
  return Array.from({ length: 40 }, (_, index): SoakSample => {
    const polls = (index + 1) * POLLS;
    const ripple = (index % 3) * 500_000;
    return {
      ...{ polls, heap: 40e6 + ripple / 10, code: 5e6, buffers: 8e6 + ripple / 10, resident: 180e6 + ripple },
      ...{ files: 39 + (index % 2), timers: 28 + (index % 4), ledger: 5e6 + polls * 10, recording: 8e6, backups: 3 },
      ...{ logged: polls * 100, ...given(polls) },
    };
  });
}

const broken = (samples: readonly SoakSample[], happened = counts): string[] =>
  soakFigures(samples, happened, bounds).flatMap(({ what, holds }) => (holds ? [] : [what]));

describe('the judge of a soak', () => {
  it('finds nothing in one that stays flat', () => {
    expect(broken(flat())).toEqual([]);
  });

  it('finds a leak of a hundred bytes a poll, which is what one entry of a map takes', () => {
    expect(broken(flat((polls) => ({ heap: 40e6 + polls * 100 })))).toEqual(['objects on the heap, the same']);
  });

  it('finds one of memory that is no object, and one of buffers', () => {
    expect(broken(flat((polls) => ({ resident: 180e6 + polls * 600 })))).toEqual(['resident memory, rise over the second half']);
    expect(broken(flat((polls) => ({ buffers: 8e6 + polls * 100 })))).toEqual(['buffers, the same']);
  });

  it('forgives what only fills in the first half', () => {
    expect(broken(flat((polls) => ({ heap: 40e6 + Math.min(polls, 20 * POLLS) * 300 })))).toEqual([]);
  });

  it('is the stricter on each poll the longer it lasts', () => {
    const leaking = (polls: number): Partial<SoakSample> => ({ polls, heap: 40e6 + polls * 5 });
    expect(broken(flat(leaking))).toEqual([]);
    expect(broken(flat((polls) => leaking(polls * 30)))).toEqual(['objects on the heap, the same']);
  });

  it('finds a file or a timer that is left behind each hour', () => {
    expect(broken(flat((polls) => ({ files: 39 + Math.floor(polls / 3_600) })))).toEqual([
      'files and sockets open, more in the end',
    ]);
    expect(broken(flat((polls) => ({ timers: 28 + Math.floor(polls / 3_600) })))).toEqual(['timers, more in the end']);
  });

  it('finds files that grow beyond what they may', () => {
    expect(broken(flat((polls) => ({ ledger: polls * 100 })))).toEqual(['ledger, growth a day']);
    expect(broken(flat((polls) => ({ recording: 8e6 + polls * 50 })))).toEqual(['recording, largest']);
    expect(broken(flat((polls) => ({ logged: polls * 500 })))).toEqual(['log, a day']);
    expect(broken(flat(() => ({ backups: 5 })))).toEqual(['backups kept, most']);
  });

  it('is not content with one in which something never happened', () => {
    for (const what of Object.keys(counts)) expect(broken(flat(), { ...counts, [what]: 0 })).toHaveLength(1);
  });

  it('refuses to tell a slope from a handful of samples', () => {
    expect(() => broken(flat().slice(0, 7))).toThrow(RangeError);
  });
});

it('the page of figures says which bound was broken', () => {
  const figures = soakFigures(
    flat((polls) => ({ heap: 40e6 + polls * 100 })),
    counts,
    bounds,
  );
  const page = endurancePage({ days: 1, polls: 90_000, minutes: 2, figures, http: undefined });
  expect(page).toContain('1 days at a poll a second (90000 polls) in 2.0 minutes, 750 times as fast as the clock');
  expect(page.match(/\*\*broken\*\*/g)).toHaveLength(1);
});

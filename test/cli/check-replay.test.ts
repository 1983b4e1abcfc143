import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bargain, recorded } from '../replay/backtest/stage.ts';
import { START } from '../support/feed-entries.ts';
import { ledgerAt, magpie, place } from './harness.ts';

const below = (share: number): string => `name: cheap\nprice: { maxOfSteam: ${share} }\n`;

/** One offer at a third of its steamPrice, one at a half, one at two thirds; all stay. */
const offers = [bargain('1', { steamPrice: 31.5 }), bargain('2', { steamPrice: 21 }), bargain('3', { steamPrice: 15.75 })];
const looks = [[bargain('9', { steamPrice: 11 })], ...Array.from({ length: 20 }, () => offers)];
const settings = { mode: 'live', 'limits.perItem': {}, 'limits.spend': {} };

/** What is on file, and what was taken when the daemon started; undefined: no daemon ever has. */
function folder(onFile: string, inForce: string | undefined, kept = true): string {
  const cwd = place({ 'strategies/redlines.yaml': onFile });
  if (inForce === undefined) mkdirSync(join(cwd, 'data'));
  else {
    const ledger = ledgerAt(cwd);
    if (kept) ledger.keepStrategy('h1', inForce, START);
    ledger.noteRules({ at: START - 1_000, why: 'start', what: [], settings, strategies: [{ name: 'cheap', hash: 'h1' }] });
  }
  copyFileSync(recorded(looks), join(cwd, 'data', 'recording.db'));
  return cwd;
}

const run = ['check', '--config', 'magpie.yaml', '--replay', '24h'];

interface Document {
  readonly ok: boolean;
  readonly replay: {
    readonly inForce: Record<string, unknown> | null;
    readonly coverage: number;
    readonly purchases: readonly Record<string, unknown>[];
    readonly totals: Record<string, { readonly expected: Record<string, number> }>;
  };
}

async function document(cwd: string): Promise<Document> {
  const { code, out, err } = await magpie([...run, '--json'], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Document;
}

describe('check --replay', () => {
  it('shows which purchases a looser strategy would have added over the last day, and the money', async () => {
    const { ok, replay } = await document(folder(below(0.7), below(0.4)));
    expect(ok).toBe(true);
    expect(replay.purchases.map(({ how, listingId, cost, after }) => [how, listingId, cost, after])).toEqual([
      ['added', '2', 10.5, { expected: 1, pessimistic: 1 }],
      ['added', '3', 10.5, { expected: 1, pessimistic: 1 }],
    ]);
    expect(replay.totals).toMatchObject({
      added: { expected: { bought: 2, spent: 21 }, pessimistic: { bought: 2, spent: 21 } },
      removed: { expected: { bought: 0, spent: 0, profit: 0 } },
      before: { expected: { bought: 1 } },
      after: { expected: { bought: 3 } },
    });
  });

  it('shows which purchases a stricter one would have removed, as a table', async () => {
    const { code, out } = await magpie(run, { cwd: folder(below(0.4), below(0.55)) });
    expect(code).toBe(0);
    expect(out).toContain('Good: configuration and 1 strategy checked, no faults, 1 warning.');
    expect(out).toMatch(/− +2026-01-05 12:00:0\d +cheap +Case 2 +\$10\.50/);
    expect(out).toMatch(/removed +1\.0 +\$10\.50/);
    expect(out).toContain('beside the strategies and limits in force since 2026-01-05 11:59:59 UTC');
  });

  it('shows on a terminal how far it has come, and elsewhere nothing of that', async () => {
    const cwd = folder(below(0.4), below(0.41));
    const shown = await magpie(run, { cwd, columns: 100 });
    expect(shown.err).toContain('reading [');
    expect(shown.err).toContain('replaying [');
    expect((await magpie(run, { cwd })).err).toBe('');
  });

  it('says that nothing changes where nothing does', async () => {
    const { out } = await magpie(run, { cwd: folder(below(0.4), below(0.41)) });
    expect(out).toContain('No purchase is added, and none removed.');
  });

  it('says so where nobody knows what is in force, or how it was worded', async () => {
    const nobody = await magpie(run, { cwd: folder(below(0.4), undefined) });
    expect(nobody.out).toContain('What is in force is not known');
    const unkept = await magpie(run, { cwd: folder(below(0.4), below(0.4), false) });
    expect(unkept.out).toContain('the wording of cheap was not kept: what it bought is shown as added');
  });

  it('replays nothing of what is faulty, nor files alone, nor for a time that is none', async () => {
    const faulty = await magpie(run, { cwd: folder('name: cheap\nprise: {}\n', undefined) });
    expect([faulty.code, faulty.out.includes('Replayed')]).toEqual([2, false]);
    const cwd = folder(below(0.4), undefined);
    const alone = await magpie(['check', 'strategies/redlines.yaml', '--replay', '24h'], { cwd });
    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining('--replay replays the strategies of a configuration')]);
    const never = await magpie(['check', '--config', 'magpie.yaml', '--replay', 'soon'], { cwd });
    expect([never.code, never.err]).toEqual([2, expect.stringContaining('--replay "soon" is no duration')]);
  });
});

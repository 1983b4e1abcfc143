import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { restoreLedger } from '../../src/ledger/restore.ts';
import { begun, opened, outcomes, settled } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { ledgerAt, magpie, place } from './harness.ts';

const withConfig = ['--config', 'magpie.yaml'] as const;

/** A folder with a ledger of two purchases and a backup, `backup.db`, from when there was one. */
async function scene(work: (ledger: Ledger) => void = () => undefined): Promise<string> {
  const cwd = place();
  const ledger = ledgerAt(cwd);
  ledger.apply([{ kind: 'look', beganAt: NOON, baseTotal: 0 }], NOON);
  settled(ledger, begun(ledger, 1), outcomes.bought('order-1'));
  await magpie(['backup', 'backup.db', ...withConfig], { cwd });
  settled(ledger, begun(ledger, 2), outcomes.bought('order-2'));
  work(ledger);
  ledger.close();
  return cwd;
}

const hourLater = (): VirtualClock => new VirtualClock(NOON + 3_600_000);

function purchasesIn(cwd: string): number {
  const ledger = opened(join(cwd, 'data'));
  const { length } = [...ledger.everyPurchase()];
  ledger.close();
  return length;
}

describe('restore', () => {
  it('puts the backup in place, keeps what was there, and says what an older ledger means', async () => {
    const cwd = await scene();
    const { code, out, err } = await magpie(['restore', 'backup.db', ...withConfig], { cwd, clock: hourLater() });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "Restored backup.db: 1 purchase, up to 2026-01-05 12:00:00 UTC (1 h ago)
      Configuration magpie.yaml, data folder data
      What was there is kept as data/magpie.db.before-2026-01-05T13-00-00Z

      What was ordered after that is no purchase of this ledger. The next start adopts those orders: they count in the caps of the
      account, in no strategy's. Nothing is bought before the first look has accounted for every order of the account.
      → \`magpie run --config magpie.yaml\` starts it
      → \`magpie audit --config magpie.yaml\` then compares every row with the service
      "
    `);
    expect(readdirSync(join(cwd, 'data'))).toContain('magpie.db.before-2026-01-05T13-00-00Z');
    expect(purchasesIn(cwd)).toBe(1);
  });

  it('tells of the halts that stand, as lines and as one JSON document', async () => {
    const cwd = await scene((ledger) => ledger.halt('looking into it', 'person', NOON + 5));
    const json = await magpie(['restore', 'backup.db', '--json', ...withConfig], { cwd, clock: hourLater() });
    expect({ code: json.code, document: JSON.parse(json.out) as unknown }).toEqual({
      code: 0,
      document: {
        ok: true,
        kept: join(cwd, 'data/magpie.db.before-2026-01-05T13-00-00Z'),
        oldUnreadable: false,
        purchases: 1,
        newestRowAt: '2026-01-05T12:00:00.002Z',
        halts: [{ reason: 'looking into it', by: 'person', at: '2026-01-05T12:00:00.005Z' }],
      },
    });
    const clock = new VirtualClock(NOON + 7_200_000);
    const { out } = await magpie(['restore', 'backup.db', ...withConfig], { cwd, clock });
    expect(out).toContain('Buying stands halted: looking into it\n');
    expect(out).toContain('→ `magpie resume --config magpie.yaml` allows buying again, once that agrees');
  });

  it('refuses a folder that a process holds: exit 3, and nothing is changed', async () => {
    const cwd = await scene();
    const held = acquireFolderLock(join(cwd, 'data'));
    const { code, err, out } = await magpie(['restore', 'backup.db', ...withConfig], { cwd });
    if (held.ok) held.lock.release();
    expect({ code, out }).toEqual({ code: 3, out: '' });
    expect(err).toContain('Nothing was restored: another process is at work with this data folder');
    expect(purchasesIn(cwd)).toBe(2);
  });

  it('refuses what is no backup of this account, in words, and changes nothing', async () => {
    const cwd = await scene();
    const missing = await magpie(['restore', 'nowhere.db', ...withConfig], { cwd });
    expect({ code: missing.code, err: missing.err }).toEqual({
      code: 2,
      err: `Nothing was restored: ${cwd}/nowhere.db: there is no such file\n`,
    });
    const text = await magpie(['restore', 'magpie.yaml', '--json', ...withConfig], { cwd });
    expect(text.code).toBe(1);
    expect(JSON.parse(text.out)).toMatchObject({ ok: false, message: expect.stringContaining('Nothing was restored') as string });
    expect(text.err).toContain('→ take an older backup');
    expect(purchasesIn(cwd)).toBe(2);
  });

  it('that was interrupted is told to every command, and a halt ends it first', async () => {
    const cwd = await scene();
    const killed = (point: string): void => {
      if (point === 'restore:decided') throw new Error('killed');
    };
    const request = { file: join(cwd, 'backup.db'), folder: join(cwd, 'data'), at: NOON + 9, crashPoint: killed };
    expect(() => restoreLedger(request)).toThrow('killed');
    const { code, err } = await magpie(['status', ...withConfig], { cwd });
    expect(code).toBe(1);
    expect(err).toContain('a restore has not ended: `magpie run --config magpie.yaml` ends it');
    expect((await magpie(['halt', '--reason', 'wait', ...withConfig], { cwd })).code).toBe(0);
    const ledger = opened(join(cwd, 'data'));
    expect(ledger.standingHalts()).toMatchObject([{ reason: 'wait' }]);
    expect([...ledger.everyPurchase()]).toHaveLength(1);
  });
});

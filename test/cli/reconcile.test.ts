import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { acquireFolderLock } from '../../src/ledger/lock.ts';
import { begun, order, outcomes, settled } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { type Ran, ledgerAt, magpie, place } from './harness.ts';

/** Runs `reconcile` beside a daemon that does this to the ledger when it is asked. */
async function reconciled(prepare: (ledger: Ledger) => void, look: (ledger: Ledger) => void): Promise<Ran> {
  const cwd = place();
  const ledger = ledgerAt(cwd);
  prepare(ledger);
  const held = acquireFolderLock(join(cwd, 'data'));
  if (!held.ok) throw new Error(held.fault.message);
  onTestFinished(() => held.lock.release());
  const clock = new VirtualClock(NOON + 60_000);
  const ran = magpie(['reconcile', '--config', 'magpie.yaml'], { cwd, clock });
  await clock.advance(300);
  const request = ledger.takeUp(clock.now(), 30_000);
  look(ledger);
  ledger.answer(request?.id ?? 0, { ok: true, message: 'looked', unknown: 0 }, clock.now());
  await clock.advance(300);
  return ran;
}

describe('reconcile', () => {
  it('names whatever has moved, open or not: a refusal that was bought after all, an order that went on', async () => {
    const { code, out } = await reconciled(
      (ledger) => {
        settled(ledger, begun(ledger, 1), outcomes.refused('gone'));
        settled(ledger, begun(ledger, 2), outcomes.bought('o2'));
      },
      (ledger) => {
        const found = { transactionId: undefined, paid: undefined, note: 'seen among the orders' };
        const findings = [
          { kind: 'bought', purchaseId: 1, order: order('o1'), ...found },
          { kind: 'status', purchaseId: 2, order: order('o2', { statusCode: 'ACTIVE', statusLabel: 'Active' }) },
        ] as const;
        ledger.apply(findings, NOON + 60_000);
      },
    );
    expect(out).not.toContain('has moved');
    expect({ code, out: out.split('\n').slice(1).join('\n') }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "out": "#1 AK-47 | Redline (Field-Tested) on c5game, $10.50: bought, its order PENDING
      #2 AK-47 | Redline (Field-Tested) on c5game, $10.50: bought, its order ACTIVE
      ",
      }
    `);
  });

  it('says so where nothing has moved', async () => {
    const { code, out } = await reconciled(
      (ledger) => settled(ledger, begun(ledger, 1), outcomes.bought('o1')),
      () => undefined,
    );
    expect({ code, out: out.split('\n').slice(1).join('\n') }).toEqual({ code: 0, out: 'No purchase has moved.\n' });
  });
});

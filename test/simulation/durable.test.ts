import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { Durable, watchCommits } from './durable.ts';

function opened(folder: string, oneOfMany = false): Ledger {
  const result = openLedger({ folder, oneOfMany });
  if (!result.ok) throw new Error(result.fault.message);
  onTestFinished(() => result.value.ledger.close());
  return result.value.ledger;
}

describe('a power cut', () => {
  it.each([
    ['an account alone', false],
    ['one of many', true],
  ])('takes what was committed without being synced, and nothing else: %s', (_, oneOfMany) => {
    const root = mkdtempSync(join(tmpdir(), 'magpie-durable-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const durable = new Durable(join(root, 'data'));
    onTestFinished(watchCommits(() => durable.sync()));
    const ledger = opened(join(root, 'data'), oneOfMany);
    durable.opened();
    onTestFinished(() => durable.close());

    ledger.bindAccount('account-1');
    expect(durable.atRisk, 'money is synced').toBe(false);
    ledger.keepStrategy('before', 'text', 1);
    expect(durable.atRisk, 'the wording of a strategy need not be').toBe(true);
    ledger.saveSlowUntil(1);
    expect(durable.atRisk, 'what comes later with money is synced with it').toBe(false);
    ledger.keepStrategy('hash', 'text', 1);
    expect(durable.atRisk).toBe(true);

    durable.copyWithLoss(join(root, 'after'), { next: () => 0.99 });
    const after = opened(join(root, 'after'));
    expect(after.account()).toBe('account-1');
    expect(after.strategyText('before')).toBe('text');
    expect(after.strategyText('hash')).toBeUndefined();
  });

  it('may take nothing, and a kill never does', () => {
    const root = mkdtempSync(join(tmpdir(), 'magpie-durable-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const durable = new Durable(join(root, 'data'));
    const ledger = opened(join(root, 'data'));
    durable.opened();
    onTestFinished(() => durable.close());
    ledger.keepStrategy('hash', 'text', 1);
    durable.copyTo(join(root, 'killed'));
    expect(opened(join(root, 'killed')).strategyText('hash')).toBe('text');
  });
});

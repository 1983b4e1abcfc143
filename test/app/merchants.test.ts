import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Merchants, type Named } from '../../src/app/accounts/merchants.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { begun, freshFolder, outcomes, settled } from '../ledger/support.ts';
import { NOON } from '../support/values.ts';

const live = (name: string): Named => ({ name, isLive: true });
const paper = (name: string): Named => ({ name, isLive: false });
const either = (name: string): Named => ({ name, isLive: undefined });

/** A data folder with the ledger of an account that is bound to the merchant x, and what was bought in it. */
function dataOf(name: string, bought: number): string {
  const top = freshFolder();
  const folder = join(top, 'accounts', name);
  mkdirSync(folder, { recursive: true });
  const opened = openLedger({ folder });
  if (!opened.ok) throw new Error(opened.fault.message);
  const { ledger } = opened.value;
  ledger.bindAccount('x');
  ledger.recordBalance({ amount: 1_000_000_000 as never, beganAt: NOON, endedAt: NOON + 1 });
  for (let number = 1; number <= bought; number++) settled(ledger, begun(ledger, number), outcomes.bought(`order-${number}`));
  ledger.close();
  return top;
}

describe('a merchant that an account has bought for', () => {
  it('is no other account’s, whether the one that has bought may buy now, is on paper, or nobody here knows', () => {
    for (const one of [live('old'), paper('old'), either('old')]) {
      const merchants = new Merchants(dataOf('old', 1), [live('new'), one]);
      expect(merchants.refusal('new', 'x', undefined)).toMatchObject({ exitCode: 2 });
      expect(merchants.refusal('new', 'y', undefined)).toBeUndefined();
    }
  });

  it('is another account’s where the one on paper has bought nothing for money', () => {
    for (const one of [paper('tried'), either('tried')])
      expect(new Merchants(dataOf('tried', 0), [one, live('new')]).refusal('new', 'x', undefined)).toBeUndefined();
    expect(new Merchants(dataOf('tried', 0), [live('tried'), live('new')]).refusal('new', 'x', undefined)).toMatchObject({
      exitCode: 2,
    });
  });

  it('goes on with the account whose ledger it is, the first of the file where both are bound to it', () => {
    const all = [live('old'), live('new')];
    const merchants = new Merchants(dataOf('old', 1), all);
    merchants.opened('new', 'x');
    expect(merchants.refusal('new', 'x', 'x')).toMatchObject({ exitCode: 2 });
    expect(merchants.refusal('old', 'x', 'x')).toBeUndefined();
  });

  it('is asked for again where a ledger could not be read: that keeps no other account from buying', () => {
    const top = dataOf('old', 1);
    const path = join(top, 'accounts', 'old', 'magpie.db');
    const kept = readFileSync(path);
    writeFileSync(path, 'no database at all, whatever it was');
    const merchants = new Merchants(top, [live('old'), live('new')]);
    expect(merchants.refusal('new', 'z', undefined)).toBeUndefined();
    writeFileSync(path, kept);
    expect(merchants.refusal('new', 'x', undefined)).toMatchObject({ exitCode: 2 });
  });
});

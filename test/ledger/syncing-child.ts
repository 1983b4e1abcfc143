/** `syncing-child FOLDER FAULT`: fills the log of an account among others while the first sync of it fails, then tries to buy; says what came of it. */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../src/ledger/open.ts';
import { approve } from '../../src/risk/intent.ts';
import { NOON, dollars, intent, wideLimits } from '../support/values.ts';

const [, , folder = '', fault = ''] = process.argv;
const opened = openLedger({ folder, oneOfMany: true });
if (!opened.ok) throw new Error(opened.fault.message);
const { ledger } = opened.value;
ledger.bindAccount('account-1');
ledger.recordBalance({ amount: dollars(1_000), beganAt: NOON, endedAt: NOON + 1 });
if (fault !== '') writeFileSync(fault, '');
// Some 50 pages of the log each: of a thousand all are copied into the database.
for (let n = 0; n < 60; n++) ledger.keepStrategy(`hash-${n}`, 'x'.repeat(200_000), NOON);
const failed = fault !== '' && !existsSync(fault);
let said: string;
try {
  said = ledger.commitIntent(approve(intent()), wideLimits, NOON + 1).ok ? 'bought' : 'refused';
} catch (error) {
  said = String(error).replaceAll(folder, 'data');
}
const logBytes = statSync(join(folder, 'magpie.db-wal')).size;
process.stdout.write(
  JSON.stringify({ failed, said, isLogSmall: logBytes < 6_000_000, kept: ledger.strategyText('hash-59')?.length }),
);
ledger.close();
if (fault !== '') rmSync(fault, { force: true });

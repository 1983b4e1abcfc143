/**
 * A process of its own for the tests that kill or limit one. `hold FOLDER KEY`: takes the locks and waits. `probe FOLDER`: writes a row,
 * then tries whether the journal is well. `work FOLDER POINT`: writes
 * purchases, says which are committed, and kills itself without warning at the named crash point of the third one.
 */
import { writeSync } from 'node:fs';
import { Secret } from '../../src/domain/secret.ts';
import { JournalFailure } from '../../src/engine/journal.ts';
import { acquireFolderLock, acquireKeyLock } from '../../src/ledger/lock.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { approve } from '../../src/risk/intent.ts';
import { NOON, dollars, intent, listing, wideLimits } from '../support/values.ts';

const [, , task, folder = '', argument = ''] = process.argv;

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function hold(): void {
  const results = [acquireFolderLock(folder), acquireKeyLock(new Secret(argument), process.env)];
  say(results.every((result) => result.ok) ? 'held' : JSON.stringify(results));
  // What nobody refers to any more is closed when memory is cleaned up, and its lock with it.
  setInterval(() => results.length, 1_000);
}

function work(): void {
  let started = 0;
  const result = openLedger({
    folder,
    crashPoint: (point) => {
      if (point === 'intent:begin') started += 1;
      if (started === 3 && point === argument) process.kill(process.pid, 'SIGKILL');
    },
  });
  if (!result.ok) throw new Error(result.fault.message);
  const { ledger } = result.value;
  ledger.bindAccount('account-1');
  ledger.recordBalance({ amount: dollars(1_000), beganAt: NOON, endedAt: NOON });
  for (let n = 1; n <= 5; n++) {
    const committed = ledger.commitIntent(approve(intent({ listing: listing({ id: String(n) }) })), wideLimits, NOON + n);
    if (!committed.ok) throw new Error(committed.reason);
    say(`intended ${n}`);
    const outcome = {
      kind: 'bought',
      serviceOrderId: `o${n}`,
      upstreamOrderId: undefined,
      orderStatus: 'SUCCESS',
      message: undefined,
      mismatch: undefined,
      requestId: undefined,
    } as const;
    ledger.recordOutcome(committed.purchase.id, outcome, { sentAt: undefined, answeredAt: undefined }, undefined, NOON + n);
    say(`bought ${n}`);
  }
  say('not killed');
}

function probe(): void {
  const result = openLedger({ folder });
  if (!result.ok) throw new Error(result.fault.message);
  result.value.ledger.halt('a row', 'person', NOON);
  say('a row is written');
  try {
    result.value.ledger.probe(NOON);
    say('well');
  } catch (error) {
    say(error instanceof JournalFailure ? `JournalFailure: ${error.message}` : String(error));
  }
}

if (task === 'hold') hold();
else if (task === 'probe') probe();
else work();

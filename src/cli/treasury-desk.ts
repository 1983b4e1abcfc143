import { join } from 'node:path';
import type { Connection } from '../ledger/connection.ts';
import { type LedgerFault, type Opened, withSteps } from '../ledger/failure.ts';
import { type LockResult, acquireLock } from '../ledger/lock.ts';
import type { TreasurySettings } from '../settings/treasury-schema.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { openToRead, openToWrite } from '../treasury/journal-file.ts';
import { TreasuryJournal } from '../treasury/journal.ts';
import type { TreasuryPolicy } from '../treasury/decide/policy.ts';
import { CommandFailure, exits } from './exit.ts';

/** The treasury of a configuration. Throws CommandFailure where it has none. */
export function treasuryOf({ treasury }: Pick<LocalSettings, 'treasury'>): TreasurySettings {
  if (treasury !== undefined) return treasury;
  throw new CommandFailure(
    exits.wrong,
    'The configuration has no treasury: nothing keeps the balances of children. → docs/treasury.md has an example; --config FILE names another configuration',
  );
}

/** What it decides by. */
export function policyOf({ children, reserve, perTransfer, hour, day, dedicated }: TreasurySettings): TreasuryPolicy {
  const kept = children.map(({ name, floor, target, perDay }) => ({ name, floor, target, perDay }));
  return { children: kept, reserve, perTransfer, hour, day, dedicated };
}

/** One treasury in a data folder. */
export function lockFolder(data: string): LockResult {
  return acquireLock(join(data, 'magpie.treasury.lock'), 'the treasury of this data folder');
}

/** Runs work on the journal of a data folder, which is made where there is none. */
export function onJournal<T>(data: string, work: (journal: TreasuryJournal) => T): T {
  const journal = new TreasuryJournal(usable(openToWrite(data)));
  try {
    return work(journal);
  } finally {
    journal.close();
  }
}

/** Runs a question on it; undefined stands for one that is not there yet. */
export function askingJournal<T>(data: string, work: (journal: TreasuryJournal | undefined) => T): T {
  const db = usable<Connection | undefined>(openToRead(data));
  const journal = db && new TreasuryJournal(db);
  try {
    return work(journal);
  } finally {
    journal?.close();
  }
}

/** What an opening gave. Throws CommandFailure with what to do where it gave nothing. */
export function usable<T>(opened: Opened<T>): T {
  if (opened.ok) return opened.value;
  throw unusable(opened.fault);
}

function unusable(fault: LedgerFault): CommandFailure {
  const code = fault.kind === 'newer' || fault.kind === 'foreign' ? exits.wrong : exits.failed;
  return new CommandFailure(code, withSteps(fault));
}

import type { Alert } from '../domain/alert.ts';
import type { Clock } from '../domain/clock.ts';
import { JournalFailure } from '../engine/journal.ts';
import { type LedgerFault, withSteps } from '../ledger/failure.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Lock, type LockResult, acquireFolderLock, acquireKeyLock, sharedFolders } from '../ledger/lock.ts';
import type { Upgraded } from '../ledger/migrate.ts';
import { openLedger } from '../ledger/open.ts';
import { isPlayKey } from '../sandbox/accounts.ts';
import type { Settings } from '../settings/settings.ts';
import { markOf, startAlerts } from './start-alerts.ts';
import { type Partner, partnerOf } from './surroundings.ts';

/** What a process holds while it works on a data folder: the locks, the ledger, the way to the service. */
export interface Holdings {
  readonly ledger: Ledger;
  readonly partner: Partner;
  readonly notices: readonly string[];
  /** What is odd about this start; kept already. */
  readonly alerts: readonly Alert[];
  /** Takes locks again whose files were removed or replaced; a fault when one is lost. */
  keepLocks(): LedgerFault | undefined;
  /** Lets go of everything, the locks last. */
  release(): Promise<void>;
}

export type Held =
  | { readonly ok: true; readonly holdings: Holdings }
  | {
      readonly ok: false;
      /** 1: it cannot be opened; 2: it is of a newer Magpie; 3: another living process has it. */
      readonly exitCode: 1 | 2 | 3;
      /** What the other process has: this folder, or only the key; undefined when none has either. */
      readonly held?: 'folder' | 'key';
      readonly message: string;
    };

export interface HoldOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onStoreFailure: (error: unknown) => void;
  /** The service that was found or started already; left out: it is found or started, and let go of at the end. */
  readonly partner?: Partner | undefined;
}

/** Takes hold of a data folder and of the key, opens the ledger, and finds or starts the service. */
export async function takeHold({ settings, clock, env, onStoreFailure, partner: given }: HoldOptions): Promise<Held> {
  const locks: Lock[] = [];
  const release = (): void =>
    locks
      .splice(0)
      .reverse()
      .forEach((lock) => lock.release());
  const fail = (message: string, held?: 'folder' | 'key', otherwise: 1 | 2 = 1): Held => {
    release();
    return { ok: false, exitCode: held === undefined ? otherwise : 3, ...(held && { held }), message };
  };
  const folder = acquireFolderLock(settings.data);
  if (!folder.ok) return fail(folder.fault.message, folder.held ? 'folder' : undefined);
  locks.push(folder.lock);
  const locked = lockKey(settings, env);
  if (locked !== undefined) {
    if (!locked.ok) return fail(locked.fault.message, locked.held ? 'key' : undefined);
    locks.push(locked.lock);
  }
  const opened = openLedger({ folder: settings.data, clock, oneOfMany: given !== undefined });
  if (!opened.ok) return fail(withSteps(opened.fault), undefined, opened.fault.kind === 'newer' ? 2 : 1);
  const { ledger, recounted, forgot, upgraded } = opened.value;
  try {
    const partner = given ?? (await partnerOf(settings, clock, onStoreFailure));
    const notices = [
      ...(upgraded === undefined ? [] : [upgradeWords(upgraded)]),
      ...(recounted ? ['The sums for the caps did not agree with the rows of the ledger and were made anew.'] : []),
    ];
    const alerts = startAlerts(ledger.noteStart(clock.now(), markOf(partner.account?.tradeUrl)), forgot, clock.now());
    for (const alert of alerts) ledger.recordAlert(alert);
    if (forgot) ledger.haltForgotten(clock.now());
    const releaseAll = async (): Promise<void> => {
      noteStop(ledger);
      ledger.close();
      if (given === undefined) await partner.sandbox?.close();
      release();
    };
    const keepLocks = (): LedgerFault | undefined => locks.map((lock) => lock.keep()).find((fault) => fault !== undefined);
    return { ok: true, holdings: { ledger, partner, notices, alerts, keepLocks, release: releaseAll } };
  } catch (error) {
    ledger.close();
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function upgradeWords({ from, to, backup }: Upgraded): string {
  return `The ledger was upgraded from version ${from} to ${to}; as it was before it lies in ${backup}.`;
}

/** Where the journal takes nothing any more, the next start counts this end among those that were not in order. */
function noteStop(ledger: Ledger): void {
  try {
    ledger.noteStop();
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
  }
}

/**
 * One live process for a key on a machine; paper hurts nobody. The keys of the embedded exchange are the same for everybody who
 * tries it: they meet within a session only. Undefined: no key needs a lock.
 */
export function lockKey({ mode, service }: Settings, env: HoldOptions['env']): LockResult | undefined {
  const key = mode === 'live' && service.kind === 'remote' ? service.account?.apiKey : undefined;
  return key && acquireKeyLock(key, env, isPlayKey(key.reveal()) ? [] : sharedFolders(env));
}

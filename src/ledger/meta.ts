import { dirname } from 'node:path';
import type { EpochMs } from '../domain/clock.ts';
import { JournalFailure } from '../engine/journal.ts';
import { systemFault, trialWrite } from './folder.ts';
import type { Store } from './store.ts';

/** Single facts that are kept by name. */
type MetaKey =
  | 'account'
  | 'baselineAt'
  | 'transactionsBaselineAt'
  | 'baseTotal'
  | 'hiddenOrders'
  | 'slowUntil'
  | 'heartbeat'
  | 'inForce'
  | 'probedAt'
  | 'starts'
  | 'restoredAt'
  | 'resumedSeq'
  | 'lags'
  | 'marketFall'
  | `news:${string}`;

export interface Meta {
  text(key: MetaKey): string | undefined;
  number(key: MetaKey): number | undefined;
  /** Inside a transaction. */
  set(key: MetaKey, value: string | number): void;
}

export function createMeta(store: Store): Meta {
  const select = store.value<[MetaKey], string>('SELECT value FROM meta WHERE key = ?');
  const upsert = store.writing<[MetaKey, string]>(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  );
  return {
    text: select,
    number(key) {
      const text = select(key);
      return text === undefined ? undefined : Number(text);
    },
    set(key, value) {
      upsert(key, String(value));
    },
  };
}

export type Bound =
  | { readonly ok: true; /** The folder had no account before. */ readonly first: boolean }
  | { readonly ok: false; /** Whose folder it is. */ readonly belongsTo: string };

export interface AccountFacts {
  /**
   * Binds the data folder to an account for ever. Another account's folder is refused: what one account spent and bought says
   * nothing about another.
   */
  bindAccount(id: string): Bound;
  /** The account whose folder this is; undefined before the first binding. */
  account(): string | undefined;
  /** Until when the service wants this key slow, across restarts. */
  slowUntil(): EpochMs | undefined;
  saveSlowUntil(until: EpochMs): void;
  /** Writes and syncs something of no meaning and of real size: returns when the journal takes intents again, throws JournalFailure while it does not. */
  probe(now: EpochMs): void;
}

export function createAccountFacts(store: Store, meta: Meta): AccountFacts {
  return {
    bindAccount(id) {
      if (id === '') throw new RangeError('an account needs an id');
      const standing = (): Bound | undefined => {
        const bound = meta.text('account');
        if (bound === undefined) return undefined;
        return bound === id ? { ok: true, first: false } : { ok: false, belongsTo: bound };
      };
      const bind = (): Bound => {
        meta.set('account', id);
        return { ok: true, first: true };
      };
      // Asked with each balance: what is bound stays so, and needs no transaction.
      return standing() ?? store.transaction('bind-account', () => standing() ?? bind());
    },
    account: () => meta.text('account'),
    slowUntil: () => meta.number('slowUntil'),
    saveSlowUntil(until) {
      store.transaction('slow-until', () => meta.set('slowUntil', until));
    },
    probe(now) {
      tryRoom(dirname(store.path));
      store.transaction('probe', () => {
        store.assertSound();
        meta.set('probedAt', now);
      });
    },
  };
}

function tryRoom(folder: string): void {
  try {
    trialWrite(folder);
  } catch (error) {
    throw new JournalFailure(systemFault(error, folder).message, { cause: error });
  }
}

import type { Clock } from '../domain/clock.ts';
import type { Reader } from '../ledger/ledger.ts';
import { openReader } from '../ledger/open.ts';
import { type SettingsRequest, accountFolder, loadLocalSettings } from '../settings/load.ts';
import type { LocalSettings } from '../settings/what-counts.ts';

/** Files are read again no oftener than this, and than this for each account of theirs. */
const READ_MS = 5_000;
const READ_MS_EACH = 100;

/**
 * The settings of a configuration, as the files have them: read again now and then, so that a difference to what is in force is seen. One
 * that has become faulty changes nothing. The data folder stays what it was. Throws where it is faulty from the first.
 */
export function settingsLookedAt(request: SettingsRequest, folder: string, clock: Pick<Clock, 'mono'>): () => LocalSettings {
  return lookedAt(clock, READ_MS, () => {
    const loaded = loadLocalSettings(request);
    return loaded.ok ? { ...loaded.settings, data: folder, recordingFolder: folder } : undefined;
  });
}

/** The same of each of several accounts, whose folders lie below the one of all. One that was taken out of the files stays as it was. */
export function accountsLookedAt(
  request: SettingsRequest,
  folder: string,
  names: readonly string[],
  clock: Pick<Clock, 'mono'>,
): () => ReadonlyMap<string, LocalSettings> {
  const known = new Map<string, LocalSettings>();
  return lookedAt(clock, Math.max(READ_MS, names.length * READ_MS_EACH), () => {
    const loaded = loadLocalSettings(request);
    if (!loaded.ok) return undefined;
    for (const each of loaded.each) {
      const { account = '' } = each;
      if (names.includes(account)) known.set(account, { ...each, data: accountFolder(folder, account), recordingFolder: folder });
    }
    return known;
  });
}

function lookedAt<T>(clock: Pick<Clock, 'mono'>, everyMs: number, read: () => T | undefined): () => T {
  let found = read();
  let readAt = clock.mono();
  return () => {
    if (clock.mono() - readAt > everyMs) {
      readAt = clock.mono();
      found = read() ?? found;
    }
    if (found === undefined) throw new Error('the configuration is faulty: `magpie check` shows where');
    return found;
  };
}

export interface KeptOpen {
  /** The ledger for questions; undefined where it cannot be opened just now. */
  readonly reader: () => Reader | undefined;
  readonly close: () => void;
}

/** Keeps a ledger open for questions from the first one on. */
export function keptOpen(folder: string): KeptOpen {
  let open: Reader | undefined;
  return {
    reader() {
      if (open !== undefined) return open;
      const opened = openReader(folder);
      if (opened.ok) open = opened.value;
      else if (opened.fault.kind !== 'missing') throw new Error(opened.fault.message);
      return open;
    },
    close() {
      open?.close();
      open = undefined;
    },
  };
}

/** Ledgers of several folders that are kept open at once: each takes files of the process. */
const OPEN_MAX = 16;

export interface AllKeptOpen {
  readonly reader: (folder: string) => Reader | undefined;
  readonly close: () => void;
}

/** Keeps open the ledgers that were asked last. */
export function keptOpenAmong(): AllKeptOpen {
  const open = new Map<string, KeptOpen>();
  return {
    reader(folder) {
      const kept = open.get(folder) ?? keptOpen(folder);
      open.delete(folder);
      open.set(folder, kept);
      const [oldest] = open;
      if (open.size > OPEN_MAX && oldest !== undefined) {
        oldest[1].close();
        open.delete(oldest[0]);
      }
      return kept.reader();
    },
    close() {
      for (const kept of open.values()) kept.close();
      open.clear();
    },
  };
}

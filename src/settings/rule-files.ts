import { stat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Strategy } from '../strategy/strategy.ts';
import type { FileFault } from './file-fault.ts';
import { type LoadedSettings, type SettingsRequest, loadSettings } from './load.ts';
import type { RuleSet } from './rule-difference.ts';
import type { Settings } from './settings.ts';
import { loadStrategiesBetween } from './strategies.ts';
import { shownPath } from './text-file.ts';

export type RulesRead =
  | ({ readonly ok: true; readonly settings: Settings } & RuleSet)
  | { readonly ok: false; readonly faults: readonly FileFault[] };

/** The files that say what is bought, for a daemon that follows them. */
export interface RuleFiles {
  /** Tells one state of the files from another by their names, sizes and times. */
  mark(): Promise<string>;
  /**
   * Everything as it stands now, checked as at a start; `breathe` is waited for again and again. What `counts` is taken as it is where
   * its text has not changed.
   */
  read(breathe: () => Promise<void>, counts?: readonly Strategy[]): Promise<RulesRead>;
}

/** Files of which the file system is asked in one go: a thousand answers at once would be a pause. */
const ASKED_AT_ONCE = 50;

/** `settings` are those that the same request gave before; `load` gives what it gives now. */
export function ruleFiles(
  request: SettingsRequest,
  settings: Pick<Settings, 'file' | 'strategies'>,
  load: () => Promise<LoadedSettings> = async () => loadSettings(request),
): RuleFiles {
  let folder = settings.strategies;
  return {
    mark: async () => {
      const names = await readdir(folder).catch(() => []);
      const paths = [settings.file, ...names.filter((name) => name.endsWith('.yaml')).map((name) => join(folder, name))];
      const marks: string[] = [];
      for (let from = 0; from < paths.length; from += ASKED_AT_ONCE) {
        marks.push(...(await Promise.all(paths.slice(from, from + ASKED_AT_ONCE).map(markOf))));
      }
      return JSON.stringify([folder, ...marks]);
    },
    read: async (breathe, counts) => {
      const loaded = await load();
      if (!loaded.ok) return { ok: false, faults: loaded.faults };
      folder = loaded.settings.strategies;
      await breathe();
      const read = await loadStrategiesBetween(breathe, folder, shownPath(folder, request.cwd), counts);
      return read.ok ? { ok: true, settings: loaded.settings, strategies: read.strategies } : { ok: false, faults: read.faults };
    },
  };
}

/**
 * The same for each account of a configuration that has many. They share one reading of it as long as the file is as it was: a thousand of
 * them would read a thousand times what is said of a thousand.
 */
export function ruleFilesOfAccounts(request: SettingsRequest): (own: Settings) => RuleFiles {
  let kept: { readonly mark: string; readonly loaded: LoadedSettings } | undefined;
  const whole = async (file: string): Promise<LoadedSettings> => {
    const mark = await markOf(file);
    if (kept?.mark !== mark) kept = { mark, loaded: loadSettings(request) };
    return kept.loaded;
  };
  return (own) => {
    const alone = { ...request, account: own.account };
    return ruleFiles(alone, own, async () => {
      const loaded = await whole(own.file);
      if (!loaded.ok) return loaded;
      const settings = loaded.each.find(({ account }) => account === own.account);
      // It is not in the file any more: who asks for it alone is told so.
      return settings === undefined ? loadSettings(alone) : { ...loaded, settings };
    });
  };
}

async function markOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true });
    return `${path} ${ino} ${size} ${mtimeNs}`;
  } catch {
    return `${path} is gone`;
  }
}

import { type Stats, statSync } from 'node:fs';
import { shownPath } from '../../settings/text-file.ts';
import { type Finding, bad, doubt, good } from './finding.ts';

export interface PermissionOptions {
  readonly cwd: string;
  readonly config: string;
  /** Absolute; undefined where there is none. */
  readonly envFile: string | undefined;
  /** Folders; need not exist. */
  readonly strategies: string;
  readonly data: string;
  /** Of this process; undefined where there are no users. */
  readonly uid: number | undefined;
}

/** Whether files that hold keys are closed to others, and whether nobody else can write what decides on money. */
export function permissionFindings(options: PermissionOptions): readonly Finding[] {
  const { cwd, config, envFile, strategies, data, uid } = options;
  const shown = (path: string): string => shownPath(path, cwd);
  const findings = [
    ...closed(data, shown(data), 'the data folder', '700', uid),
    ...(envFile === undefined ? [] : closed(envFile, shown(envFile), 'the keys in it', '600', uid)),
    ...[config, strategies].flatMap((path) => unwritable(path, shown(path))),
  ];
  return findings.length > 0
    ? findings
    : [good('permissions', 'data folder and keys are closed to others, and only their owner can write the rules')];
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function closed(path: string, shown: string, what: string, mode: string, uid: number | undefined): readonly Finding[] {
  const stats = statOf(path);
  if (stats === undefined) return [];
  const isFolder = stats.isDirectory();
  // Root reads what is anybody's; everybody else is refused by what is not theirs.
  if (isFolder && uid !== undefined && uid !== 0 && stats.uid !== uid)
    return [
      bad(
        'permissions',
        `${shown} belongs to user ${stats.uid}, and this is user ${uid}`,
        'run Magpie and its commands as that user',
      ),
    ];
  const open = isFolder ? stats.mode & 0o077 : stats.mode & 0o044;
  if (open === 0) return [];
  return [doubt('permissions', `${shown}: other users of this machine may read ${what}`, `chmod ${mode} ${shown}`)];
}

function unwritable(path: string, shown: string): readonly Finding[] {
  const stats = statOf(path);
  if (stats === undefined || (stats.mode & 0o002) === 0) return [];
  return [
    doubt('permissions', `${shown}: anybody on this machine can write it, and it decides what is bought`, `chmod o-w ${shown}`),
  ];
}

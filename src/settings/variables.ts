import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnvFile } from './env-file.ts';
import type { FileFault } from './file-fault.ts';
import type { Environment } from './references.ts';
import { readTextFile, shownPath } from './text-file.ts';

/*
 * Where variables of a configuration come from beside the environment. The first that has one counts: the environment itself; the file
 * that MAGPIE_…_FILE names (Docker's secrets); the credentials that systemd hands to a unit; the file `.env`.
 */

export interface VariablesRequest {
  readonly env: Environment;
  /** Absolute. */
  readonly cwd: string;
  /** The configuration, absolute; undefined for the one that comes with Magpie, which needs no variables. */
  readonly config: string | undefined;
  /** A file in place of `.env` beside the configuration, relative to `cwd`. */
  readonly envFile?: string | undefined;
}

export interface Variables {
  /** The environment with whatever the files add. */
  readonly env: Environment;
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileFault[];
  /** The file of variables that was read, absolute; undefined where there is none. */
  readonly file: string | undefined;
}

type Values = Map<string, string>;

interface Found {
  readonly values: Values;
  readonly faults: FileFault[];
  readonly warnings: FileFault[];
}

/** Reads them all. Never throws for what a user wrote; no value is quoted in a fault. */
export function readVariables({ env, cwd, config, envFile }: VariablesRequest): Variables {
  const found: Found = { values: new Map(), faults: [], warnings: [] };
  for (const [name, path] of namedFiles(env)) takeFile(name, resolve(cwd, path), `the file that ${name}_FILE names`, found);
  const credentials = env['CREDENTIALS_DIRECTORY'];
  if (isSet(credentials))
    for (const name of namesIn(credentials)) takeFile(name, join(credentials, name), 'the credential', found);
  const file = fileOf(cwd, config, envFile);
  const isRead = file !== undefined && takeEnvFile(file, shownPath(file, cwd), envFile !== undefined, found);
  const given = Object.entries(env).filter(([, value]) => isSet(value));
  const all: Record<string, string | undefined> = Object.assign(Object.create(null), env) as Record<string, string | undefined>;
  for (const [name, value] of [...found.values, ...given]) all[name] = value;
  return { env: all, faults: found.faults, warnings: found.warnings, file: isRead ? file : undefined };
}

/** A variable that is set but empty counts as unset, here as everywhere. */
function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

function fileOf(cwd: string, config: string | undefined, envFile: string | undefined): string | undefined {
  if (envFile !== undefined) return resolve(cwd, envFile);
  return config === undefined ? undefined : join(dirname(config), '.env');
}

/** MAGPIE_API_KEY_FILE=… gives MAGPIE_API_KEY; other programs' variables of such a name mean something else. */
function namedFiles(env: Environment): [string, string][] {
  return Object.entries(env).flatMap(([name, path]) => {
    const [, of] = /^(MAGPIE_\w+)_FILE$/.exec(name) ?? [];
    return of === undefined || !isSet(path) ? [] : [[of, path] satisfies [string, string]];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[A-Z_][A-Z0-9_]*$/.test(name));
  } catch {
    return [];
  }
}

/** One value, alone in a file of its own. */
function takeFile(name: string, path: string, what: string, { values, faults }: Found): void {
  if (values.has(name)) return;
  // Whoever puts a key where its file should be named must not find it in a log.
  const shown = existsSync(path) ? path : `${name}_FILE`;
  const fault = (message: string, suggestion: string | undefined): FileFault => ({
    ...{ file: shown, line: 1, column: 1, path: '' },
    ...{ message: `${what}: ${message}`, suggestion },
  });
  const read = readTextFile(path, shown);
  if (!read.ok) return void faults.push(fault(read.fault.message, read.fault.suggestion));
  const value = read.text.replace(/\r?\n$/, '');
  if (value === '') return void faults.push(fault('it is empty', `put the value of ${name} into it`));
  if (/[\r\n]/.test(value)) return void faults.push(fault('it has more than one line', `leave nothing in it but ${name}`));
  values.set(name, value);
}

/** Whether it is there. */
function takeEnvFile(path: string, shown: string, isAsked: boolean, { values, faults, warnings }: Found): boolean {
  if (!isAsked && !existsSync(path)) return false;
  const read = readTextFile(path, shown);
  if (!read.ok) {
    // One that nobody asked for may be for another user, who hands its variables on: what is missing then is told by itself.
    (isAsked ? faults : warnings).push(read.fault);
    return isAsked;
  }
  const parsed = parseEnvFile(read.text, shown);
  faults.push(...parsed.faults);
  for (const [name, value] of parsed.values) if (value !== '' && !values.has(name)) values.set(name, value);
  if ((read.mode & 0o044) !== 0) warnings.push(open(shown));
  return true;
}

function open(shown: string): FileFault {
  const message = 'holds keys, and other users of this machine may read it';
  return { file: shown, line: 1, column: 1, path: '', message, suggestion: `chmod 600 ${shown}` };
}

import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearest } from '../domain/nearest.ts';
import { printable } from '../domain/text.ts';
import type { ConfigurationReading } from './configuration.ts';
import { readConfiguration } from './configuration.ts';
import type { FileFault } from './file-fault.ts';
import { inReadingOrder, placeOfOption } from './file-fault.ts';
import type { Environment } from './references.ts';
import { type Places, resolveLocal, resolveSettings } from './resolve.ts';
import type { Config } from './schema.ts';
import type { Settings } from './settings.ts';
import { shownPath } from './text-file.ts';
import type { LocalSettings } from './what-counts.ts';

/** The configuration that comes with Magpie; two folders up from here in src as in dist. */
export const packagedConfig = fileURLToPath(new URL('../../config/sandbox.yaml', import.meta.url));

export interface SettingsRequest {
  /** As given on the command line, relative to `cwd`; undefined for the one that comes with Magpie. */
  readonly file?: string | undefined;
  readonly env: Environment;
  /** Absolute. */
  readonly cwd: string;
  /** One of several accounts: its settings are wanted, as if it stood alone. */
  readonly account?: string | undefined;
  readonly overrides?: {
    /** Folders, relative to `cwd`. */
    readonly data?: string | undefined;
    readonly strategies?: string | undefined;
    /** true makes it dry-run; false changes nothing. */
    readonly dryRun?: boolean | undefined;
  };
}

export type LoadedSettings<S extends LocalSettings = Settings> =
  | {
      readonly ok: true;
      readonly settings: S;
      /** Of each account, in the order of the file; empty where the configuration is for one, and where one was asked for. */
      readonly each: readonly S[];
      /** What the start must say. */
      readonly notices: readonly string[];
      readonly warnings: readonly FileFault[];
    }
  | {
      readonly ok: false;
      readonly faults: readonly FileFault[];
      readonly warnings: readonly FileFault[];
      /** The data folder, where it can be told in spite of the faults: a halt must not fail for want of a key. */
      readonly data: string | undefined;
      /** That of all its accounts together, also where one is meant that it does not name. */
      readonly top: string | undefined;
      /** The names of its accounts, as far as they can be told. */
      readonly accountNames: readonly string[];
    };

/**
 * Reads the configuration and resolves it with the environment and the command line: `--data` goes before MAGPIE_DATA, which goes
 * before the file. Never throws for what a user wrote.
 */
export function loadSettings(request: SettingsRequest): LoadedSettings {
  return load(request, false, resolveSettings);
}

/** For a command that sends nothing: keys and the address of the service may be missing from the environment. */
export function loadLocalSettings(request: SettingsRequest): LoadedSettings<LocalSettings> {
  return load(request, true, resolveLocal);
}

function load<S extends LocalSettings>(
  request: SettingsRequest,
  local: boolean,
  resolved: (config: Config, places: Places) => S,
): LoadedSettings<S> {
  const { env, cwd, account, overrides = {} } = request;
  const file = request.file === undefined ? packagedConfig : resolve(cwd, request.file);
  const shown = shownPath(file, cwd);
  const reading = readConfiguration({ file, shown, env, dryRun: overrides.dryRun === true, local });
  const { config, accounts, notices } = reading;
  const warnings = [...reading.warnings].sort(inReadingOrder);
  const top = dataFolder(request, file, reading);
  const accountNames = config === undefined ? reading.accountNames : [...accounts.keys()];
  const stranger = account === undefined ? undefined : strangerFault(account, accountNames, shown);
  const data = stranger === undefined ? dataOf(top, account) : undefined;
  if (!config || top === undefined || data === undefined || stranger !== undefined) {
    const faults = [...reading.faults, ...(config && stranger ? [stranger] : [])];
    return { ok: false, faults: faults.sort(inReadingOrder), warnings, data, top, accountNames };
  }
  const settingsOf = (name: string | undefined, of: Config): S => {
    const given = overrides.strategies;
    const strategies = given === undefined ? resolve(dirname(file), of.strategies) : resolve(cwd, given);
    const folder = dataOf(top, name) ?? top;
    return resolved(of, { file, strategies, data: folder, recordingFolder: top, account: name, accountNames });
  };
  const each = [...accounts].map(([name, of]) => settingsOf(name, of));
  const own = each.find((settings) => settings.account === account) ?? settingsOf(undefined, config);
  // What is one account's secret appears in no line of another either.
  const secrets = [...settingsOf(undefined, config).secrets, ...each.flatMap((settings) => settings.secrets)];
  const hidden = (settings: S): S => ({ ...settings, secrets });
  return { ok: true, settings: hidden(own), each: account === undefined ? each.map(hidden) : [], notices, warnings };
}

/** The data folder of one of several accounts; that of all without a name. */
function dataOf(top: string | undefined, account: string | undefined): string | undefined {
  return top === undefined || account === undefined ? top : accountFolder(top, account);
}

/** The data folder of an account, below the one that all of them share. */
export function accountFolder(top: string, account: string): string {
  return join(top, 'accounts', account);
}

function strangerFault(account: string, names: readonly string[], file: string): FileFault | undefined {
  if (names.includes(account)) return undefined;
  const place = placeOfOption('--account');
  if (names.length === 0) {
    const message = `${printable(file, 500)} has no \`accounts\`: it is for one account, and --account ${printable(account, 60)} means none`;
    return { ...place, message, suggestion: 'leave --account out' };
  }
  const near = nearest(account, names);
  const message = `no account is called ${printable(account, 60)}; those of ${printable(file, 500)} are: ${names.join(', ')}`;
  return { ...place, message, suggestion: near === undefined ? undefined : `--account ${near}` };
}

function dataFolder(
  { file: given, cwd, overrides }: SettingsRequest,
  file: string,
  { data, dataFromEnvironment }: ConfigurationReading,
): string | undefined {
  const fromCwd = overrides?.data ?? (dataFromEnvironment ? data : undefined);
  if (fromCwd !== undefined) return resolve(cwd, fromCwd);
  // An installed package must not write into itself, so its configuration keeps its data where the user stands.
  if (given === undefined) return join(cwd, 'data', 'sandbox');
  return data === undefined ? undefined : resolve(dirname(file), data);
}

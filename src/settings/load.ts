import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ConfigurationReading } from './configuration.ts';
import { readConfiguration } from './configuration.ts';
import type { FileFault } from './file-fault.ts';
import { inReadingOrder } from './file-fault.ts';
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
  const { env, cwd, overrides = {} } = request;
  const file = request.file === undefined ? packagedConfig : resolve(cwd, request.file);
  const shown = shownPath(file, cwd);
  const reading = readConfiguration({ file, shown, env, dryRun: overrides.dryRun === true, local });
  const { config, notices } = reading;
  const warnings = [...reading.warnings].sort(inReadingOrder);
  const data = dataFolder(request, file, reading);
  if (!config || data === undefined) return { ok: false, faults: [...reading.faults].sort(inReadingOrder), warnings, data };
  const strategies =
    overrides.strategies === undefined ? resolve(dirname(file), config.strategies) : resolve(cwd, overrides.strategies);
  return { ok: true, settings: resolved(config, { file, strategies, data }), notices, warnings };
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

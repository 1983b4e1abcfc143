import { Secret, secretsOfTradeUrl } from '../domain/secret.ts';
import { dollarsFromMicros } from '../domain/money.ts';
import { printable } from '../domain/text.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { type LoadedSettings, type SettingsRequest, loadLocalSettings, loadSettings, packagedConfig } from '../settings/load.ts';
import type { FileFault } from '../settings/file-fault.ts';
import type { Settings } from '../settings/settings.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { knownNames } from '../settings/item-catalogue.ts';
import { loadStrategies } from '../settings/strategies.ts';
import { resolve } from 'node:path';
import { shownPath } from '../settings/text-file.ts';
import type { Strategy } from '../strategy/strategy.ts';
import type { SharedOptions } from './command.ts';
import { CommandFailure, exits } from './exit.ts';
import { showFaults } from './faults.ts';
import type { Io } from './io.ts';

/** The environment's own secrets, which a faulty configuration might not let us find. */
const secretNames = ['MAGPIE_API_KEY', 'MAGPIE_PARTNER_KEY', 'MAGPIE_TRADE_URL', 'MAGPIE_WEB_TOKEN'] as const;

/** Keeps what the environment holds in secret out of every output from now on. */
export function hideEnvironment(io: Io): void {
  const secrets = secretNames.flatMap((name) => (io.env[name] ? [new Secret(io.env[name])] : []));
  io.hide(secrets.flatMap(secretsOfTradeUrl));
}

export interface LoadedConfiguration {
  readonly settings: Settings;
  /** What a start must say. */
  readonly notices: readonly string[];
}

/**
 * The settings that a command works with; their secrets appear in no output from here on. Faults are shown and end the command.
 * Warnings are for `check` and the start of the daemon, and shown only where `warn` says so.
 */
export function settingsFor(
  io: Io,
  { config, data }: SharedOptions,
  overrides: Omit<NonNullable<SettingsRequest['overrides']>, 'data'> = {},
  warn = false,
): LoadedConfiguration {
  hideEnvironment(io);
  const loaded = loadSettings({ file: config, env: io.env, cwd: io.cwd, overrides: { ...overrides, data } });
  if (warn) showFaults(io.err, loaded.warnings, 'warning');
  const shown = told(io, loaded);
  if (shown.ok) return shown;
  throw configurationFaulty(shown.faults);
}

/** What a command works with that the daemon of the data folder does for it, or a process of its own where there is none. */
export interface RequestSettings {
  readonly settings: LocalSettings;
  /** All that a process of its own needs, the keys with it; undefined where a daemon runs, which has them. */
  readonly own: LoadedConfiguration | undefined;
}

/** Faults are shown and end the command; where a daemon runs, missing keys are none. */
export function requestSettingsFor(io: Io, options: SharedOptions): RequestSettings {
  hideEnvironment(io);
  const { config, data } = options;
  const local = loadLocalSettings({ file: config, env: io.env, cwd: io.cwd, overrides: { data } });
  if (local.ok && isFolderHeld(local.settings.data)) {
    io.hide(local.settings.secrets);
    return { settings: local.settings, own: undefined };
  }
  const own = settingsFor(io, options);
  return { settings: own.settings, own };
}

function configurationFaulty(faults: readonly FileFault[]): CommandFailure {
  const words = 'The configuration is faulty: nothing was done. Mend it; `magpie check` looks again.';
  return new CommandFailure(exits.wrong, words, faults);
}

/** As `settingsFor`, for a command that sends nothing: it works where the keys are not in this terminal's environment. */
export function localSettingsFor(io: Io, options: SharedOptions, strategies?: string): LocalSettings {
  const loaded = localFor(io, options, strategies);
  if (loaded.ok) return loaded.settings;
  throw configurationFaulty(loaded.faults);
}

/** As `localSettingsFor`, for a command that can do something even where the configuration is faulty. */
export function localFor(io: Io, { config, data }: SharedOptions, strategies?: string): LoadedSettings<LocalSettings> {
  hideEnvironment(io);
  const loaded = loadLocalSettings({ file: config, env: io.env, cwd: io.cwd, overrides: { data, strategies } });
  return told(io, loaded);
}

/** Faults are shown; secrets appear in no output from here on. */
function told<S extends LocalSettings>(io: Io, loaded: LoadedSettings<S>): LoadedSettings<S> {
  if (loaded.ok) io.hide(loaded.settings.secrets);
  else showFaults(io.err, loaded.faults, 'fault');
  return loaded;
}

/** The strategies of the settings. Faults are shown and end the command. */
export function strategiesFor(io: Io, settings: LocalSettings, warn = false): readonly Strategy[] {
  const { strategies, limits, mode, service } = settings;
  const maxPrice = limits.maxPrice === undefined ? undefined : dollarsFromMicros(limits.maxPrice);
  const account = { maxPrice, realMoney: mode === 'live' && service.kind === 'remote' };
  const loaded = loadStrategies(strategies, shownPath(strategies, io.cwd), account, warn ? knownNames() : undefined);
  if (warn) showFaults(io.err, loaded.warnings, 'warning');
  if (loaded.ok) return loaded.strategies;
  showFaults(io.err, loaded.faults, 'fault');
  const words = 'A strategy is faulty: nothing was done. Mend it; `magpie check` looks again.';
  throw new CommandFailure(exits.wrong, words, loaded.faults);
}

/** Which configuration and data folder a command acts on: every command that changes something says it. */
export function placesOf(io: Io, { file, data }: { readonly file: string; readonly data: string }): string {
  const shown = (path: string): string => printable(shownPath(path, io.cwd), 500);
  return `Configuration ${shown(file)}, data folder ${shown(data)}`;
}

/** The configuration that a command was given, or the one that comes with Magpie. */
export function fileOf(io: Io, { config }: SharedOptions): string {
  return config === undefined ? packagedConfig : resolve(io.cwd, config);
}

import { dollarsFromMicros } from '../domain/money.ts';
import { printable } from '../domain/text.ts';
import { isFolderHeld } from '../ledger/lock.ts';
import { type LoadedSettings, type SettingsRequest, loadLocalSettings, loadSettings, packagedConfig } from '../settings/load.ts';
import type { Settings } from '../settings/settings.ts';
import type { Variables } from '../settings/variables.ts';
import type { LocalSettings } from '../settings/what-counts.ts';
import { readConfiguration } from '../settings/configuration.ts';
import { type Place, placeOfOption } from '../settings/file-fault.ts';
import { loadStrategies, namedAt } from '../settings/strategies.ts';
import { dirname, resolve } from 'node:path';
import { shownPath } from '../settings/text-file.ts';
import type { KnownNames } from '../strategy/known-names.ts';
import type { Strategy } from '../strategy/strategy.ts';
import type { SharedOptions } from './command.ts';
import { CommandFailure, exits } from './exit.ts';
import { showFaults } from './faults.ts';
import type { Io } from './io.ts';
import { variablesFor } from './variables.ts';

type Overrides = Omit<NonNullable<SettingsRequest['overrides']>, 'data'>;

/** Where a command takes its settings from. */
export function requestOf(
  { variables: env, cwd }: Io,
  { config, data, account }: SharedOptions,
  overrides: Overrides,
): SettingsRequest {
  return { file: config, env, cwd, account, overrides: { ...overrides, data } };
}

export interface LoadedConfiguration {
  readonly settings: Settings;
  /** Of each account, where the configuration has several and none was named. */
  readonly each: readonly Settings[];
  /** What a start must say. */
  readonly notices: readonly string[];
}

/**
 * The settings that a command works with; their secrets appear in no output from here on. Faults are shown and end the command.
 * Warnings are for `check` and the start of the daemon, and shown only where `warn` says so.
 */
export function settingsFor(io: Io, options: SharedOptions, overrides: Overrides = {}, warn = false): LoadedConfiguration {
  const loaded = wholeSettingsFor(io, options, overrides, warn);
  oneAccountOf(loaded.settings);
  return loaded;
}

/** The same for a command that has something to do for all accounts together, where the configuration has several and none is named. */
export function wholeSettingsFor(io: Io, options: SharedOptions, overrides: Overrides = {}, warn = false): LoadedConfiguration {
  const variables = variablesFor(io, options);
  const loaded = withFaults(loadSettings(requestOf(io, options, overrides)), variables);
  if (warn) showFaults(io.err, [...variables.warnings, ...loaded.warnings], 'warning');
  const shown = told(io, loaded);
  if (shown.ok) return shown;
  throw configurationFaulty(shown, options);
}

/** What a command works with that the daemon of the data folder does for it, or a process of its own where there is none. */
export interface RequestSettings {
  readonly settings: LocalSettings;
  /** All that a process of its own needs, the keys with it; undefined where a daemon runs, which has them. */
  readonly own: LoadedConfiguration | undefined;
}

/** Faults are shown and end the command; where a daemon runs, missing keys are none. */
export function requestSettingsFor(io: Io, options: SharedOptions): RequestSettings {
  const variables = variablesFor(io, options);
  const local = withFaults(loadLocalSettings(requestOf(io, options, {})), variables);
  if (local.ok) oneAccountOf(local.settings);
  if (local.ok && isFolderHeld(local.settings.data)) {
    io.hide(local.settings.secrets);
    return { settings: local.settings, own: undefined };
  }
  const own = settingsFor(io, options);
  return { settings: own.settings, own };
}

type Faulty = Extract<LoadedSettings<LocalSettings>, { readonly ok: false }>;

/** Where the only fault is a name behind `--account`, the file is as it should be: there is nothing in it to mend. */
function configurationFaulty({ faults, accountNames }: Faulty, { account }: SharedOptions): CommandFailure {
  const isTyped = account !== undefined && !accountNames.includes(account) && faults.length === 1;
  const words = isTyped
    ? 'The command line is wrong, not the configuration: nothing was done.'
    : 'The configuration is faulty: nothing was done. Mend it; `magpie check` looks again.';
  return new CommandFailure(exits.wrong, words, faults);
}

/** As `settingsFor`, for a command that sends nothing: it works where the keys are not in this terminal's environment. */
export function localSettingsFor(io: Io, options: SharedOptions, strategies?: string): LocalSettings {
  const { settings } = wholeLocalSettingsFor(io, options, strategies);
  oneAccountOf(settings);
  return settings;
}

/** As `localSettingsFor`, for a command that has something to do for all accounts together, or for what they share. */
export function wholeLocalSettingsFor(
  io: Io,
  options: SharedOptions,
  strategies?: string,
): { readonly settings: LocalSettings; readonly each: readonly LocalSettings[] } {
  const loaded = localFor(io, options, strategies);
  if (loaded.ok) return loaded;
  throw configurationFaulty(loaded, options);
}

/** Ends a command that acts on one account where the configuration has several and none was named. */
export function oneAccountOf({ account, accountNames }: LocalSettings): void {
  if (account !== undefined || accountNames.length === 0) return;
  throw new CommandFailure(
    exits.wrong,
    `This configuration has several accounts, and nothing was done: ${accountNames.join(', ')}.\n→ say which one with --account NAME`,
  );
}

/** As `localSettingsFor`, for a command that can do something even where the configuration is faulty. */
export function localFor(io: Io, options: SharedOptions, strategies?: string): LoadedSettings<LocalSettings> {
  const variables = variablesFor(io, options);
  return told(io, withFaults(loadLocalSettings(requestOf(io, options, { strategies })), variables));
}

/** A file of variables that is faulty makes the configuration faulty: what it should have given may be missing. */
function withFaults<S extends LocalSettings>(loaded: LoadedSettings<S>, { faults }: Variables): LoadedSettings<S> {
  if (faults.length === 0) return loaded;
  const { warnings } = loaded;
  if (loaded.ok) {
    const { data, recordingFolder: top, accountNames } = loaded.settings;
    return { ok: false, faults, warnings, data, top, accountNames };
  }
  return { ...loaded, faults: [...faults, ...loaded.faults] };
}

/** Faults are shown; secrets appear in no output from here on. */
function told<S extends LocalSettings>(io: Io, loaded: LoadedSettings<S>): LoadedSettings<S> {
  if (loaded.ok) io.hide(loaded.settings.secrets);
  else showFaults(io.err, loaded.faults, 'fault');
  return loaded;
}

/** What warnings of strategies rest on: read once for any number of accounts. */
export interface Advice {
  readonly known: KnownNames | undefined;
}

/** The strategies of the settings. Faults are shown and end the command; warnings are shown where there is `advice`. */
export function strategiesFor(io: Io, settings: LocalSettings, advice?: Advice): readonly Strategy[] {
  const { strategies, limits, mode, service } = settings;
  const shown = shownPath(strategies, io.cwd);
  const maxPrice = limits.maxPrice === undefined ? undefined : dollarsFromMicros(limits.maxPrice);
  const account = { maxPrice, realMoney: mode === 'live' && service.kind === 'remote' };
  const loaded = loadStrategies(strategies, shown, account, advice?.known);
  if (advice !== undefined) showFaults(io.err, loaded.warnings, 'warning');
  if (loaded.ok) return loaded.strategies;
  const faults = namedAt(loaded, shown, () => placeNaming(io, settings));
  showFaults(io.err, faults, 'fault');
  const words = 'A strategy is faulty: nothing was done. Mend it; `magpie check` looks again.';
  throw new CommandFailure(exits.wrong, words, faults);
}

/** Where a folder of strategies was named: in the configuration, or on the command line where that names another one. */
function placeNaming({ cwd, variables: env }: Io, { file, account, strategies }: LocalSettings): Place {
  const reading = readConfiguration({ file, shown: shownPath(file, cwd), env, dryRun: false, local: true });
  const written = reading.accounts.get(account ?? '')?.strategies ?? reading.strategies;
  const isWritten = written !== undefined && resolve(dirname(file), written) === strategies;
  return isWritten ? reading.placeOfStrategies(account) : placeOfOption('--strategies');
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

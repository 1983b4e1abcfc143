import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { strategyJsonSchema } from '../strategy/schema.ts';
import { readConfiguration } from './configuration.ts';
import type { KnownNames } from '../strategy/known-names.ts';
import type { FileFault, Place } from './file-fault.ts';
import { inReadingOrder, placeOfOption } from './file-fault.ts';
import { knownNames } from './item-catalogue.ts';
import type { JsonSchema } from './json-schema.ts';
import { configJsonSchema } from './json-schema.ts';
import { packagedConfig } from './load.ts';
import type { Config } from './schema.ts';
import type { Environment } from './references.ts';
import { type AccountFrame, loadStrategies, namedAt, readStrategy } from './strategies.ts';
import { VARIANTS_MAX, readSweepFile } from './sweep.ts';
import { readTextFile, shownPath } from './text-file.ts';
import { readYaml } from './yaml-document.ts';

export interface CheckRequest {
  /** Configurations, strategies and folders of strategies, as given; when empty, the configuration and its strategies are checked. */
  readonly files: readonly string[];
  /** The configuration given by --config; undefined for the one that comes with Magpie. */
  readonly config?: string | undefined;
  /** A folder that takes the place of the configuration's. */
  readonly strategies?: string | undefined;
  readonly env: Environment;
  /** The way to the service and its keys may be missing: somebody else has them. */
  readonly local?: boolean | undefined;
  /** Absolute. */
  readonly cwd: string;
}

export interface CheckReport {
  readonly ok: boolean;
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileFault[];
  readonly notices: readonly string[];
  /** Every file and folder that was looked at, as shown. */
  readonly checked: readonly string[];
  /** How many files of each kind that were. */
  readonly counts: Counts;
}

export interface Counts {
  readonly configurations: number;
  readonly strategies: number;
  readonly sweeps: number;
}

/**
 * What `magpie check` finds. A configuration brings the folder of its strategies with it, a file for `magpie sweep` the strategy that it varies.
 * Which of the three a file is is told by its keys. Paths are relative to `cwd`.
 */
export function checkFiles(request: CheckRequest): CheckReport {
  const found: Found = {
    faults: [],
    warnings: [],
    notices: [],
    checked: new Set(),
    known: knownNames(),
    counts: { configurations: 0, strategies: 0, sweeps: 0 },
  };
  if (request.files.length === 0) {
    checkConfiguration(request.config === undefined ? packagedConfig : resolve(request.cwd, request.config), request, found);
  }
  for (const file of request.files) checkOne(resolve(request.cwd, file), request, found);
  const { faults, warnings, notices, checked, counts } = found;
  return {
    ok: faults.length === 0,
    faults: faults.sort(inReadingOrder),
    warnings: warnings.sort(inReadingOrder),
    notices,
    checked: [...checked],
    counts,
  };
}

interface Found {
  readonly faults: FileFault[];
  readonly warnings: FileFault[];
  readonly notices: string[];
  readonly checked: Set<string>;
  readonly known: KnownNames | undefined;
  readonly counts: { -readonly [K in keyof Counts]: Counts[K] };
}

function checkOne(path: string, request: CheckRequest, found: Found): void {
  if (isFolder(path)) return checkFolder(path, request, found);
  const shown = shownPath(path, request.cwd);
  const kind = looksLike(path, shown);
  if (kind === 'configuration') return checkConfiguration(path, request, found);
  if (found.checked.has(shown)) return;
  found.checked.add(shown);
  if (kind === 'sweep') return checkSweep(path, request, found);
  found.counts.strategies += 1;
  const { faults, warnings } = readStrategy(path, shown, undefined, found.known);
  found.faults.push(...faults);
  found.warnings.push(...warnings);
}

/** As `magpie sweep` reads it, every variant compiled. */
function checkSweep(path: string, { cwd }: CheckRequest, found: Found): void {
  found.counts.sweeps += 1;
  const read = readSweepFile(path, {}, { cwd, max: VARIANTS_MAX });
  if (!read.ok) found.faults.push(...read.faults);
}

function checkConfiguration(path: string, request: CheckRequest, found: Found): void {
  const shown = shownPath(path, request.cwd);
  if (found.checked.has(shown)) return;
  found.checked.add(shown);
  found.counts.configurations += 1;
  const { config, accounts, strategies, placeOfStrategies, isTreasuryAlone, faults, warnings, notices } = readConfiguration({
    file: path,
    shown,
    env: request.env,
    dryRun: false,
    local: request.local ?? false,
  });
  found.faults.push(...faults);
  found.warnings.push(...warnings);
  found.notices.push(...notices);
  const account = config && frameOf(config);
  if (config !== undefined && accounts.size > 0 && request.strategies === undefined) {
    for (const [name, each] of accounts)
      checkFolder(resolve(dirname(path), each.strategies), request, found, {
        account: frameOf(each),
        named: () => placeOfStrategies(name),
      });
    return;
  }
  if (request.strategies !== undefined)
    checkFolder(resolve(request.cwd, request.strategies), request, found, {
      account,
      named: () => placeOfOption('--strategies'),
    });
  else if (strategies !== undefined) {
    const folder = resolve(dirname(path), strategies);
    // A treasury's own file needs no strategies; those that lie beside it all the same are looked at.
    if (!isTreasuryAlone || existsSync(folder))
      checkFolder(folder, request, found, { account, named: () => placeOfStrategies(undefined) });
  }
}

function frameOf({ limits, mode, service }: Config): AccountFrame {
  return { maxPrice: limits.maxPrice, realMoney: mode === 'live' && service?.baseUrl !== undefined };
}

/** What a configuration says of a folder of strategies. */
interface OfConfiguration {
  readonly account?: AccountFrame | undefined;
  readonly named?: () => Place;
}

function checkFolder(path: string, request: CheckRequest, found: Found, { account, named }: OfConfiguration = {}): void {
  const shown = shownPath(path, request.cwd);
  if (found.checked.has(shown)) return;
  found.checked.add(shown);
  const loaded = loadStrategies(path, shown, account, found.known);
  if (!loaded.ok) found.faults.push(...(named === undefined ? loaded.faults : namedAt(loaded, shown, named)));
  found.counts.strategies += loaded.ok ? loaded.strategies.length : loaded.files;
  found.warnings.push(...loaded.warnings);
}

/** By the keys that only one of them may have. What cannot be read is told by none, and has the same fault as all. */
function looksLike(path: string, shown: string): 'configuration' | 'strategy' | 'sweep' {
  const read = readTextFile(path, shown);
  const value = read.ok ? readYaml(read.text, shown, { references: true }).document?.value : undefined;
  if (value === undefined) return 'strategy';
  if ('vary' in value) return 'sweep';
  const ofConfiguration = keyNames(configJsonSchema());
  const ofStrategy = keyNames(strategyJsonSchema());
  const present = [...Object.keys(value), ...limitNames(value['limits'])];
  const only = (own: readonly string[], other: readonly string[]): number =>
    present.filter((name) => own.includes(name) && !other.includes(name)).length;
  return only(ofConfiguration, ofStrategy) > only(ofStrategy, ofConfiguration) ? 'configuration' : 'strategy';
}

/** Keys at the top and inside `limits`, which both kinds of file have. */
function keyNames({ properties = {} }: JsonSchema): string[] {
  return [...Object.keys(properties), ...limitNames(properties['limits']?.properties)];
}

function limitNames(limits: unknown): string[] {
  return typeof limits === 'object' && limits !== null ? Object.keys(limits).map((key) => `limits.${key}`) : [];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

import { readFileSync } from 'node:fs';

/** A package as the lock file has it. */
export interface LockedPackage {
  /** Below which folder of the checkout it is installed. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the package states it. */
  readonly licence: string;
  /** Comes with Magpie wherever that is installed; the others build and test it. */
  readonly shipped: boolean;
}

interface Entry {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Licences that ask for no more than that their text stays with the code. */
const permissive = new Set(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0']);

/**
 * What the tests and builds read CSS with, and what the tests look for faults of accessibility with: changes to its own files must be
 * published, and nothing of it is in what is shipped.
 */
const toolsUnderMpl = /^(?:lightningcss(?:-[\w-]+)?|axe-core)$/;

/** Built into the page, so that it comes along though it is not installed. */
const inThePage: ReadonlySet<string> = new Set(['preact', '@preact/signals', '@preact/signals-core']);

export function lockedPackages(): readonly LockedPackage[] {
  const lock = new URL('../package-lock.json', import.meta.url);
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { readonly packages: Readonly<Record<string, Entry>> };
  return Object.entries(packages).flatMap(([path, { version, license = 'none stated', dev, devOptional }]) => {
    if (path === '') return [];
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const shipped = inThePage.has(name) || (dev !== true && devOptional !== true);
    return [{ path, name, version, licence: license, shipped }];
  });
}

/** Whether a package may be used for what it is used for. */
export function isAcceptable({ name, licence, shipped }: LockedPackage): boolean {
  const choices = licence.replace(/^\((.*)\)$/, '$1').split(' OR ');
  if (choices.some((choice) => permissive.has(choice))) return true;
  return !shipped && licence === 'MPL-2.0' && toolsUnderMpl.test(name);
}

/** The page of licences, from the lock file. */
export function licencesPage(note: string): string {
  const all = lockedPackages();
  const shipped = all.filter((each) => each.shipped).toSorted(byName);
  const tools = all.filter((each) => !each.shipped);
  const rows = shipped.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return `${[
    '# Licences of the packages',
    note,
    `Magpie is under the MIT licence. What is installed with it are the ${new Set(shipped.map(({ name }) => name)).size} packages of the table, all under permissive
licences; each keeps its licence in its own folder below \`node_modules\`.`,
    ['| Package | Version | Licence |', '| --- | --- | --- |', ...rows].join('\n'),
    '## What builds and tests it',
    'These are installed in a checkout only, and nothing of them is in what is published. `lightningcss` (MPL-2.0) is used unchanged.',
    ...byLicence(tools),
  ].join('\n\n')}\n`;
}

function byLicence(packages: readonly LockedPackage[]): readonly string[] {
  const names = new Map<string, Set<string>>();
  for (const { name, licence } of packages) names.set(licence, (names.get(licence) ?? new Set()).add(familyOf(name)));
  return [...names]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([licence, of]) => `- **${licence}**: ${[...of].toSorted(compare).join(', ')}`);
}

/** A native package is published once for each platform. */
function familyOf(name: string): string {
  const platform = /[-/](?:aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|wasm32|win32)(?:-\w+)*$/;
  const family = name.replace(platform, '');
  return family === name ? name : `${family} (one for each platform)`;
}

function byName(a: LockedPackage, b: LockedPackage): number {
  return compare(a.name, b.name) || compare(a.version, b.version);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

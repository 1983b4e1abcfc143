import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAcceptable, licencesPage, lockedPackages } from '../../scripts/licences.ts';

interface Locked {
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as T;
const lock = read<{ lockfileVersion: number; packages: Readonly<Record<string, Locked>> }>('package-lock.json');

describe('the packages of the lock file', () => {
  it('come from the registry alone: none from a repository, an address, a folder or another name [S25]', () => {
    const strange = Object.entries(lock.packages).flatMap(([path, { link, inBundle, ...one }]) => {
      const asked = Object.entries({ ...one.dependencies, ...one.optionalDependencies, ...one.peerDependencies });
      const odd = asked
        .filter(([, range]) => !/^[\w.\s<>=^~|*+-]*$/.test(range))
        .map(([name, range]) => `${path} asks for ${name} ${range}`);
      // What is bundled inside a package has no bytes of its own to know it by.
      return [...odd, ...(link === true || inBundle === true ? [`${path} is linked or bundled`] : [])];
    });
    expect(strange).toEqual([]);
    expect(lock.lockfileVersion).toBe(3);
  });

  it('state licences that let them be used, those that are shipped with Magpie permissive ones without exception [S25]', () => {
    const packages = lockedPackages();
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter((one) => !isAcceptable(one))).toEqual([]);
    const shipped = { path: '', name: 'lightningcss', version: '1.0.0', shipped: true };
    expect(isAcceptable({ ...shipped, licence: 'MPL-2.0' })).toBe(false);
    expect(
      ['GPL-3.0', 'AGPL-3.0-only', 'none stated', 'SEE LICENSE IN x', 'GPL-2.0 AND MIT'].filter((licence) =>
        isAcceptable({ ...shipped, licence }),
      ),
    ).toEqual([]);
    expect(['MIT', '(MIT OR WTFPL)', '(GPL-2.0 OR MIT)'].every((licence) => isAcceptable({ ...shipped, licence }))).toBe(true);
  });

  it('state the same licence where they are installed as in the lock file [S25]', () => {
    const differ = lockedPackages().flatMap(({ path, licence }) => {
      let installed: { readonly license?: string | { readonly type: string } };
      try {
        installed = read(`${path}/package.json`);
      } catch {
        // Made for another platform.
        return [];
      }
      const stated = typeof installed.license === 'object' ? installed.license.type : installed.license;
      return stated === licence ? [] : [`${path}: ${licence} in the lock file, ${stated} where it is installed`];
    });
    expect(differ).toEqual([]);
  });

  it('are listed with their licences (npm run reference) [S25]', () => {
    const page = readFileSync(new URL('../../docs/licences.md', import.meta.url), 'utf8');
    const note = page.split('\n')[2] ?? '';
    expect(page).toBe(licencesPage(note));
    for (const { name, version, licence, shipped } of lockedPackages())
      if (shipped) expect(page).toContain(`| ${name} | ${version} | ${licence} |`);
  });

  it('need no script of theirs but one: with `npm ci --ignore-scripts`, `npm rebuild better-sqlite3` is enough [S25]', () => {
    const own = read<{ allowScripts: Readonly<Record<string, boolean>>; scripts: Readonly<Record<string, string>> }>(
      'package.json',
    );
    const withScripts = Object.entries(lock.packages as Readonly<Record<string, { hasInstallScript?: boolean; dev?: boolean }>>);
    const shipped = withScripts.filter(([path, one]) => path !== '' && one.hasInstallScript === true && one.dev !== true);
    expect(shipped.map(([path]) => path)).toEqual(['node_modules/better-sqlite3']);
    // esbuild's own only looks whether the binary that was installed beside it runs.
    expect(Object.keys(own.allowScripts).sort()).toEqual(['better-sqlite3', 'esbuild']);
    for (const hook of ['preinstall', 'install', 'postinstall']) expect(own.scripts).not.toHaveProperty(hook);
  });
});

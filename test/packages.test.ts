import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importsOf } from './tidy/syntax.ts';
import { inSource, readTree } from './tidy/tree.ts';

interface Package {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const own = read('package.json') as Package;
const { '': _, ...locked } = (read('package-lock.json') as { packages: Record<string, Locked> }).packages;
const wanted = { ...own.dependencies, ...own.devDependencies };

describe('the packages that Magpie is made of', () => {
  it('are named by exact versions, which are those that were installed and tested [P37 S25]', () => {
    for (const [name, version] of Object.entries(wanted)) {
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
      expect(locked[`node_modules/${name}`]?.version).toBe(version);
    }
  });

  it('are known by their bytes, and come from a registry [S25]', () => {
    for (const [path, { integrity, resolved = 'https://' }] of Object.entries(locked)) {
      expect({ path, integrity }).toEqual({ path, integrity: expect.stringMatching(/^sha512-/) as string });
      expect(resolved).toMatch(/^https:\/\//);
    }
  });

  it('run nothing when they are installed, except those that must be compiled [S25]', () => {
    const withScripts = Object.entries(locked).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript === true ? [path.replace(/^.*node_modules\//, '')] : [],
    );
    expect([...new Set(withScripts)].sort()).toEqual(['better-sqlite3', 'esbuild']);
    expect(own.allowScripts).toEqual({ 'better-sqlite3': true, esbuild: true });
  });

  it('are few where money is spent [S25]', () => {
    // Parquet takes three, threads one.
    expect(Object.keys(own.dependencies).length).toBeLessThanOrEqual(17);
  });

  it('stand behind one file each where nobody maintains them any more [S26]', () => {
    const importers = readTree().filter(
      (file) => inSource(file.path) && importsOf(file).some(({ specifier }) => specifier === 'bottleneck'),
    );
    expect(importers.map(({ path }) => path)).toEqual(['src/gateway/limiter.ts']);
  });
});

describe('the Node that runs Magpie', () => {
  it('is named by the package, and is one of those [P37]', () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const fits = own.engines.node.split('||').some((range) => {
      const [, least = '', leastMinor = ''] = /(?:\^|>=)(\d+)\.(\d+)/.exec(range) ?? [];
      const isOpen = range.includes('>=');
      return isOpen ? major >= Number(least) : major === Number(least) && minor >= Number(leastMinor);
    });
    expect(fits).toBe(true);
  });
});

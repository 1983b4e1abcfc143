import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder } from '../e2e/fresh-folder.ts';

/** A tree whose build writes what a build ends with, and how often it ran. */
function tree(build = "for (const path of ['dist/cli/main.js', 'dist/web/page/index.html']) fs.writeFileSync(path, '')") {
  const root = freshFolder();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of ['src/cli/main.ts', 'src/cli/old.ts', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'])
    put(path, '');
  put('scripts/after-build.mjs', '');
  cpSync('scripts/fresh-build.mjs', join(root, 'scripts/fresh-build.mjs'));
  put('build.cjs', `const fs = require('node:fs'); fs.appendFileSync('built', 'x');\n${build}`);
  put('package.json', JSON.stringify({ scripts: { build: 'node build.cjs' } }));
  mkdirSync(join(root, 'dist/cli'), { recursive: true });
  mkdirSync(join(root, 'dist/web/page'), { recursive: true });
  const start = () => spawnSync('node', [join(root, 'scripts/fresh-build.mjs')], { encoding: 'utf8' });
  const builds = (): number => (existsSync(join(root, 'built')) ? readFileSync(join(root, 'built'), 'utf8').length : 0);
  /** As if all so far had been there for an hour. */
  const age = (...paths: string[]): void => {
    const before = Date.now() / 1_000 - 3_600;
    for (const path of paths) utimesSync(join(root, path), before, before);
  };
  return { root, put, start, builds, age };
}

const everything = [
  ...['src', 'src/cli', 'src/cli/main.ts', 'src/cli/old.ts', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  'scripts/after-build.mjs',
];

describe('npm start', () => {
  it('builds what was never built, and nothing anew while no source has changed', () => {
    const { start, builds, age } = tree();
    const first = start();
    expect([first.status, first.stderr]).toEqual([0, expect.stringContaining('Building Magpie')]);
    age(...everything);
    expect(start()).toMatchObject({ status: 0, stderr: '' });
    expect(builds()).toBe(1);
  });

  it('builds anew what was changed, added or deleted since', () => {
    const { root, put, start, builds, age } = tree();
    start();
    const changes = [
      () => put('src/cli/main.ts', 'changed'),
      () => put('src/cli/new.ts', ''),
      () => rmSync(join(root, 'src/cli/old.ts')),
      () => put('package-lock.json', '{}'),
    ];
    changes.forEach((change, index) => {
      age(...everything.filter((path) => existsSync(join(root, path))));
      age('dist/cli/main.js', 'dist/web/page/index.html');
      change();
      expect(start().status).toBe(0);
      expect(builds()).toBe(index + 2);
    });
  });

  it('says what a build says that fails, and ends with it', () => {
    const { start } = tree("console.log('main.ts(1,1): error TS1'); process.exit(2)");
    const failed = start();
    expect([failed.status, failed.stderr]).toEqual([2, expect.stringContaining('main.ts(1,1): error TS1')]);
    expect(failed.stderr).toContain('→ the build failed');
  });
});

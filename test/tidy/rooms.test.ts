import { describe, expect, it } from 'vitest';
import {
  builtInsAreNamedAsSuch,
  everyFileHasARoom,
  importsGoInwards,
  innerRingsArePure,
  packagesStayInTheirRooms,
  relativeImportsEndInTs,
  theExchangeHasOneDoorToItsBooks,
} from './rooms.ts';
import { broken, file } from './planted.ts';

describe('rooms: a broken rule is found', () => {
  it('when a file stands in no room', () => {
    expect(broken(everyFileHasARoom, file('src/helpers/a.ts'), file('src/b.ts'), file('src/api/c.ts'))).toMatchInlineSnapshot(`
      [
        "src/b.ts:1 is in no room: put it into one of domain, api, strategy, risk, engine, settings, gateway, feed, execution, ledger, replay, sandbox, web, app, cli",
        "src/helpers/a.ts:1 is in no room: put it into one of domain, api, strategy, risk, engine, settings, gateway, feed, execution, ledger, replay, sandbox, web, app, cli",
      ]
    `);
  });

  it('when an import goes outwards, sideways or out of src', () => {
    const rule = importsGoInwards;
    expect(broken(rule, file('src/risk/a.ts', "import { b } from '../engine/ports.ts';"))).toMatchInlineSnapshot(`
      [
        "src/risk/a.ts:1 risk (ring 1) imports engine (ring 2): take what you need as an argument, with its type in the port of a lower ring",
      ]
    `);
    expect(broken(rule, file('src/feed/a.ts', '', "export type { B } from '../gateway/b.ts';"))).toMatchInlineSnapshot(`
      [
        "src/feed/a.ts:2 feed (ring 3) imports gateway (ring 3): take what you need as an argument, with its type in the port of a lower ring",
      ]
    `);
    expect(broken(rule, file('src/cli/a.ts', "import data from '../../data/x.ts';"))).toMatchInlineSnapshot(`
      [
        "src/cli/a.ts:1 imports ../../data/x.ts from outside src: read it at run time, or move it into a room",
      ]
    `);
    expect(broken(rule, file('src/feed/a.ts', "const b = await import('../app/b.ts');"))).toMatchInlineSnapshot(`
      [
        "src/feed/a.ts:1 feed (ring 3) imports app (ring 5): take what you need as an argument, with its type in the port of a lower ring",
      ]
    `);
    expect(broken(rule, file('src/risk/a.ts', "import { b } from '../domain/b.ts';", "import { c } from './c.ts';"))).toEqual([]);
  });

  it('when a package leaves its room, or has none [N31 S26]', () => {
    const rule = packagesStayInTheirRooms;
    expect(broken(rule, file('src/feed/a.ts', "import { request } from 'undici';"))).toMatchInlineSnapshot(`
      [
        "src/feed/a.ts:1 imports undici, which lives in gateway: go through that room's functions",
      ]
    `);
    expect(broken(rule, file('src/domain/a.ts', "import type { Observable } from 'rxjs';"))).toMatchInlineSnapshot(`
      [
        "src/domain/a.ts:1 imports rxjs, which lives in feed and app: go through that room's functions",
      ]
    `);
    expect(broken(rule, file('src/cli/a.ts', "import pad from '@left/pad/deep';"))).toMatchInlineSnapshot(`
      [
        "src/cli/a.ts:1 imports @left/pad/deep, which has no room: name its rooms in test/tidy/rooms.ts, and why it is needed in ARCHITECTURE.md",
      ]
    `);
    expect(broken(rule, file('src/gateway/a.ts', "import { request } from 'undici';"))).toEqual([]);
  });

  it('when two files of the sandbox talk to the database', () => {
    const line = "import Database from 'better-sqlite3';";
    expect(broken(theExchangeHasOneDoorToItsBooks, file('src/sandbox/a.ts', line), file('src/sandbox/b.ts', line)))
      .toMatchInlineSnapshot(`
      [
        "src/sandbox/b.ts:1 imports better-sqlite3 as src/sandbox/a.ts does: in the sandbox one file alone talks to the database",
      ]
    `);
  });

  it('when an inner ring reaches for Node.js', () => {
    const line = "import { readFileSync } from 'node:fs';";
    expect(broken(innerRingsArePure, file('src/engine/a.ts', line), file('src/ledger/a.ts', line))).toMatchInlineSnapshot(`
      [
        "src/engine/a.ts:1 imports node:fs in ring 2: rings 0 to 2 are pure, take the value as an argument",
      ]
    `);
  });

  it('when a built-in module goes by its old name', () => {
    expect(broken(builtInsAreNamedAsSuch, file('test/a.ts', "import { join } from 'path';"))).toMatchInlineSnapshot(`
      [
        "test/a.ts:1 imports path: write node:path",
      ]
    `);
  });

  it('when an import has another ending, or none, or is computed', () => {
    const lines = [
      "import { a } from './a';",
      "import { b } from './b.js';",
      'await import(name);',
      "import { c } from './c.ts';",
    ];
    expect(broken(relativeImportsEndInTs, file('src/cli/a.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "src/cli/a.ts:1 imports ./a: write the file's own ending, .ts",
        "src/cli/a.ts:2 imports ./b.js: write the file's own ending, .ts",
        "src/cli/a.ts:3 loads a module by a computed name: name it in the code, or no rule can see it",
      ]
    `);
  });
});

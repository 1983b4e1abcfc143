import { describe, expect, it } from 'vitest';
import {
  builtInsAreNamedAsSuch,
  everyFileHasARoom,
  importsGoInwards,
  innerRingsArePure,
  packagesStayInTheirRooms,
  relativeImportsEndInTs,
  theBuyingPathCannotReachTheTreasury,
  theExchangeHasOneDoorToItsBooks,
  theTreasuryDecidesPurely,
} from './rooms.ts';
import { broken, file } from './planted.ts';

describe('rooms: a broken rule is found', () => {
  it('when a file stands in no room', () => {
    expect(broken(everyFileHasARoom, file('src/helpers/a.ts'), file('src/b.ts'), file('src/api/c.ts'))).toMatchInlineSnapshot(`
      [
        "src/b.ts:1 is in no room: put it into one of domain, api, strategy, risk, engine, settings, gateway, feed, execution, ledger, replay, notify, monitor, sandbox, web, app, treasury, cli, client",
        "src/helpers/a.ts:1 is in no room: put it into one of domain, api, strategy, risk, engine, settings, gateway, feed, execution, ledger, replay, notify, monitor, sandbox, web, app, treasury, cli, client",
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

  it('when anything but its own commands reaches the treasury', () => {
    const rule = theBuyingPathCannotReachTheTreasury;
    const imports = (from: string): string => `import { treasuryStep } from '${from}';`;
    const reaching = ['src/execution/a.ts', 'src/engine/a.ts', 'src/app/core.ts'].map((path) =>
      file(path, imports('../treasury/decide/step.ts')),
    );
    expect(broken(rule, ...reaching, file('src/cli/run.ts', "const t = await import('../treasury/round.ts');")))
      .toMatchInlineSnapshot(`
      [
        "src/app/core.ts:1 imports the treasury, which moves money between accounts: only its own commands (src/cli/treasury….ts) may reach it",
        "src/cli/run.ts:1 imports the treasury, which moves money between accounts: only its own commands (src/cli/treasury….ts) may reach it",
        "src/engine/a.ts:1 imports the treasury, which moves money between accounts: only its own commands (src/cli/treasury….ts) may reach it",
        "src/execution/a.ts:1 imports the treasury, which moves money between accounts: only its own commands (src/cli/treasury….ts) may reach it",
      ]
    `);
    const allowed = file('src/cli/treasury-run.ts', imports('../treasury/decide/step.ts'));
    expect(broken(rule, allowed, file('src/treasury/a.ts', imports('./decide/step.ts')))).toEqual([]);
  });

  it('when a decision of the treasury knows more than values', () => {
    const rule = theTreasuryDecidesPurely;
    const lines = ["import { ZERO } from '../../domain/money.ts';", "import { readFileSync } from 'node:fs';"];
    expect(broken(rule, file('src/treasury/decide/a.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "src/treasury/decide/a.ts:2 imports node:fs: what the treasury decides with is pure, take the value as an argument",
      ]
    `);
    expect(broken(rule, file('src/treasury/journal.ts', ...lines))).toEqual([]);
  });

  it('when a package leaves its room, or has none [N31 S26]', () => {
    const rule = packagesStayInTheirRooms;
    expect(broken(rule, file('src/feed/a.ts', "import { request } from 'undici';"))).toMatchInlineSnapshot(`
      [
        "src/feed/a.ts:1 imports undici, which lives in gateway and notify and client: go through that room's functions",
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

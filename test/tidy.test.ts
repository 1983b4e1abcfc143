import { describe, expect, it } from 'vitest';
import { clockAndRandomComeAsArguments, requestsGoThroughTheGateway, streamsOfTimeStayInFeedAndApp } from './tidy/ambient.ts';
import { admissionAloneApproves, promisesAreMadeInOnePlace } from './tidy/brands.ts';
import * as habits from './tidy/habits.ts';
import * as rooms from './tidy/rooms.ts';
import { readTree, report, type Rule, type SourceFile } from './tidy/tree.ts';
import * as words from './tidy/words.ts';

const rules: Readonly<Record<string, Rule>> = {
  'every file of src has a room': rooms.everyFileHasARoom,
  'a file imports its own room and lower rings only': rooms.importsGoInwards,
  'a package is imported in its rooms only': rooms.packagesStayInTheirRooms,
  'one file of the sandbox talks to the database': rooms.theExchangeHasOneDoorToItsBooks,
  'rings 0 to 2 know nothing of Node.js': rooms.innerRingsArePure,
  'built-in modules are imported as node:': rooms.builtInsAreNamedAsSuch,
  'relative imports end in .ts': rooms.relativeImportsEndInTs,
  'clock and randomness come as arguments, except in app': clockAndRandomComeAsArguments,
  'requests go through the gateway': requestsGoThroughTheGateway,
  'streams over time live in feed and app': streamsOfTimeStayInFeedAndApp,
  'money and approval are made in one place each': promisesAreMadeInOnePlace,
  'admission alone approves': admissionAloneApproves,
  'files are short': habits.filesAreShort,
  'functions are short': habits.functionsAreShort,
  'exports have names': habits.exportsHaveNames,
  'no type is any': habits.typesSayWhatTheyKnow,
  'only commands print': habits.onlyCommandsPrint,
  'every test runs': habits.everyTestRuns,
  'nothing is left unfinished': words.nothingIsLeftUnfinished,
  'no check is silenced': words.noCheckIsSilenced,
  'no place on one machine is named': words.noMachineIsNamed,
  'the project speaks of itself alone': words.theProjectSpeaksOfItselfAlone,
  'every document named exists': words.everyDocumentNamedExists,
  'the top level is tidy': words.theTopIsTidy,
};

const broken = (rule: string, ...files: SourceFile[]): string[] => report(rules[rule]?.(files) ?? []);
const file = (path: string, ...lines: string[]): SourceFile => ({ path, text: `${lines.join('\n')}\n` });

describe('the tree', () => {
  const tree = readTree();

  it.each(Object.entries(rules))('%s', (_, rule) => {
    expect(report(rule(tree))).toEqual([]);
  });

  it('is read whole', () => {
    const paths = tree.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['package.json', 'src/domain/money.ts', 'test/tidy.test.ts', '.ci/run', 'LICENSE']),
    );
    for (const { path } of tree.filter(
      (one) => rooms.inSource(one.path) && habits.lineCount(one.text) > habits.linesPerFileWished,
    )) {
      console.warn(`${path} has more than ${habits.linesPerFileWished} lines: split it before it grows`);
    }
  });
});

describe('a broken rule is found', () => {
  it('when a file stands in no room', () => {
    expect(broken('every file of src has a room', file('src/helpers/a.ts'), file('src/b.ts'), file('src/api/c.ts')))
      .toMatchInlineSnapshot(`
      [
        "src/b.ts:1 is in no room: put it into one of domain, api, strategy, risk, engine, settings, gateway, feed, execution, ledger, replay, sandbox, web, app, cli",
        "src/helpers/a.ts:1 is in no room: put it into one of domain, api, strategy, risk, engine, settings, gateway, feed, execution, ledger, replay, sandbox, web, app, cli",
      ]
    `);
  });

  it('when an import goes outwards, sideways or out of src', () => {
    const rule = 'a file imports its own room and lower rings only';
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

  it('when a package leaves its room, or has none', () => {
    const rule = 'a package is imported in its rooms only';
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
    expect(
      broken('one file of the sandbox talks to the database', file('src/sandbox/a.ts', line), file('src/sandbox/b.ts', line)),
    ).toMatchInlineSnapshot(`
      [
        "src/sandbox/b.ts:1 imports better-sqlite3 as src/sandbox/a.ts does: in the sandbox one file alone talks to the database",
      ]
    `);
  });

  it('when an inner ring reaches for Node.js', () => {
    const line = "import { readFileSync } from 'node:fs';";
    expect(broken('rings 0 to 2 know nothing of Node.js', file('src/engine/a.ts', line), file('src/ledger/a.ts', line)))
      .toMatchInlineSnapshot(`
      [
        "src/engine/a.ts:1 imports node:fs in ring 2: rings 0 to 2 are pure, take the value as an argument",
      ]
    `);
  });

  it('when a built-in module goes by its old name', () => {
    expect(broken('built-in modules are imported as node:', file('test/a.ts', "import { join } from 'path';")))
      .toMatchInlineSnapshot(`
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
    expect(broken('relative imports end in .ts', file('src/cli/a.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "src/cli/a.ts:1 imports ./a: write the file's own ending, .ts",
        "src/cli/a.ts:2 imports ./b.js: write the file's own ending, .ts",
        "src/cli/a.ts:3 loads a module by a computed name: name it in the code, or no rule can see it",
      ]
    `);
  });

  it('when the clock or randomness is taken from the air', () => {
    const rule = 'clock and randomness come as arguments, except in app';
    const lines = [
      'Date.now();',
      'new Date();',
      'Date();',
      'performance.now();',
      'process.hrtime.bigint();',
      'setTimeout(work, 5);',
      'const t = { after: setInterval };',
      'globalThis.setImmediate(work);',
      'AbortSignal.timeout(5);',
      'Math.random();',
      'crypto.randomUUID();',
      "import { randomBytes } from 'node:crypto';",
      "import { setTimeout as wait } from 'node:timers/promises';",
    ];
    expect(broken(rule, file('src/feed/a.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "src/feed/a.ts:1 uses Date.now: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:2 reads the time of day with Date: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:3 reads the time of day with Date: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:4 uses performance.now: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:5 uses process.hrtime.bigint: take a Clock (src/domain/clock.ts)",
        "src/feed/a.ts:6 uses setTimeout: take a Clock and use clock.after or sleep(clock, …)",
        "src/feed/a.ts:7 uses setInterval: take a Clock and use clock.after or sleep(clock, …)",
        "src/feed/a.ts:8 uses setImmediate: take a Clock and use clock.after or sleep(clock, …)",
        "src/feed/a.ts:9 uses AbortSignal.timeout: take a Clock and use clock.after or sleep(clock, …)",
        "src/feed/a.ts:10 uses Math.random: take a Random (src/domain/random.ts)",
        "src/feed/a.ts:11 uses crypto.randomUUID: take a Random (src/domain/random.ts)",
        "src/feed/a.ts:12 imports randomBytes from node:crypto: take a Random (src/domain/random.ts)",
        "src/feed/a.ts:13 imports node:timers/promises: take a Clock and use clock.after or sleep(clock, …)",
      ]
    `);
    expect(broken(rule, file('src/app/real.ts', ...lines))).toEqual([]);
    const fine = [
      'new Date(at);',
      'Date.parse(text);',
      'Math.floor(x);',
      'clock.performance;',
      'type T = ReturnType<typeof setTimeout>;',
      "import { createHash } from 'node:crypto';",
      "const text = 'Date.now()';",
      '// Math.random()',
      'options.setTimeout(5);',
    ];
    expect(broken(rule, file('src/feed/a.ts', ...fine))).toEqual([]);
  });

  it('when a request bypasses the gateway', () => {
    expect(broken('requests go through the gateway', file('src/app/a.ts', 'await fetch(url);', 'cache.fetch(url);')))
      .toMatchInlineSnapshot(`
      [
        "src/app/a.ts:1 uses fetch: the gateway makes every request, with limits on time, size and rate",
      ]
    `);
  });

  it('when a stream over time is made elsewhere', () => {
    const line = "import { map, timer } from 'rxjs';";
    expect(broken('streams over time live in feed and app', file('src/ledger/a.ts', line), file('src/feed/a.ts', line)))
      .toMatchInlineSnapshot(`
      [
        "src/ledger/a.ts:1 imports timer from rxjs: streams over time live in feed and app",
      ]
    `);
  });

  it('when money is cast instead of made, or approval given by another', () => {
    const rule = 'money and approval are made in one place each';
    const lines = [
      'const price = row.price as Micros;',
      'const sure = intent as unknown as Approved<Intent>;',
      'const text = row.name as string;',
    ];
    expect(broken(rule, file('src/ledger/a.ts', ...lines), file('src/domain/money.ts', 'const CENT = 1 as Micros;')))
      .toMatchInlineSnapshot(`
      [
        "src/ledger/a.ts:1 says "as Micros": make it with a function of src/domain/money.ts, which checks that it is exact",
        "src/ledger/a.ts:2 says "as Approved": ask admit (src/risk/admit.ts), which alone approves",
      ]
    `);
    const line = "import { approve } from '../risk/intent.ts';";
    expect(broken('admission alone approves', file('src/app/a.ts', line), file('src/risk/admit.ts', line)))
      .toMatchInlineSnapshot(`
      [
        "src/app/a.ts:1 imports approve: ask admit (src/risk/admit.ts), which alone approves",
      ]
    `);
  });

  it('when a file or a function is long', () => {
    expect(broken('files are short', file('src/risk/a.ts', ...Array<string>(301).fill('')))).toMatchInlineSnapshot(`
      [
        "src/risk/a.ts:301 has 301 lines, at most 300: split it by idea and name the parts",
      ]
    `);
    expect(broken('files are short', file('src/risk/a.ts', ...Array<string>(300).fill('')))).toEqual([]);
    const body = Array<string>(59).fill('  work();');
    expect(broken('functions are short', file('src/risk/a.ts', '', 'const long = () => {', ...body, '};')))
      .toMatchInlineSnapshot(`
      [
        "src/risk/a.ts:2 a function of 61 lines, at most 60: move the leaves out and leave the decisions",
      ]
    `);
    expect(broken('functions are short', file('src/risk/a.ts', 'function short() {', ...body.slice(1), '}'))).toEqual([]);
  });

  it('when an export has no name', () => {
    const line = 'export default {};';
    expect(broken('exports have names', file('src/cli/a.ts', line), file('vitest.config.ts', line))).toMatchInlineSnapshot(`
      [
        "src/cli/a.ts:1 a default export: export it by its name",
      ]
    `);
  });

  it('when a type is any', () => {
    expect(broken('no type is any', file('test/a.ts', "// as good as any other: 'any'", 'const a = b as any;')))
      .toMatchInlineSnapshot(`
      [
        "test/a.ts:2 says any: say unknown and check it, or name the type",
      ]
    `);
  });

  it('when another than a command prints', () => {
    const line = "console.log('here');";
    expect(broken('only commands print', file('src/app/a.ts', line), file('src/cli/a.ts', line))).toMatchInlineSnapshot(`
      [
        "src/app/a.ts:1 uses console.log: take a Log (src/engine/ports.ts); only src/cli prints",
      ]
    `);
  });

  it('when a test is singled out or left out', () => {
    const lines = ["it.only('a', run);", "describe.skip('b', run);", "it.skip.each([1])('c', run);", "it('d', run);"];
    expect(broken('every test runs', file('test/a.test.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "test/a.test.ts:1 uses it.only: mend the test, or take it out",
        "test/a.test.ts:2 uses describe.skip: mend the test, or take it out",
        "test/a.test.ts:3 uses it.skip: mend the test, or take it out",
      ]
    `);
  });

  // What is planted here is written with a dot in its middle and only counted, or this file would break the rules it tries.
  it('when something is unfinished, silenced, or of one machine', () => {
    const found = (rule: string, ...planted: string[]): number =>
      broken(rule, file('src/risk/a.ts', ...planted.map((word) => `// ${word.replace('·', '')}`))).length;
    expect(found('nothing is left unfinished', 'TO·DO: later', 'FIX·ME', 'XX·X', 'to do')).toBe(3);
    expect(found('no check is silenced', '@ts-ig·nore', '@ts-exp·ect-error', 'ts')).toBe(2);
    expect(found('no place on one machine is named', 'see /wo·rk/main', '/ro·ot/.npm', 'a/b')).toBe(2);
    expect(found('the project speaks of itself alone', 'for iss·ue 2', 'by Cl·aude', 'an issue of trust')).toBe(2);
  });

  it('when a document is named that is not here', () => {
    const [here, gone] = ['README', 'ROADMAP'].map((name) => `${name}.md`) as [string, string];
    expect(broken('every document named exists', file(here, `see ${here}`, `see ${gone}`))).toEqual([
      `${here}:2 names ${gone}, which is not here: say it in words, or name a document that is`,
    ]);
  });

  it('when something strange stands at the top', () => {
    expect(broken('the top level is tidy', file('notes/a.txt'), file('src/cli/a.ts'), file('run.sh'))).toMatchInlineSnapshot(`
      [
        "notes:1 stands at the top: put it into a folder that is there, or name it in test/tidy/words.ts",
        "run.sh:1 stands at the top: put it into a folder that is there, or name it in test/tidy/words.ts",
      ]
    `);
  });

  it('in every rule that holds for the tree', () => {
    const text = readTree().find(({ path }) => path === 'test/tidy.test.ts')?.text ?? '';
    const untried = Object.keys(rules).filter((rule) => text.split(`'${rule}'`).length < 3);
    expect(untried).toEqual([]);
  });
});

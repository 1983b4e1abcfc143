import { describe, expect, it } from 'vitest';
import {
  everyTestRuns,
  exportsHaveNames,
  filesAreShort,
  functionsAreShort,
  onlyCommandsPrint,
  sharedFilesHookNothing,
  signalsAreNotCombined,
  typesSayWhatTheyKnow,
} from './habits.ts';
import { broken, file } from './planted.ts';

describe('habits: a broken rule is found', () => {
  it('when a file or a function is long', () => {
    expect(broken(filesAreShort, file('src/risk/a.ts', ...Array<string>(301).fill('')))).toMatchInlineSnapshot(`
      [
        "src/risk/a.ts:301 has 301 lines, at most 300: split it by idea and name the parts",
      ]
    `);
    expect(broken(filesAreShort, file('src/risk/a.ts', ...Array<string>(300).fill('')))).toEqual([]);
    const body = Array<string>(59).fill('  work();');
    expect(broken(functionsAreShort, file('src/risk/a.ts', '', 'const long = () => {', ...body, '};'))).toMatchInlineSnapshot(`
      [
        "src/risk/a.ts:2 a function of 61 lines, at most 60: move the leaves out and leave the decisions",
      ]
    `);
    expect(broken(functionsAreShort, file('src/risk/a.ts', 'function short() {', ...body.slice(1), '}'))).toEqual([]);
  });

  it('when an export has no name', () => {
    const line = 'export default {};';
    expect(broken(exportsHaveNames, file('src/cli/a.ts', line), file('vitest.config.ts', line))).toMatchInlineSnapshot(`
      [
        "src/cli/a.ts:1 a default export: export it by its name",
      ]
    `);
  });

  it('when a type is any', () => {
    expect(broken(typesSayWhatTheyKnow, file('test/a.ts', "// as good as any other: 'any'", 'const a = b as any;')))
      .toMatchInlineSnapshot(`
      [
        "test/a.ts:2 says any: say unknown and check it, or name the type",
      ]
    `);
  });

  it('when another than a command prints', () => {
    const line = "console.log('here');";
    expect(broken(onlyCommandsPrint, file('src/app/a.ts', line), file('src/cli/a.ts', line))).toMatchInlineSnapshot(`
      [
        "src/app/a.ts:1 uses console.log: take a Log (src/engine/ports.ts); only src/cli prints",
      ]
    `);
  });

  it('when signals are combined', () => {
    const line = 'const either = AbortSignal.any([one, other]);';
    expect(broken(signalsAreNotCombined, file('src/feed/a.ts', line), file('test/a.ts', line))).toMatchInlineSnapshot(`
      [
        "src/feed/a.ts:1 uses AbortSignal.any, which Node.js 20 remembers at each signal for as long as that lives: listen, and stop listening",
      ]
    `);
  });

  it('when a test is singled out or left out', () => {
    const lines = ["it.only('a', run);", "describe.skip('b', run);", "it.skip.each([1])('c', run);", "it('d', run);"];
    expect(broken(everyTestRuns, file('test/a.test.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "test/a.test.ts:1 uses it.only: mend the test, or take it out",
        "test/a.test.ts:2 uses describe.skip: mend the test, or take it out",
        "test/a.test.ts:3 uses it.skip: mend the test, or take it out",
      ]
    `);
  });

  it('when a file that tests share hooks something as it is loaded', () => {
    const lines = ['afterEach(clear);', 'function hooked() {', '  afterEach(clear);', '}'];
    expect(broken(sharedFilesHookNothing, file('test/a.ts', ...lines))).toMatchInlineSnapshot(`
      [
        "test/a.ts:1 hooks afterEach when it is loaded: call onTestFinished where there is something to undo, or hook in a function",
      ]
    `);
    expect(broken(sharedFilesHookNothing, file('test/a.test.ts', ...lines))).toEqual([]);
  });
});

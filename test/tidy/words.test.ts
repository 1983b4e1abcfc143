import { describe, expect, it } from 'vitest';
import {
  everyDocumentNamedExists,
  everyPathNamedExists,
  noCheckIsSilenced,
  noMachineIsNamed,
  nothingIsLeftUnfinished,
  theProjectSpeaksOfItselfAlone,
  theTopIsTidy,
} from './words.ts';
import { broken, file } from './planted.ts';
import type { Rule } from './tree.ts';

describe('words and places: a broken rule is found', () => {
  // What is planted here is written with a dot in its middle and only counted, or this file would break the rules it tries.
  it('when something is unfinished, silenced, or of one machine', () => {
    const found = (rule: Rule, ...planted: string[]): number =>
      broken(rule, file('src/risk/a.ts', ...planted.map((word) => `// ${word.replace('·', '')}`))).length;
    expect(found(nothingIsLeftUnfinished, 'TO·DO: later', 'FIX·ME', 'XX·X', 'to do')).toBe(3);
    expect(found(noCheckIsSilenced, '@ts-ig·nore', '@ts-exp·ect-error', 'ts')).toBe(2);
    expect(found(noMachineIsNamed, 'see /wo·rk/main', '/ro·ot/.npm', 'a/b')).toBe(2);
    expect(found(theProjectSpeaksOfItselfAlone, 'for iss·ue 2', 'by Cl·aude', 'an issue of trust')).toBe(2);
  });

  it('when a document is named that is not here', () => {
    const [here, gone] = ['README', 'ROADMAP'].map((name) => `${name}.md`) as [string, string];
    expect(broken(everyDocumentNamedExists, file(here, `see ${here}`, `see ${gone}`))).toEqual([
      `${here}:2 names ${gone}, which is not here: say it in words, or name a document that is`,
    ]);
  });

  it('when a document names a path that is not here', () => {
    const text = 'See src/risk, risk/caps.ts and `src/risk/gone.ts`, docs/, feed/lost.ts, and https://x.test/src/a.ts.';
    expect(broken(everyPathNamedExists, file('README.md', text), file('src/risk/caps.ts'))).toMatchInlineSnapshot(`
      [
        "README.md:1 names src/risk/gone.ts, which is not here: name what took its place",
        "README.md:1 names feed/lost.ts, which is not here: name what took its place",
      ]
    `);
  });

  it('when something strange stands at the top', () => {
    expect(broken(theTopIsTidy, file('notes/a.txt'), file('src/cli/a.ts'), file('run.sh'))).toMatchInlineSnapshot(`
      [
        "notes:1 stands at the top: put it into a folder that is there, or name it in test/tidy/words.ts",
        "run.sh:1 stands at the top: put it into a folder that is there, or name it in test/tidy/words.ts",
      ]
    `);
  });
});

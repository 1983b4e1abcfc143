import { describe, expect, it } from 'vitest';
import { alertKinds } from '../../src/domain/alert.ts';
import { reasons } from '../../src/domain/reason.ts';
import { exitTexts } from '../../src/cli/exit.ts';
import type { LedgerFault } from '../../src/ledger/failure.ts';
import { troubleshootingTables, withTables } from '../../scripts/troubleshooting.ts';
import { readTree } from '../tidy/tree.ts';
import { plainOf, quotedIn, sourceOf } from './quoted.ts';
import { textOf } from './pages.ts';

const page = textOf('docs/troubleshooting.md');
const source = readTree('src/').map(plainOf);
const quoted = quotedIn(page);

/** A message of each way in which the ledger cannot be opened, or a copy of it cannot be made or put back. */
const ofLedger: Readonly<Record<LedgerFault['kind'], string>> = {
  folder: 'the data folder is not a folder',
  link: 'the data folder must not be a symbolic link',
  access: 'it cannot be opened: check its owner and permissions, and those of its folder',
  missing: 'There is no ledger in … yet: …',
  taken: 'it is there already, and a backup is never written over anything',
  foreign: "it is a database, but not Magpie's: move it away or use another data folder",
  newer: 'it is of version …, written by …; this Magpie reads up to version …. Nothing was changed.',
  restoring: 'a restore has not ended: …',
  account: 'it is of account …',
  older: 'its version is …',
  damaged: 'it is damaged',
  log: 'it is damaged, and what the ledger wrote last is lost',
  busy: 'another program has locked it: stop that program',
  disk: 'the disk is full: free some space',
  sqlite: 'it cannot be used',
};

describe('docs/troubleshooting.md', () => {
  it('quotes only messages that Magpie says', () => {
    expect(quoted.length).toBeGreaterThan(150);
    expect(quoted.filter((message) => sourceOf(message, source) === undefined)).toEqual([]);
  });

  it('quotes none twice', () => {
    const seen = new Set<string>();
    const allowed = new Set(['The service refused a purchase for a reason that you must cure: …']);
    expect(quoted.filter((message) => !allowed.has(message) && seen.size === seen.add(message).size)).toEqual([]);
  });

  it('has an entry for every exit code, reason and kind of alert, and every fault of the ledger', () => {
    const rows = [
      ...Object.keys(exitTexts).map((code) => `\n| ${code} | `),
      ...Object.keys(reasons).map((code) => `\n| \`${code}\` | `),
      ...Object.keys(alertKinds).map((kind) => ` | \`${kind}\` | `),
    ];
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
    expect(Object.values(ofLedger).filter((message) => !quoted.includes(message))).toEqual([]);
  });

  it('has an entry from every file whose words end a command, or find a fault in a configuration or a strategy', () => {
    const ends = source.filter(
      ({ path, text }) => path.startsWith('src/cli/') && /new CommandFailure\(\s*exits\.\w+,\s*['`]/.test(text),
    );
    const finds = source.filter(
      ({ path, text }) =>
        /^src\/(?:settings|strategy)\//.test(path) &&
        /(?<![a-z])(?:fault|warning|error|report|broken)\([^)]{0,60}['`][^'`]{15}/.test(text),
    );
    expect(ends.length).toBeGreaterThan(10);
    expect(finds.length).toBeGreaterThan(8);
    const told = new Set(quoted.flatMap((message) => source.filter((file) => sourceOf(message, [file])).map(({ path }) => path)));
    expect([...ends, ...finds].map(({ path }) => path).filter((path) => !told.has(path))).toEqual([]);
  });
});

describe('what the page quotes', () => {
  it('is held against one file whole: a word that changed is found', () => {
    const files = [
      { path: 'a.ts', text: "say(`no backup of \\`${name}\\`: it's ${why}`)" },
      { path: 'b.ts', text: "say('there is none')" },
    ].map(plainOf);
    const source = (message: string): string | undefined => sourceOf(message, files)?.path;
    expect(source("no backup of `…`: it's …")).toBe('a.ts');
    expect(source('there is none')).toBe('b.ts');
    expect(source('no backup of …: there is none')).toBeUndefined();
    expect(source('no copy of …')).toBeUndefined();
    expect(source('… is …')).toBeUndefined();
  });

  it('is what stands in the first column of messages, and nowhere else', () => {
    const lines = [
      ...['| the message | why |', '| --- | --- |', '| `one \\| other` | `two` |', '| `three`<br>`four` | x |'],
      ...['', '| reason | x |', '| --- | --- |', '| `five` | x |'],
    ];
    expect(quotedIn(lines.join('\n'))).toEqual(['one | other', 'three', 'four']);
  });

  it('keeps its derived tables where the page has a place for them', () => {
    const tables = troubleshootingTables();
    expect(withTables(page, tables)).toBe(page);
    expect(() => withTables('no place', tables)).toThrow('there is no place for the table of exit codes');
  });
});

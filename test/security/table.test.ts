import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { excused } from '../catalogue/excused.ts';
import { faults } from '../catalogue/faults.ts';
import { lessons } from '../catalogue/lessons.ts';
import { walk } from '../tidy/syntax.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}SECURITY.md`, 'utf8');

/** The cells of the rows of the table below a heading. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

interface Named {
  readonly file: string;
  readonly title: string;
}

/** `file` "title", "title"; `file` "title" */
function testsIn(cell: string): readonly Named[] {
  return [...cell.matchAll(/`(test\/[\w/.-]+\.test\.ts)`((?: "(?:\\"|[^"])*",?)+)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"((?:\\"|[^"])*)"/g)].map(([, title = '']) => ({ file, title: title.replaceAll('\\"', '"') })),
  );
}

/** A title may end with numbers of the catalogue. */
const plain = (title: string): string => title.replace(/ \[[A-Za-z0-9 -]+\]$/, '');

const titles = new Map<string, ReadonlySet<string>>();

/** Every text of a test file that may be a title, or a row of one. */
function titlesOf(file: string): ReadonlySet<string> {
  const known = titles.get(file);
  if (known) return known;
  const found = new Set<string>();
  walk({ path: file, text: readFileSync(`${root}${file}`, 'utf8') }, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') found.add(plain(node.value));
  });
  titles.set(file, found);
  return found;
}

const threats = rowsBelow('Threats');
const later = rowsBelow('Not there yet');
const numbersOf = (rows: readonly (readonly string[])[]): string[] => rows.flatMap(([, numbers = '']) => numbers.split(' '));

describe('the table of threats', () => {
  it('is read whole', () => {
    expect(threats.length).toBeGreaterThanOrEqual(25);
    expect(threats.every((cells) => cells.length === 5 && cells.every((cell) => cell !== ''))).toBe(true);
    expect(later.every((cells) => cells.length === 3)).toBe(true);
  });

  it.each(threats.map((cells) => [cells[0] ?? '', cells[4] ?? '']))('names tests that exist: %s', (_, cell) => {
    const named = testsIn(cell);
    expect(named.length).toBeGreaterThan(0);
    for (const { file, title } of named)
      expect({ file, title, found: titlesOf(file).has(title) }).toEqual({ file, title, found: true });
    // Nothing in the cell is left that was not understood.
    const rest = cell.replace(/`test\/[\w/.-]+`|"(?:\\"|[^"])*"|[,;\s]/g, '');
    expect(rest).toBe('');
  });

  it('has every threat of the catalogue, those without a test only while what they threaten is not there', () => {
    const all = Object.keys(faults).filter((id) => /^S\d+$/.test(id));
    const named = [...numbersOf(threats), ...numbersOf(later)];
    expect(named.filter((id) => !(id in faults) && !(id in lessons))).toEqual([]);
    expect(new Set(named.filter((id) => id.startsWith('S')))).toEqual(new Set(all));
    expect(numbersOf(later).filter((id) => numbersOf(threats).includes(id))).toEqual([]);
    expect(numbersOf(later).filter((id) => excused[id] === undefined)).toEqual([]);
  });

  it('leaves out no test of this folder', () => {
    const files = readdirSync(`${root}test/security`).filter((name) => name.endsWith('.test.ts') && name !== 'table.test.ts');
    expect(files.filter((name) => !text.includes(`test/security/${name}`))).toEqual([]);
  });
});

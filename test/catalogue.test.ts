import { describe, expect, it } from 'vitest';
import { coverageOf } from './catalogue/coverage.ts';
import { excused } from './catalogue/excused.ts';
import { faults } from './catalogue/faults.ts';
import { lessons } from './catalogue/lessons.ts';
import { readTree } from './tidy/tree.ts';

const counts = { N: 36, M: 20, B: 27, P: 39, C: 20, S: 34 };
const counted = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

describe('the catalogue of faults', () => {
  const tree = readTree();
  const { entries, unknown } = coverageOf(tree);

  it('has every number once, in order', () => {
    expect(Object.keys(faults)).toEqual(Object.entries(counts).flatMap(([letter, count]) => counted(letter, count)));
    const sections = { money: 24, transport: 10, unattended: 11, configuration: 9 };
    expect(Object.keys(lessons)).toEqual(Object.entries(sections).flatMap(([name, count]) => counted(`${name}-`, count)));
  });

  it('has a test whose title ends with it, or an excuse, for each number, and never both', () => {
    const lost = entries.filter(({ proofs, excuse }) => proofs.length === 0 && excuse === undefined);
    const both = entries.filter(({ proofs, excuse }) => proofs.length > 0 && excuse !== undefined);
    expect({ lost: lost.map(({ id, title }) => `${id}: ${title}`), both: both.map(({ id }) => id) }).toEqual({
      lost: [],
      both: [],
    });
  });

  it('is named by no number that it does not have', () => {
    expect(unknown).toEqual([]);
  });

  it('excuses nothing any more whose reason has gone', () => {
    const over = Object.entries(excused).filter(
      ([, excuse]) => 'until' in excuse && tree.some(({ path }) => excuse.until.test(path)),
    );
    expect(over.map(([id]) => `${id} waited for something that is here now: write its test`)).toEqual([]);
  });
});

describe('a number at the end of a title', () => {
  const found = (text: string): string[] => {
    const { entries, unknown } = coverageOf([{ path: 'test/some/a.test.ts', text }]);
    return [...entries.filter(({ proofs }) => proofs.length > 0).map(({ id }) => id), ...unknown.map((id) => `unknown ${id}`)];
  };

  it('counts in a test, in a row of its table and in a group', () => {
    expect(
      found("it('does [N1 money-2]', run); it.each([['row [N7]', '[N8]']])('%s', run); describe('group [S3]', all);"),
    ).toEqual(['N1', 'N7', 'N8', 'S3', 'money-2']);
  });

  it('counts nowhere else', () => {
    expect(found("// it('does [N1]', run)\nit('does [N2] well', run); const key = 'limits.never[0]';")).toEqual([]);
  });

  it('that the catalogue does not have is found', () => {
    expect(found("it('does [N99]', run);")).toContain('unknown N99');
  });
});

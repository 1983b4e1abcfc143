import { describe, expect, it } from 'vitest';
import { readPages, textOf } from './pages.ts';
import { hasCommands, runPage } from './run-page.ts';
import { misunderstood } from './understood.ts';

const pages = readPages();
const quick = pages.filter((page) => page.quick && hasCommands(page));

describe('the documentation', () => {
  it('marks its blocks so that each is run, or says why it is not', () => {
    expect(pages.flatMap(({ faults }) => faults)).toEqual([]);
  });

  it('shows no command, option or script that there is not', () => {
    expect(pages.flatMap((page) => misunderstood(page, textOf(page.path)))).toEqual([]);
  });

  it('has pages that are run here, and others in the full tests', () => {
    expect(quick.length).toBeGreaterThan(0);
    expect(pages.filter((page) => !page.quick && hasCommands(page)).length).toBeGreaterThan(0);
  });
});

describe('the commands of a page, one after the other in a fresh folder', () => {
  it.each(quick.map((page) => [page.path, page] as const))('do as %s says', { timeout: 180_000 }, async (_, page) => {
    expect(await runPage(page)).toEqual([]);
  });
});

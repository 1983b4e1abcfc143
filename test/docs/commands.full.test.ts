import { describe, expect, it } from 'vitest';
import { readPages } from './pages.ts';
import { hasCommands, runPage } from './run-page.ts';

const rest = readPages().filter((page) => !page.quick && hasCommands(page));

describe('the commands of a page, one after the other in a fresh folder', () => {
  it.each(rest.map((page) => [page.path, page] as const))('do as %s says', async (_, page) => {
    expect(await runPage(page)).toEqual([]);
  });
});

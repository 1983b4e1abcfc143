import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readTree } from '../tidy/tree.ts';
import { file } from '../tidy/planted.ts';
import { anchorsOf, brokenLinks } from './links.ts';
import { textOf } from './pages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('links between the documents', () => {
  it('lead to files and headings that are there, and files that sentences name are there', () => {
    const documents = readTree().filter(({ path }) => path.endsWith('.md'));
    expect(documents.length).toBeGreaterThan(10);
    expect(brokenLinks(documents, (path) => existsSync(join(root, path)))).toEqual([]);
  });

  it('are found where they lead nowhere', () => {
    const text = [
      '[a](docs/other.html#of-it) [b](docs/other.html#gone) [c](#here) [d](#gone) [e](docs/gone.html) [f](https://x.test/#y)',
      '# Here',
      'In `src/risk/caps.ts`, `ledger/aside.mjs`, `config/gone.yaml`, `data/magpie.db`.',
      '```text\n[g](gone.html)\n```',
    ].join('\n');
    const there = new Set(['README.md', 'docs/other.html', 'src/risk/caps.ts', 'src/ledger/aside.mjs']);
    const documents = [file('README.md', text), file('docs/other.html', '## `of` it?')];
    expect(brokenLinks(documents, (path) => there.has(path)).map((line) => line.replace(/\.md/g, ''))).toEqual([
      'README links to docs/other.html#gone, which has no such heading',
      'README links to #gone, which has no such heading',
      'README links to docs/gone.html, which is not there',
      'README names `config/gone.yaml`, which is not there',
    ]);
  });

  it('go by the names that GitHub gives to headings', () => {
    const headings = ['# What *is* it?', '## `run`, and [more](x)', '## Same', '## Same', '### A_b – c'];
    expect([...anchorsOf(headings.join('\n'))]).toEqual(['what-is-it', 'run-and-more', 'same', 'same-1', 'a_b--c']);
  });
});

describe('docs/README.md', () => {
  const index = textOf('docs/README.md');

  it('lists every page of docs once, under one of four kinds', () => {
    const pages = readTree('docs/')
      .map(({ path }) => path.slice('docs/'.length))
      .filter((name) => name.endsWith('.md') && name !== 'README.md');
    const listed = [...index.matchAll(/^- \[[^\]]+\]\(([\w/-]+\.md)\)/gm)].map(([, name]) => name);
    expect(listed).toHaveLength(pages.length);
    expect(new Set(listed)).toEqual(new Set(pages));
    const kinds = [...index.matchAll(/^## (.+)$/gm)].map(([, kind]) => kind);
    expect(kinds).toEqual(['Learn it', 'Do something', 'Look something up', 'Understand it']);
  });
});

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Page, readPage } from './page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The pages that a user reads: their paths from the top, whatever is added. */
function pagePaths(): string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...pages.toSorted()];
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function readPages(): Page[] {
  return pagePaths().map((path) => readPage(path, textOf(path)));
}

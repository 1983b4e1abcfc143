import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the project: its path from the top, with slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Where a rule is broken, and what to do instead. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A house rule: a pure function of the files. */
export type Rule = (files: readonly SourceFile[]) => Finding[];

/** Makes a rule of one that looks at each file by itself. */
export function perFile(applies: (path: string) => boolean, check: (file: SourceFile) => Finding[]): Rule {
  return (files) => files.filter((file) => applies(file.path)).flatMap(check);
}

export const isTypeScript = (path: string): boolean => /\.tsx?$/.test(path);
export const inSource = (path: string): boolean => path.startsWith('src/') && isTypeScript(path);

export const lineCount = (text: string): number => text.replace(/\n$/, '').split('\n').length;

export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Findings as the lines that a failing test shows. */
export function report(findings: readonly Finding[]): string[] {
  return findings
    .toSorted((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
    .map(({ path, line, message }) => `${path}:${line} ${message}`);
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const madeByPrograms = new Set(['.git', 'dist', 'coverage', 'test-output', 'data']);
const madeByProgramsAnywhere = new Set(['node_modules', 'package-lock.json']);
const isText = /\.(?:ts|tsx|mjs|json|jsonc|md|ya?ml|sql|html|css|svg|sh)$|(?:^|\/)[^.]+$/;

/** Every file that people make here; one that is no text stands with its name alone. */
export function readTree(folder = ''): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder + entry.name;
    if (madeByPrograms.has(path) || madeByProgramsAnywhere.has(entry.name)) return [];
    if (entry.isDirectory()) return readTree(`${path}/`);
    return entry.isFile() ? [{ path, text: isText.test(path) ? readFileSync(join(root, path), 'utf8') : '' }] : [];
  });
}

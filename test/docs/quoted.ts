import type { SourceFile } from '../tidy/tree.ts';

/** Shorter than this, words stand anywhere by chance. */
const TELLING = 5;

/** The messages that the tables of a page quote: the code in the first column, where that is headed `the message`. */
export function quotedIn(page: string): string[] {
  const quoted: string[] = [];
  let isMessages = false;
  for (const line of page.split('\n')) {
    if (line.startsWith('| the message |')) isMessages = true;
    else if (!line.startsWith('|')) isMessages = false;
    else if (isMessages) {
      const [, first = ''] = line.split(/(?<!\\)\|/);
      quoted.push(...[...first.matchAll(/`([^`]+)`/g)].map(([, message]) => (message ?? '').replaceAll('\\|', '|')));
    }
  }
  return quoted;
}

/** The text of a source file without the backslashes that only its quotes need. */
export function plainOf({ path, text }: SourceFile): SourceFile {
  return { path, text: text.replace(/\\([`'"$])/g, '$1') };
}

/** The file, made plain, that says a message: it holds all of its words, in pieces where … stands for something. Undefined when none does. */
export function sourceOf(message: string, files: readonly SourceFile[]): SourceFile | undefined {
  const pieces = message.split('…').filter((piece) => piece.trim() !== '');
  if (!pieces.some((piece) => piece.trim().length >= TELLING)) return undefined;
  return files.find(({ text }) => pieces.every((piece) => text.includes(piece)));
}

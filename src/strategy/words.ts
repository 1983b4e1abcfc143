import { compileGlobs } from '../domain/glob.ts';
import { foldCase, printable } from '../domain/text.ts';
import { type Condition, type Reading, comparison, effort, leaf } from './condition.ts';
import type { Item } from './item.ts';
import { settledAs } from './outlook.ts';
import { remembered } from './remembered.ts';
import { verdictOf } from './verdict.ts';

export type OneOrMore = string | readonly string[];

export function asList(value: OneOrMore): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

type Word = { readonly path: string } & Reading<string>;

/** One word or a list of them, compared without case; `form` brings spellings that mean the same to one. */
export function wordCondition(wanted: OneOrMore, word: Word, form: (word: string) => string = foldCase): Condition {
  const accepted = new Set(asList(wanted).map(form));
  return comparison({
    ...word,
    effort: effort.word,
    wants: listed(wanted),
    // A feed says few different words, again and again.
    holds: remembered((word) => accepted.has(form(word))),
    shown: quoted,
  });
}

/** One glob or a list of them, on a text as a whole. */
export function globCondition(wanted: OneOrMore, text: Word): Condition {
  const glob = compileGlobs(asList(wanted));
  return comparison({
    ...text,
    effort: effort.glob,
    wants: listed(wanted),
    holds: remembered((text) => glob(foldCase(text))),
    shown: quoted,
  });
}

/** The same on the item's name, which is kept ready to compare. */
export function nameCondition(wanted: OneOrMore, path: string): Condition {
  const glob = compileGlobs(asList(wanted));
  const judge = ({ nameFolded }: Item) => verdictOf(glob(nameFolded));
  return leaf({
    path,
    effort: effort.glob,
    wants: listed(wanted),
    judge,
    foresee: (item) => settledAs(judge(item)),
    reads: 'item',
    has: ({ name }) => quoted(name),
  });
}

export function quoted(text: string): string {
  return `"${printable(text)}"`;
}

/** A wish in words: `"Field-Tested"`, or `one of "ecosteam", "c5game"`. */
export function listed(wanted: OneOrMore): string {
  const words = asList(wanted);
  const [only] = words;
  if (words.length === 1 && only !== undefined) return quoted(only);
  const shown = words.slice(0, LISTED_MAX).map(quoted).join(', ');
  return words.length > LISTED_MAX ? `one of ${shown} and ${words.length - LISTED_MAX} more` : `one of ${shown}`;
}

const LISTED_MAX = 8;

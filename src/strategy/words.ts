import { compileGlobs } from '../domain/glob.ts';
import type { Listing } from '../domain/listing.ts';
import { foldCase, printable } from '../domain/text.ts';
import { type Condition, comparison, effort } from './condition.ts';
import { remembered } from './remembered.ts';

export type OneOrMore = string | readonly string[];

export function asList(value: OneOrMore): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

interface Reading {
  readonly path: string;
  readonly read: (listing: Listing) => string | undefined;
}

/** One word or a list of them, compared without case; `form` brings spellings that mean the same to one. */
export function wordCondition(wanted: OneOrMore, { path, read }: Reading, form: (word: string) => string = foldCase): Condition {
  const accepted = new Set(asList(wanted).map(form));
  return comparison({
    path,
    effort: effort.word,
    wants: listed(wanted),
    read,
    // A feed says few different words, again and again.
    holds: remembered((word) => accepted.has(form(word))),
    shown: quoted,
  });
}

/** One glob or a list of them, on a text as a whole. */
export function globCondition(wanted: OneOrMore, { path, read }: Reading): Condition {
  const glob = compileGlobs(asList(wanted));
  return comparison({
    path,
    effort: effort.glob,
    wants: listed(wanted),
    read,
    holds: remembered((text) => glob(foldCase(text))),
    shown: quoted,
  });
}

/** The same on the item's name, which is kept ready to compare. */
export function nameCondition(wanted: OneOrMore, path: string): Condition {
  const glob = compileGlobs(asList(wanted));
  return comparison<Listing>({
    path,
    effort: effort.glob,
    wants: listed(wanted),
    read: (listing) => listing,
    holds: (listing) => glob(listing.nameFolded),
    shown: (listing) => quoted(listing.name),
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

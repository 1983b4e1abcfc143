import { printable } from '../domain/text.ts';

/** Shows as nothing, and keeps apart what an application would otherwise make a mention or a link of. */
const ZERO_WIDTH = '\u200b';

/** What applications take for a dot in the name of a host; a number's own point stays. */
const HOST_DOT = /[.\u3002\uff0e\uff61](?=[^\s\d.])/g;

const LINE_MAX = 400;

/**
 * One line of text in which nothing is mentioned, linked to or taken for a command, and nothing hides: names of items and words of a
 * service are written by strangers. At most `LINE_MAX` characters of the text are kept.
 */
function plainLine(text: string): string {
  return printable(text, LINE_MAX)
    .replace(/@/g, `@${ZERO_WIDTH}`)
    .replace(/:\/\//g, `:${ZERO_WIDTH}//`)
    .replace(/(^|\s)([/#$])(?=[^\s\d])/g, `$1$2${ZERO_WIDTH}`)
    .replace(HOST_DOT, `$&${ZERO_WIDTH}`);
}

/** A line for Discord, which formats whatever is written: each of its signs is escaped. */
export function harmlessForDiscord(text: string): string {
  return plainLine(text).replace(/[\\*_~`|<>#[\]()]/g, '\\$&');
}

/** A line for Telegram, which formats nothing when it is not asked to, but makes links and mentions of what looks like them. */
export function harmlessForTelegram(text: string): string {
  return plainLine(text);
}

/** A line for a program, which has the exact texts beside it. */
export function harmlessForPrograms(text: string): string {
  return printable(text, LINE_MAX);
}

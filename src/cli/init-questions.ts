import { printable } from '../domain/text.ts';
import { configSchema } from '../settings/schema.ts';
import { CommandFailure, exits } from './exit.ts';

/** What a first configuration and a first strategy are made of. */
export interface Answers {
  /** Empty: to be filled in later. */
  readonly baseUrl: string;
  /** There is a key that may read market health. */
  readonly topLevel: boolean;
  /** US dollars. */
  readonly maxPrice: number;
  readonly perDay: number;
  readonly inAll: number;
  /** A name, with * for anything. */
  readonly item: string;
  /** Per cent of Steam's price. */
  readonly ofSteam: number;
}

/** What stands in the command line, as it was typed. */
export type Given = { readonly [K in keyof Answers]?: string | boolean };

interface Question<T> {
  readonly flag: string;
  readonly ask: string;
  /** What an empty answer means, after the answers before it. */
  readonly usual: string | ((before: Partial<Answers>) => string);
  /** The answer, or in words what it should be. */
  read(text: string, before: Partial<Answers>): { readonly value: T } | { readonly wants: string };
}

const questions: { readonly [K in keyof Answers]: Question<Answers[K]> } = {
  baseUrl: {
    flag: '--service',
    ask: 'Address of the service (https://…), empty to put it into .env later',
    usual: '',
    read: (text) => (text === '' || isAddress(text) ? { value: text } : { wants: 'an address such as https://host' }),
  },
  topLevel: {
    flag: '--no-health',
    ask: 'Have you a top-level key, which alone may read market health? yes or no',
    usual: 'yes',
    read: (text) => (/^(?:y|yes|n|no)$/i.test(text) ? { value: /^y/i.test(text) } : { wants: 'yes or no' }),
  },
  maxPrice: {
    flag: '--max-price',
    ask: 'The most that one purchase may cost, in dollars, fee included',
    usual: '20',
    read: dollars,
  },
  perDay: {
    flag: '--per-day',
    ask: 'The most that may be spent in any 24 hours',
    usual: ({ maxPrice = 0 }) => String(Math.max(100, maxPrice)),
    read: (text, { maxPrice = 0 }) => dollarsFrom(text, maxPrice, 'what one purchase may cost'),
  },
  inAll: {
    flag: '--in-all',
    ask: 'The most that may be spent in all, until you raise it',
    usual: ({ perDay = 0 }) => String(Math.max(500, perDay)),
    read: (text, { perDay = 0 }) => dollarsFrom(text, perDay, 'what a day may cost'),
  },
  item: {
    flag: '--item',
    ask: 'Which items shall the first strategy buy? A name, with * for anything',
    usual: 'AK-47 | *',
    read: (text) => (isItem(text) ? { value: text } : { wants: 'a name such as AK-47 | Redline*' }),
  },
  ofSteam: {
    flag: '--of-steam',
    ask: "At most for how many per cent of Steam's price",
    usual: '65',
    read: (text) => {
      const value = /^\d{1,3}(?:\.\d{1,2})?\s*%?$/.test(text) ? Number.parseFloat(text) : 0;
      return value > 0 && value <= 100 ? { value } : { wants: 'a number above 0, at most 100' };
    },
  },
};

/**
 * The answers: what was given on the command line, else what `ask` hears, else the usual. Without `ask` nothing is asked. Throws
 * CommandFailure for what was given wrongly, and where whoever is asked goes away.
 */
export async function answersOf(
  given: Given,
  wanted: readonly (keyof Answers)[],
  ask: ((question: string) => Promise<string | undefined>) | undefined,
  complain: (message: string) => void,
): Promise<Answers> {
  const answer = async <K extends keyof Answers>(key: K, before: Partial<Answers>): Promise<Answers[K]> => {
    const { flag, read, ...question }: Question<Answers[K]> = questions[key];
    const usual = typeof question.usual === 'string' ? question.usual : question.usual(before);
    const typed = typedAs(given[key]);
    if (typed !== undefined) return valueOf(read(typed, before), `${flag} ${typed}`);
    for (;;) {
      const shown = usual === '' ? '' : ` [${usual}]`;
      const said = ask === undefined || !wanted.includes(key) ? '' : await ask(`${question.ask}${shown}: `);
      if (said === undefined) throw new CommandFailure(exits.failed, '\nNothing was written.');
      const heard = read(said.trim() === '' ? usual : said.trim(), before);
      if ('value' in heard) return heard.value;
      complain(`That should be ${heard.wants}.`);
    }
  };
  const baseUrl = await answer('baseUrl', {});
  const topLevel = await answer('topLevel', {});
  const maxPrice = await answer('maxPrice', {});
  const perDay = await answer('perDay', { maxPrice });
  const inAll = await answer('inAll', { perDay });
  const item = await answer('item', {});
  const ofSteam = await answer('ofSteam', {});
  return { baseUrl, topLevel, maxPrice, perDay, inAll, item, ofSteam };
}

/** An option that was not given is undefined, or true where `--no-…` has a default. */
function typedAs(given: string | boolean | undefined): string | undefined {
  if (given === false) return 'no';
  return typeof given === 'string' ? given : undefined;
}

function valueOf<T>(heard: { readonly value: T } | { readonly wants: string }, given: string): T {
  if ('value' in heard) return heard.value;
  throw new CommandFailure(exits.wrong, `${printable(given, 300)}: should be ${heard.wants}`);
}

function dollars(text: string): { readonly value: number } | { readonly wants: string } {
  const value = /^\$?\d{1,7}(?:\.\d{1,2})?$/.test(text) ? Number(text.replace('$', '')) : 0;
  return value > 0 ? { value } : { wants: 'an amount in dollars above 0, such as 20 or 12.50' };
}

/** A bound that is not tighter than another that it stands above. */
function dollarsFrom(text: string, least: number, of: string): { readonly value: number } | { readonly wants: string } {
  const read = dollars(text);
  return 'value' in read && read.value < least ? { wants: `at least ${of}, $${least.toFixed(2)}` } : read;
}

function isAddress(text: string): boolean {
  return configSchema.shape.service.safeParse({ baseUrl: text }).success;
}

function isItem(text: string): boolean {
  return text.length <= 200 && /^[^\p{Cc}]*[\p{L}\p{N}*][^\p{Cc}]*$/u.test(text);
}

import type { z } from 'zod';
import { nearest } from '../domain/nearest.ts';
import { printable } from '../domain/text.ts';
import { DURATION_PATTERN, durationMeant, sizeMeant } from './units.ts';

const yes: ReadonlySet<string> = new Set(['yes', 'on', 'true', 'y', '1']);
const no: ReadonlySet<string> = new Set(['no', 'off', 'false', 'n', '0']);

/**
 * What the user most likely meant by a value of the wrong kind, as advice: `write 5.00, with a point`. `source` is the value as it
 * stands in the file. undefined when it is anybody's guess.
 */
export function correction(issue: z.core.$ZodIssue, value: unknown, source: string | undefined): string | undefined {
  const words = issue.message;
  if (issue.code === 'invalid_value') return wordMeant(issue.values, value);
  if (words.startsWith('a duration') && (typeof value === 'string' || typeof value === 'number'))
    return durationFor(String(value));
  if (words.startsWith('a size') && typeof value === 'string') return sizeFor(value);
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'number') return typeof value === 'string' ? numberMeant(value) : undefined;
  if (issue.expected === 'boolean') return booleanMeant(value);
  if (issue.expected === 'string' && isPlain(value)) return `put it in quotes: "${source ?? String(value)}"`;
  if (issue.expected === 'array' && isPlain(value))
    return `put it in brackets: [${JSON.stringify(printable(String(value), 60))}]`;
  return undefined;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function wordMeant(words: readonly unknown[], value: unknown): string | undefined {
  const texts = words.filter((word) => typeof word === 'string');
  if (value === false && texts.includes('off')) return 'write off';
  const near = typeof value === 'string' ? nearest(value, texts) : undefined;
  return near === undefined ? undefined : `write ${near}`;
}

function durationFor(text: string): string | undefined {
  if (/^\d+$/.test(text)) return `give it a unit: ${text}s, ${text}m, ${text}h or ${text}d`;
  const meant = durationMeant(text);
  return meant === undefined || (meant === text && DURATION_PATTERN.test(text)) ? undefined : `write ${meant}`;
}

function sizeFor(text: string): string | undefined {
  const meant = sizeMeant(text);
  return meant === undefined || meant === text ? undefined : `write ${meant}`;
}

function booleanMeant(value: unknown): string | undefined {
  if (!isPlain(value)) return undefined;
  const word = String(value).toLowerCase();
  if (yes.has(word)) return 'write true, without quotes';
  return no.has(word) ? 'write false, without quotes' : undefined;
}

/** Numbers as people of several countries write amounts, with or without a sign of currency. */
function numberMeant(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^(?:US\$|\$|USD\s*)|\s*(?:\$|USD|dollars?)$/gi, '')
    .trim();
  if (/^-?\d+(?:\.\d+)?$/.test(bare)) return bare === text ? `write ${bare} without quotes` : `write ${bare}`;
  const grouped = /^\d{1,3}(?:[,_' ]\d{3})+(?:\.\d+)?$/.test(bare) || /^\d+(?:_\d{1,20})+(?:\.\d+)?$/.test(bare);
  if (grouped) return `write ${bare.replace(/[,_' ]/g, '')}`;
  if (/^-?\d+,\d+$/.test(bare)) return `write ${bare.replace(',', '.')}, with a point`;
  const percent = /^(\d{1,6}(?:\.\d{1,4})?)\s*%$/.exec(bare);
  if (percent) return `write ${Number(percent[1]) / 100}`;
  return undefined;
}

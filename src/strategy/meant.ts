import type { z } from 'zod';
import { nearest } from '../domain/nearest.ts';
import { printable } from '../domain/text.ts';
import type { DocumentPath } from './document-fault.ts';

/** What was most likely meant by a value of the wrong kind, as advice; undefined when it is anybody's guess. */
export function meant(issue: z.core.$ZodIssue, value: unknown, path: DocumentPath): string | undefined {
  if (issue.code === 'invalid_value') return nearestWord(issue.values, value);
  if (path.at(-1) === 'paintSeed' && typeof value === 'number') return `put it in brackets: [${value}]`;
  if (issue.code === 'invalid_format' && path.length === 1) return nameMeant(value);
  if (issue.code === 'too_big' && typeof value === 'number' && shares.has(path.at(-1))) return shareMeant(value);
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return undefined;
  const expected = issue.code === 'invalid_type' ? [issue.expected] : issue.errors.flat().flatMap(expectedOf);
  if (expected.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return `put it in quotes: "${value}"`;
  if (typeof value !== 'string') return undefined;
  if (expected.includes('number') || expected.includes('int')) return numberMeant(value);
  return expected.includes('boolean') ? yesOrNoMeant(value) : undefined;
}

function expectedOf(issue: z.core.$ZodIssue): readonly string[] {
  return issue.code === 'invalid_type' ? [issue.expected] : [];
}

function nearestWord(words: readonly unknown[], value: unknown): string | undefined {
  const near =
    typeof value === 'string'
      ? nearest(
          value,
          words.filter((word) => typeof word === 'string'),
        )
      : undefined;
  return near === undefined ? undefined : `write ${near}`;
}

function nameMeant(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? undefined : `write ${plain}`;
}

const shares: ReadonlySet<string | number | undefined> = new Set(['maxOfSteam', 'steamFee', 'maxOfMedian', 'belowFloor']);

function shareMeant(value: number): string | undefined {
  return value <= 10_000 ? `write ${value / 100} for ${value} %` : undefined;
}

/** Amounts and shares as people write them: "0.7" in quotes, $20, 70 %, 1,50. */
function numberMeant(text: string): string | undefined {
  const parts = /^(?:\$\s*)?(-?\d{1,12}(?:[.,]\d{1,12})?)\s*(%|\$|USD)?$/i.exec(text.trim());
  const digits = parts?.[1]?.replace(',', '.');
  if (digits === undefined) return undefined;
  if (parts?.[2] === '%') return `write ${Number((Number(digits) / 100).toPrecision(12))}`;
  return digits === text ? `write ${digits}, without quotes` : `write ${digits}`;
}

function yesOrNoMeant(text: string): string | undefined {
  const word = printable(text, 10).toLowerCase();
  if (['true', 'yes', 'on', 'y'].includes(word)) return 'write true, without quotes';
  return ['false', 'no', 'off', 'n'].includes(word) ? 'write false, without quotes' : undefined;
}

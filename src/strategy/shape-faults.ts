import type { z } from 'zod';
import { nearest } from '../domain/nearest.ts';
import { printable } from '../domain/text.ts';
import { type DocumentFault, type DocumentPath, error } from './document-fault.ts';
import { homesOf, keysAt } from './document-keys.ts';
import { meant } from './meant.ts';
import { strategyDocument } from './schema.ts';

type Issue = z.core.$ZodIssue;

/** What the definition has against a document: places, what must stand there, what was found; empty when it has the right shape. */
export function shapeFaults(document: unknown): readonly DocumentFault[] {
  const issues = strategyDocument.safeParse(document).error?.issues ?? [];
  const withWrongKey = new Set(issues.filter((issue) => issue.code === 'unrecognized_keys').map((issue) => String(issue.path)));
  return issues
    .flatMap((issue) => nearestBranch(issue, []))
    .filter(({ issue, path }) => issue.code !== 'custom' || !withWrongKey.has(String(path)))
    .flatMap(({ issue, path }) => faultsOf(issue, path, document));
}

interface Placed {
  readonly issue: Issue;
  readonly path: DocumentPath;
}

/** Of the complaints about each alternative of a value, those of the one that the value comes nearest to. */
function nearestBranch(issue: Issue, at: DocumentPath): Placed[] {
  const path = [...at, ...(issue.path as (string | number)[])];
  if (issue.code !== 'invalid_union') return [{ issue, path }];
  const isOfOtherKind = (branch: Issue[]): boolean =>
    branch.some((inner) => inner.code === 'invalid_type' && inner.path.length === 0);
  const near = issue.errors.find((branch) => !isOfOtherKind(branch));
  return near ? near.flatMap((inner) => nearestBranch(inner, path)) : [{ issue, path }];
}

function faultsOf(issue: Issue, path: DocumentPath, document: unknown): DocumentFault[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key));
  const { found, missing } = valueAt(document, path);
  if (missing) return [error(path, `is missing; it must be ${issue.message}`)];
  if (found === null) return [error(path, `is empty; it must be ${issue.message}`, 'write a value, or remove the key')];
  return [error(path, `must be ${issue.message}; found ${inWords(found)}`, meant(issue, found, path))];
}

function unknownKey(block: DocumentPath, key: string): DocumentFault {
  const path = [...block, key];
  const allowed = keysAt(block);
  const near = otherNames.get(key.toLowerCase());
  const here = near !== undefined && allowed.includes(near) ? near : nearest(key, allowed);
  const elsewhere = homesOf(near ?? key).find((home) => home.length > 0);
  const message = `no such key here; allowed: ${allowed.join(', ')}`;
  const suggestion = here === undefined ? elsewhere && `it belongs at ${elsewhere}` : `write ${here}`;
  return { ...error(path, message, suggestion), at: 'key' };
}

/** What people in the trade call these things elsewhere, in lower case. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['pattern', 'paintSeed'],
  ['seed', 'paintSeed'],
  ['float', 'wear'],
  ['floatvalue', 'wear'],
  ['colour', 'color'],
  ['quality', 'rarity'],
  ['keychain', 'charm'],
  ['item', 'name'],
  ['markethashname', 'name'],
  ['maxprice', 'max'],
  ['pricemax', 'max'],
  ['discount', 'maxOfSteam'],
  ['profit', 'minProfit'],
  ['budget', 'spend'],
  ['hourly', 'hour'],
  ['daily', 'day'],
  ['lifetime', 'total'],
]);

function valueAt(document: unknown, path: DocumentPath): { found: unknown; missing: boolean } {
  let found = document;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return { found: undefined, missing: true };
    found = (found as Record<string | number, unknown>)[part];
  }
  return { found, missing: found === undefined };
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? 'an empty block' : 'a block of keys';
  return typeof value === 'string'
    ? `the text "${printable(value, 60)}"`
    : `${typeof value === 'number' ? 'the number ' : ''}${String(value)}`;
}

import type { z } from 'zod';
import { nearest } from '../domain/nearest.ts';
import { MASK } from '../domain/secret.ts';
import { printable } from '../domain/text.ts';
import { accountNameWords } from './accounts-schema.ts';
import { correction } from './correction.ts';
import type { FileFault, Path } from './file-fault.ts';
import { FAULTS_MAX } from './file-fault.ts';
import type { YamlDocument } from './yaml-document.ts';

const KEYS_SHOWN_MAX = 32;

type Issue = z.core.$ZodIssue;

/** What is known about a value besides its text. */
export interface Explaining {
  readonly document: YamlDocument;
  /** The value as it was checked, references replaced. */
  readonly value: unknown;
  /** Keys that may stand at a path; undefined when it takes any or none. */
  allowedKeys(path: Path): readonly string[] | undefined;
  /** Where a value came from other than the file: `MAGPIE_API_KEY`. Such values are never shown. */
  origin(path: Path): string | undefined;
  /** A value that must not be shown even when it stands in the file itself. */
  isSecret(path: Path): boolean;
}

export interface Explained {
  readonly path: Path;
  readonly fault: FileFault;
}

/** One complaint of the schema as faults for a person: each with its place, what was found and what is allowed. */
export function explainIssue(issue: Issue, about: Explaining): Explained[] {
  const path = issue.path as (string | number)[];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, FAULTS_MAX).map((name) => unknownKey([...path, name], name, about));
  const explained = (message: string, suggestion?: string): Explained[] => [
    { path, fault: about.document.fault(path, message, suggestion) },
  ];
  // The one map whose names are free, within bounds, is that of the accounts.
  if (issue.code === 'invalid_key') return [{ path, fault: about.document.fault(path, accountNameWords, undefined, 'key') }];
  if (issue.code === 'too_big' && issue.origin === 'array') return explained('holds too many entries');
  const origin = about.origin(path);
  if (origin !== undefined) return explained(`must be ${issue.message}; ${origin} holds something else`);
  const found = valueAt(about.value, path);
  if (about.isSecret(path)) {
    const kind = typeof found === 'number' ? 'a number' : typeof found === 'boolean' ? 'true or false' : undefined;
    if (kind === undefined) return explained(`must be ${issue.message}; the value is not shown`);
    return explained(`must be ${issue.message}; YAML reads this one as ${kind}; the value is not shown`, 'put it in quotes');
  }
  const source = about.document.source(path);
  return explained(`must be ${issue.message}; found ${inWords(found, source)}`, correction(issue, found, source));
}

function unknownKey(path: Path, name: string, about: Explaining): Explained {
  const allowed = about.allowedKeys(path.slice(0, -1)) ?? [];
  const near = nearest(name, allowed);
  const listed = allowed.slice(0, KEYS_SHOWN_MAX).join(', ') + (allowed.length > KEYS_SHOWN_MAX ? ' and others' : '');
  const suggestion = near === undefined ? undefined : `write ${near}`;
  return { path, fault: about.document.fault(path, `no such key; allowed: ${listed}`, suggestion, 'key') };
}

function inWords(value: unknown, source: string | undefined): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? 'an empty block' : 'a block of keys';
  // An address may hold a password.
  const shown = printable((source ?? String(value)).replace(/\/\/[^/@\s]*@/, `//${MASK}@`), 60);
  if (typeof value === 'string') return `the text ${/^["']/.test(shown) ? shown : `"${shown}"`}`;
  return shown;
}

export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string | number, unknown>)[part];
  }
  return at;
}

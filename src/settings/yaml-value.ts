import type { ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import { MASK } from '../domain/secret.ts';
import { printable } from '../domain/text.ts';
import type { Path } from './file-fault.ts';
import { unmaskReferences } from './references.ts';
import { numberFault } from './yaml-numbers.ts';
import type { SyntaxTree } from './yaml-syntax.ts';

/** Told of each fault: where in the source, at which path, what, and what to write instead. */
type Report = (offset: number, path: Path, message: string, suggestion?: string) => void;

interface Walk {
  readonly source: string;
  readonly report: Report;
  /** A text of the file as a message may repeat it. */
  readonly shown: (text: string, path: Path) => string;
  readonly lineOf: (offset: number) => number;
}

/** Keys that mean something to JavaScript's objects and nothing to Magpie. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The plain value of a tree: maps without a prototype, lists, texts, numbers, booleans. What YAML allows and a person does not
 * mean (aliases, tags, anchors, empty values, odd numbers, text cut at a #) is reported and left out; in a list null takes its
 * place, so that the others keep theirs.
 */
export function valueOf({ document, lines, source }: SyntaxTree, isSecret: (path: Path) => boolean, report: Report): unknown {
  const shown = (text: string, path: Path): string => (isSecret(path) ? MASK : printable(text));
  const lineOf = (offset: number): number => lines.linePos(offset).line;
  return read(document.contents, [], 0, { source, report, shown, lineOf });
}

/** `at` is where to point when the node itself has no place: an empty value stands nowhere. */
function read(node: unknown, path: Path, at: number, walk: Walk): unknown {
  const parsed = node as ParsedNode | null;
  const offset = parsed?.range[0] ?? at;
  if (isAlias(parsed)) {
    const word = walk.shown(wordAt(walk.source, offset), path);
    return walk.report(offset, path, `${word} is read by YAML as an alias`, `put it in quotes: "${word}"`);
  }
  if (parsed?.anchor !== undefined) {
    return walk.report(offset, path, 'an anchor (&) stands before the value', 'remove it, or put the value in quotes');
  }
  if (parsed?.tag !== undefined) {
    return walk.report(offset, path, 'a tag (!) stands before the value', 'remove it, or put the value in quotes');
  }
  if (isMap(parsed)) return readMap(parsed, path, walk);
  if (isSeq(parsed)) return readList(parsed, path, walk);
  return readScalar(parsed, path, at, walk);
}

function readMap(map: YAMLMap, path: Path, walk: Walk): Record<string, unknown> {
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const firstOffset = new Map<string, number>();
  for (const pair of map.items) {
    const key = pair.key as ParsedNode | null;
    const offset = key?.range[0] ?? map.range?.[0] ?? 0;
    const name = keyName(key, offset, path, walk);
    if (name === undefined) continue;
    const first = firstOffset.get(name);
    if (first !== undefined) {
      walk.report(offset, [...path, name], `stands twice; first in line ${walk.lineOf(first)}`, 'remove one of them');
      continue;
    }
    firstOffset.set(name, offset);
    const item = read(pair.value, [...path, name], offset, walk);
    if (item !== undefined) value[name] = item;
  }
  return value;
}

/** The key as a text; undefined, and reported, when it is none or may not stand here. */
function keyName(key: ParsedNode | null, offset: number, path: Path, walk: Walk): string | undefined {
  const refuse = (name: string, message: string, suggestion?: string): undefined => {
    walk.report(offset, [...path, name], message, suggestion);
  };
  if (!isScalar(key) || key.anchor !== undefined || key.tag !== undefined) return refuse('?', 'a key must be a plain word');
  if (typeof key.value !== 'string') {
    const source = key.source ?? '';
    if (source === '') return refuse('?', 'a key is empty');
    const whole = /(\d+),\s*$/.exec(walk.source.slice(Math.max(0, offset - 40), offset))?.[1];
    if (whole !== undefined)
      return refuse(source, `the comma before ${source} begins a new key`, `write ${whole}.${source}, with a point`);
    return refuse(source, `the key ${source} is read by YAML as no text`, `put it in quotes: "${source}"`);
  }
  const name = unmaskReferences(key.value);
  if (name === '<<') return refuse(name, 'merge keys are not followed', 'write the values out');
  return forbiddenKeys.has(name) ? refuse(name, 'is no key of Magpie', 'remove it') : name;
}

function readList(list: YAMLSeq, path: Path, walk: Walk): unknown[] {
  const start = list.range?.[0] ?? 0;
  return list.items.map((item, index) => read(item, [...path, index], start, walk) ?? null);
}

function readScalar(scalar: Scalar | null, path: Path, at: number, walk: Walk): unknown {
  const value = scalar?.value ?? null;
  const source = unmaskReferences(scalar?.source ?? '');
  const start = scalar?.range?.[0] ?? at;
  if (value === null) {
    const message = source === '' ? 'is empty' : `is empty (${source})`;
    return walk.report(source === '' ? at : start, path, message, 'write a value, or remove the key');
  }
  if (typeof value === 'number') {
    const fault = numberFault(source, value);
    if (!fault) return value;
    const secret = walk.shown(source, path) === MASK;
    return walk.report(
      start,
      path,
      secret ? 'is read by YAML as a number' : fault.message,
      secret ? 'put it in quotes' : fault.suggestion,
    );
  }
  if (typeof value !== 'string') return value;
  const cut = scalar?.type === 'PLAIN' ? cutText(scalar, walk.source) : undefined;
  if (cut === undefined) return unmaskReferences(value);
  const whole = walk.shown(`${source} ${cut}`, path);
  return walk.report(
    start,
    path,
    `is cut at the #: a # after a blank begins a comment, so only ${walk.shown(source, path)} is left`,
    `put it in quotes: "${whole}"; a comment needs a blank after its #`,
  );
}

/** What a comment took away from a plain text, when it looks more like text than like a comment; else undefined. */
function cutText(scalar: Scalar, source: string): string | undefined {
  const text = scalar.source ?? '';
  const rest = /^[ \t]+(#[^\n]*)/.exec(source.slice(scalar.range?.[1] ?? source.length))?.[1]?.trimEnd();
  if (rest === undefined || /^\d+(?:ms|[smhd])$/.test(text)) return undefined;
  return /^#[^\s#]/.test(rest) || text.endsWith('|') ? unmaskReferences(rest) : undefined;
}

function wordAt(source: string, offset: number): string {
  return unmaskReferences(/^[^\s,\]}]*/.exec(source.slice(offset))?.[0] ?? '');
}

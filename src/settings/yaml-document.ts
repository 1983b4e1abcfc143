import type { Document, Node } from 'yaml';
import { isMap, isScalar, isSeq } from 'yaml';
import type { FileFault, Path } from './file-fault.ts';
import { FAULTS_MAX, pathText } from './file-fault.ts';
import { unmaskReferences } from './references.ts';
import type { SyntaxTree } from './yaml-syntax.ts';
import { parseYaml } from './yaml-syntax.ts';
import { valueOf } from './yaml-value.ts';

/** A YAML file read: its value, and where each part of it stands. */
export interface YamlDocument {
  readonly file: string;
  /** Maps have no prototype; keys and values that were reported as faults are left out. */
  readonly value: Readonly<Record<string, unknown>>;
  /** Where a key, or the value behind it, stands. What is not there is shown at the nearest key above it. */
  fault(path: Path, message: string, suggestion?: string, part?: 'key' | 'value'): FileFault;
  /** The text of a single value as it stands in the file, quotes included; undefined for maps, lists and what is not there. */
  source(path: Path): string | undefined;
}

export interface YamlReading {
  /** undefined when the text is no YAML, or not a map of keys. */
  readonly document: YamlDocument | undefined;
  readonly faults: readonly FileFault[];
  /** Paths of what was left out of the value because of a fault. */
  readonly spoiled: readonly Path[];
}

export interface YamlOptions {
  /** `${NAME}` may stand wherever a plain word may. */
  readonly references: boolean;
  /** Values at these paths are repeated in no message. */
  readonly isSecret?: (path: Path) => boolean;
}

/**
 * Reads the text of a YAML file. All that YAML would let pass and a person cannot have meant is a fault with its place.
 */
export function readYaml(text: string, file: string, options: YamlOptions): YamlReading {
  const syntax = parseYaml(text, file, options.references);
  if (!syntax.ok) return { document: undefined, faults: [syntax.fault], spoiled: [] };
  const { tree } = syntax;
  const contents = tree.document.contents;
  const faults: FileFault[] = [];
  const spoiled: Path[] = [];
  const isSecret = options.isSecret ?? (() => false);
  const value = valueOf(tree, isSecret, (offset, path, message, suggestion) => {
    spoiled.push(path);
    if (faults.length < FAULTS_MAX) faults.push(faultAt(tree, file, offset, path, message, suggestion));
  });
  if (!isMap(contents)) {
    if (faults.length === 0)
      faults.push(
        faultAt(
          tree,
          file,
          contents?.range?.[0] ?? 0,
          [],
          'must be a map of keys and values',
          options.references ? 'begin with a line such as `mode: dry-run`' : 'begin with a line such as `name: my-strategy`',
        ),
      );
    return { document: undefined, faults, spoiled };
  }
  const document: YamlDocument = {
    file,
    value: value as Record<string, unknown>,
    fault: (path, message, suggestion, part = 'value') =>
      faultAt(tree, file, offsetOf(tree.document, path, part), path, message, suggestion),
    source: (path) => sourceOf(tree, path),
  };
  return { document, faults, spoiled };
}

function faultAt(tree: SyntaxTree, file: string, offset: number, path: Path, message: string, suggestion?: string): FileFault {
  const { line, col } = tree.lines.linePos(offset);
  return { file, line, column: col, path: pathText(path), message, suggestion };
}

/** Offset of a key or value. A block below its key is shown at the key: its own first key would mislead. */
function offsetOf(document: Document, path: Path, part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const [depth, name] of path.entries()) {
    const next = childOf(node, name);
    if (next === undefined) return offset;
    const own = rangeStart(next.value);
    const last = depth === path.length - 1;
    const showsValue = own !== undefined && (next.key === undefined || (last && part === 'value' && !isBlock(next.value)));
    offset = showsValue ? own : (rangeStart(next.key) ?? offset);
    node = next.value;
  }
  return offset;
}

function childOf(node: unknown, name: string | number): { key: unknown; value: unknown } | undefined {
  if (isSeq(node) && typeof name === 'number')
    return name < node.items.length ? { key: undefined, value: node.items[name] } : undefined;
  if (!isMap(node)) return undefined;
  const pair = node.items.find(
    (item) => isScalar(item.key) && typeof item.key.value === 'string' && unmaskReferences(item.key.value) === name,
  );
  return pair ? { key: pair.key, value: pair.value } : undefined;
}

function rangeStart(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

function isBlock(node: unknown): boolean {
  return (isMap(node) || isSeq(node)) && node.flow !== true;
}

function sourceOf(tree: SyntaxTree, path: Path): string | undefined {
  let node: unknown = tree.document.contents;
  for (const name of path) node = childOf(node, name)?.value;
  if (!isScalar(node) || !node.range) return undefined;
  return unmaskReferences(tree.source.slice(node.range[0], node.range[1])).trimEnd();
}

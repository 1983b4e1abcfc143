import { parseSync, visitorKeys, type Node, type Program } from 'oxc-parser';
import { lineOf, type SourceFile } from './tree.ts';

/** An import or re-export of a file. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** Imported names; `*` for the whole module, `default` for its default export. */
  readonly names: readonly string[];
}

type Visit = (node: Node, parent: Node | undefined, key: string) => void;

const parsed = new WeakMap<SourceFile, ReturnType<typeof parseSync>>();

function parse(file: SourceFile): ReturnType<typeof parseSync> {
  const result = parsed.get(file) ?? parseSync(file.path, file.text);
  parsed.set(file, result);
  if (result.errors[0]) throw new SyntaxError(`${file.path}: ${result.errors[0].message}`);
  return result;
}

export function programOf(file: SourceFile): Program {
  return parse(file).program;
}

/** Calls `visit` for each node of a file, with the node above it and the field in which it stands there. */
export function walk(file: SourceFile, visit: Visit): void {
  descend(programOf(file), undefined, '', visit);
}

function descend(node: Node, parent: Node | undefined, key: string, visit: Visit): void {
  visit(node, parent, key);
  for (const field of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as Record<string, Node | null | (Node | null)[]>)[field];
    for (const one of Array.isArray(child) ? child : [child]) if (one) descend(one, node, field, visit);
  }
}

/** Every module that a file names, whether it imports, re-exports or loads it at run time. */
export function importsOf(file: SourceFile): Import[] {
  const { module } = parse(file);
  const found: Import[] = module.staticImports.map(({ moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    line: lineOf(file.text, moduleRequest.start),
    names: entries.map(({ importName }) => importName.name ?? (/^Default$/.test(importName.kind) ? 'default' : '*')),
  }));
  for (const { moduleRequest, importName } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (!moduleRequest) continue;
    found.push({ specifier: moduleRequest.value, line: lineOf(file.text, moduleRequest.start), names: [importName.name ?? '*'] });
  }
  walk(file, (node) => {
    if (node.type !== 'ImportExpression') return;
    const source = node.source.type === 'Literal' ? String(node.source.value) : '(computed)';
    found.push({ specifier: source, line: lineOf(file.text, node.start), names: ['*'] });
  });
  return found;
}

/** `a.b.c` of a plain chain of names, without a leading `globalThis.`; undefined for anything else. */
export function dottedName(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined;
  const left = dottedName(node.object);
  if (left === undefined) return undefined;
  return left === 'globalThis' || left === 'global' ? node.property.name : `${left}.${node.property.name}`;
}

import type { DocumentPath } from './document-fault.ts';
import { strategyJsonSchema } from './schema.ts';

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Node>>;
}

let derived: Node | undefined;

/** Made when the first fault asks for it. */
function root(): Node {
  derived ??= strategyJsonSchema();
  return derived;
}

/** The keys that may stand in the block at a path; none where no block may stand. */
export function keysAt(path: DocumentPath): readonly string[] {
  let nodes: readonly Node[] = alternatives(root());
  for (const part of path) {
    nodes = nodes.flatMap((node) => {
      const child = typeof part === 'number' ? node.items : node.properties?.[part];
      return child ? alternatives(child) : [];
    });
  }
  return nodes.flatMap((node) => Object.keys(node.properties ?? {}));
}

/** Where a key of this name may stand, at the top of the file or one block below: `price.max`. */
export function homesOf(key: string): readonly string[] {
  const blocks: DocumentPath[] = [[], ...keysAt([]).map((block) => [block])];
  const wanted = key.toLowerCase();
  return blocks.flatMap((block) => {
    const found = keysAt(block).find((allowed) => allowed.toLowerCase() === wanted);
    return found === undefined ? [] : [[...block, found].join('.')];
  });
}

/** The plain nodes behind references and alternatives. A rule that only names required keys has nothing to say here. */
function alternatives(node: Node): readonly Node[] {
  if (node.$ref !== undefined) return alternatives(root().definitions?.[node.$ref.replace('#/definitions/', '')] ?? {});
  const inner = [...(node.anyOf ?? []), ...(node.allOf ?? [])];
  return node.properties || inner.length === 0 ? [node] : inner.flatMap(alternatives);
}

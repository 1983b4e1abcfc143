import type { Node } from 'oxc-parser';
import { type SourceFile, lineOf } from '../tidy/tree.ts';
import { walk } from '../tidy/syntax.ts';
import { type Excuse, excused } from './excused.ts';
import { faults } from './faults.ts';
import { lessons } from './lessons.ts';

/** A test, or a row of its table, whose title ends with numbers. */
export interface Proof {
  readonly path: string;
  readonly line: number;
  readonly title: string;
}

export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly proofs: readonly Proof[];
  readonly excuse: Excuse | undefined;
}

export interface Coverage {
  /** Every number, in the order of the catalogue. */
  readonly entries: readonly Entry[];
  /** Numbers that tests or excuses name and nobody knows. */
  readonly unknown: readonly string[];
}

/** A title names what it proves at its end: `is unknown at its deadline [N2 N7]`. A row of a table may do so in a column of its own. */
const numbered = /^(?:(.*) )?\[([A-Za-z]+-?\d+(?: [A-Za-z]+-?\d+)*)\]$/s;

/** Which numbers of the catalogue and of the lessons the tests of a tree prove. */
export function coverageOf(tree: readonly SourceFile[]): Coverage {
  const proofs = new Map<string, Proof[]>();
  for (const file of tree) {
    if (/^test\/.*\.test\.ts$/.test(file.path)) collect(file, proofs);
  }
  const titles = Object.entries({ ...faults, ...lessons });
  const entries = titles.map(([id, title]) => ({ id, title, proofs: proofs.get(id) ?? [], excuse: excused[id] }));
  const known = new Set(titles.map(([id]) => id));
  const unknown = [...proofs.keys(), ...Object.keys(excused)].filter((id) => !known.has(id));
  return { entries, unknown };
}

function collect(file: SourceFile, proofs: Map<string, Proof[]>): void {
  walk(file, (node, parent) => {
    if (node.type !== 'Literal' || typeof node.value !== 'string') return;
    const [, title = firstOfRow(parent), ids] = numbered.exec(node.value) ?? [];
    const proof = { path: file.path, line: lineOf(file.text, node.start), title };
    for (const id of ids?.split(' ') ?? []) proofs.set(id, [...(proofs.get(id) ?? []), proof]);
  });
}

/** What a row of a table is about stands in its first column. */
function firstOfRow(row: Node | undefined): string {
  const first = row?.type === 'ArrayExpression' ? row.elements[0] : undefined;
  return first?.type === 'Literal' ? String(first.value) : '';
}

import { type Random, pick } from '../domain/random.ts';
import type { DocumentPath } from './document-fault.ts';

/** One value of a strategy that is varied, and what it may become. */
export interface Axis {
  readonly path: DocumentPath;
  /** As a person writes it: `price.maxOfSteam`. */
  readonly name: string;
  readonly choice: Choice;
}

/** values: one of these. between: any number from one to another, of so many decimals. */
export type Choice =
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'between'; readonly from: number; readonly to: number; readonly decimals: number };

/** One way to set all axes: a value for each, in their order. */
export type Setting = readonly unknown[];

/** Draws that find nothing new in a row, after which there is nothing new. */
const VAIN_DRAWS_MAX = 1_000;
/** Of the width between its ends, what a drawn number is told to. */
const STEPS_BETWEEN = 1_000;

/** How many settings a grid of axes has; Infinity where one is not a list. */
export function gridSize(axes: readonly Axis[]): number {
  return axes.reduce((size, { choice }) => size * (choice.kind === 'values' ? choice.values.length : Infinity), 1);
}

/** Every value of each axis with every value of the others; the last axis changes fastest. */
export function grid(axes: readonly Axis[]): readonly Setting[] {
  return axes.reduce<readonly Setting[]>(
    (settings, { choice }) =>
      settings.flatMap((setting) => (choice.kind === 'values' ? choice.values : []).map((value) => [...setting, value])),
    [[]],
  );
}

/** Settings drawn by chance, no two alike: at most `samples`, fewer where there are no more. The first of more samples are these. */
export function draws(axes: readonly Axis[], samples: number, random: Random): readonly Setting[] {
  const found = new Map<string, Setting>();
  for (let vain = 0; found.size < samples && vain < VAIN_DRAWS_MAX;) {
    const setting = axes.map(({ choice }) => drawn(choice, random));
    const id = JSON.stringify(setting);
    vain = found.has(id) ? vain + 1 : 0;
    found.set(id, setting);
  }
  return [...found.values()];
}

function drawn(choice: Choice, random: Random): unknown {
  if (choice.kind === 'values') return pick(random, choice.values);
  const { from, to, decimals } = choice;
  return Number((from + random.next() * (to - from)).toFixed(decimals));
}

/** The numbers of a range, both ends included where the steps meet them; exact as a person would write them. */
export function stepped(from: number, to: number, step: number): readonly number[] {
  const count = Math.floor((to - from) / step + 1e-9) + 1;
  return Array.from({ length: count }, (_, index) => Number((from + index * step).toPrecision(12)));
}

/** How many decimals tell numbers between two apart well enough. */
export function decimalsBetween(from: number, to: number): number {
  return Math.min(9, Math.max(0, Math.ceil(Math.log10(STEPS_BETWEEN / (to - from)))));
}

type Block = Readonly<Record<string | number, unknown>>;

/** What stands in a document at a path; undefined where nothing does. */
export function valueAt(document: unknown, path: DocumentPath): unknown {
  let value = document;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Block)[part];
  }
  return value;
}

/** The document with other values on its axes; blocks that it lacks on the way are made. The document itself stays as it is. */
export function varied(document: Block, axes: readonly Axis[], setting: Setting): Block {
  return axes.reduce<Block>((whole, { path }, index) => withValue(whole, path, setting[index]) as Block, document);
}

function withValue(at: unknown, [part, ...rest]: DocumentPath, value: unknown): unknown {
  if (part === undefined) return value;
  if (typeof part === 'number') {
    const list = Array.isArray(at) ? (at as readonly unknown[]) : [];
    return list.map((each, index) => (index === part ? withValue(each, rest, value) : each));
  }
  const block = typeof at === 'object' && at !== null && !Array.isArray(at) ? (at as Block) : {};
  return { ...block, [part]: withValue(block[part], rest, value) };
}

import type { Listing } from '../domain/listing.ts';
import type { Item } from './item.ts';
import { type Foresee, allForeseen, anyForeseen, oppositeForeseen, settledAs, unforeseeable } from './outlook.ts';
import type { ConditionReport, Verdict } from './strategy.ts';
import type { Surroundings } from './surroundings.ts';
import { allOf, anyOf, negated, verdictOf } from './verdict.ts';

/** How much a verdict costs to reach, so that the cheap ones are asked first. */
export const effort = { number: 0, word: 1, glob: 2, list: 3, computed: 4 } as const;

/**
 * What a verdict hangs on. kind: what an item is apart from its name. item: the item, its name included. listing: more than that. Of a
 * group the most that any in it does.
 */
export type Reads = 'kind' | 'item' | 'listing';

const readsInOrder = ['kind', 'item', 'listing'] as const satisfies readonly Reads[];

/** One condition, or a group of them, compiled. */
export interface Condition {
  readonly reads: Reads;
  /** One of `effort`; of a group, the dearest in it. */
  readonly effort: number;
  readonly judge: (listing: Listing, around: Surroundings) => Verdict;
  /** What `judge` may say of listings of an item; it never says anything else. */
  readonly foresee: Foresee;
  /** Itself and all that it holds, in the order of the file. */
  readonly report: (listing: Listing, around: Surroundings, depth: number) => readonly ConditionReport[];
}

/** A condition on one value of the listing. */
interface Comparison<T> {
  readonly path: string;
  readonly effort: number;
  /** What it asks for, in words. */
  readonly wants: string;
  readonly holds: (value: T) => boolean;
  /** The value in words, safe to print. */
  readonly shown: (value: T) => string;
}

/** The value of a listing, or of its item apart from the name; undefined when it has none, which makes the verdict absent. */
export type Reading<T> =
  | { readonly read: (listing: Listing) => T | undefined; readonly foresee?: Foresee | undefined }
  | { readonly ofItem: (item: Item) => T | undefined };

export function comparison<T>({ path, effort, wants, holds, shown, ...reading }: Comparison<T> & Reading<T>): Condition {
  const judging = <Of>(read: (of: Of) => T | undefined) => {
    return (of: Of): Verdict => {
      const value = read(of);
      return value === undefined ? 'absent' : verdictOf(holds(value));
    };
  };
  const having = <Of>(read: (of: Of) => T | undefined) => {
    return (of: Of): string => {
      const value = read(of);
      return value === undefined ? 'absent' : shown(value);
    };
  };
  if (!('ofItem' in reading)) {
    const { read, foresee } = reading;
    return leaf({ path, effort, wants, judge: judging(read), foresee, has: having(read) });
  }
  const judge = judging(reading.ofItem);
  const foresee: Foresee = (item) => settledAs(judge(item));
  return leaf({ path, effort, wants, judge, foresee, has: having(reading.ofItem), reads: 'kind' });
}

/** A condition that reaches its verdict in a way of its own. */
interface Leaf {
  readonly path: string;
  readonly effort: number;
  readonly judge: (listing: Listing, around: Surroundings) => Verdict;
  /** Left out: the item says nothing about it. */
  readonly foresee?: Foresee | undefined;
  /** Left out: the listing. */
  readonly reads?: Reads;
  readonly wants: string;
  readonly has: (listing: Listing, around: Surroundings) => string;
}

export function leaf({ path, effort, judge, foresee = unforeseeable, reads = 'listing', wants, has }: Leaf): Condition {
  return {
    reads,
    effort,
    judge,
    foresee,
    report: (listing, around, depth) => [{ path, depth, wants, has: has(listing, around), verdict: judge(listing, around) }],
  };
}

/** Conditions that stand beside each other: all must hold. A single one stands for itself. */
export function allGroup(path: string, members: readonly Condition[]): Condition {
  const [only] = members;
  return members.length === 1 && only
    ? only
    : group(path, 'all of these', members, allOf(judgesOf(members)), allForeseen(foreseeing(members)));
}

/** Alternatives, one of which must hold. */
export function anyGroup(path: string, members: readonly Condition[]): Condition {
  return group(path, 'at least one of these', members, anyOf(judgesOf(members)), anyForeseen(foreseeing(members)));
}

export function notGroup(path: string, member: Condition): Condition {
  const judge: Condition['judge'] = (listing, around) => negated(member.judge(listing, around));
  return group(path, 'not this', [member], judge, oppositeForeseen(member.foresee));
}

/** The verdicts of several conditions, cheap ones first; the order changes how soon all is known, and nothing else. */
export function judgesOf(conditions: readonly Condition[]): readonly Condition['judge'][] {
  return cheapFirst(conditions).map((condition) => condition.judge);
}

export function cheapFirst(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.toSorted((a, b) => a.effort - b.effort);
}

function foreseeing(conditions: readonly Condition[]): readonly Foresee[] {
  return conditions.map((condition) => condition.foresee);
}

function group(
  path: string,
  wants: string,
  members: readonly Condition[],
  judge: Condition['judge'],
  foresee: Foresee,
): Condition {
  return {
    reads: readsInOrder[Math.max(...members.map(({ reads }) => readsInOrder.indexOf(reads)))] ?? 'listing',
    effort: Math.max(...members.map((member) => member.effort)),
    judge,
    foresee,
    report: (listing, around, depth) => {
      const holding = members.filter((member) => member.judge(listing, around) === 'true').length;
      const self: ConditionReport = {
        path,
        depth,
        wants,
        has: `${holding} of ${members.length} true`,
        verdict: judge(listing, around),
      };
      return [self, ...members.flatMap((member) => member.report(listing, around, depth + 1))];
    },
  };
}

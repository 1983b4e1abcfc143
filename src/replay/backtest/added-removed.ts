import type { Micros } from '../../domain/money.ts';
import type { Bought, Study } from './study.ts';
import { profitOf } from './profit.ts';
import type { Bid } from './replay.ts';
import type { ValueModel } from './value.ts';

/** A listing at a price that one set of strategies bids for and another does not, or wins more often. */
export interface Moved {
  readonly how: 'added' | 'removed' | 'more' | 'less';
  readonly bid: Bid;
  /** How likely it is bought before and after, 0 to 1; pessimistic: by what a later look still showed. */
  readonly before: Likely;
  readonly after: Likely;
  /** What it costs, and what it leaves if it is bought; undefined where it cannot be valued. Micro-dollars. */
  readonly cost: Micros;
  readonly profit: number | undefined;
}

interface Likely {
  readonly expected: number;
  readonly pessimistic: number;
}

/** Purchases and money. Micro-dollars. */
export interface Sum {
  readonly bought: number;
  readonly spent: number;
  readonly profit: number;
}

/** By the expected figure, and by the pessimistic one. */
export type Sums = Readonly<Record<'expected' | 'pessimistic', Sum>>;

/** What a change of strategies does to what is bought. */
export interface AddedRemoved {
  /** Oldest first. */
  readonly moved: readonly Moved[];
  /** Of what only the new ones bid for, and of what only the old ones did. */
  readonly added: Sums;
  readonly removed: Sums;
  /** Of everything that is bought. */
  readonly before: Sums;
  readonly after: Sums;
}

/** Differences smaller than this are what one draw in hundreds makes. */
const LEAST = 0.01;

/** Holds what two sets of strategies buy in one time against each other, listing by listing. Either may be missing: it buys nothing. */
export function addedAndRemoved(before: Study | undefined, after: Study, model: ValueModel): AddedRemoved {
  const [old, now] = [offersOf(before), offersOf(after)];
  const keys = new Set([...old.keys(), ...now.keys()]);
  const moved = [...keys].flatMap((key): Moved[] => {
    const [was, is] = [old.get(key), now.get(key)];
    const how = howMoved(was, is);
    const bid = (is ?? was)?.bid;
    if (how === undefined || bid === undefined) return [];
    const profit = profitOf(is === undefined && before !== undefined ? before : after, { ...bid, refunded: false }, model);
    return [{ how, bid, before: was?.likely ?? never, after: is?.likely ?? never, cost: bid.listing.cost, profit }];
  });
  const ofKind = (how: Moved['how'], side: 'before' | 'after'): Sums =>
    sumsOf(moved.filter((each) => each.how === how).map((each) => ({ ...each, likely: each[side] })));
  const whole = (study: Study | undefined, offers: ReadonlyMap<string, Offered>): Sums =>
    sumsOf(
      [...offers.values()].map(({ bid, likely }) => ({
        ...{ likely, cost: bid.listing.cost },
        profit: study && profitOf(study, { ...bid, refunded: false }, model),
      })),
    );
  return {
    moved: moved.toSorted((a, b) => a.bid.decidedAt - b.bid.decidedAt),
    ...{ added: ofKind('added', 'after'), removed: ofKind('removed', 'before') },
    ...{ before: whole(before, old), after: whole(after, now) },
  };
}

const never: Likely = { expected: 0, pessimistic: 0 };

interface Offered {
  readonly bid: Bid;
  readonly likely: Likely;
}

/** By listing and price, whichever strategy bids for it. */
function offersOf(study: Study | undefined): ReadonlyMap<string, Offered> {
  const offers = new Map<string, Offered>();
  for (const { bid, won } of study?.purchases ?? []) {
    const key = `${bid.lane} ${bid.listing.key}@${bid.listing.cost}`;
    const known = offers.get(key);
    offers.set(key, { bid: known?.bid ?? bid, likely: together(known?.likely ?? never, won) });
  }
  return offers;
}

function together(one: Likely, other: Bought['won']): Likely {
  return {
    expected: Math.min(1, one.expected + other.expected),
    pessimistic: Math.min(1, one.pessimistic + other.pessimistic),
  };
}

/** undefined: nothing that counts. */
function howMoved(was: Offered | undefined, is: Offered | undefined): Moved['how'] | undefined {
  if (was === undefined) return 'added';
  if (is === undefined) return 'removed';
  const expected = is.likely.expected - was.likely.expected;
  const pessimistic = is.likely.pessimistic - was.likely.pessimistic;
  if (Math.abs(expected) < LEAST && pessimistic === 0) return undefined;
  return expected > 0 || (expected === 0 && pessimistic > 0) ? 'more' : 'less';
}

function sumsOf(of: readonly { likely: Likely; cost: number; profit: number | undefined }[]): Sums {
  const sum = (by: 'expected' | 'pessimistic'): Sum => ({
    bought: of.reduce((total, { likely }) => total + likely[by], 0),
    spent: of.reduce((total, { likely, cost }) => total + likely[by] * cost, 0),
    profit: of.reduce((total, { likely, profit = 0 }) => total + likely[by] * profit, 0),
  });
  return { expected: sum('expected'), pessimistic: sum('pessimistic') };
}

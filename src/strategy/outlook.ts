import type { Item } from './item.ts';
import type { Verdict } from './strategy.ts';

/** What a condition may still come to when no more than the item is known. Neither: it is absent for every listing of it. */
export interface Outlook {
  readonly mayHold: boolean;
  readonly mayFail: boolean;
}

export type Foresee = (item: Item) => Outlook;

export const open: Outlook = { mayHold: true, mayFail: true };

/** The item says nothing about it. */
export const unforeseeable: Foresee = () => open;

const settled: Readonly<Record<Verdict, Outlook>> = {
  true: { mayHold: true, mayFail: false },
  false: { mayHold: false, mayFail: true },
  absent: { mayHold: false, mayFail: false },
};

/** The item decides it. */
export function settledAs(verdict: Verdict): Outlook {
  return settled[verdict];
}

/** All hold only where each may; one that may fail is enough to fail. */
export function allForeseen(members: readonly Foresee[]): Foresee {
  return (item) => {
    const outlooks = members.map((foresee) => foresee(item));
    return { mayHold: outlooks.every(({ mayHold }) => mayHold), mayFail: outlooks.some(({ mayFail }) => mayFail) };
  };
}

/** One that may hold is enough; none holds only where each may fail. */
export function anyForeseen(members: readonly Foresee[]): Foresee {
  return (item) => {
    const outlooks = members.map((foresee) => foresee(item));
    return { mayHold: outlooks.some(({ mayHold }) => mayHold), mayFail: outlooks.every(({ mayFail }) => mayFail) };
  };
}

export function oppositeForeseen(member: Foresee): Foresee {
  return (item) => {
    const { mayHold, mayFail } = member(item);
    return { mayHold: mayFail, mayFail: mayHold };
  };
}

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

const holds: Outlook = { mayHold: true, mayFail: false };
const fails: Outlook = { mayHold: false, mayFail: true };
const missing: Outlook = { mayHold: false, mayFail: false };

/** Thousands of items are foreseen for thousands of conditions: the four that there are stand for all. */
function outlook(mayHold: boolean, mayFail: boolean): Outlook {
  if (mayHold) return mayFail ? open : holds;
  return mayFail ? fails : missing;
}

const settled: Readonly<Record<Verdict, Outlook>> = { true: holds, false: fails, absent: missing };

/** The item decides it. */
export function settledAs(verdict: Verdict): Outlook {
  return settled[verdict];
}

/** All hold only where each may; one that may fail is enough to fail. */
export function allForeseen(members: readonly Foresee[]): Foresee {
  return (item) => {
    let [mayHold, mayFail] = [true, false];
    for (const foresee of members) {
      const member = foresee(item);
      mayHold &&= member.mayHold;
      mayFail ||= member.mayFail;
    }
    return outlook(mayHold, mayFail);
  };
}

/** One that may hold is enough; none holds only where each may fail. */
export function anyForeseen(members: readonly Foresee[]): Foresee {
  return (item) => {
    let [mayHold, mayFail] = [false, true];
    for (const foresee of members) {
      const member = foresee(item);
      mayHold ||= member.mayHold;
      mayFail &&= member.mayFail;
    }
    return outlook(mayHold, mayFail);
  };
}

export function oppositeForeseen(member: Foresee): Foresee {
  return (item) => {
    const { mayHold, mayFail } = member(item);
    return outlook(mayFail, mayHold);
  };
}

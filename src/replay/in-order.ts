import type { EpochMs } from '../domain/clock.ts';

interface Timed {
  readonly at: EpochMs;
}

/** One of several series; nothing of it comes before `from`, so it is not begun earlier. */
export interface Series<T> {
  readonly from: EpochMs;
  begin(): Iterator<T>;
}

interface Begun<T> {
  readonly rest: Iterator<T>;
  next: T;
  /** Never falls: what comes late in its series keeps its place there. */
  at: EpochMs;
}

/** Series, each in the order of time, as one; of what has the same time, that of the series named first comes first. */
export function* inOrder<T extends Timed>(series: readonly Series<T>[]): Generator<T> {
  const waiting = series.toSorted((a, b) => a.from - b.from);
  const ranks = new Map(series.map((one, rank) => [one, rank]));
  const begun: (Begun<T> & { readonly rank: number })[] = [];
  for (;;) {
    let first = earliest(begun);
    for (let one = waiting[0]; one && (first === undefined || one.from <= first.at); one = waiting[0]) {
      waiting.shift();
      const rest = one.begin();
      const result = rest.next();
      if (result.done !== true) {
        const next = result.value;
        begun.push({ rest, next, at: Math.max(one.from, next.at), rank: ranks.get(one) ?? 0 });
      }
      first = earliest(begun);
    }
    if (first === undefined) return;
    yield first.next;
    const result = first.rest.next();
    if (result.done === true) begun.splice(begun.indexOf(first), 1);
    else {
      first.next = result.value;
      first.at = Math.max(first.at, first.next.at);
    }
  }
}

function earliest<B extends { readonly at: EpochMs; readonly rank: number }>(begun: readonly B[]): B | undefined {
  let first: B | undefined;
  for (const one of begun) {
    if (first === undefined || one.at < first.at || (one.at === first.at && one.rank < first.rank)) first = one;
  }
  return first;
}

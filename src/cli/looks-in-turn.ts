import type { Clock } from '../domain/clock.ts';

/** What was looked at within this is looked at no more. */
const FRESH_MS = 900;
/** So many are looked at however little time there is: of a few accounts what is told is always of now. */
const FIRST = 10;

export interface LooksInTurn {
  readonly clock: Pick<Clock, 'mono'>;
  readonly names: readonly string[];
  /** By the monotonic clock; undefined where it was not looked at yet. */
  readonly lookedAt: (name: string) => number | undefined;
  /** Beyond the first few no look begins after this: those that are left come first next time. */
  readonly sliceMs: number;
}

/** Looks at as many of many accounts as time allows, those first that were looked at longest ago: each look costs a ledger that is opened. */
export function looksInTurn({ clock, names, lookedAt, sliceMs }: LooksInTurn, look: (name: string) => void): void {
  const began = clock.mono();
  const ageOf = (name: string): number => began - (lookedAt(name) ?? -Infinity);
  const old = names.filter((name) => ageOf(name) >= FRESH_MS).toSorted((one, other) => ageOf(other) - ageOf(one));
  for (const [index, name] of old.entries()) {
    if (index >= FIRST && clock.mono() - began > sliceMs) return;
    look(name);
  }
}

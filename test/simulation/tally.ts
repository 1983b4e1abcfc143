import type { Violation } from './violation.ts';

/** What one seed came to, as it is handed from a worker. */
export interface SeedSummary {
  readonly seed: number;
  readonly violations: readonly Violation[];
}

/** The figures of many lives of one kind. */
export interface Tally<S extends SeedSummary> {
  readonly failed: readonly S[];
  readonly lives: number;
  readonly violations: number;
  /** No promise was broken, and the lives have met enough to show something. */
  readonly ok: boolean;
  add(summary: S): void;
  text(): string;
  json(): Record<string, unknown>;
}

export function bump(map: Map<string, number>, name: string, by: number): void {
  map.set(name, (map.get(name) ?? 0) + by);
}

export function byName([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}

export function listed(entries: readonly (readonly [string, number])[]): string {
  return entries.map(([name, count]) => `${name} ${count}`).join(', ');
}

export function days(ms: number): number {
  return ms / 86_400_000;
}

/** Fault kinds that were on and never struck: such a run proves nothing about them. */
export function neverStruck(on: ReadonlySet<string>, struck: ReadonlyMap<string, number>): string[] {
  return [...on].filter((kind) => (struck.get(kind) ?? 0) === 0).sort();
}

/** For a person: what a run that has missed some faults says of them; nothing where it missed none. */
export function missed(names: readonly string[], advice: string): string[] {
  if (names.length === 0) return [];
  return [
    `never struck although they were on: ${names.join(', ')}`,
    `→ the run fails, since it shows nothing about those: live more seeds (${advice})`,
  ];
}

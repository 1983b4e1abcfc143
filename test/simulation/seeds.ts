import type { Plan } from './plan.ts';

/** Of ten seeds one is a life beyond our assumptions. */
export function kindOf(seed: number): Plan['kind'] {
  return seed % 10 === 0 ? 'beyond' : 'safety';
}

/** Seeds that a commit chooses, so that each change is tried on lives that no other was. */
export function seedsOfCommit(commit: string, count: number): number[] {
  const start = Number.parseInt(commit.slice(0, 7), 16);
  const first = Number.isNaN(start) ? 1 : 1_000_000 + start;
  return Array.from({ length: count }, (_, index) => first + index);
}

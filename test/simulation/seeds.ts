import type { Plan } from './plan.ts';

/** Of ten seeds one is a life beyond our assumptions. */
export function kindOf(seed: number): Plan['kind'] {
  return seed % 10 === 0 ? 'beyond' : 'safety';
}

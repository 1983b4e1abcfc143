import { seededRandom } from '../domain/random.ts';

/** A standard normal value fixed by the name. */
export function normalOf(name: string, purpose: string): number {
  const random = seededRandom(0, `${purpose}/${name}`);
  return normal(random.next(), random.next());
}

/** A standard normal value from two uniform ones (Box and Muller). */
export function normal(first: number, second: number): number {
  return Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);
}

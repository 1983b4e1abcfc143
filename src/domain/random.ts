/** Randomness as an argument: uniform in [0, 1). */
export interface Random {
  next(): number;
}

/**
 * A small fast seeded generator (sfc32, PractRand-tested). `stream` gives each user of one seed its own sequence, so that a
 * new call in one place does not shift the others.
 */
export function seededRandom(seed: number, stream = ''): Random {
  let [a, b, c, d] = [0x9e3779b9, 0x243f6a88, seed | 0, hash(stream)];
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4_294_967_296;
  };
  for (let warm = 0; warm < 15; warm++) next();
  return { next };
}

function hash(text: string): number {
  let h = 2_166_136_261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16_777_619);
  return h | 0;
}

/** A whole number from `low` to `high`, both included. */
export function wholeBetween(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low + 1));
}

export function chance(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** One of the given values; the list must not be empty. */
export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random.next() * values.length)];
  if (value === undefined) throw new RangeError('pick from an empty list');
  return value;
}

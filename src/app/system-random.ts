import { randomBytes } from 'node:crypto';
import type { Random } from '../domain/random.ts';

/** The machine's randomness: 48 bits of it for each number. */
export const systemRandom: Random = {
  next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
};

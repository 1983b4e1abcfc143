import { seededRandom, type Random } from '../domain/random.ts';
import type { Account } from './accounts.ts';

/**
 * One matter's randomness, drawn for each account from a stream of its own: what one account does, or what befalls it, shifts nothing
 * that another meets. The top-level account and the first child share one, as when there was no other.
 */
export class AccountStreams {
  readonly #seed: number;
  readonly #matter: string;
  readonly #streams = new Map<string, Random>();

  /** `accounts`: as the exchange opens them, the top-level one first. */
  constructor(seed: number, matter: string, accounts: readonly Account[]) {
    this.#seed = seed;
    this.#matter = matter;
    const shared = seededRandom(seed, matter);
    for (const { id } of accounts.slice(0, 2)) this.#streams.set(id, shared);
  }

  /** Of an account by its id; undefined: of a caller that nobody knows. */
  of(account: string | undefined): Random {
    const name = account ?? 'nobody';
    const known = this.#streams.get(name);
    if (known !== undefined) return known;
    const stream = seededRandom(this.#seed, `${this.#matter}/of/${name}`);
    this.#streams.set(name, stream);
    return stream;
  }
}

import type { ListingKey } from '../domain/listing.ts';

/** One account, as far as turns go. */
export interface Wanting {
  readonly account: string;
  /** It has a permit to send a purchase now. */
  readonly mayBuy: boolean;
  /** Listings that it wants and its own risk admits, the best for it first. */
  readonly wants: ReadonlySet<ListingKey>;
}

/** Whose turn it is to buy what. */
export interface Turn {
  readonly account: string;
  readonly key: ListingKey;
}

/**
 * Which account has which listing, and who was served when. The claim on a listing is one account's until it is let go, so that no two
 * ever buy it. Owned by whoever made it: the functions below change it.
 */
export interface Turns {
  readonly claims: Map<ListingKey, string>;
  /** By account, the place in the row of turns that it had last; an account without one has never been served. */
  readonly served: Map<string, number>;
  /** By account, its place in the configuration. */
  readonly order: ReadonlyMap<string, number>;
  last: number;
}

export function freshTurns(accounts: readonly string[]): Turns {
  return { claims: new Map(), served: new Map(), order: new Map(accounts.map((account, place) => [account, place])), last: 0 };
}

/** An account that comes to the table was last served then, in any unit that tells earlier from later and is the same for all. */
export function seat(turns: Turns, account: string, servedAt: number): void {
  turns.served.set(account, Math.max(turns.served.get(account) ?? 0, servedAt));
  turns.last = Math.max(turns.last, servedAt);
}

/** False where another account has it. */
export function claim({ claims }: Turns, account: string, key: ListingKey): boolean {
  const holder = claims.get(key);
  if (holder === undefined) claims.set(key, account);
  return holder === undefined || holder === account;
}

/** Lets go of a claim of this account; false where it has none. */
export function release({ claims }: Turns, account: string, key: ListingKey): boolean {
  return claims.get(key) === account && claims.delete(key);
}

/**
 * The next purchase that may be made, claimed; undefined where nobody can buy anything that is free or its own. Among the accounts that want a listing
 * and may buy it now, it goes to the one that was served longest ago; of those that were never served, to the first in the configuration.
 * Only a listing that somebody else wants too counts as being served: what nobody else wants costs no turn. So accounts that want the same
 * get the same number, within one, whatever else each buys; and who wants nothing, or may buy nothing, delays nobody.
 */
export function nextTurn(turns: Turns, wanting: readonly Wanting[]): Turn | undefined {
  const inRow = wanting.filter(({ mayBuy, wants }) => mayBuy && wants.size > 0).toSorted((a, b) => before(turns, a, b));
  const lists = inRow.map(({ wants }) => wants.values());
  for (let more = true; more;) {
    more = false;
    for (const list of lists) {
      const next = list.next();
      if (next.done === true) continue;
      more = true;
      const key = next.value;
      const turn = served(turns, wanting, inRow, key);
      if (turn !== undefined) return turn;
    }
  }
  return undefined;
}

/** What has a claim is nobody's but whose claim it is: a listing that was refused to it may stand at another price now. */
function served(turns: Turns, wanting: readonly Wanting[], inRow: readonly Wanting[], key: ListingKey): Turn | undefined {
  const holder = turns.claims.get(key);
  const first = inRow.find(({ account, wants }) => wants.has(key) && (holder ?? account) === account);
  if (first === undefined) return undefined;
  const { account } = first;
  turns.claims.set(key, account);
  if (wanting.some((other) => other.account !== account && other.wants.has(key))) {
    turns.last += 1;
    turns.served.set(account, turns.last);
  }
  return { account, key };
}

function before({ served: at, order }: Turns, a: Wanting, b: Wanting): number {
  const [first, second] = [at.get(a.account) ?? 0, at.get(b.account) ?? 0];
  return first - second || (order.get(a.account) ?? 0) - (order.get(b.account) ?? 0);
}

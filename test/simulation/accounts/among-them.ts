import { fateOf, passing } from '../audit/wire.ts';
import type { Post } from '../door.ts';
import { type Violation, violation } from '../violation.ts';
import type { SimAccount } from './sim-account.ts';

/**
 * No listing is asked for by a second account unless the request of the first provably never left, or was refused for the first one's own
 * sake: for its rate, its key, its money.
 */
export function boughtByTwo(accounts: readonly SimAccount[]): Violation[] {
  const earlier = new Map<string, { readonly account: string; readonly post: Post }[]>();
  const all = accounts.flatMap(({ name, door }) => door.posts.map((post) => ({ account: name, post })));
  const found: Violation[] = [];
  for (const one of all.toSorted((a, b) => a.post.at - b.post.at)) {
    const listing = `${one.post.market}:${one.post.listingId}`;
    const before = earlier.get(listing) ?? [];
    earlier.set(listing, [...before, one]);
    for (const other of before) {
      if (other.account === one.account || isFree(other.post, one.post.at)) continue;
      const detail = `${one.account} asks for what ${other.account} has asked for ${one.post.at - other.post.at} ms before`;
      found.push(violation('two-accounts', detail, { at: one.post.at, listing }));
    }
  }
  return found;
}

function isFree(post: Post, at: number): boolean {
  const { fate, code } = fateOf(post, at);
  return fate === 'never-left' || (fate === 'refused' && passing.has(code));
}

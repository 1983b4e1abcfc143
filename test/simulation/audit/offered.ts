import type { Heard, Post } from '../door.ts';
import type { Plan } from '../plan.ts';
import { type Violation, violation } from '../violation.ts';
import { type Shown, shownBy } from './shown.ts';

/** A match is dropped when it could not be sent within two polling intervals (docs/reasons.md: expired). */
const WAIT_INTERVALS = 2;

/**
 * By hand, at the price seen now: the pages give no figure, and half a minute or three polls is what a person who has just looked may be
 * held to. It may wait for its turn after that.
 */
const BY_HAND_MS = 30_000;
const BY_HAND_INTERVALS = 3;

/** A fraction of a microsecond is lost in sums of times. */
const ROUNDING_MS = 0.001;

/** Prices that moved by as much at once, most of them, are those of a feed in another unit: nothing is judged by such an answer. */
const JUMP = 4;

/**
 * Invariants 6 and 8: the price is one that the feed showed for this very listing, in an answer no older than a match may wait, by entries
 * that agree and that nothing is wrong with; and no answer after it has shown the listing otherwise, or gone.
 */
export function offerViolations(post: Post, { bot }: Pick<Plan, 'bot'>, isByHand: boolean): Violation[] {
  const waitMs = WAIT_INTERVALS * bot.intervalMs;
  const boundMs = isByHand ? Math.max(BY_HAND_MS, BY_HAND_INTERVALS * bot.intervalMs) + waitMs : waitMs;
  const { feeds } = post.told;
  const offering = feeds.filter((heard) => offers(heard, post));
  const about = { at: post.at, listing: keyOf(post) };
  const last = offering.at(-1);
  if (last === undefined) return [unseen(post, about)];
  const ageMs = post.at - last.at;
  if (ageMs > boundMs + ROUNDING_MS) {
    const detail = `sent $${post.price}, last shown ${Math.round(ageMs)} ms before; ${boundMs} ms are allowed`;
    return [violation('snapshot-stale', detail, about)];
  }
  const otherwise = feeds.slice(feeds.lastIndexOf(last) + 1).find((later) => later.at < post.at && denies(later, last, post));
  if (otherwise === undefined) return [];
  const what = shownBy(otherwise).prices.get(keyOf(post))?.map(String).join(' and ') ?? 'it gone';
  return [
    violation('superseded', `sent $${post.price} after an answer ${post.at - otherwise.at} ms before showed ${what}`, about),
  ];
}

function offers(heard: Heard, post: Post): boolean {
  return shownBy(heard).offers.get(keyOf(post)) === post.price;
}

function unseen(post: Post, about: Partial<Violation>): Violation {
  const shown = post.told.feeds.some((heard) => shownBy(heard).prices.get(keyOf(post))?.includes(post.price));
  if (shown) return violation('bad-listing', `sent $${post.price}, which only bad or contradictory entries show`, about);
  return violation('price', `sent $${post.price}, which no recent answer of the feed shows`, about);
}

/** An answer that is to be believed shows the listing at another price, spoilt, or not at all. */
function denies(later: Heard, offering: Heard, post: Post): boolean {
  const [shown, before] = [shownBy(later), shownBy(offering)];
  if (hasJumped(shown, before)) return false;
  if (shown.named.has(keyOf(post))) return true;
  // A list that is far shorter than the one before may be a part of the market.
  return shown.whole && shown.named.size * 2 > before.named.size;
}

function hasJumped({ offers: now }: Shown, { offers: before }: Shown): boolean {
  const ratios = [...now].flatMap(([key, price]) => price / (before.get(key) ?? price));
  const jumped = ratios.filter((ratio) => ratio > JUMP || ratio * JUMP < 1).length;
  return jumped * 2 > ratios.length;
}

function keyOf({ market, listingId }: Post): string {
  return `${market}:${listingId}`;
}

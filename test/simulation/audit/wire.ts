import type { Heard, Post } from '../door.ts';
import type { Restored } from '../lived.ts';
import type { Plan } from '../plan.ts';
import { type Violation, violation } from '../violation.ts';
import type { Truth } from './truth.ts';

/** What one buy may be said to have come to, by the bytes of its answer alone. */
type Fate = 'never-left' | 'refused' | 'perhaps';

const refusing = new Set([400, 401, 403, 404, 409, 410, 422, 429]);
/** What this exchange says when an order may exist all the same. */
const doubtful = new Set(['ORDER_PROCESSING', 'UPSTREAM_TIMEOUT']);
/** Refusals that say nothing about the listing: the same offer may be tried again. */
export const passing = new Set(['RATE_LIMITED', 'FORBIDDEN', 'INSUFFICIENT_BALANCE', 'TRADE_URL_INVALID', 'API_KEY_INVALID']);

/**
 * Promises about what leaves: no listing is sent again where it might have been accepted, each price is one that was shown, and no two
 * buys are closer than the rate, whichever start of the process sent them.
 */
export function wireViolations(
  posts: readonly Post[],
  truth: Truth,
  plan: Plan,
  restored: readonly Restored[] = [],
): Violation[] {
  const earlier = new Map<string, Post[]>();
  return posts.flatMap((post, index) => {
    const key = `${post.market}:${post.listingId}`;
    const all = earlier.get(key) ?? [];
    earlier.set(key, [...all, post]);
    const before = all.filter((one) => !isForgotten(one, post, restored));
    return [...resent(post, before, truth), ...unseen(post), ...unhealthy(post, plan), ...tooSoon(post, posts[index - 1], plan)];
  });
}

/** An older copy of the ledger was put in its place since: nothing here knows that it was sent. */
function isForgotten(earlier: Post, post: Post, restored: readonly Restored[]): boolean {
  return restored.some(({ copiedAt, at }) => earlier.at >= copiedAt && earlier.at < at && post.at >= at);
}

function tooSoon(post: Post, last: Post | undefined, { bot: { buysPerSecond } }: Plan): Violation[] {
  const apartMs = last === undefined ? Infinity : post.at - last.at;
  // A fraction of a microsecond is lost in sums of times.
  if (apartMs >= 1_000 / buysPerSecond - 0.001) return [];
  const about = { at: post.at, listing: `${post.market}:${post.listingId}` };
  return [violation('rate', `sent ${apartMs} ms after the buy before it, at ${buysPerSecond} a second`, about)];
}

function resent(post: Post, before: readonly Post[], truth: Truth): Violation[] {
  const about = { at: post.at, listing: `${post.market}:${post.listingId}` };
  const sold = truth.ours.get(about.listing);
  const found: Violation[] = [];
  for (const one of before) {
    const { fate, code } = fateOf(one, post.at);
    if (fate === 'perhaps') found.push(violation('resent', `sent again after post ${one.seq}, which may have bought it`, about));
    if (fate === 'refused' && one.price === post.price && !passing.has(code)) {
      found.push(violation('resent', `sent again at the same price after ${code}`, about));
    }
  }
  if (before.length > 0 && sold?.some(({ order }) => order.createdAt < post.at)) {
    found.push(violation('bought-and-sent', 'sent again although an earlier request had bought it', about));
  }
  return found;
}

export function fateOf(post: Post, at: number): { readonly fate: Fate; readonly code: string } {
  const { delivered, carried } = post;
  if (delivered !== undefined && carried.sentAt === undefined) return { fate: 'never-left', code: '' };
  if (delivered === undefined || delivered.at > at || delivered.ending.kind !== 'raw') return { fate: 'perhaps', code: '' };
  const { status, headers, body } = delivered.ending;
  if (!String(headers['content-type']).includes('json')) return { fate: 'perhaps', code: '' };
  try {
    const said = JSON.parse(Buffer.concat(body).toString()) as { success?: unknown; code?: unknown };
    const code = String(said.code);
    const clean = said.success === false && !doubtful.has(code) && (refusing.has(status) || (status >= 200 && status < 300));
    return { fate: clean ? 'refused' : 'perhaps', code };
  } catch {
    return { fate: 'perhaps', code: '' };
  }
}

/** The price must be one that the feed showed for this very listing a moment ago. */
function unseen(post: Post): Violation[] {
  const shown = post.told.feeds.some((heard) => pricesIn(heard, post.market, post.listingId).includes(post.price));
  if (shown) return [];
  const about = { at: post.at, listing: `${post.market}:${post.listingId}` };
  return [violation('price', `sent $${post.price}, which no recent answer of the feed shows`, about)];
}

const parsedFeeds = new WeakMap<object, Map<string, number[]>>();
const feedKeys = new Map<string, object>();

function pricesIn({ text, part }: Heard, market: string, listingId: string): readonly number[] {
  let key = feedKeys.get(text);
  if (key === undefined) {
    // Feeds are looked at again by the next posts only.
    if (feedKeys.size > 50) feedKeys.clear();
    feedKeys.set(text, (key = {}));
    parsedFeeds.set(key, pricesOfFeed(part === true ? closed(text) : text));
  }
  return parsedFeeds.get(key)?.get(`${market}:${listingId}`) ?? [];
}

/** The beginning of an answer as a whole one: closed behind the last listing that is there. */
function closed(text: string): string {
  for (let end = text.lastIndexOf('}'); end > 0; end = text.lastIndexOf('}', end - 1)) {
    const whole = `${text.slice(0, end + 1)}]}}`;
    if (isJson(whole)) return whole;
  }
  return '';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function pricesOfFeed(text: string): Map<string, number[]> {
  const prices = new Map<string, number[]>();
  try {
    const { data } = JSON.parse(text) as { data: { listings: ({ id?: unknown; market?: unknown; price?: unknown } | null)[] } };
    for (const entry of data.listings) {
      if (typeof entry?.price !== 'number') continue;
      const key = `${String(entry.market)}:${String(entry.id)}`;
      prices.set(key, [...(prices.get(key) ?? []), entry.price]);
    }
  } catch {
    // An answer that cannot be read shows no price.
  }
  return prices;
}

const healthName: Readonly<Record<string, string>> = { c5game: 'c5', ecosteam: 'ecosteam' };

/** The newest thing heard of the market's health must allow the purchase. Of two heard in one moment either may count. */
function unhealthy(post: Post, plan: Plan): Violation[] {
  const { require, healthStaleMs } = plan.bot;
  if (require === 'off') return [];
  const newest = post.told.health.at(-1);
  const heard = newest !== undefined && newest.at < post.at ? [newest] : post.told.health;
  if (heard.some(({ at, text }) => post.at - at <= healthStaleMs && allows(text, post.market, require, healthStaleMs))) return [];
  const about = { at: post.at, listing: `${post.market}:${post.listingId}` };
  return [
    violation(
      'health',
      `bought on ${post.market} whose health did not allow it: ${newest?.text.slice(0, 300) ?? 'nothing heard'}`,
      about,
    ),
  ];
}

function allows(text: string, market: string, require: 'ok' | 'degraded', staleMs: number): boolean {
  try {
    const { success, data } = JSON.parse(text) as {
      success: unknown;
      data: { status: string; service?: Record<string, unknown>; markets: Record<string, { status: string; staleMs: number }> };
    };
    const name = healthName[market] ?? market;
    const own = data.markets[name];
    const enough = require === 'ok' ? ['ok'] : ['ok', 'degraded'];
    return (
      success === true &&
      own !== undefined &&
      enough.includes(own.status) &&
      ['ok', 'degraded'].includes(data.status) &&
      data.service?.[name] !== false &&
      own.staleMs >= 0 &&
      own.staleMs <= staleMs
    );
  } catch {
    return false;
  }
}

import type { RawEnding } from '../../../src/gateway/exchange.ts';
import type { Post } from '../door.ts';
import type { Restored } from '../lived.ts';
import type { Plan } from '../plan.ts';
import { type Violation, violation } from '../violation.ts';
import { offerViolations } from './offered.ts';
import { type PurchaseRow, keyOf } from './rows.ts';
import type { Truth } from './truth.ts';

/** What one buy may be said to have come to, by the bytes of its answer alone. */
type Fate = 'never-left' | 'refused' | 'perhaps';

const refusing = new Set([400, 401, 403, 404, 409, 410, 422, 429]);
/** What this exchange says when an order may exist all the same. */
const doubtful = new Set(['ORDER_PROCESSING', 'UPSTREAM_TIMEOUT']);
/** Refusals that say nothing about the listing: the same offer may be tried again. */
export const passing = new Set(['RATE_LIMITED', 'FORBIDDEN', 'INSUFFICIENT_BALANCE', 'TRADE_URL_INVALID', 'API_KEY_INVALID']);

/** What our own rows tell of buys, and when an older copy was put in their place. */
interface Kept {
  readonly purchases?: readonly PurchaseRow[];
  readonly restored?: readonly Restored[];
}

/**
 * Promises about what leaves: no listing is sent again where it might have been accepted, each price is one that was shown a moment ago,
 * and no two buys are closer than the rate, whichever start of the process sent them.
 */
export function wireViolations(
  posts: readonly Post[],
  truth: Truth,
  plan: Plan,
  { purchases = [], restored = [] }: Kept = {},
): Violation[] {
  const earlier = new Map<string, Post[]>();
  const byHand = new Set(purchases.filter(({ strategy }) => strategy === 'by-hand').map(keyOf));
  return posts.flatMap((post, index) => {
    const key = `${post.market}:${post.listingId}`;
    const all = earlier.get(key) ?? [];
    earlier.set(key, [...all, post]);
    const before = all.filter((one) => !isForgotten(one, post, restored));
    const isByHand = byHand.has(key) || restored.some((one) => post.at >= one.copiedAt && post.at < one.at);
    return [
      ...resent(post, before, truth),
      ...offerViolations(post, plan, isByHand),
      ...unhealthy(post, plan),
      ...tooSoon(post, posts[index - 1], plan),
    ];
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

interface Said {
  readonly success?: unknown;
  readonly data?: { readonly order?: { readonly serviceOrderId?: unknown }; readonly item?: { readonly id?: unknown } };
}

/** What an answer says that came whole, with status 200. */
export function saidIn(ending: RawEnding): Said | undefined {
  if (ending.kind !== 'raw' || ending.status !== 200) return undefined;
  try {
    return JSON.parse(Buffer.concat(ending.body).toString()) as Said;
  } catch {
    return undefined;
  }
}

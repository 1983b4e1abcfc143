import type { EpochMs } from '../domain/clock.ts';
import { type ListingKey, listingKey } from '../domain/listing.ts';
import type { Purchase } from '../domain/purchase.ts';
import { readBalance } from '../engine/balance-answer.ts';
import type { Look } from '../engine/evidence.ts';
import { type Asking, requestOf } from './asking.ts';
import { DETAILS_MAX, type Detail, detailOf, detailsBody, isAskable } from './details.ts';
import { readOrderRows } from './read-rows.ts';
import { askTransactions } from './transaction-pages.ts';

/** Questions about details in one look: more purchases of unknown outcome than this wait for the next. */
const DETAIL_QUESTIONS_MAX = 3;

/** Looks that follow a refusal ask for the orders alone, unless this long has passed since everything was asked. */
const WHOLE_LOOK_MS = 15_000;

/** What was seen, and why the orders were not when they were not. */
export interface Answers {
  readonly seen: Pick<Look, 'orders' | 'transactions' | 'listings' | 'balance'>;
  readonly failure: string | undefined;
  /** Whose all of this is, by the key that asked; undefined where that was not asked, or not answered. */
  readonly account: string | undefined;
}

/** Whether a look must ask for more than the orders: something is in doubt, or nothing else was asked for a while. */
export function needsWholeLook(purchases: readonly Purchase[], lastWholeAt: EpochMs | undefined, now: EpochMs): boolean {
  return lastWholeAt === undefined || now - lastWholeAt >= WHOLE_LOOK_MS || purchases.some(({ state }) => state === 'unknown');
}

/**
 * One round of questions. A question that fails leaves its answer out and costs no other: transactions settle purchases while the
 * orders cannot be read. The balance is asked for last, so that it shows what the orders show.
 */
export async function ask(asking: Asking, purchases: readonly Purchase[], whole: boolean): Promise<Answers> {
  const { orders, failure } = await askOrders(asking);
  const nothing = { transactions: undefined, listings: new Map(), balance: undefined };
  if (!whole) return { seen: { orders, ...nothing }, failure, account: undefined };
  const transactions = await askTransactions(asking);
  const unknown = purchases.filter(({ state }) => state === 'unknown');
  const listings = await askListings(asking, unknown);
  const { balance, account } = await askBalance(asking);
  return { seen: { orders, transactions, listings, balance }, failure, account };
}

async function askOrders({
  service,
  signal,
}: Asking): Promise<{ readonly orders: Look['orders']; readonly failure: string | undefined }> {
  const reply = await service.read('orders', requestOf(signal));
  if (!reply.ok) return { orders: undefined, failure: reply.fault.message };
  const { total, returned, orders } = reply.data;
  const { rows, unreadable } = readOrderRows(orders);
  return { orders: { beganAt: reply.beganAt, total, returned, rows, unreadable }, failure: undefined };
}

async function askBalance({
  service,
  signal,
}: Asking): Promise<{ readonly balance: Look['balance']; readonly account: string | undefined }> {
  const reply = await service.read('user', requestOf(signal));
  const answer = readBalance(reply);
  // A balance that cannot be right still says whose it is.
  return { balance: answer.ok ? answer.reading : undefined, account: reply.ok ? reply.data.profile.id : undefined };
}

/** Whether the listings of the given purchases still stand at the price that was sent. What was not answered is not in the map. */
async function askListings({ service, signal }: Asking, purchases: readonly Purchase[]): Promise<Look['listings']> {
  const found = new Map<ListingKey, 'standing' | 'repriced' | 'gone'>();
  const askable = purchases.filter(isAskable).slice(0, DETAILS_MAX * DETAIL_QUESTIONS_MAX);
  for (let from = 0; from < askable.length; from += DETAILS_MAX) {
    const some = askable.slice(from, from + DETAILS_MAX);
    const reply = await service.read('listingDetail', { ...requestOf(signal), body: detailsBody(some) });
    if (!reply.ok) continue;
    for (const [index, purchase] of some.entries()) {
      const detail = detailOf(purchase, reply.data.items, index, some.length);
      if (detail !== undefined) found.set(listingKey(purchase.market, purchase.listingId), standingAt(purchase.price, detail));
    }
  }
  return found;
}

function standingAt(price: number, detail: Detail): 'standing' | 'repriced' | 'gone' {
  if (detail.kind === 'gone') return 'gone';
  return detail.price === price ? 'standing' : 'repriced';
}

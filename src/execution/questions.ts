import type { Clock } from '../domain/clock.ts';
import type { ListingKey } from '../domain/listing.ts';
import { listingKey } from '../domain/listing.ts';
import type { Purchase } from '../domain/purchase.ts';
import { readBalance } from '../engine/balance-answer.ts';
import type { Look, TransactionSeen } from '../engine/evidence.ts';
import type { Service } from '../engine/ports.ts';
import { readOrderRows, readTransactionRows } from './read-rows.ts';

/** Rows asked for on one page of transactions. The document gives no bound; a service that gives fewer is read on. */
const PAGE_ROWS = 100;

/** Pages of transactions read in one look: more than ever lie between two looks. */
const PAGES_MAX = 5;

/** Listings that one question about details may name, as the document says. */
const DETAILS_MAX = 10;

export interface Asking {
  readonly service: Service;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Whether a transaction is evidence or baseline already: with one on a page, older pages hold nothing new. */
  readonly isUsed: (ids: readonly string[]) => ReadonlySet<string>;
}

/** The orders; undefined when they could not be read, with the reason. */
export async function askOrders({
  service,
  signal,
}: Asking): Promise<{ readonly orders: Look['orders']; readonly failure: string | undefined }> {
  const reply = await service.read('orders', requestOf(signal));
  if (!reply.ok) return { orders: undefined, failure: reply.fault.message };
  const { total, returned, orders } = reply.data;
  const { rows, unreadable } = readOrderRows(orders);
  return { orders: { beganAt: reply.beganAt, total, returned, rows, unreadable }, failure: undefined };
}

/** The transactions, page by page until one brings nothing new; undefined when the first could not be read. */
export async function askTransactions({ service, signal, isUsed }: Asking): Promise<Look['transactions']> {
  const seen = new Map<string, TransactionSeen>();
  let first: { readonly beganAt: number; readonly total: number | undefined } | undefined;
  let unreadable = 0;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const reply = await service.read('transactions', { ...requestOf(signal), query: { page, limit: PAGE_ROWS } });
    if (!reply.ok) break;
    const read = readTransactionRows(reply.data.transactions);
    first ??= { beganAt: reply.beganAt, total: reply.data.total };
    unreadable += read.unreadable;
    const fresh = read.rows.filter((row) => !seen.has(row.transactionId));
    for (const row of fresh) seen.set(row.transactionId, row);
    const known = isUsed(fresh.map((row) => row.transactionId));
    const last = fresh.length === 0 || known.size > 0 || (reply.data.total !== undefined && seen.size >= reply.data.total);
    if (last) break;
  }
  return first && { ...first, rows: [...seen.values()], unreadable };
}

/** The balance; undefined when it could not be read. */
export async function askBalance({ service, signal }: Asking): Promise<Look['balance']> {
  const answer = readBalance(await service.read('user', requestOf(signal)));
  return answer.ok ? answer.reading : undefined;
}

/** Whether the listings of the given purchases still stand at the price that was sent. What was not answered is not in the map. */
export async function askListings({ service, signal }: Asking, purchases: readonly Purchase[]): Promise<Look['listings']> {
  const found = new Map<ListingKey, 'standing' | 'repriced' | 'gone'>();
  const askable = purchases.filter(
    ({ market, itemId }) => (market === 'c5game' || market === 'ecosteam') && /^[0-9a-f]{16}$/.test(itemId),
  );
  for (let from = 0; from < askable.length; from += DETAILS_MAX) {
    const some = askable.slice(from, from + DETAILS_MAX);
    const items = some.map(({ itemId, listingId, market }) => ({
      item: itemId,
      listing: listingId,
      market: market as 'c5game' | 'ecosteam',
    }));
    const reply = await service.read('listingDetail', { ...requestOf(signal), body: { items } });
    if (!reply.ok) continue;
    for (const [index, purchase] of some.entries()) {
      const state = standingOf(purchase, reply.data.items[index]);
      if (state !== undefined) found.set(listingKey(purchase.market, purchase.listingId), state);
    }
  }
  return found;
}

/** Elements come in the order in which they were asked for; one that names another listing says nothing. */
function standingOf({ listingId, market, price }: Purchase, element: unknown): 'standing' | 'repriced' | 'gone' | undefined {
  if (typeof element !== 'object' || element === null) return undefined;
  const { id, error, market: where, price: now } = element as Record<string, unknown>;
  if (error === 'LISTING_NOT_FOUND' || error === 'ITEM_NOT_FOUND') return 'gone';
  if (id !== listingId || where !== market || typeof now !== 'number') return undefined;
  return now === price ? 'standing' : 'repriced';
}

function requestOf(signal: AbortSignal | undefined): { readonly urgency: 'reconcile'; readonly signal?: AbortSignal } {
  return signal === undefined ? { urgency: 'reconcile' } : { urgency: 'reconcile', signal };
}

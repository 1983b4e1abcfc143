import { type Clock, sleep } from '../domain/clock.ts';
import { counted } from '../domain/text.ts';
import { type BalanceAnswer, readBalance } from '../engine/balance-answer.ts';
import type { Reply, Service } from '../engine/ports.ts';
import { readOrderRows, readTransactionRows } from '../execution/read-rows.ts';
import type { Movement, OrderRow, Shown, TransactionRow } from '../risk/audit/books.ts';
import { movementOf } from '../risk/audit/movements.ts';

export interface AuditAsking {
  readonly service: Service;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A question that fails is asked again after these waits, since asking changes nothing. */
const AGAIN_AFTER_MS = [1_000, 3_000, 9_000] as const;

/** Rows asked for on one page; a service that gives fewer is read on. */
const PAGE_ROWS = 100;

/** A list longer than this is not read to its end, and what stands further on counts as unread. */
const PAGES_MAX = 1_000;

/** Rows come in at the top while a long list is read: then its first page is read once more, so many times at the most. */
const TOP_UPS_MAX = 3;

export async function askBalance(asking: AuditAsking): Promise<BalanceAnswer> {
  return readBalance(await persistently(asking, ({ service, ...request }) => service.read('user', request)));
}

/** Every order that the service shows. It has no paging, as far as is documented. */
export async function askOrders(asking: AuditAsking): Promise<Shown<OrderRow>> {
  const reply = await persistently(asking, ({ service, ...request }) => service.read('orders', request));
  if (!reply.ok) return { ok: false, why: reply.fault.message };
  const { total, returned, orders } = reply.data;
  const read = readOrderRows(orders);
  const rows = [...new Map(read.rows.map((row) => [row.orderId, row])).values()];
  const whole = read.unreadable === 0 && total !== undefined && rows.length >= total && (returned ?? total) >= total;
  return { ok: true, beganAt: reply.beganAt, rows, whole, unread: unreadRows(read.unreadable, orders.length) };
}

/** Every transaction, page by page. */
export async function askTransactions(asking: AuditAsking): Promise<Shown<TransactionRow>> {
  const list = await askPages(asking, async ({ service, ...request }, page) => {
    const reply = await service.read('transactions', { ...request, query: { page, limit: PAGE_ROWS } });
    return reply.ok ? { ...reply, data: { total: reply.data.total, rows: reply.data.transactions } } : reply;
  });
  if (!list.ok) return list;
  const { rows, unreadable } = readTransactionRows(list.rows);
  const once = [...new Map(rows.map((row) => [row.transactionId, row])).values()];
  const unread = list.unread ?? unreadRows(unreadable, list.rows.length);
  return { ...list, rows: once, whole: list.whole && unreadable === 0, unread };
}

/** Why rows are missing that came; undefined where each could be read. */
function unreadRows(unreadable: number, of: number): string | undefined {
  return unreadable === 0 ? undefined : `${unreadable} of its ${counted(of, 'row')} cannot be read`;
}

/** Every entry of the service's ledger as a movement of the balance; not readable when one of them is not. */
export async function askMovements(asking: AuditAsking): Promise<Shown<Movement>> {
  const list = await askPages(asking, async ({ service, ...request }, page) => {
    const reply = await service.read('ledger', { ...request, query: { page, limit: PAGE_ROWS } });
    return reply.ok ? { ...reply, data: { total: reply.data.total, rows: reply.data.items } } : reply;
  });
  if (!list.ok) return list;
  const rows = list.rows.flatMap((entry) => movementOf(entry) ?? []);
  const odd = list.rows.length - rows.length;
  if (odd > 0) {
    const why = `${odd} of its ${list.rows.length} entries have a form that is not documented`;
    return { ok: false, why, odd: true };
  }
  return { ...list, rows };
}

type Asked = Pick<AuditAsking, 'service' | 'signal'> & { readonly urgency: 'spare' };
type Page = Reply<{ readonly total: number | undefined; readonly rows: readonly unknown[] }>;

/** Pages until there are no more, each row once: what comes in meanwhile shifts the others. */
async function askPages(asking: AuditAsking, ask: (asked: Asked, page: number) => Promise<Page>): Promise<Shown<unknown>> {
  const rows = new Map<string, unknown>();
  let beganAt: number | undefined;
  let total: number | undefined;
  const take = async (page: number): Promise<{ readonly news: number } | { readonly why: string }> => {
    const reply = await persistently(asking, (asked) => ask(asked, page));
    if (!reply.ok) return { why: reply.fault.message };
    beganAt ??= reply.beganAt;
    total = reply.data.total;
    const before = rows.size;
    for (const row of reply.data.rows) rows.set(identityOf(row), row);
    return { news: rows.size - before };
  };
  const isWhole = (): boolean => total !== undefined && rows.size >= total;
  let pages = 0;
  let more = true;
  for (; more && pages < PAGES_MAX; pages++) {
    const taken = await take(pages + 1);
    if ('why' in taken) return { ok: false, why: taken.why };
    more = taken.news > 0 && !isWhole();
  }
  let unread = more && !isWhole() ? `it is longer than the ${PAGES_MAX} pages that are read of it` : undefined;
  for (let times = 0; times < TOP_UPS_MAX && pages > 1 && !isWhole(); times++) {
    const taken = await take(1);
    if (!('why' in taken)) continue;
    unread ??= `what came in meanwhile could not be read: ${taken.why}`;
    break;
  }
  const [whole, all] = [isWhole(), [...rows.values()]];
  return { ok: true, beganAt: beganAt ?? asking.clock.now(), rows: all, whole, unread: whole ? undefined : unread };
}

/** A row by its id; one without is only the same as one that says exactly the same. */
function identityOf(row: unknown): string {
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? `id ${id}` : JSON.stringify(row);
}

/** Spare questions: buying, reconciling and watching go first. A refused key is not asked with again. */
async function persistently<T>(
  { service, clock, signal }: AuditAsking,
  ask: (asked: Asked) => Promise<Reply<T>>,
): Promise<Reply<T>> {
  const asked: Asked = { service, signal, urgency: 'spare' };
  let reply = await ask(asked);
  for (const wait of AGAIN_AFTER_MS) {
    if (reply.ok || reply.fault.cause === 'key' || signal.aborted) return reply;
    await sleep(clock, wait, signal);
    reply = await ask(asked);
  }
  return reply;
}

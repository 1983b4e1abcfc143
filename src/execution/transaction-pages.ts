import type { EpochMs } from '../domain/clock.ts';
import type { Look, TransactionSeen } from '../engine/evidence.ts';
import { type Asking, requestOf } from './asking.ts';
import { readTransactionRows } from './read-rows.ts';

/** Rows asked for on one page. The document gives no bound; a service that gives fewer is read on. */
const PAGE_ROWS = 100;

/** Pages read in one look: more than ever lie between two looks. */
const PAGES_MAX = 5;

interface Page {
  readonly beganAt: number;
  readonly total: number | undefined;
  /** Rows as they came, readable or not. */
  readonly size: number;
  readonly rows: readonly TransactionSeen[];
  readonly unreadable: number;
}

/**
 * The transactions, page by page until one overlaps with what was seen before; undefined when the first page could not be read.
 * Newest first and oldest first both work: which it is shows in the dates. What could not be reached counts as unreadable.
 */
export async function askTransactions(asking: Asking): Promise<Look['transactions']> {
  const first = await readPage(asking, 1);
  if (first === undefined) return undefined;
  const pages = [first];
  let reached = isEnd(asking, first, first);
  for (const number of reached ? [] : furtherPages(first)) {
    const page = await readPage(asking, number);
    if (page === undefined) break;
    pages.push(page);
    reached = isEnd(asking, page, first);
    if (reached) break;
  }
  const rows = new Map(pages.flatMap((page) => page.rows.map((row) => [row.transactionId, row])));
  const whole = first.total !== undefined && rows.size >= first.total;
  const unreadable = pages.reduce((sum, page) => sum + page.unreadable, 0) + (reached || whole ? 0 : 1);
  return { beganAt: first.beganAt, total: first.total, rows: [...rows.values()], unreadable };
}

async function readPage({ service, signal }: Asking, page: number): Promise<Page | undefined> {
  const reply = await service.read('transactions', { ...requestOf(signal), query: { page, limit: PAGE_ROWS } });
  if (!reply.ok) return undefined;
  const { total, transactions } = reply.data;
  return { beganAt: reply.beganAt, total, size: transactions.length, ...readTransactionRows(transactions) };
}

/** Oldest first: the new ones are on the last pages, which are read backwards. */
function furtherPages(first: Page): number[] {
  const next = Array.from({ length: PAGES_MAX - 1 }, (_, index) => index + 2);
  if (!isOldestFirst(first) || first.total === undefined) return next;
  const last = Math.ceil(first.total / first.size);
  return next.map((_, index) => last - index).filter((page) => page > 1);
}

function isOldestFirst({ rows }: Page): boolean {
  const from = rows[0]?.timestampMs;
  const to = rows.at(-1)?.timestampMs;
  return from !== undefined && to !== undefined && from < to;
}

/** Nothing beyond this page is wanted: it overlaps with what was seen before and reaches back far enough, or it is the last. */
function isEnd({ isUsed, awaitedSince }: Asking, page: Page, first: Page): boolean {
  if (page.size === 0 || page.size < first.size || (first.total !== undefined && first.size >= first.total)) return true;
  if (page === first && isOldestFirst(first) && first.total !== undefined) return false;
  if (awaitedSince !== undefined && isYoungerThan(page, awaitedSince)) return false;
  return isUsed(page.rows.map((row) => row.transactionId)).size > 0;
}

/** The service's dates show that the whole page is from after that time. */
function isYoungerThan({ rows }: Page, time: EpochMs): boolean {
  return rows.length > 0 && rows.every(({ timestampMs }) => timestampMs !== undefined && timestampMs > time);
}

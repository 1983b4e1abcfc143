import { checkOrderRow, checkTransactionRow } from '../api/check.ts';
import type { EpochMs } from '../domain/clock.ts';
import { DOLLARS_MAX, type Micros, microsFromDollars } from '../domain/money.ts';
import { serviceMessage } from '../domain/text.ts';
import type { OrderSeen, TransactionSeen } from '../engine/evidence.ts';

/** What could be read of a list, and how many of its rows could not. */
interface Rows<T> {
  readonly rows: readonly T[];
  readonly unreadable: number;
}

/**
 * Below this a timestamp counts seconds, from it on milliseconds: as seconds it lies in the year 5138, as milliseconds in
 * March 1973, so no order of this trade is read wrongly.
 */
const MILLISECONDS_FROM = 100_000_000_000;

/** The orders of an answer, read one by one: a row that cannot be read is counted and costs no other row. */
export function readOrderRows(raw: readonly unknown[]): Rows<OrderSeen> {
  return readEach(raw, orderFrom);
}

/** The transactions of an answer, read one by one. */
export function readTransactionRows(raw: readonly unknown[]): Rows<TransactionSeen> {
  return readEach(raw, transactionFrom);
}

function readEach<T>(raw: readonly unknown[], read: (row: unknown) => T | undefined): Rows<T> {
  const rows: T[] = [];
  for (const one of raw) {
    const row = read(one);
    if (row !== undefined) rows.push(row);
  }
  return { rows, unreadable: raw.length - rows.length };
}

interface WireOrder {
  readonly id: string;
  readonly item?: string | null;
  readonly itemId?: string | null;
  readonly amount: number;
  readonly currency?: string | null;
  readonly status: { readonly code: string; readonly label?: string | null };
  readonly timestamp?: number | null;
  readonly cancelReason?: string | null;
  readonly settlementTime?: string | null;
}

function orderFrom(raw: unknown): OrderSeen | undefined {
  if (checkOrderRow(raw) !== undefined) return undefined;
  const row = raw as WireOrder;
  const amount = positive(row.amount);
  if (amount === undefined) return undefined;
  return {
    orderId: row.id,
    itemId: row.itemId ?? undefined,
    itemName: row.item ?? undefined,
    amount,
    currency: row.currency ?? undefined,
    statusCode: row.status.code.toUpperCase(),
    statusLabel: words(row.status.label),
    timestampMs: instant(row.timestamp),
    settlementAt: instantFromText(row.settlementTime),
    cancelReason: words(row.cancelReason),
  };
}

interface WireTransaction {
  readonly id: string;
  readonly itemId?: string | null;
  readonly itemName?: string | null;
  readonly float?: number | null;
  readonly price?: number | null;
  readonly amount: number;
  readonly type: string;
  readonly status?: string | null;
  readonly timestamp?: number | null;
}

function transactionFrom(raw: unknown): TransactionSeen | undefined {
  if (checkTransactionRow(raw) !== undefined) return undefined;
  const row = raw as WireTransaction;
  const amount = positive(row.amount);
  if (amount === undefined) return undefined;
  return {
    transactionId: row.id,
    itemId: row.itemId ?? undefined,
    itemName: row.itemName ?? undefined,
    float: row.float ?? undefined,
    price: positive(row.price ?? Number.NaN),
    amount,
    type: row.type.toLowerCase(),
    status: row.status ?? undefined,
    timestampMs: instant(row.timestamp),
  };
}

/** Whether a booking is written as what left or as what moved is not documented: only its size counts. Rounds up, as debits do. */
function positive(dollars: number): Micros | undefined {
  return Math.abs(dollars) > DOLLARS_MAX ? undefined : microsFromDollars(Math.abs(dollars), 'up');
}

function words(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text === '' ? undefined : serviceMessage(text);
}

/** Seconds or milliseconds to epoch milliseconds; undefined for what is no time at all. */
function instant(value: number | null | undefined): EpochMs | undefined {
  if (value === null || value === undefined || !Number.isFinite(value) || value <= 0) return undefined;
  const ms = value < MILLISECONDS_FROM ? value * 1_000 : value;
  return ms <= 8.64e15 ? Math.round(ms) : undefined;
}

/** ISO 8601 (UTC where it names no zone) or the digits of a timestamp. */
function instantFromText(text: string | null | undefined): EpochMs | undefined {
  if (text === null || text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return instant(Number(trimmed));
  const zoned =
    /\d[T ]\d\d:\d\d/.test(trimmed) && !/(?:Z|[+-]\d\d:?\d\d)$/i.test(trimmed) ? `${trimmed.replace(' ', 'T')}Z` : trimmed;
  const parsed = Date.parse(zoned);
  return Number.isNaN(parsed) ? undefined : parsed;
}

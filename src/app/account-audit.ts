import { type Clock, sleep } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import { JournalFailure } from '../engine/journal.ts';
import type { Service } from '../engine/ports.ts';
import { faultOfFailure, withSteps } from '../ledger/failure.ts';
import type { Reader } from '../ledger/ledger.ts';
import { audit } from '../risk/audit/audit.ts';
import type { BalanceShown, OurBooks, TheirBooks } from '../risk/audit/books.ts';
import type { AuditReport } from '../risk/audit/report.ts';
import { type AuditAsking, askBalance, askMovements, askOrders, askTransactions } from './audit-questions.ts';

export interface AuditParts {
  readonly service: Service;
  readonly clock: Clock;
  /** Only read. */
  readonly ledger: Pick<
    Reader,
    | 'account'
    | 'everyPurchase'
    | 'purchasesTouchedAfter'
    | 'evidenceSeq'
    | 'ordersSeen'
    | 'transactionsUsed'
    | 'baselineAt'
    | 'firstBalance'
  >;
  /** A look of the daemon, so that what it has just not seen yet is no difference; undefined where none runs. */
  readonly look: (() => Promise<unknown>) | undefined;
  readonly signal: AbortSignal;
}

export type AuditOutcome =
  | { readonly ok: true; readonly report: AuditReport }
  | {
      readonly ok: false;
      readonly message: string;
      /** The key is another account's than the data folder. */
      readonly foreign: boolean;
    };

/** Purchases read without a pause; then whoever else runs in this process has a turn. */
const BATCH = 1_000;

/** A reading of the balance during which our rows changed is taken again, so many times. */
const READINGS_MAX = 5;

/** A difference is believed when a second comparison, after this wait, still shows it: lists are late, money moves. */
const SECOND_AFTER_MS = 3_000;

/** Reads everything that the service shows of the account and holds our rows against it. Nothing is written, here or there. */
export async function auditAccount(parts: AuditParts): Promise<AuditOutcome> {
  try {
    const first = await auditOnce(parts);
    if (!first.ok || first.report.differences.length === 0) return first;
    await sleep(parts.clock, SECOND_AFTER_MS, parts.signal);
    return await auditOnce(parts);
  } catch (error) {
    if (error instanceof JournalFailure) return failed(withSteps(faultOfFailure(error)));
    throw error;
  }
}

async function auditOnce(parts: AuditParts): Promise<AuditOutcome> {
  const { ledger, clock, look, signal } = parts;
  const whose = await askBalance(parts);
  if (!whose.ok) return failed(`the account could not be read: ${whose.message}`);
  const account = ledger.account();
  if (account !== undefined && account !== whose.profileId)
    return { ...failed(`the data folder belongs to account ${account}, the key to account ${whose.profileId}`), foreign: true };
  const orders = await askOrders(parts);
  const transactions = await askTransactions(parts);
  const movements = await askMovements(parts);
  await look?.();
  if (signal.aborted) return failed('it was stopped before it was done');
  const { purchases, seq } = await livePurchases(parts);
  const balance = await steadyBalance(parts);
  if (signal.aborted) return failed('it was stopped before it was done');
  for (const touched of ledger.purchasesTouchedAfter(seq)) if (touched.lane === 'live') purchases.set(touched.id, touched);
  const ours: OurBooks = {
    readAt: clock.now(),
    purchases: [...purchases.values()],
    orders: ledger.ordersSeen(),
    transactions: ledger.transactionsUsed(),
    baselineAt: ledger.baselineAt(),
    firstBalance: ledger.firstBalance(),
  };
  return compared(ours, { orders, transactions, movements, balance });
}

/** Figures of the service that no sum can hold are its fault, not a defect of ours. */
function compared(ours: OurBooks, theirs: TheirBooks): AuditOutcome {
  try {
    return { ok: true, report: audit(ours, theirs) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return failed(`the service shows amounts that cannot be right (${error.message})`);
  }
}

function failed(message: string): Extract<AuditOutcome, { ok: false }> {
  return { ok: false, message, foreign: false };
}

/** A long history is read in turns with what else goes on; `seq` is the evidence before it, to catch up from. */
async function livePurchases({
  ledger,
  clock,
}: AuditParts): Promise<{ readonly purchases: Map<number, Purchase>; readonly seq: number }> {
  const seq = ledger.evidenceSeq();
  const purchases = new Map<number, Purchase>();
  let read = 0;
  for (const purchase of ledger.everyPurchase()) {
    if (purchase.lane === 'live') purchases.set(purchase.id, purchase);
    read += 1;
    if (read % BATCH === 0) await sleep(clock, 0);
  }
  return { purchases, seq };
}

/** The balance at a moment in which none of our rows moved. */
async function steadyBalance(parts: AuditAsking & Pick<AuditParts, 'ledger'>): Promise<BalanceShown> {
  for (let times = 0; times < READINGS_MAX && !parts.signal.aborted; times++) {
    const before = parts.ledger.evidenceSeq();
    const answer = await askBalance(parts);
    if (!answer.ok) return { ok: false, why: answer.message };
    if (parts.ledger.evidenceSeq() === before) return { ok: true, reading: answer.reading };
  }
  return { ok: false, why: `our own rows moved during each of ${READINGS_MAX} readings` };
}

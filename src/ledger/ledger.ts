import type { Clock } from '../domain/clock.ts';
import { type Journal, JournalFailure } from '../engine/journal.ts';
import { type AlertQueries, type Alerts, createAlerts } from './alerts.ts';
import { type AuditQueries, createAuditQueries } from './audit-rows.ts';
import { type BalanceQueries, createBalances } from './balances.ts';
import { type ByTimeQueries, createByTimeQueries } from './by-time.ts';
import { type DecisionQueries, type Decisions, createDecisionQueries, createDecisions } from './decisions.ts';
import { type DatesAhead, createDatesAhead } from './dates-ahead.ts';
import { type DayQueries, createDayQueries } from './day.ts';
import { asJournalFailure } from './failure.ts';
import { type ExportQueries, createExportQueries } from './export-rows.ts';
import { createFindings } from './findings.ts';
import { type Forgotten, createForgotten } from './forgotten.ts';
import { type Halts, createHalts } from './halts.ts';
import { type HeartbeatQueries, type Heartbeats, createHeartbeats } from './heartbeat.ts';
import { type HiddenOrders, createHiddenOrders } from './hidden-orders.ts';
import { type HourQueries, type Hours, createHourQueries, createHours } from './hours.ts';
import { createIntents } from './intents.ts';
import { createKnown } from './known.ts';
import { type LagQueries, createLagQueries, createLags } from './lags.ts';
import { type AccountFacts, createAccountFacts, createMeta } from './meta.ts';
import { createMoves } from './moves.ts';
import { type NewsKeeper, createNews } from './news.ts';
import { createOrderBook } from './order-book.ts';
import { createOutcomes } from './outcomes.ts';
import { type PageQueries, createPageQueries } from './page-queries.ts';
import { type Proofs, createProofs } from './proofs.ts';
import { type PurchaseQueries, createPurchaseQueries } from './queries.ts';
import { type ReferenceQueries, type References, createReferenceQueries, createReferences } from './references.ts';
import { type Requests, createRequests } from './requests.ts';
import { type RuleChangeQueries, type RuleChanges, createRuleChangeQueries, createRuleChanges } from './rule-changes.ts';
import { type ShadowQueries, type Shadows, createShadowQueries, createShadows } from './shadows.ts';
import { type Starts, createStarts } from './starts.ts';
import type { Store } from './store.ts';
import { createTransactionsUsed } from './transactions-used.ts';
import { type UsageQueries, createUsage } from './usage.ts';

/** What can be asked of a ledger, by the daemon as by the commands beside it. */
export interface Reader
  extends
    PurchaseQueries,
    UsageQueries,
    BalanceQueries,
    DecisionQueries,
    AlertQueries,
    HourQueries,
    HeartbeatQueries,
    LagQueries,
    RuleChangeQueries,
    ReferenceQueries,
    ExportQueries,
    ShadowQueries,
    AuditQueries,
    PageQueries,
    ByTimeQueries {
  /** How far the proofs of absence of the given purchases have come; what has none is not in the map. */
  proofs: Proofs['of'];
  halted: Halts['halted'];
  standingHalts: Halts['standingHalts'];
  account: AccountFacts['account'];
  slowUntil: AccountFacts['slowUntil'];
  requestState: Requests['requestState'];
  /** Whether another connection has changed anything since this was last asked. Cheap enough for several times a second. */
  changed(): boolean;
  close(): void;
}

/** The ledger of one data folder: the journal of the port, and what the daemon and the commands ask and keep besides. */
export interface Ledger
  extends
    Reader,
    Journal,
    Halts,
    AccountFacts,
    Alerts,
    Requests,
    Decisions,
    Hours,
    Heartbeats,
    Starts,
    Forgotten,
    HiddenOrders,
    NewsKeeper,
    References,
    DatesAhead,
    DayQueries,
    RuleChanges,
    Shadows {
  purchase: PurchaseQueries['purchase'];
  /** No intent is taken from now on, until a start has looked at the file: it was found damaged, with these words. */
  distrust(why: string): void;
}

/** What a command may do beside a daemon: short transactions of its own, which the daemon notices. */
export type Beside = Reader & Pick<Ledger, 'halt' | 'resume' | 'resolve' | 'ask' | 'withdraw' | 'resumedAt' | 'saveMarketFall'>;

/** A reader of an open database. */
export function createReader(store: Store): Reader {
  const moves = createMoves(store);
  const meta = createMeta(store);
  const { halted, standingHalts } = createHalts(store);
  const { account, slowUntil } = createAccountFacts(store, meta);
  const { balance, spendable, holds } = createBalances(store, moves, createLagQueries(meta).lags);
  const { alerts, alertsOf } = createAlerts(store);
  const heartbeats = createHeartbeats(store, meta);
  const { lags } = createLagQueries(meta);
  return {
    lags,
    ...createPurchaseQueries(store),
    ...createUsage(store, lags),
    ...createDecisionQueries(store),
    ...createHourQueries(store),
    ...createAuditQueries(store, meta),
    ...createPageQueries(store),
    ...createByTimeQueries(store),
    ...createRuleChangeQueries(store),
    ...createExportQueries(store, createShadowQueries(store)),
    ...createShadowQueries(store),
    ...createReferenceQueries(store, meta),
    ...{ balance, spendable, holds, alerts, alertsOf },
    proofs: createProofs(store).of,
    heartbeat: heartbeats.heartbeat,
    inForce: heartbeats.inForce,
    halted,
    standingHalts,
    account,
    slowUntil,
    requestState: createRequests(store).requestState,
    changed: changeWatch(store),
    close: () => void store.db.close(),
  };
}

/**
 * `relaxed` is for what may be lost in a power cut: a second connection to the same file, or the same one with another wait. With a clock the times of rows are those of
 * a run that begins now.
 */
export function createLedger(store: Store, relaxed: Store, clock?: Pick<Clock, 'now' | 'wall'>): Ledger {
  const moves = createMoves(store);
  const meta = createMeta(store);
  const purchases = createPurchaseQueries(store);
  const { lags } = clock === undefined ? createLagQueries(meta) : createLags(store, meta, clock, purchases.newestRowAt());
  const halts = createHalts(store);
  const alerts = createAlerts(store);
  const usage = createUsage(store, lags);
  const orders = createOrderBook(store, meta);
  const transactions = createTransactionsUsed(store, meta);
  const proofs = createProofs(store);
  const balances = createBalances(store, moves, lags);
  const { write: _halt, ...haltsOutside } = halts;
  const { write: _alert, ...alertsOutside } = alerts;
  const { funds: _funds, ...balancesOutside } = balances;
  return {
    lags,
    ...purchases,
    ...usage,
    ...balancesOutside,
    ...haltsOutside,
    ...alertsOutside,
    ...createAccountFacts(store, meta),
    ...createStarts(store, meta),
    ...createForgotten(store, halts),
    ...createHiddenOrders(store, meta),
    ...createRuleChanges(store),
    ...createIntents(store, { moves, halts, usage, balances, orders, meta }),
    ...createOutcomes(store, { moves, orders, proofs, halts }),
    ...createDatesAhead(store, moves, meta),
    ...createKnown(store, { orders, transactions, proofs, meta, balances }),
    ...createFindings(store, { moves, orders, transactions, proofs, meta, halts, alerts }),
    ...createRequests(store),
    ...createDayQueries(store),
    ...createAuditQueries(store, meta),
    ...createPageQueries(store),
    ...createByTimeQueries(store),
    ...createExportQueries(store, createShadowQueries(store)),
    proofs: proofs.of,
    ...createDecisions(relaxed),
    ...createShadows(relaxed),
    ...createHours(relaxed),
    ...createHeartbeats(relaxed, createMeta(relaxed)),
    ...createNews(relaxed, createMeta(relaxed)),
    ...createReferences(relaxed, createMeta(relaxed)),
    changed: changeWatch(store),
    distrust: (why) => store.distrust(why),
    close: () => closeBoth(store, relaxed),
  };
}

/** SQLite's own counter of what other connections have committed. */
function changeWatch(store: Store): () => boolean {
  const version = store.value<[], number>('PRAGMA data_version');
  let last = version();
  return () => {
    const now = version();
    const changed = now !== last;
    last = now;
    return changed;
  };
}

/**
 * Empties the write-ahead log into the database, unless a reader or a full disk is in the way, and lets go of the files. What stays
 * in the log is as durable as in the database, and the next start reads it.
 */
function closeBoth(store: Store, relaxed: Store): void {
  if (!store.db.open) return;
  if (relaxed === store) return void store.db.close();
  if (relaxed.db !== store.db) relaxed.db.close();
  try {
    store.db.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!(asJournalFailure(error, store.path) instanceof JournalFailure)) throw error;
  } finally {
    store.db.close();
  }
}

import type { Alert, AlertKind } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Store } from './store.ts';

/** Alerts that are kept. */
const ALERTS_MAX = 10_000;

export interface AlertQueries {
  /** The newest alerts since then, newest first; without digests, and without trade offers that no longer wait to be accepted. */
  alerts(since: EpochMs, limit: number): readonly Alert[];
  /** Those about one purchase, oldest first. */
  alertsOf(purchaseId: number): readonly Alert[];
}

export interface Alerts extends AlertQueries {
  recordAlert(alert: Alert): void;
}

export interface AlertWriter extends Alerts {
  /** As part of a transaction that is already running. */
  write(alert: Alert): void;
}

export interface AlertRow {
  readonly kind: AlertKind;
  readonly at: EpochMs;
  readonly message: string;
  readonly next: string | null;
  readonly purchase_id: number | null;
}

/** Those that a person has still to know: no digests, and no trade offers that no longer wait to be accepted. */
export const STANDING_ALERTS = `kind <> 'digest' AND NOT (kind = 'accept' AND EXISTS
  (SELECT 1 FROM purchases WHERE purchases.id = purchase_id AND (state <> 'bought' OR order_status IS NOT 'ACTIVE')))`;

export function createAlerts(store: Store): AlertWriter {
  const select = store.reading<[EpochMs, number], AlertRow>(
    `SELECT kind, at, message, next, purchase_id FROM alerts WHERE at >= ? AND ${STANDING_ALERTS} ORDER BY id DESC LIMIT ?`,
  );
  const selectOf = store.reading<[number], AlertRow>(
    'SELECT kind, at, message, next, purchase_id FROM alerts WHERE purchase_id = ? ORDER BY id',
  );
  const insert = store.writing<[string, EpochMs, string, string | null, number | null]>(
    'INSERT INTO alerts (kind, at, message, next, purchase_id) VALUES (?, ?, ?, ?, ?)',
  );
  const prune = store.writing<[number]>('DELETE FROM alerts WHERE id <= (SELECT max(id) FROM alerts) - ?');
  const write = ({ kind, at, message, next, purchaseId }: Alert): void => {
    insert(kind, at, message, next ?? null, purchaseId ?? null);
    prune(ALERTS_MAX);
  };
  return {
    write,
    recordAlert: (alert) => store.transaction('alert', () => write(alert)),
    alerts: (since, limit) => select.all(since, limit).map(alertOf),
    alertsOf: (purchaseId) => selectOf.all(purchaseId).map(alertOf),
  };
}

export function alertOf({ kind, at, message, next, purchase_id }: AlertRow): Alert {
  return { kind, at, message, next: next ?? undefined, purchaseId: purchase_id ?? undefined };
}

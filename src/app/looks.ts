import type { Clock } from '../domain/clock.ts';
import type { Log, Service } from '../engine/ports.ts';
import type { EngineState } from '../engine/state.ts';
import { judge } from '../execution/evidence/judge.ts';
import { readOrderRows, readTransactionRows } from '../execution/read-rows.ts';
import type { Told } from '../execution/told.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Settings } from '../settings/settings.ts';
import type { Looks } from './core.ts';

export interface LooksOptions {
  readonly settings: Settings;
  readonly service: Service;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly told: Told;
  readonly onLook: () => void;
  readonly state: () => Readonly<EngineState>;
}

export function looksOf(o: LooksOptions): Looks {
  const look = async (): Promise<{ ok: boolean; message: string; unknown: number }> => {
    const beganAt = o.clock.now();
    const orders = await o.service.read('orders', { urgency: 'reconcile' });
    const transactions = await o.service.read('transactions', { query: { page: 1, limit: 100 }, urgency: 'reconcile' });
    if (!orders.ok) return { ok: false, message: orders.fault.message, unknown: 0 };
    const rows = readOrderRows(orders.data.orders);
    const tx = transactions.ok ? readTransactionRows(transactions.data.transactions) : undefined;
    const known = o.ledger.known(rows.rows.map((r) => r.orderId), tx?.rows.map((t) => t.transactionId) ?? [], o.clock.now());
    const findings = judge(
      {
        beganAt,
        endedAt: o.clock.now(),
        orders: { beganAt: orders.beganAt, total: orders.data.total, returned: orders.data.returned, rows: rows.rows, unreadable: rows.unreadable },
        transactions: tx && { beganAt: transactions.beganAt, total: undefined, rows: tx.rows, unreadable: tx.unreadable },
        balance: undefined,
        listings: new Map(),
        healthyMarkets: new Set(['c5game', 'ecosteam']),
        healthUnreadable: false,
      },
      known,
      o.clock.now(),
      { dedicated: o.settings.dedicated, stuckAfterMs: o.settings.alerts.stuckAfterMs },
    );
    const changed = o.ledger.apply(findings, o.clock.now());
    if (changed.length > 0) o.told.purchases(changed);
    o.onLook();
    return { ok: true, message: 'looked', unknown: 0 };
  };
  return {
    start: (signal) => {
      const next = (): void => {
        void look().then(() => {
          if (!signal.aborted) o.clock.after(2_000, next);
        });
      };
      next();
    },
    soon: () => undefined,
    once: look,
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import type { Purchase } from '../../src/domain/purchase.ts';
import type { OrderSeen } from '../../src/engine/evidence.ts';
import type { WireTimes } from '../../src/engine/ports.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import type { CrashPoint } from '../../src/ledger/store.ts';
import { type Approved, type Intent, approve } from '../../src/risk/intent.ts';
import { NOON, dollars, intent, listing, wideLimits } from '../support/values.ts';

export const unsaid: WireTimes = { sentAt: undefined, answeredAt: undefined };

/** A folder that is gone after the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'magpie-ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data');
}

export function opened(folder: string, crashPoint?: CrashPoint, clock?: Pick<Clock, 'now' | 'wall'>): Ledger {
  const result = openLedger({ folder, crashPoint, clock });
  if (!result.ok) throw new Error(result.fault.message);
  const { ledger } = result.value;
  onTestFinished(() => ledger.close());
  return ledger;
}

/** A ledger with an account and a balance of $1,000 read at NOON. */
export function freshLedger(folder = freshFolder(), crashPoint?: CrashPoint): Ledger {
  const ledger = opened(folder, crashPoint);
  ledger.bindAccount('account-1');
  readBalance(ledger, 1_000, NOON);
  return ledger;
}

export function readBalance(ledger: Ledger, amount: number, at: number): readonly Purchase[] {
  return ledger.recordBalance({ amount: dollars(amount), beganAt: at, endedAt: at + 1 });
}

/** A raw connection to the same file, as an attacker or another program has it. */
export function raw(folder: string): Database.Database {
  const db = new Database(join(folder, 'magpie.db'));
  onTestFinished(() => void db.close());
  return db;
}

export function wish(given: Partial<Intent> = {}): Approved<Intent> {
  return approve(intent(given));
}

/** Commits an intent for a listing that differs from all others by its number, and throws when the ledger refuses. */
export function begun(ledger: Ledger, number: number, at = NOON + 1, given: Partial<Intent> = {}): Purchase {
  const committed = ledger.commitIntent(
    wish({ listing: listing({ id: String(number) }), ...given }),
    { ...wideLimits, unknown: 1_000 },
    at,
  );
  if (!committed.ok) throw new Error(`${committed.reason}: ${committed.detail}`);
  return committed.purchase;
}

export const outcomes = {
  bought: (serviceOrderId: string): BuyOutcome => ({
    kind: 'bought',
    serviceOrderId,
    upstreamOrderId: undefined,
    orderStatus: 'SUCCESS',
    message: undefined,
    mismatch: undefined,
    requestId: undefined,
  }),
  refused: (cause: Extract<BuyOutcome, { kind: 'refused' }>['cause'] = 'gone'): BuyOutcome => ({
    kind: 'refused',
    cause,
    status: 409,
    code: 'LISTING_GONE',
    message: 'gone',
    requestId: undefined,
    retryAfterMs: undefined,
  }),
  unknown: (upstreamOrderId?: string): BuyOutcome => ({
    kind: 'unknown',
    cause: 'timeout',
    message: 'no answer in time',
    status: undefined,
    upstreamOrderId,
    requestId: undefined,
  }),
  unsent: (): BuyOutcome => ({ kind: 'unsent', cause: 'connection', message: 'connection refused' }),
};

export function settled(ledger: Ledger, purchase: Purchase, outcome: BuyOutcome, at = NOON + 2): Purchase {
  return ledger.recordOutcome(purchase.id, outcome, unsaid, undefined, at);
}

export function order(orderId: string, given: Partial<OrderSeen> = {}): OrderSeen {
  return {
    orderId,
    itemId: '10807006fab895f4',
    itemName: 'AK-47 | Redline (Field-Tested)',
    amount: dollars(10.5),
    currency: 'USD',
    statusCode: 'PENDING',
    statusLabel: 'Pending',
    timestampMs: NOON,
    settlementAt: undefined,
    cancelReason: undefined,
    ...given,
  };
}

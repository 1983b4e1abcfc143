import type { EpochMs } from '../domain/clock.ts';
import type { BuyOutcome } from '../domain/outcome.ts';
import { type Purchase, type PurchaseState, committedAmount, isResolvable, mayMove } from '../domain/purchase.ts';
import type { OrderSeen } from '../engine/evidence.ts';
import type { Journal, SendTimes } from '../engine/journal.ts';
import type { HaltWriter } from './halts.ts';
import type { Change, Evidence, Moves } from './moves.ts';
import type { OrderBook } from './order-book.ts';
import type { Proofs } from './proofs.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, purchaseOf } from './purchase-row.ts';
import type { Store } from './store.ts';

interface Parts {
  readonly moves: Moves;
  readonly orders: OrderBook;
  readonly proofs: Proofs;
  readonly halts: HaltWriter;
}

/** Who halts when an outcome does. */
const BY_OUTCOME = 'outcome';

type Outcome<K extends BuyOutcome['kind']> = Extract<BuyOutcome, { kind: K }>;

/** What requests came to, what a crash left open, and what a person decides about it. */
export function createOutcomes(store: Store, parts: Parts): Pick<Journal, 'recordOutcome' | 'orphansToUnknown' | 'resolve'> {
  const { moves, halts } = parts;
  const orphans = store.reading<[], PurchaseRow>(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE state = 'intended' ORDER BY id`,
  );
  return {
    recordOutcome: (purchaseId, outcome, times, halt, now) =>
      store.transaction('outcome', () => {
        const before = moves.mustFind(purchaseId);
        const after = settle(parts, before, outcome, times, now);
        if (halt !== undefined) halts.write(halt, BY_OUTCOME, now);
        return after;
      }),
    orphansToUnknown: (now) =>
      store.transaction('orphans', () =>
        orphans.all().map((row) => {
          const reason = 'Magpie stopped before the answer was recorded: nobody can say yet whether it was bought';
          const change: Change = { state: 'unknown', wasUnknown: true, answeredAt: now, reason };
          return moves.change(purchaseOf(row), change, { kind: 'orphan', note: reason }, now);
        }),
      ),
    resolve: (purchaseId, as, reason, now) =>
      store.transaction('resolve', () => {
        const before = moves.mustFind(purchaseId);
        if (!isResolvable(before))
          throw new RangeError(`purchase ${purchaseId} is ${before.state}, only one in doubt can be resolved`);
        const state: PurchaseState = as === 'bought' ? 'bought' : 'rejected';
        const words = `a person says it was ${as === 'bought' ? 'bought' : 'not bought'}: ${reason}`;
        return moves.change(before, { state, held: false, reason: words }, { kind: 'verdict', note: reason }, now);
      }),
  };
}

function settle(parts: Parts, before: Purchase, outcome: BuyOutcome, times: SendTimes, now: EpochMs): Purchase {
  switch (outcome.kind) {
    case 'bought':
      return bought(parts, before, outcome, times, now);
    case 'refused':
      return refused(parts, before, outcome, times, now);
    case 'unknown':
      return unknown(parts, before, outcome, times, now);
    case 'unsent':
      return unsent(parts, before, outcome, now);
  }
}

function evidenceOf(before: Purchase, outcome: BuyOutcome, note?: string): Evidence {
  return { kind: before.state === 'intended' ? 'outcome' : 'late', note, json: outcome };
}

/** Evidence of an order outranks everything. The order becomes known in the same transaction: later looks are anchored on it. */
function bought(parts: Parts, before: Purchase, outcome: Outcome<'bought'>, times: SendTimes, now: EpochMs): Purchase {
  const { moves, orders } = parts;
  const moving = mayMove(before.state, 'bought');
  if (!moving && before.serviceOrderId !== undefined) {
    moves.note(before, evidenceOf(before, outcome), now);
    return before;
  }
  if (before.state === 'expired' || before.state === 'simulated') {
    moves.note(before, evidenceOf(before, outcome, 'an order for a request that never left'), now);
    return before;
  }
  if (!orders.claim(orderOf(before, outcome), before.id, 'answer', now)) return contradicted(parts, before, outcome, times, now);
  const change: Change = {
    serviceOrderId: outcome.serviceOrderId,
    upstreamOrderId: outcome.upstreamOrderId ?? before.upstreamOrderId,
    orderStatus: before.orderStatus ?? outcome.orderStatus,
  };
  if (!moving) return moves.change(before, change, evidenceOf(before, outcome), now, times);
  const late = before.state === 'intended' ? undefined : `bought after all: a late answer said so (it was ${before.state})`;
  const whole: Change = { ...change, state: 'bought', held: false, answeredAt: now, reason: outcome.mismatch ?? late };
  return moves.change(before, whole, evidenceOf(before, outcome, late), now, times);
}

/** An answer that names another purchase's order proves nothing about this one: whether it was bought is unknown. */
function contradicted(parts: Parts, before: Purchase, outcome: Outcome<'bought'>, times: SendTimes, now: EpochMs): Purchase {
  const reason = `the answer named order ${outcome.serviceOrderId}, which belongs to another purchase`;
  if (!mayMove(before.state, 'unknown')) {
    parts.moves.note(before, { kind: 'contradiction', note: reason, json: outcome }, now);
    return before;
  }
  const change: Change = {
    state: 'unknown',
    wasUnknown: true,
    answeredAt: now,
    upstreamOrderId: outcome.upstreamOrderId,
    reason,
  };
  return parts.moves.change(before, change, { kind: 'contradiction', note: reason, json: outcome }, now, times);
}

/** A refusal holds its money until two later looks confirm it; one that comes late needs looks of its own. */
function refused(parts: Parts, before: Purchase, outcome: Outcome<'refused'>, times: SendTimes, now: EpochMs): Purchase {
  if (!mayMove(before.state, 'rejected')) {
    parts.moves.note(before, evidenceOf(before, outcome), now);
    return before;
  }
  parts.proofs.forget(before.id);
  const said = [outcome.code, outcome.message].filter((text) => text !== undefined && text !== '').join(': ');
  const change: Change = {
    state: 'rejected',
    held: true,
    refusalCause: outcome.cause,
    answeredAt: now,
    reason: said === '' ? `refused with status ${outcome.status}` : said,
  };
  return parts.moves.change(before, change, evidenceOf(before, outcome), now, times);
}

function unknown(parts: Parts, before: Purchase, outcome: Outcome<'unknown'>, times: SendTimes, now: EpochMs): Purchase {
  const upstreamOrderId = before.upstreamOrderId ?? outcome.upstreamOrderId;
  const evidence = evidenceOf(before, outcome);
  if (before.state === 'unknown') return parts.moves.change(before, { upstreamOrderId }, evidence, now, times);
  if (before.state === 'intended') {
    const change: Change = { state: 'unknown', wasUnknown: true, answeredAt: now, upstreamOrderId, reason: outcome.message };
    return parts.moves.change(before, change, evidence, now, times);
  }
  parts.moves.note(before, evidence, now);
  return before;
}

function unsent(parts: Parts, before: Purchase, outcome: Outcome<'unsent'>, now: EpochMs): Purchase {
  const evidence = evidenceOf(before, outcome);
  if (before.state === 'intended') {
    return parts.moves.change(before, { state: 'expired', answeredAt: now, reason: outcome.message }, evidence, now);
  }
  parts.moves.note(before, evidence, now);
  return before;
}

/** The order as far as an answer tells it: what was agreed on, until a look shows the row. */
function orderOf(purchase: Purchase, outcome: Outcome<'bought'>): OrderSeen {
  return {
    orderId: outcome.serviceOrderId,
    itemId: purchase.itemId,
    itemName: purchase.marketHashName,
    amount: committedAmount(purchase),
    currency: undefined,
    statusCode: outcome.orderStatus,
    statusLabel: undefined,
    timestampMs: undefined,
    settlementAt: undefined,
    cancelReason: undefined,
  };
}

import type { EpochMs } from '../domain/clock.ts';
import type { AccountLimits } from '../domain/limits.ts';
import { micros } from '../domain/money.ts';
import type { Purchase } from '../domain/purchase.ts';
import { printable } from '../domain/text.ts';
import type { Committed, Journal } from '../engine/journal.ts';
import { type Refusal, capRefusal, hasNarrowCaps } from '../risk/caps.ts';
import { type Intent, isApproved } from '../risk/intent.ts';
import type { Usage } from '../risk/usage.ts';
import { alreadySimulated, takenBy, takenRefusal } from '../risk/taken.ts';
import type { Balances, Funds } from './balances.ts';
import type { Halts } from './halts.ts';
import { INSERT_INTENT, type IntentValues, begunFrom, valuesOf } from './intent-row.ts';
import type { Meta } from './meta.ts';
import type { Moves } from './moves.ts';
import type { OrderBook } from './order-book.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, purchaseOf } from './purchase-row.ts';
import type { Store } from './store.ts';
import type { UsageQueries } from './usage.ts';

/** The account of purchases on paper before any account is known. */
const NO_ACCOUNT = '';

interface Parts {
  readonly moves: Moves;
  readonly halts: Halts;
  readonly usage: UsageQueries;
  readonly balances: Balances;
  readonly orders: OrderBook;
  readonly meta: Meta;
}

/**
 * The one place where a purchase begins. Everything that forbids it is looked at inside the transaction that writes it, so no
 * other process and no stale memory can come in between.
 */
export function createIntents(store: Store, parts: Parts): Pick<Journal, 'commitIntent'> {
  const earlier = store.reading<[string, string], PurchaseRow>(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE market = ? AND listing_id = ? ORDER BY id`,
  );
  const orderOf = store.value<[string], string>('SELECT order_id FROM orders WHERE item_id = ? LIMIT 1');
  const newestCreation = store.value<[], EpochMs>('SELECT created_at FROM purchases ORDER BY id DESC LIMIT 1');
  const insert = store.writing<[IntentValues]>(INSERT_INTENT);

  const earlierRefusal = (intent: Intent): Refusal | undefined => {
    const { market, id, price } = intent.listing;
    // A list may name the listing where it should name the item. An order does not say of which market it is.
    const order = intent.lane === 'live' ? orderOf(id) : undefined;
    if (order !== undefined)
      return { reason: 'taken', detail: `order ${printable(order, 60)} names this listing: it was bought before` };
    const refusals = earlier
      .all(market, id)
      .map(purchaseOf)
      .filter((purchase) => purchase.lane === intent.lane)
      .map((purchase) => refusalByEarlier(purchase, price))
      .filter((refusal) => refusal !== undefined);
    return refusals.find((refusal) => refusal.reason === 'taken') ?? refusals[0];
  };
  const refusalOf = (intent: Intent, limits: AccountLimits, funds: Funds | undefined, now: EpochMs): Refusal | undefined => {
    const { lane } = intent;
    const halt = parts.halts.halted();
    if (halt) return { reason: 'halted', detail: halt.reason };
    const taken = earlierRefusal(intent);
    if (taken) return taken;
    if (lane === 'live' && parts.meta.text('account') === undefined)
      return { reason: 'starting', detail: 'the account is not known yet' };
    const balance = lane === 'live' ? funds?.available : funds?.amount;
    return withinCounting(() => capRefusal(intent, limits, usageFor(intent, limits, parts.usage, now), balance));
  };

  return {
    commitIntent(intent, limits, now) {
      if (!isApproved(intent)) throw new TypeError('this intent was not approved by risk');
      return store.transaction('intent', (): Committed => {
        store.assertSound();
        const funds = parts.balances.funds(now);
        const refusal = refusalOf(intent, limits, funds, now);
        if (refusal) return { ok: false, ...refusal };
        const begun = begunFrom(intent, {
          account: parts.meta.text('account') ?? NO_ACCOUNT,
          createdAt: Math.max(now, newestCreation() ?? now),
          baseSeq: parts.orders.newestSeq(),
          baseTotal: parts.meta.number('baseTotal'),
          baseBalance: funds?.expected,
        });
        const { lastInsertRowid } = insert(valuesOf(begun, intent.seenAt, now));
        const purchase = { id: Number(lastInsertRowid), ...begun };
        parts.moves.begin(purchase, 'intent');
        return { ok: true, purchase };
      });
    },
  };
}

/** What the caps that are set count. */
function usageFor(intent: Intent, limits: AccountLimits, usage: UsageQueries, now: EpochMs): Usage {
  const { lane, strategy, listing } = intent;
  if (!hasNarrowCaps(intent, limits)) return usage.usageOfAccount(lane, now);
  return usage.usage(lane, { strategy, marketHashName: listing.name }, now);
}

/**
 * What an earlier purchase forbids at a base price. Whether the cause of a refusal has gone is known to the engine alone, which
 * has approved: here a cause that can go at all is taken for gone.
 */
function refusalByEarlier(earlier: Purchase, price: number): Refusal | undefined {
  if (earlier.state === 'simulated') {
    return earlier.price === price ? alreadySimulated(price) : undefined;
  }
  const taken = takenBy(earlier);
  const provedByNow = { balance: micros(Number.MAX_SAFE_INTEGER), provenAt: Infinity };
  const refusal = takenRefusal(taken, price, provedByNow);
  return refusal?.reason === 'refusal-cause' ? undefined : refusal;
}

/** Amounts that add up to more than can be counted exactly are more than any cap. */
function withinCounting(check: () => Refusal | undefined): Refusal | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { reason: 'spend-total', detail: 'the amounts add up to more than can be counted' };
  }
}

import fc from 'fast-check';
import { expect } from 'vitest';
import { type Purchase, closesListing, committedAmount, isReserved, mayMove } from '../../src/domain/purchase.ts';
import { emptyExposure, usage, withAdopted, withPurchase } from '../../src/engine/exposure.ts';
import { available } from '../../src/risk/balance.ts';
import { LANES, NAMES, ORDERS, STRATEGIES, World, step, strategyLimits } from './histories.ts';

/** What invariant 5 says of an admission of ours, seen right after it. */
function checkAdmission({ ledger, now, admitted, limits }: World): void {
  const last = admitted.at(-1)!;
  const { lane, strategy, marketHashName, cost } = last.purchase;
  expect(last).toMatchObject({ halted: false, closed: false, purchase: { price: last.price } });
  expect(ledger.purchase(last.purchase.id)).toStrictEqual(last.purchase);
  const used = ledger.usage(lane, { strategy, marketHashName }, now);
  expect(cost).toBeLessThanOrEqual(limits.maxPrice);
  for (const window of ['hour', 'day', 'total'] as const) {
    expect(used.spend[window]).toBeLessThanOrEqual(limits.spend[window]);
    expect(used.item[window]).toBeLessThanOrEqual(limits.perItem[window]);
  }
  expect(used.strategySpend.hour).toBeLessThanOrEqual(strategyLimits.spend.hour);
  expect(used.strategySpend.total).toBeLessThanOrEqual(strategyLimits.spend.total);
  expect(used.strategyCount.day).toBeLessThanOrEqual(strategyLimits.count.day);
  expect(used.strategyItem.total).toBeLessThanOrEqual(strategyLimits.perItem.total);
  expect(used.open).toBeLessThanOrEqual(limits.openPurchases);
  const reading = ledger.spendable()!;
  expect(now - reading.beganAt).toBeLessThanOrEqual(60_000);
  if (lane === 'live') expect(available(reading, ledger.holds())).toBeGreaterThanOrEqual(limits.reserve);
}

/** The sums of the ledger against a recount, row by row, by the engine's own book. */
function checkSums({ ledger, now }: World, purchases: readonly Purchase[]): void {
  for (const lane of LANES) {
    const exposure = emptyExposure();
    for (const purchase of purchases) if (purchase.lane === lane) withPurchase(exposure, purchase);
    for (const { orderId, firstSeen: at, amount, marketHashName, open } of lane === 'live' ? ledger.adoptedOrders() : []) {
      withAdopted(exposure, orderId, { at, amount, marketHashName, open });
    }
    for (const strategy of STRATEGIES) {
      for (const marketHashName of NAMES) {
        const probe = { strategy, marketHashName };
        const used = ledger.usage(lane, probe, now);
        const { spend, open, unknown, committedInHour } = used;
        expect(used).toEqual(usage(exposure, probe, now));
        expect(ledger.usageOfAccount(lane, now)).toMatchObject({ spend, open, unknown, committedInHour });
      }
    }
  }
  const reserved = purchases.filter(isReserved).reduce((total, one) => total + committedAmount(one), 0);
  expect(ledger.reserved()).toBe(reserved);
}

/** One live purchase of a listing, but for what turned out bought after all; one purchase for an order. */
function checkSlots({ ledger }: World, purchases: readonly Purchase[]): void {
  const boughtAfterAll = ({ id }: Purchase): boolean =>
    ledger.evidenceOf(id).some(({ from, to }) => from === 'rejected' && to === 'bought');
  const closing = purchases
    .filter((one) => one.lane === 'live' && closesListing(one) && !boughtAfterAll(one))
    .map((one) => `${one.market}:${one.listingId}`);
  expect(new Set(closing).size).toBe(closing.length);
  const orderIds = purchases.flatMap(({ serviceOrderId }) => serviceOrderId ?? []);
  expect(new Set(orderIds).size).toBe(orderIds.length);
}

/** An order leaves the sums only for a purchase that counts instead. */
function checkOrders({ ledger, now }: World, purchases: readonly Purchase[]): void {
  const bought = new Set(purchases.filter(({ state }) => BOUGHT.has(state)).map(({ id }) => id));
  for (const { as, orderId, purchaseId } of ledger.known(ORDERS, [], now).orders.values())
    if (as === 'ours') expect(bought, `order ${orderId}`).toContain(purchaseId);
}

const BOUGHT: ReadonlySet<string> = new Set(['bought', 'completed', 'refunded']);

/** What is kept of purchases between looks is what the rows say. */
function checkKept({ ledger, now }: World, purchases: readonly Purchase[]): void {
  const rows = new Map(purchases.map((one) => [one.id, one]));
  const isUncertain = ({ lane, state, held }: Purchase): boolean =>
    held || (lane === 'live' && (state === 'intended' || state === 'unknown' || state === 'bought'));
  expect(ledger.uncertain()).toEqual(purchases.filter(isUncertain));
  const watched = ledger.known([], [], now).purchases;
  expect(watched).toEqual(watched.map(({ id }) => rows.get(id)));
}

/** The evidence, folded, is the state, by legal moves only. */
function checkHistory({ ledger }: World, purchase: Purchase): void {
  const history = ledger.evidenceOf(purchase.id);
  const [first, ...later] = history;
  expect(first?.from).toBeUndefined();
  for (const [index, { from, to }] of later.entries()) {
    expect(from).toBe(history[index]!.to);
    expect(from === to || mayMove(from!, to)).toBe(true);
  }
  expect(history.at(-1)?.to).toBe(purchase.state);
  expect(purchase.refunded).toBeLessThanOrEqual(committedAmount(purchase));
}

/** What happened in all histories together: no law says anything of what never did. */
export interface Happened {
  readonly admitted: number;
  /** Kinds of evidence that were written. */
  readonly kinds: ReadonlySet<string>;
}

/** Lets `runs` invented histories happen and checks every law after every step. */
export function attack(runs: number): Happened {
  let admitted = 0;
  const kinds = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const world = new World();
      for (const one of steps) {
        const before = world.admitted.length;
        world.do(one);
        if (world.admitted.length > before) checkAdmission(world);
        const purchases = [...world.ledger.everyPurchase()];
        checkSums(world, purchases);
        checkSlots(world, purchases);
        checkOrders(world, purchases);
        expect(world.recounted, 'the sums were the rows’ at each start').toBe(false);
        checkKept(world, purchases);
        for (const purchase of purchases) checkHistory(world, purchase);
      }
      admitted += world.admitted.length;
      for (const { id } of world.ledger.everyPurchase()) for (const { kind } of world.ledger.evidenceOf(id)) kinds.add(kind);
      world.ledger.close();
    }),
    { numRuns: runs },
  );
  return { admitted, kinds };
}

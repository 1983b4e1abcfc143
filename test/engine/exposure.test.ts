import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { micros } from '../../src/domain/money.ts';
import { type Purchase, isCommitted, isOpen } from '../../src/domain/purchase.ts';
import {
  type Exposure,
  emptyExposure,
  pruneRecent,
  usage,
  withAdopted,
  withPending,
  withPurchase,
  withoutPending,
} from '../../src/engine/exposure.ts';
import { NOON, purchase } from '../support/values.ts';

const states = ['intended', 'unknown', 'bought', 'completed', 'refunded', 'rejected', 'expired'] as const;

const row = fc.record({
  id: fc.integer({ min: 1, max: 12 }),
  state: fc.constantFrom(...states),
  held: fc.boolean(),
  strategy: fc.constantFrom('one', 'two'),
  marketHashName: fc.constantFrom('A', 'B'),
  cost: fc.integer({ min: 0, max: 50_000_000 }).map(micros),
  paid: fc.option(fc.integer({ min: 0, max: 60_000_000 }).map(micros), { nil: undefined }),
  refunded: fc.integer({ min: 0, max: 60_000_000 }).map(micros),
  createdAt: fc.integer({ min: NOON - 200_000_000, max: NOON }),
});

/** Counts from the newest rows, with nothing kept from one to the next. */
function recount(rows: readonly Purchase[], strategy: string, marketHashName: string) {
  const committed = rows.filter(isCommitted);
  const amount = (each: Purchase): number => each.paid ?? each.cost;
  const net = (each: Purchase): number => Math.max(0, amount(each) - each.refunded);
  const counts = (each: Purchase): boolean => amount(each) === 0 || net(each) > 0;
  const sum = (some: readonly Purchase[], of: (each: Purchase) => number): number =>
    some.reduce((total, each) => total + of(each), 0);
  const within = (ms: number): readonly Purchase[] => committed.filter((each) => NOON - each.createdAt < ms);
  const own = (some: readonly Purchase[]): readonly Purchase[] => some.filter((each) => each.strategy === strategy);
  const item = (some: readonly Purchase[]): readonly Purchase[] => some.filter((each) => each.marketHashName === marketHashName);
  const [hour, day] = [within(3_600_000), within(86_400_000)];
  return {
    spend: { hour: sum(hour, amount), day: sum(day, amount), total: sum(committed, net) },
    item: { hour: item(hour).length, day: item(day).length, total: item(committed).filter(counts).length },
    strategySpend: { hour: sum(own(hour), amount), day: sum(own(day), amount), total: sum(own(committed), net) },
    strategyCount: { hour: own(hour).length, day: own(day).length, total: own(committed).filter(counts).length },
    strategyItem: { hour: item(own(hour)).length, day: item(own(day)).length, total: item(own(committed)).filter(counts).length },
    open: rows.filter((each) => isOpen(each.state)).length,
    unknown: rows.filter((each) => each.state === 'unknown').length,
    committedInHour: hour.length,
  };
}

describe('the exposure', () => {
  it('equals a recount from the newest rows, whatever came before them', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 60 }),
        fc.constantFrom('one', 'two'),
        fc.constantFrom('A', 'B'),
        (rows, strategy, marketHashName) => {
          const exposure = emptyExposure();
          const newest = new Map<number, Purchase>();
          for (const given of rows) {
            // What a purchase is of does not change; its state, money and time of writing stand for those of its first row.
            const first = newest.get(given.id);
            const kept = first && {
              strategy: first.strategy,
              marketHashName: first.marketHashName,
              createdAt: first.createdAt,
              cost: first.cost,
            };
            const next = purchase({ ...given, ...kept });
            newest.set(next.id, next);
            withPurchase(exposure, next);
          }
          pruneRecent(exposure, NOON);
          expect(usage(exposure, { strategy, marketHashName }, NOON)).toEqual(
            recount([...newest.values()], strategy, marketHashName),
          );
        },
      ),
    );
  });

  it('is as it was once a pending intent is taken back', () => {
    const exposure = emptyExposure();
    withPurchase(exposure, purchase());
    const before = snapshotOf(exposure);
    withPending(exposure, 'c5game:9', { amount: micros(5), strategy: 'cheap', marketHashName: 'A' }, true);
    expect(snapshotOf(exposure)).not.toEqual(before);
    withoutPending(exposure, 'c5game:9');
    expect(snapshotOf(exposure)).toEqual(before);
  });

  it('counts an adopted order once, however often it is told', () => {
    const exposure = emptyExposure();
    const order = { at: NOON, amount: micros(7), marketHashName: 'A', open: true };
    withAdopted(exposure, 'x', order);
    withAdopted(exposure, 'x', order);
    expect(usage(exposure, { strategy: 'one', marketHashName: 'A' }, NOON)).toMatchObject({
      spend: { hour: 7, day: 7, total: 7 },
      item: { total: 1 },
      open: 1,
    });
  });

  it('counts an adopted order as it was first told, and as open while it is on its way, ten days at the most', () => {
    const exposure = emptyExposure();
    const order = { at: NOON, amount: micros(7), marketHashName: 'A', open: true };
    const used = (at: number) => usage(exposure, { strategy: 'one', marketHashName: 'a' }, at);
    withAdopted(exposure, 'x', order);
    expect([used(NOON).open, used(NOON + 864_000_000).open]).toEqual([1, 0]);
    withAdopted(exposure, 'x', { at: NOON + 5, amount: micros(9), marketHashName: '', open: false });
    expect(used(NOON + 3_600_000)).toMatchObject({ open: 0, spend: { hour: 0, total: 7 }, item: { day: 1, total: 1 } });
  });

  it('counts an adopted order without a name as one of every item', () => {
    const exposure = emptyExposure();
    withPurchase(exposure, purchase({ marketHashName: 'A' }));
    withAdopted(exposure, 'x', { at: NOON, amount: micros(7), marketHashName: '', open: false });
    const item = (marketHashName: string) => usage(exposure, { strategy: 'one', marketHashName }, NOON).item.total;
    expect([item('A'), item('B')]).toEqual([2, 1]);
  });
});

function snapshotOf(exposure: Exposure): unknown {
  return [exposure.contributions, exposure.recent, exposure.holds, exposure.sums].map((map) =>
    [...map.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

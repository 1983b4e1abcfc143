import { describe, expect, it } from 'vitest';
import { ZERO } from '../../src/domain/money.ts';
import { overlooked } from './audit/restored.ts';
import type { OrderRow, PurchaseRow, Rows } from './audit/rows.ts';
import { type SoldOrder, truthOf } from './audit/truth.ts';
import type { Lived, Restored } from './lived.ts';
import { live } from './life.ts';
import { planOf } from './plan.ts';

const copiedAt = 1_000;
const restored: Restored = { copiedAt, at: 5_000, lastId: 1 };

function sold(id: string, createdAt: number): SoldOrder {
  return {
    id,
    market: 'c5game',
    listingId: id,
    name: 'P250 | Sand Dune',
    price: ZERO,
    createdAt,
    code: 'COMPLETED',
    origin: 'ours',
  };
}

function rowsWith(
  purchases: readonly { id: number; base_seq: number }[],
  known: readonly { order_id: string; seq: number }[],
): Rows {
  const made = purchases.map(
    (one) => ({ market: 'c5game', listing_id: `l${one.id}`, created_at: 6_000, ...one }) as unknown as PurchaseRow,
  );
  return { purchases: made, orders: known as readonly OrderRow[], evidence: [], halts: [], alerts: [] };
}

function found(rows: Rows, orders: readonly SoldOrder[], faults: object = {}, of: readonly Restored[] = [restored]): string[] {
  const lived = { restored: of, plan: { ...planOf(10, 'beyond'), faults } } as unknown as Lived;
  return overlooked(rows, truthOf({ orders, bookings: [] }, []), lived).map(({ check }) => check);
}

describe('where an older copy of the ledger was put in its place', () => {
  const forgotten = sold('o1', 2_000);

  it('nothing may be bought before each order of what was forgotten is accounted for', () => {
    expect(found(rowsWith([{ id: 2, base_seq: 7 }], []), [forgotten])).toEqual(['overlooked']);
    expect(found(rowsWith([{ id: 2, base_seq: 7 }], [{ order_id: 'o1', seq: 8 }]), [forgotten])).toEqual(['overlooked']);
    expect(found(rowsWith([{ id: 2, base_seq: 7 }], [{ order_id: 'o1', seq: 7 }]), [forgotten])).toEqual([]);
  });

  it('purchases of the copy, orders of other times and lists that hide orders are held to nothing', () => {
    expect(found(rowsWith([{ id: 1, base_seq: 0 }], []), [forgotten])).toEqual([]);
    expect(found(rowsWith([{ id: 2, base_seq: 7 }], []), [sold('o1', 999), sold('o2', 5_000)])).toEqual([]);
    expect(found(rowsWith([{ id: 2, base_seq: 7 }], []), [forgotten], { ordersLate: 0.2 })).toEqual([]);
    expect(found(rowsWith([{ id: 2, base_seq: 7 }], []), [forgotten], {}, [])).toEqual([]);
  });

  it('a life goes on, in which nothing is bought twice and no order is lost', async () => {
    const plan = { ...planOf(100, 'beyond', 'short'), crashes: [] };
    const { violations, struck, accepted } = await live(plan);
    expect(violations).toEqual([]);
    expect(struck['backup']).toBe(1);
    expect(accepted).toBeGreaterThan(0);
  }, 60_000);
});

describe('a life after which nothing is bought though there is room', () => {
  it('is stuck', async () => {
    const plan = { ...planOf(5, 'safety', 'short'), minutes: 2 };
    const { violations } = await live({ ...plan, bot: { ...plan.bot, intervalMs: 100 * 24 * 3_600_000 } });
    expect(violations.map(({ check }) => check)).toContain('stuck');
  }, 60_000);
});

import { describe, expect, it } from 'vitest';
import { micros } from '../../src/domain/money.ts';
import { reserveViolations, trustIn } from './audit/audit.ts';
import { type Trust, capViolations, everything } from './audit/caps.ts';
import type { PurchaseRow } from './audit/rows.ts';
import { truthOf } from './audit/truth.ts';
import { at, books, evidence, plan, row, rows } from './hand-made.ts';
import type { Plan } from './plan.ts';

const MINUTE = 60_000;
const beyond: Plan = { ...plan, kind: 'beyond' };

describe('how far an exchange is trusted', () => {
  it('is everything within our assumptions, but where it hides orders from refusals and from its lists, for as long as it may', () => {
    const hides: Plan['faults'] = { buyRefusedYetBought: 0.1, ordersLate: 0.1 };
    const faultTimes: Plan['faultTimes'] = { ...plan.faultTimes, lag: [1_000, 5_000] };
    expect(trustIn(plan)).toEqual(everything);
    expect(trustIn({ ...plan, faults: { ordersLate: 0.1 } })).toEqual(everything);
    expect(trustIn({ ...plan, faults: hides, faultTimes })).toEqual({ ...everything, hiddenMs: 65_000 });
    expect(trustIn({ ...plan, faults: hides, clockSteps: [{ at: 1, byMs: 1 }] }).hiddenMs).toBe(Infinity);
  });

  it('is that what was agreed counts beyond them, and nothing where orders may be somebody else’s or come twice', () => {
    expect(trustIn(beyond)).toEqual({ hiddenMs: 0, asAgreed: false, singly: true });
    for (const fault of ['buyTwice', 'foreignBuyer'] as const)
      expect(trustIn({ ...beyond, faults: { [fault]: 0.1 } }).singly).toBe(false);
  });
});

describe('money given back for what was sold', () => {
  const freedAt = at + 1_005 + MINUTE;
  const history = [
    evidence(1, 1, 'intended'),
    evidence(2, 1, 'rejected', { from_state: 'intended', kind: 'outcome' }),
    evidence(3, 1, 'rejected', { at: freedAt, from_state: 'rejected', kind: 'refusal-confirmed' }),
    evidence(4, 2, 'intended'),
    evidence(5, 3, 'intended'),
  ];

  function found(trust: Trust, given: Partial<PurchaseRow> = {}, adopted = false): string[] {
    const all = [row(1, { state: 'rejected', refusal_cause: 'gone', ...given }), row(2), row(3)];
    const whole = rows(all, history);
    const orders = whole.orders.map((order) => (order.purchase_id === 1 && adopted ? { ...order, known_as: 'adopted' } : order));
    const view = { ...whole, orders };
    return capViolations(view, truthOf(books(1, 2, 3), all), () => [plan.bot], trust).map(
      ({ check, detail }) => `${check} ${detail.split(':')[0]}`,
    );
  }

  const both = ['cap spend hour (real)', 'freed-wrongly its money was given back, and order o1 had been made'];

  it('is a fault, and counts in what was really spent', () => {
    expect(found(everything)).toEqual(both);
  });

  it('is none while a refusal and late lists hid the order, and one as soon as they no longer did', () => {
    expect(found({ ...everything, hiddenMs: MINUTE })).toEqual([]);
    expect(found({ ...everything, hiddenMs: MINUTE - 1 })).toEqual(both);
  });

  it('is a fault of one that was not refused, however late lists are', () => {
    expect(found({ ...everything, hiddenMs: Infinity }, { refusal_cause: null })).toEqual(both);
  });

  it('is none where a debit that nobody agreed to made the order somebody else’s, which counts', () => {
    const trust = { ...everything, asAgreed: false };
    expect(found(trust)).toEqual(both);
    expect(found(trust, {}, true)).not.toContain(both[1]);
    expect(found({ ...trust, singly: false })).toEqual([]);
  });
});

describe('the reserve', () => {
  /** Two purchases of 4 dollars each; the reserve is 5. */
  function found(kind: Plan['kind'], left: readonly number[], debits: readonly number[] = [4, 4], apartMs = 1_000): number {
    const view = books(1, 2);
    const bookings = view.bookings.map((booking, place) => ({
      ...booking,
      at: at + place * apartMs,
      amount: micros(-1_000_000 * (debits[place] ?? 0)),
      balanceAfter: micros(1_000_000 * (left[place] ?? 0)),
    }));
    const all = [row(1), row(2)];
    return reserveViolations({ ...view, bookings }, truthOf(view, all), all, { ...plan, kind }).length;
  }

  it('is passed where the balance falls below it', () => {
    for (const kind of ['safety', 'beyond'] as const) {
      expect(found(kind, [9, 5])).toBe(0);
      expect(found(kind, [8.99, 4.99])).toBe(1);
    }
  });

  it('is kept beyond our assumptions as long as what nobody agreed to, a moment ago, is all that is missing', () => {
    expect(found('safety', [8, 4], [5, 4])).toBe(1);
    expect(found('beyond', [8, 4], [5, 4])).toBe(0);
    expect(found('beyond', [8, 3.99], [5, 4])).toBe(1);
    expect(found('beyond', [8, 4], [5, 4], 10 * MINUTE + 1)).toBe(1);
  });
});

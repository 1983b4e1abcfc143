import { describe, expect, it } from 'vitest';
import { NOON, dollars } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, order, outcomes, settled, unsaid } from './support.ts';

const kinds = (ledger: ReturnType<typeof freshLedger>, id = 1): string[] =>
  ledger.evidenceOf(id).map((row) => `${row.kind}: ${row.from ?? ''}>${row.to}`);

describe('an outcome', () => {
  it('of bought makes the order known in the same transaction', () => {
    const ledger = freshLedger();
    const purchase = begun(ledger, 1);
    const times = { sentAt: NOON + 1.25, answeredAt: NOON + 1.75 };
    const after = ledger.recordOutcome(purchase.id, outcomes.bought('o1'), times, undefined, NOON + 2);
    expect(after).toMatchObject({
      state: 'bought',
      serviceOrderId: 'o1',
      orderStatus: 'SUCCESS',
      answeredAt: NOON + 2,
      updatedAt: NOON + 2,
    });
    expect(ledger.purchase(1)).toEqual(after);
    expect(ledger.timingsOf(1)).toMatchObject(times);
    const known = ledger.known(['o1', 'o2'], [], NOON + 3);
    expect([...known.orders.values()]).toEqual([
      { seq: 1, orderId: 'o1', as: 'ours', purchaseId: 1, amount: dollars(10.5), statusCode: 'SUCCESS' },
    ]);
    expect(known).toMatchObject({ orderCount: 1, orderSeq: 1, ownCount: 1 });
    expect(known.listed.size).toBe(0);
    expect(kinds(ledger)).toEqual(['intent: >intended', 'outcome: intended>bought']);
  });

  it('of refused holds its money [N11]', () => {
    const ledger = freshLedger();
    expect(settled(ledger, begun(ledger, 1), outcomes.refused('funds'))).toMatchObject({
      state: 'rejected',
      held: true,
      refusalCause: 'funds',
      reason: 'LISTING_GONE: gone',
    });
    expect(ledger.reserved()).toBe(dollars(10.5));
  });

  it('of unknown keeps the reference that alone proves nothing', () => {
    const ledger = freshLedger();
    expect(settled(ledger, begun(ledger, 1), outcomes.unknown('up-1'))).toMatchObject({
      state: 'unknown',
      wasUnknown: true,
      upstreamOrderId: 'up-1',
      reason: 'no answer in time',
    });
  });

  it('of unsent frees money and listing', () => {
    const ledger = freshLedger();
    expect(settled(ledger, begun(ledger, 1), outcomes.unsent())).toMatchObject({
      state: 'expired',
      reason: 'connection refused',
    });
    expect(ledger.reserved()).toBe(0);
  });

  it('brings its halt in the same transaction', () => {
    const ledger = freshLedger();
    const purchase = begun(ledger, 1);
    ledger.recordOutcome(purchase.id, outcomes.bought('o1'), unsaid, 'another item was bought', NOON + 2);
    expect(ledger.halted()).toEqual({ reason: 'another item was bought', by: 'outcome', at: NOON + 2 });
  });

  it('for a purchase that does not exist is a mistake of the caller', () => {
    const ledger = freshLedger();
    expect(() => ledger.recordOutcome(99, outcomes.unsent(), unsaid, undefined, NOON)).toThrow(RangeError);
  });
});

describe('a late answer', () => {
  it('that says bought settles an unknown purchase [N8]', () => {
    const ledger = freshLedger();
    const purchase = settled(ledger, begun(ledger, 1), outcomes.unknown());
    expect(settled(ledger, purchase, outcomes.bought('o1'), NOON + 9)).toMatchObject({
      state: 'bought',
      wasUnknown: true,
      serviceOrderId: 'o1',
      reason: 'bought after all: a late answer said so (it was unknown)',
    });
    expect(kinds(ledger)).toEqual(['intent: >intended', 'outcome: intended>unknown', 'late: unknown>bought']);
  });

  it('that refuses an unknown purchase still needs looks, and begins their count anew', () => {
    const ledger = freshLedger();
    const purchase = settled(ledger, begun(ledger, 1), outcomes.unknown());
    const proof = { ...ledger.known([], [], NOON).proofs.get(1)!, completeLooks: 5, healthyMs: 7 };
    ledger.apply([{ kind: 'proof', purchaseId: 1, proof }], NOON + 5);
    expect(ledger.known([], [], NOON + 6).proofs.get(1)).toMatchObject({ completeLooks: 5, standingAt: undefined });
    expect(settled(ledger, purchase, outcomes.refused(), NOON + 9)).toMatchObject({
      state: 'rejected',
      held: true,
      wasUnknown: true,
      answeredAt: NOON + 9,
    });
    expect(ledger.known([], [], NOON + 10).proofs.size).toBe(0);
  });

  it('that says bought outranks a refusal, a disproof and a person', () => {
    const ledger = freshLedger();
    const refused = settled(ledger, begun(ledger, 1), outcomes.refused());
    const disproved = settled(ledger, begun(ledger, 2), outcomes.unknown());
    ledger.apply([{ kind: 'not-bought', purchaseId: disproved.id, note: '' }], NOON + 3);
    const judged = settled(ledger, begun(ledger, 3), outcomes.unknown());
    ledger.resolve(judged.id, 'not-bought', 'I looked', NOON + 3);
    for (const { id } of [refused, disproved, judged]) {
      expect(ledger.recordOutcome(id, outcomes.bought(`o${id}`), unsaid, undefined, NOON + 4)).toMatchObject({
        state: 'bought',
        held: false,
      });
    }
  });

  it('that says bought is booked although the listing was tried again meanwhile, and no third try follows', () => {
    const ledger = freshLedger();
    const first = settled(ledger, begun(ledger, 1), outcomes.refused('rate'));
    ledger.apply([{ kind: 'refusal-confirmed', purchaseId: first.id, note: 'two looks' }], NOON + 3);
    const second = begun(ledger, 1, NOON + 4);
    expect(settled(ledger, first, outcomes.bought('o1'), NOON + 5)).toMatchObject({ state: 'bought', serviceOrderId: 'o1' });
    expect(settled(ledger, second, outcomes.refused('rate'), NOON + 6)).toMatchObject({ state: 'rejected', held: true });
    ledger.apply([{ kind: 'refusal-confirmed', purchaseId: second.id, note: 'two looks' }], NOON + 7);
    expect(() => begun(ledger, 1, NOON + 8)).toThrow(/taken/);
  });

  it.each([outcomes.refused(), outcomes.unknown(), outcomes.unsent(), outcomes.bought('o1')])(
    'of $kind changes nothing once it is bought, but is kept',
    (outcome) => {
      const ledger = freshLedger();
      const before = settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
      expect(settled(ledger, before, outcome, NOON + 9)).toEqual(before);
      expect(ledger.purchase(1)).toEqual(before);
      expect(kinds(ledger).at(-1)).toBe('late: bought>bought');
    },
  );

  it('gives a purchase that a person called bought its order', () => {
    const ledger = freshLedger();
    const purchase = settled(ledger, begun(ledger, 1), outcomes.unknown());
    ledger.resolve(purchase.id, 'bought', 'it is in my inventory', NOON + 3);
    expect(settled(ledger, purchase, outcomes.bought('o1'), NOON + 4)).toMatchObject({ state: 'bought', serviceOrderId: 'o1' });
    expect(ledger.known(['o1'], [], NOON + 5).orders.get('o1')).toMatchObject({ as: 'ours', purchaseId: 1 });
  });

  it("that names another purchase's order proves nothing", () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    expect(settled(ledger, begun(ledger, 2), outcomes.bought('o1'))).toMatchObject({
      state: 'unknown',
      serviceOrderId: undefined,
    });
    const third = settled(ledger, begun(ledger, 3), outcomes.unknown());
    expect(settled(ledger, third, outcomes.bought('o1'))).toMatchObject({ state: 'unknown' });
    expect(kinds(ledger, 3).at(-1)).toBe('contradiction: unknown>unknown');
  });

  it('explains an order that was taken for a stranger, which then counts once', () => {
    const ledger = freshLedger();
    const purchase = begun(ledger, 1);
    ledger.apply([{ kind: 'order', order: order('o1'), as: 'adopted', purchaseId: undefined }], NOON + 2);
    const probe = { strategy: 'cheap', marketHashName: purchase.marketHashName };
    expect(ledger.totals('live', probe, NOON)).toMatchObject({ spend: dollars(21), item: 2 });
    settled(ledger, purchase, outcomes.bought('o1'), NOON + 3);
    expect(ledger.totals('live', probe, NOON)).toMatchObject({ spend: dollars(10.5), item: 1, strategyCount: 1 });
    expect(ledger.adoptedOrders()).toEqual([]);
  });
});

describe('a crash', () => {
  it('leaves intents that become unknown at the next start, once [P5 P6 P15 P36]', () => {
    const folder = freshFolder();
    const before = freshLedger(folder);
    begun(before, 1);
    settled(before, begun(before, 2), outcomes.bought('o2'));
    begun(before, 3);
    before.close();
    const ledger = opened(folder);
    const orphans = ledger.orphansToUnknown(NOON + 100);
    expect(orphans.map(({ id, state, wasUnknown, answeredAt }) => ({ id, state, wasUnknown, answeredAt }))).toEqual([
      { id: 1, state: 'unknown', wasUnknown: true, answeredAt: NOON + 100 },
      { id: 3, state: 'unknown', wasUnknown: true, answeredAt: NOON + 100 },
    ]);
    expect(ledger.orphansToUnknown(NOON + 101)).toEqual([]);
    expect(ledger.purchase(2)?.state).toBe('bought');
  });
});

describe("a person's verdict", () => {
  it('settles an unknown purchase and is kept with its reason', () => {
    const ledger = freshLedger();
    for (const [number, as, state] of [
      [1, 'bought', 'bought'],
      [2, 'not-bought', 'rejected'],
    ] as const) {
      settled(ledger, begun(ledger, number), outcomes.unknown());
      expect(ledger.resolve(number, as, 'seen in the inventory', NOON + 5)).toMatchObject({
        state,
        held: false,
        wasUnknown: true,
      });
      expect(ledger.evidenceOf(number).at(-1)).toMatchObject({ kind: 'verdict', note: 'seen in the inventory', to: state });
    }
    expect(ledger.purchase(2)?.reason).toBe('a person says it was not bought: seen in the inventory');
  });

  it.each(['bought', 'not-bought'] as const)('frees or books a refusal that no look has confirmed: %s', (as) => {
    const ledger = freshLedger();
    const { id } = settled(ledger, begun(ledger, 1), outcomes.refused('gone'));
    const state = as === 'bought' ? 'bought' : 'rejected';
    expect(ledger.resolve(id, as, 'looked it up', NOON + 5)).toMatchObject({ state, held: false });
    expect(() => ledger.resolve(id, as, 'again', NOON + 6)).toThrow('only one in doubt can be resolved');
  });

  it('is not for a purchase whose outcome is known', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    expect(() => ledger.resolve(1, 'not-bought', 'I wish', NOON + 5)).toThrow(
      'purchase 1 is bought, only one in doubt can be resolved',
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/engine/evidence.ts';
import { noProof } from '../../src/engine/evidence.ts';
import { NOON, dollars } from '../support/values.ts';
import { begun, freshFolder, freshLedger, order, outcomes, raw, readBalance, settled } from './support.ts';

const DAY = 86_400_000;

type Kept = ReturnType<typeof freshLedger>;

function unknownOne(ledger: Kept, number = 1): number {
  return settled(ledger, begun(ledger, number), outcomes.unknown()).id;
}

function boughtOne(ledger: Kept, number = 1): number {
  return settled(ledger, begun(ledger, number), outcomes.bought(`o${number}`)).id;
}

const bought = (purchaseId: number, given: Partial<Extract<Finding, { kind: 'bought' }>> = {}): Finding => ({
  kind: 'bought',
  purchaseId,
  order: undefined,
  transactionId: undefined,
  paid: undefined,
  note: 'its order is there',
  ...given,
});

const refund = (purchaseId: number, amount: number, transactionId: string): Finding => ({
  kind: 'refund',
  purchaseId,
  amount: dollars(amount),
  transactionId,
  note: 'money came back',
});

describe('evidence of an order', () => {
  it('settles an unknown, intended or refused purchase as bought', () => {
    const ledger = freshLedger();
    const ids = [unknownOne(ledger), begun(ledger, 2).id, settled(ledger, begun(ledger, 3), outcomes.refused()).id];
    const changed = ledger.apply(
      ids.map((id) => bought(id, { order: order(`o${id}`, { settlementAt: NOON + DAY }) })),
      NOON + 5,
    );
    expect(
      changed.map(({ id, state, serviceOrderId, orderStatus, settlementAt, held }) => ({
        id,
        state,
        serviceOrderId,
        orderStatus,
        settlementAt,
        held,
      })),
    ).toEqual(
      ids.map((id) => ({
        id,
        state: 'bought',
        serviceOrderId: `o${id}`,
        orderStatus: 'PENDING',
        settlementAt: NOON + DAY,
        held: false,
      })),
    );
    expect([...ledger.known([], [], NOON + 6).listed]).toEqual(ids.map((id) => [id, `o${id}`]));
  });

  it('settles one purchase only', () => {
    const ledger = freshLedger();
    const [one, two] = [unknownOne(ledger, 1), unknownOne(ledger, 2)];
    const changed = ledger.apply([bought(one, { order: order('o1') }), bought(two, { order: order('o1') })], NOON + 5);
    expect(changed.map(({ id }) => id)).toEqual([one]);
    expect(ledger.purchase(two)?.state).toBe('unknown');
    expect(ledger.evidenceOf(two).at(-1)).toMatchObject({ kind: 'contradiction', note: 'the order belongs elsewhere' });
    ledger.apply([bought(two, { transactionId: 't1' })], NOON + 6);
    const three = unknownOne(ledger, 3);
    expect(ledger.apply([bought(three, { transactionId: 't1' })], NOON + 7)).toEqual([]);
    expect(ledger.known([], ['t1', 't2'], NOON + 8)).toMatchObject({
      usedTransactions: new Set(['t1']),
      booked: new Map([[two, undefined]]),
    });
  });

  it('does not undo what came later, and adds the order where it was missing', () => {
    const ledger = freshLedger();
    const id = unknownOne(ledger);
    ledger.resolve(id, 'bought', 'I see it', NOON + 3);
    const [after] = ledger.apply([bought(id, { order: order('o1'), paid: dollars(10.51) })], NOON + 4);
    expect(after).toMatchObject({
      state: 'bought',
      serviceOrderId: 'o1',
      paid: dollars(10.51),
      reason: 'a person says it was bought: I see it',
    });
  });

  it('may bear another id than the answer named: the purchase owns both, and it counts once', () => {
    const ledger = freshLedger();
    const id = boughtOne(ledger);
    ledger.apply([{ kind: 'order', order: order('row-1'), as: 'ours', purchaseId: id }], NOON + 5);
    const known = ledger.known(['o1', 'row-1'], [], NOON + 6);
    expect([...known.orders.values()].map(({ as, purchaseId }) => ({ as, purchaseId }))).toEqual([
      { as: 'ours', purchaseId: id },
      { as: 'ours', purchaseId: id },
    ]);
    expect(known.listed.get(id)).toBe('row-1');
    expect(known).toMatchObject({ orderCount: 1, ownCount: 1, orderSeq: 2 });
    ledger.apply([{ kind: 'status', purchaseId: id, order: order('row-1', { statusCode: 'HOLD' }) }], NOON + 7);
    expect(ledger.purchase(id)).toMatchObject({ serviceOrderId: 'o1', orderStatus: 'HOLD' });
    expect(ledger.apply([{ kind: 'status', purchaseId: id, order: order('row-2', { statusCode: 'FAILED' }) }], NOON + 8)).toEqual(
      [],
    );
  });

  it('goes to the other of two purchases, and the other’s to it, where they were taken for each other’s', () => {
    const ledger = freshLedger();
    const [one, other] = [unknownOne(ledger, 1), unknownOne(ledger, 2)];
    const done = order('done', { statusCode: 'COMPLETED', settlementAt: NOON + DAY });
    ledger.apply([bought(one, { order: done }), bought(other, { order: order('back', { statusCode: 'REVERTED' }) })], NOON + 5);
    const states = () =>
      [one, other].map((id) => ledger.purchase(id)).map((it) => [it?.serviceOrderId, it?.orderStatus, it?.settlementAt]);
    const before = states();
    const stranger = order('stranger');
    ledger.apply([{ kind: 'order', order: stranger, as: 'adopted', purchaseId: undefined }], NOON + 5);
    const probe = { strategy: 'cheap', marketHashName: stranger.itemName! };
    const used = ledger.usage('live', probe, NOON + 6);
    const changed = ledger.apply([{ kind: 'exchanged', purchaseId: one, withId: other, note: 'its money came back' }], NOON + 6);
    expect(new Set(changed)).toEqual(new Set([ledger.purchase(one), ledger.purchase(other)]));
    expect(states()).toEqual(before.toReversed());
    const known = ledger.known(['done', 'back'], [], NOON + 7);
    expect(known.orders.get('back')).toMatchObject({ as: 'ours', purchaseId: one });
    expect(known.orders.get('done')).toMatchObject({ as: 'ours', purchaseId: other });
    expect([known.listed.get(one), known.listed.get(other), known.ownCount]).toEqual(['back', 'done', 2]);
    expect(ledger.evidenceOf(one).map(({ kind }) => kind)).toContain('exchanged');
    expect(ledger.usage('live', probe, NOON + 6), 'no cap is wider for it').toEqual(used);
  });

  it('counts as what it was first seen as: the database lets it become nobody’s, and another amount, by no way', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const id = boughtOne(ledger);
    ledger.apply([{ kind: 'order', order: order('row-1'), as: 'baseline', purchaseId: undefined }], NOON + 5);
    const db = raw(folder);
    const set = (what: string) => () => db.exec(`UPDATE orders SET ${what}`);
    expect(set("known_as = 'adopted', purchase_id = NULL")).toThrow('counted as somebody else’s from the first, or never');
    for (const what of ['amount = 1', "item = 'x'", "order_id = 'x'", "account = 'x'"]) {
      expect(set(what), `set ${what}`).toThrow('what an order counts as does not change');
    }
    expect(ledger.known(['o1'], [], NOON + 6).orders.get('o1')).toMatchObject({ as: 'ours', purchaseId: id });
  });

  describe('that counts as somebody else’s goes on counting', () => {
    const stranger = order('stranger');
    const adopted: Finding = { kind: 'order', order: stranger, as: 'adopted', purchaseId: undefined };
    const probe = { strategy: 'cheap', marketHashName: stranger.itemName! };

    it('where the purchase that it is given to was not bought', () => {
      const ledger = freshLedger();
      const refused = settled(ledger, begun(ledger, 1), outcomes.refused()).id;
      ledger.apply([{ kind: 'refusal-confirmed', purchaseId: refused, note: '' }], NOON + 4);
      const unsent = settled(ledger, begun(ledger, 2), outcomes.unsent()).id;
      ledger.apply([adopted], NOON + 5);
      const used = ledger.usage('live', probe, NOON + 7);
      for (const purchaseId of [refused, unsent]) ledger.apply([{ ...adopted, as: 'ours', purchaseId }], NOON + 6);
      expect(ledger.usage('live', probe, NOON + 7)).toEqual(used);
    });

    it('where the purchase is not bought by it after all, since its transaction is another’s', () => {
      const ledger = freshLedger();
      const [one, refused] = [boughtOne(ledger, 1), settled(ledger, begun(ledger, 2), outcomes.refused()).id];
      const paid: Finding = { kind: 'paid', purchaseId: one, paid: dollars(10.5), transactionId: 't1', note: '' };
      ledger.apply([{ kind: 'refusal-confirmed', purchaseId: refused, note: '' }, paid, adopted], NOON + 5);
      const used = ledger.usage('live', probe, NOON + 7);
      ledger.apply([bought(refused, { order: stranger, transactionId: 't1' })], NOON + 6);
      expect(ledger.purchase(refused)?.state).toBe('rejected');
      expect(ledger.usage('live', probe, NOON + 7)).toEqual(used);
      ledger.apply([bought(refused, { order: stranger, transactionId: 't2' })], NOON + 8);
      expect(ledger.usage('live', probe, NOON + 9).spend.total, 'once, as the purchase').toBe(used.spend.total);
    });

    it('where a list has shown it as that of a purchase in doubt, which is proved not bought then', () => {
      const ledger = freshLedger();
      const purchaseId = unknownOne(ledger);
      ledger.apply([{ ...adopted, as: 'ours', purchaseId }], NOON + 5);
      ledger.apply([{ kind: 'not-bought', purchaseId, note: '' }, adopted], NOON + 6);
      expect(ledger.usage('live', probe, NOON + 7).spend.total).toBe(stranger.amount);
    });
  });

  it('stays where one of two purchases has none that a list has shown, or two', () => {
    const ledger = freshLedger();
    const [one, other] = [unknownOne(ledger, 1), boughtOne(ledger, 2)];
    ledger.apply([bought(one, { order: order('row-1') })], NOON + 5);
    const exchange = (): void =>
      void ledger.apply([{ kind: 'exchanged', purchaseId: one, withId: other, note: 'its money came back' }], NOON + 6);
    exchange();
    expect(ledger.purchase(one)?.serviceOrderId).toBe('row-1');
    ledger.apply([{ kind: 'order', order: order('row-2'), as: 'ours', purchaseId: other }], NOON + 7);
    exchange();
    expect([one, other].map((id) => ledger.purchase(id)?.serviceOrderId)).toEqual(['row-1', 'o2']);
    expect(ledger.evidenceOf(one).filter(({ kind }) => kind === 'contradiction')).toHaveLength(2);
  });

  it('that nobody made is adopted once, and a baseline does not count [B16 B19]', () => {
    const ledger = freshLedger();
    const finding = (orderId: string, as: 'adopted' | 'baseline'): Finding => ({
      kind: 'order',
      order: order(orderId),
      as,
      purchaseId: undefined,
    });
    ledger.apply([{ kind: 'look', beganAt: NOON, baseTotal: 1 }, finding('b', 'baseline'), finding('a', 'adopted')], NOON + 1);
    ledger.apply(
      [{ kind: 'look', beganAt: NOON + 2, baseTotal: undefined }, finding('a', 'adopted'), finding('b', 'adopted')],
      NOON + 3,
    );
    const known = ledger.known(['a', 'b'], [], NOON + 4);
    expect(known.orders.get('b')?.as).toBe('baseline');
    expect(known).toMatchObject({ orderCount: 2, ownCount: 0, baselineAt: NOON, transactionsBaselineAt: undefined });
    expect(ledger.adoptedOrders()).toEqual([
      { orderId: 'a', amount: dollars(10.5), marketHashName: 'AK-47 | Redline (Field-Tested)', firstSeen: NOON + 1, open: true },
    ]);
    expect(ledger.capRows('live', NOON - 1)).toHaveLength(1);
    expect(ledger.capRows('paper', NOON - 1)).toEqual([]);
    expect(begun(ledger, 1).baseTotal, 'a look that cannot say leaves the last one').toBe(1);
  });
});

describe('the course of a purchase', () => {
  it('goes from bought over its statuses to completed', () => {
    const ledger = freshLedger();
    const id = boughtOne(ledger);
    const status = (statusCode: string): Finding => ({ kind: 'status', purchaseId: id, order: order('o1', { statusCode }) });
    expect(ledger.apply([status('ACTIVE')], NOON + 5)).toMatchObject([{ orderStatus: 'ACTIVE', state: 'bought' }]);
    expect(ledger.apply([status('ACTIVE')], NOON + 6), 'nothing new').toEqual([]);
    const done = order('o1', { statusCode: 'COMPLETED', settlementAt: NOON + 7 * DAY });
    expect(ledger.apply([{ kind: 'completed', purchaseId: id, order: done }], NOON + 7)).toMatchObject([
      { state: 'completed', completedAt: NOON + 7, settlementAt: NOON + 7 * DAY, orderStatus: 'COMPLETED' },
    ]);
    expect(ledger.apply([status('HOLD')], NOON + 8)).toMatchObject([{ state: 'completed', orderStatus: 'HOLD' }]);
  });

  it('books what was really debited', () => {
    const ledger = freshLedger();
    const id = boughtOne(ledger);
    const paid: Finding = { kind: 'paid', purchaseId: id, paid: dollars(10.49), transactionId: 't1', note: 'a cent less' };
    expect(ledger.apply([paid, paid], NOON + 5)).toMatchObject([{ paid: dollars(10.49), state: 'bought' }]);
    expect(ledger.totals('live', { strategy: 'cheap', marketHashName: '' }, NOON)).toMatchObject({ spend: dollars(10.49) });
    expect(ledger.apply([{ ...paid, purchaseId: boughtOne(ledger, 2) }], NOON + 6)).toEqual([]);
  });

  it('counts a refund once, in part or whole, and never as more than was paid [B6 B8]', () => {
    const ledger = freshLedger();
    const id = boughtOne(ledger);
    const probe = { strategy: 'cheap', marketHashName: 'AK-47 | Redline (Field-Tested)' };
    expect(ledger.apply([refund(id, 4, 't1'), refund(id, 4, 't1')], NOON + 5)).toMatchObject([
      { state: 'refunded', refunded: dollars(4) },
    ]);
    expect(ledger.totals('live', probe, NOON)).toMatchObject({ spend: dollars(6.5), item: 1, open: 0 });
    expect(ledger.apply([refund(id, 100, 't2')], NOON + 6)).toMatchObject([{ refunded: dollars(10.5) }]);
    expect(ledger.totals('live', probe, NOON)).toMatchObject({ spend: 0, item: 0, strategyCount: 0, strategyItem: 0 });
    expect(ledger.usage('live', probe, NOON + 7), 'windows are not refilled').toMatchObject({
      spend: { hour: dollars(10.5), day: dollars(10.5), total: 0 },
      item: { hour: 1, day: 1, total: 0 },
    });
  });

  it('is kept with its date, one by one', () => {
    const ledger = freshLedger();
    const id = boughtOne(ledger);
    const dated = { ...refund(id, 4, 't1'), bookedAt: NOON + 3 } as Finding;
    ledger.apply([dated, refund(id, 2, 't2'), refund(id, 2, 't2')], NOON + 5);
    expect([...ledger.known([], [], NOON + 6).refunds]).toEqual([
      [
        id,
        [
          { amount: dollars(4), bookedAt: NOON + 3 },
          { amount: dollars(2), bookedAt: undefined },
        ],
      ],
    ]);
  });

  it('cannot get money back that nobody knows to be spent', () => {
    const ledger = freshLedger();
    const id = unknownOne(ledger);
    expect(ledger.apply([refund(id, 10.5, 't1')], NOON + 5)).toEqual([]);
    expect(ledger.purchase(id)?.state).toBe('unknown');
    expect(ledger.known([], ['t1'], NOON + 6).usedTransactions.size, 'its evidence is not used up').toBe(0);
  });

  it('ends for a refusal when it is confirmed, and for an unknown one when it is disproved', () => {
    const ledger = freshLedger();
    const refused = settled(ledger, begun(ledger, 1), outcomes.refused()).id;
    const unknown = unknownOne(ledger, 2);
    ledger.apply(
      [
        { kind: 'refusal-confirmed', purchaseId: refused, note: 'two looks' },
        { kind: 'not-bought', purchaseId: unknown, note: 'still standing' },
      ],
      NOON + 5,
    );
    expect(ledger.purchase(refused)).toMatchObject({
      state: 'rejected',
      held: false,
      wasUnknown: false,
      reason: 'LISTING_GONE: gone',
    });
    expect(ledger.purchase(unknown)).toMatchObject({
      state: 'rejected',
      held: false,
      wasUnknown: true,
      reason: 'still standing',
    });
    expect(ledger.reserved()).toBe(0);
    expect(
      ledger.apply(
        [
          { kind: 'refusal-confirmed', purchaseId: unknown, note: 'again' },
          { kind: 'not-bought', purchaseId: refused, note: 'again' },
        ],
        NOON + 6,
      ),
    ).toEqual([]);
  });
});

describe('the findings of one look', () => {
  it('are applied together or not at all [P9]', () => {
    const ledger = freshLedger();
    const id = unknownOne(ledger);
    const before = ledger.evidenceSeq();
    expect(() =>
      ledger.apply([{ kind: 'halt', reason: 'odd' }, bought(id, { transactionId: 't' }), bought(99)], NOON + 5),
    ).toThrow(RangeError);
    expect(ledger.halted()).toBeUndefined();
    expect(ledger.purchase(id)?.state).toBe('unknown');
    expect(ledger.evidenceSeq()).toBe(before);
    expect(ledger.known([], ['t'], NOON).usedTransactions.size).toBe(0);
  });

  it('keep alerts and halts, the same halt once', () => {
    const ledger = freshLedger();
    const id = unknownOne(ledger);
    const alert = { kind: 'stuck', at: NOON + 5, message: 'it stays pending', next: undefined, purchaseId: id } as const;
    ledger.apply(
      [
        { kind: 'alert', alert },
        { kind: 'halt', reason: 'odd' },
        { kind: 'halt', reason: 'odd' },
      ],
      NOON + 5,
    );
    expect(ledger.alerts(NOON, 10)).toEqual([alert]);
    expect(ledger.standingHalts()).toEqual([{ reason: 'odd', by: 'evidence', at: NOON + 5 }]);
    expect(ledger.known([], [], NOON + 6).alerted).toEqual(new Set([`stuck:${id}`]));
  });

  it('keep how far a proof has come, exactly', () => {
    const ledger = freshLedger();
    const id = unknownOne(ledger);
    const proof = { ...noProof, completeLooks: 2, firstLookAt: NOON + 0.125, healthyMs: 1_234.5 };
    expect(ledger.apply([{ kind: 'proof', purchaseId: id, proof }], NOON + 5)).toEqual([]);
    expect(ledger.known([], [], NOON + 6).proofs.get(id)).toEqual(proof);
  });

  it('set the baselines once', () => {
    const ledger = freshLedger();
    for (const beganAt of [NOON, NOON + 1]) {
      ledger.apply(
        [
          { kind: 'look', beganAt, baseTotal: 3 },
          { kind: 'transactions-look', beganAt },
          { kind: 'baseline-transaction', transactionId: 't' },
        ],
        NOON + 2,
      );
    }
    expect(ledger.known([], ['t'], NOON + 3)).toMatchObject({
      baselineAt: NOON,
      transactionsBaselineAt: NOON,
      usedTransactions: new Set(['t']),
    });
    const id = unknownOne(ledger);
    expect(ledger.apply([bought(id, { transactionId: 't' })], NOON + 4), 'nobody’s evidence').toEqual([]);
  });
});

describe('what evidence may still change', () => {
  const watched = (ledger: Kept, at: number): number[] => ledger.known([], [], at).purchases.map(({ id }) => id);

  it('is what is open or held, and what ended a short while ago [B7]', () => {
    const ledger = freshLedger();
    const refused = settled(ledger, begun(ledger, 1), outcomes.refused()).id;
    const disproved = unknownOne(ledger, 2);
    const completed = boughtOne(ledger, 3);
    const half = boughtOne(ledger, 4);
    const whole = boughtOne(ledger, 5);
    const open = boughtOne(ledger, 6);
    settled(ledger, begun(ledger, 7), outcomes.unsent());
    begun(ledger, 8, NOON + 1, { lane: 'paper' });
    const late = boughtOne(ledger, 9);
    ledger.apply(
      [
        { kind: 'not-bought', purchaseId: disproved, note: '' },
        { kind: 'completed', purchaseId: completed, order: order('o3') },
        { kind: 'completed', purchaseId: late, order: order('o9', { settlementAt: NOON + 9 * DAY }) },
        refund(half, 1, 't1'),
        refund(whole, 10.5, 't2'),
      ],
      NOON + 5,
    );
    expect(watched(ledger, NOON + DAY), 'a held refusal stays').toEqual([refused, disproved, completed, half, whole, open, late]);
    ledger.apply([{ kind: 'refusal-confirmed', purchaseId: refused, note: '' }], NOON + 6);
    expect(watched(ledger, NOON + 600_000)).toContain(refused);
    expect(watched(ledger, NOON + 601_000)).not.toContain(refused);
    expect(watched(ledger, NOON + 10 * DAY)).toEqual([disproved, completed, half, whole, open, late]);
    expect(watched(ledger, NOON + 11 * DAY)).toEqual([half, open, late]);
    expect(watched(ledger, NOON + 18 * DAY)).toEqual([half, open]);
    expect(watched(ledger, NOON + 61 * DAY)).toEqual([open]);
  });

  it('comes with the balance that each purchase in doubt would leave if it was not debited', () => {
    const ledger = freshLedger();
    const one = unknownOne(ledger, 1);
    const two = boughtOne(ledger, 2);
    const three = unknownOne(ledger, 3);
    expect(ledger.known([], [], NOON + 3)).toMatchObject({
      previousBalance: { amount: dollars(1_000) },
      expectedBalances: new Map([
        [one, dollars(989.5)],
        [three, dollars(989.5)],
      ]),
    });
    ledger.apply(
      [refund(two, 3, 't'), { kind: 'order', order: order('x', { amount: dollars(7) }), as: 'adopted', purchaseId: undefined }],
      NOON + 5,
    );
    ledger.apply([bought(three)], NOON + 5);
    expect(ledger.known([], [], NOON + 6).expectedBalances).toEqual(new Map([[one, dollars(1_000 - 10.5 - 10.5 + 3 - 7)]]));
    readBalance(ledger, 975, NOON + 7);
    expect(ledger.known([], [], NOON + 8).previousBalance).toMatchObject({ amount: dollars(975) });
  });
});

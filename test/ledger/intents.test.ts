import { describe, expect, it } from 'vitest';
import { JournalFailure } from '../../src/engine/journal.ts';
import { capRefusal } from '../../src/risk/caps.ts';
import { NOON, dollars, intent, listing, noLimits, wideLimits } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, order, outcomes, raw, readBalance, settled, wish } from './support.ts';

describe('an intent', () => {
  it('is written whole, with the price exactly as it was received [M1 B4]', () => {
    const ledger = freshLedger();
    const odd = listing({ price: 0.1 + 0.2, priceWithFee: 0.31500000000000006, steam: undefined, wear: 0.1502000093460083 });
    const committed = ledger.commitIntent(wish({ listing: odd }), wideLimits, NOON + 1.5);
    expect(committed).toStrictEqual({ ok: true, purchase: ledger.purchase(1) });
    expect(ledger.purchases()).toEqual([
      {
        ...(committed.ok && committed.purchase),
        id: 1,
        account: 'account-1',
        lane: 'live',
        state: 'intended',
        price: 0.30000000000000004,
        priceWithFee: 0.31500000000000006,
        priceMicros: 300_001,
        cost: 315_001,
        steam: undefined,
        wear: 0.1502000093460083,
        baseSeq: 0,
        baseTotal: undefined,
        baseBalance: dollars(1_000),
        createdAt: NOON + 1.5,
        updatedAt: NOON + 1.5,
        held: false,
        debitSeen: false,
      },
    ]);
    expect(ledger.timingsOf(1)).toEqual({
      seenAt: NOON,
      decidedAt: NOON + 1.5,
      committedAt: undefined,
      sentAt: undefined,
      answeredAt: undefined,
    });
    expect(ledger.evidenceOf(1)).toMatchObject([{ kind: 'intent', from: undefined, to: 'intended' }]);
  });

  it('that risk has not approved is no intent', () => {
    const ledger = freshLedger();
    expect(() => ledger.commitIntent(intent() as ReturnType<typeof wish>, wideLimits, NOON)).toThrow(TypeError);
    expect(ledger.purchases()).toEqual([]);
  });

  it.each(['adopted', 'baseline'] as const)(
    'is never for a listing that an order names, though it is %s and no purchase knows of it',
    (as) => {
      const ledger = freshLedger();
      const named = order('o1', { itemId: '800000001' });
      ledger.apply(
        [
          { kind: 'look', beganAt: NOON, baseTotal: 0 },
          { kind: 'order', order: named, as, purchaseId: undefined },
        ],
        NOON + 1,
      );
      const tried = (id: string) => ledger.commitIntent(wish({ listing: listing({ id }) }), wideLimits, NOON + 2);
      expect(tried('800000001')).toMatchObject({ ok: false, reason: 'taken', detail: expect.stringContaining('order o1') });
      expect(tried('800000002')).toMatchObject({ ok: true });
    },
  );

  it('remembers what was known of the orders and the balance before it', () => {
    const ledger = freshLedger();
    const first = begun(ledger, 1);
    ledger.apply(
      [
        { kind: 'look', beganAt: NOON, baseTotal: 7 },
        { kind: 'order', order: order('old'), as: 'baseline', purchaseId: undefined },
      ],
      NOON + 1,
    );
    settled(ledger, first, outcomes.bought('new'));
    expect(begun(ledger, 2)).toMatchObject({ baseSeq: 2, baseTotal: 7, baseBalance: dollars(989.5) });
    settled(ledger, ledger.purchase(2)!, outcomes.unknown());
    expect(begun(ledger, 3), 'money of which nobody knows is not expected to go').toMatchObject({ baseBalance: dollars(989.5) });
  });

  it('stays in order when the clock has been set back [P25]', () => {
    const ledger = freshLedger();
    begun(ledger, 1, NOON + 1_000);
    expect(begun(ledger, 2, NOON + 500).createdAt).toBe(NOON + 1_000);
    expect(ledger.purchases().map(({ id }) => id)).toEqual([2, 1]);
  });

  it.each<[string, Parameters<typeof wish>[0], Partial<typeof wideLimits>, string]>([
    ['maxPrice', {}, { maxPrice: dollars(10.49) }, 'max-price'],
    ['reserve', {}, { reserve: dollars(989.51) }, 'reserve'],
    ['spend', {}, { spend: { hour: dollars(10.49) } }, 'spend-hour'],
    ['openPurchases', {}, { openPurchases: 0 }, 'open-purchases'],
    ['the unknown pause', {}, { unknown: 0 }, 'unknown-pause'],
    ['purchases of an item', {}, { perItem: { total: 0 } }, 'item-total'],
    ['a strategy', { limits: { ...noLimits, count: { day: 0 } } }, {}, 'strategy-count-day'],
  ])('is held against the cap of %s [B1 B2 B3 money-10 money-14]', (_, given, limits, reason) => {
    const ledger = freshLedger();
    expect(ledger.commitIntent(wish(given), { ...wideLimits, ...limits }, NOON + 1)).toMatchObject({ ok: false, reason });
    expect(ledger.purchases()).toEqual([]);
  });

  it.each<[string, Parameters<typeof wish>[0], Partial<typeof wideLimits>, string]>([
    ['an item in an hour', {}, { perItem: { hour: 1 } }, 'item-hour'],
    ['an item in a day', {}, { perItem: { day: 1 } }, 'item-day'],
    ['the spend of a strategy in an hour', { limits: { ...noLimits, spend: { hour: dollars(20) } } }, {}, 'strategy-spend-hour'],
    ['the spend of a strategy in all', { limits: { ...noLimits, spend: { total: dollars(20) } } }, {}, 'strategy-spend-total'],
    ['purchases of a strategy', { limits: { ...noLimits, count: { hour: 1 } } }, {}, 'strategy-count-hour'],
    ['purchases of an item by a strategy', { limits: { ...noLimits, perItem: { day: 1 } } }, {}, 'strategy-item-day'],
  ])('is held against the cap of %s, be it the only one of its kind [B1 B3]', (_, given, limits, reason) => {
    const ledger = freshLedger();
    const tried = (id: string) =>
      ledger.commitIntent(wish({ listing: listing({ id }), ...given }), { ...wideLimits, ...limits, unknown: 9 }, NOON + 1);
    expect(tried('1')).toMatchObject({ ok: true });
    expect(tried('2')).toMatchObject({ ok: false, reason });
  });

  it('would be refused by a cap whose figure was not looked for [B3]', () => {
    const ledger = freshLedger();
    const of =
      (given: Parameters<typeof wish>[0], perItem = {}) =>
      () =>
        capRefusal(wish(given), { ...wideLimits, perItem }, ledger.usageOfAccount('live', NOON + 1), dollars(1_000));
    expect(of({})()).toBeUndefined();
    expect(of({}, { day: 1_000_000 })()).toMatchObject({ reason: 'item-day' });
    expect(of({ limits: { ...noLimits, count: { total: 1_000_000 } } })()).toMatchObject({ reason: 'strategy-count-total' });
    expect(of({ limits: { ...noLimits, spend: { day: dollars(1_000_000_000) } } })).toThrow(RangeError);
  });

  it('is not written while a halt stands, whoever made it', () => {
    const ledger = freshLedger();
    ledger.halt('something is odd', 'person', NOON);
    expect(ledger.commitIntent(wish(), wideLimits, NOON + 1)).toEqual({
      ok: false,
      reason: 'halted',
      detail: 'something is odd',
    });
    ledger.resume(NOON + 2);
    expect(ledger.commitIntent(wish(), wideLimits, NOON + 3)).toMatchObject({ ok: true });
  });

  it('needs a balance reading younger than a minute, from before now', () => {
    const ledger = freshLedger();
    expect(ledger.commitIntent(wish(), wideLimits, NOON + 60_001)).toMatchObject({ reason: 'balance-unknown' });
    expect(ledger.commitIntent(wish(), wideLimits, NOON - 1)).toMatchObject({ reason: 'balance-unknown' });
    expect(ledger.commitIntent(wish(), wideLimits, NOON + 60_000)).toMatchObject({ ok: true });
  });

  it('for the real account needs to know whose account it is', () => {
    const ledger = opened(freshFolder());
    readBalance(ledger, 100, NOON);
    expect(ledger.commitIntent(wish(), wideLimits, NOON + 1)).toMatchObject({ reason: 'starting' });
    expect(ledger.commitIntent(wish({ lane: 'paper' }), wideLimits, NOON + 1)).toMatchObject({ ok: true });
  });

  it('is refused when the sums are beyond counting, rather than counted wrongly [money-13]', () => {
    const ledger = freshLedger();
    for (let n = 0; n < 12; n++) {
      ledger.apply(
        [{ kind: 'order', order: order(`huge-${n}`, { amount: dollars(5_000_000_000) }), as: 'adopted', purchaseId: undefined }],
        NOON,
      );
    }
    expect(ledger.commitIntent(wish(), wideLimits, NOON + 1)).toMatchObject({ ok: false, reason: 'spend-total' });
  });

  it('does not rest on a file that was replaced under it [P21]', async () => {
    const { renameSync, copyFileSync } = await import('node:fs');
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    copyFileSync(`${folder}/magpie.db`, `${folder}/magpie.copy`);
    renameSync(`${folder}/magpie.copy`, `${folder}/magpie.db`);
    expect(() => ledger.commitIntent(wish(), wideLimits, NOON + 1)).toThrow(JournalFailure);
    expect(() => ledger.commitIntent(wish(), wideLimits, NOON + 1)).toThrow(/removed or replaced/);
  });
});

describe('a listing', () => {
  const again = (ledger: ReturnType<typeof freshLedger>, price = 10, lane: 'live' | 'paper' = 'live') =>
    ledger.commitIntent(wish({ lane, listing: listing({ id: '1', price }) }), { ...wideLimits, unknown: 9 }, NOON + 10);

  it.each([
    ['intended', undefined],
    ['unknown', outcomes.unknown()],
    ['bought', outcomes.bought('o1')],
  ])('that is %s is taken, at any price', (_, outcome) => {
    const ledger = freshLedger();
    const first = begun(ledger, 1);
    if (outcome) settled(ledger, first, outcome);
    expect(again(ledger)).toMatchObject({ ok: false, reason: 'taken' });
    expect(again(ledger, 9)).toMatchObject({ ok: false, reason: 'taken' });
  });

  it('that was refused waits for the looks, then only a new price is a new offer [N11 M1 M15]', () => {
    const ledger = freshLedger();
    const first = settled(ledger, begun(ledger, 1), outcomes.refused());
    expect(again(ledger)).toMatchObject({ ok: false, reason: 'refusal-unconfirmed' });
    expect(again(ledger, 9)).toMatchObject({ ok: false, reason: 'refusal-unconfirmed' });
    ledger.apply([{ kind: 'refusal-confirmed', purchaseId: first.id, note: 'two looks' }], NOON + 5);
    expect(again(ledger)).toMatchObject({ ok: false, reason: 'refused-before' });
    expect(again(ledger, 9)).toMatchObject({ ok: true });
  });

  it('that was refused at two prices is offered at neither again', () => {
    const ledger = freshLedger();
    for (const [price, cause] of [
      [10, 'gone'],
      [9, 'rate'],
    ] as const) {
      const committed = again(ledger, price);
      if (!committed.ok) throw new Error(committed.reason);
      settled(ledger, committed.purchase, outcomes.refused(cause));
      ledger.apply([{ kind: 'refusal-confirmed', purchaseId: committed.purchase.id, note: 'two looks' }], NOON + 5);
    }
    expect(again(ledger, 10)).toMatchObject({ ok: false, reason: 'refused-before' });
    expect(again(ledger, 9)).toMatchObject({ ok: true });
  });

  it.each(['rate', 'ban', 'funds', 'key', 'owner'] as const)(
    'refused for %s may be tried again once that is confirmed',
    (cause) => {
      const ledger = freshLedger();
      const first = settled(ledger, begun(ledger, 1), outcomes.refused(cause));
      expect(again(ledger)).toMatchObject({ ok: false, reason: 'refusal-unconfirmed' });
      ledger.apply([{ kind: 'refusal-confirmed', purchaseId: first.id, note: 'two looks' }], NOON + 5);
      expect(again(ledger)).toMatchObject({ ok: true });
    },
  );

  it('whose request never left may be tried again', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.unsent());
    expect(again(ledger)).toMatchObject({ ok: true });
  });

  it('once unknown is never bought again, however that ended [money-1]', () => {
    const ledger = freshLedger();
    const first = settled(ledger, begun(ledger, 1), outcomes.unknown());
    ledger.apply([{ kind: 'not-bought', purchaseId: first.id, note: 'proved' }], NOON + 5);
    expect(ledger.purchase(first.id)).toMatchObject({ state: 'rejected', held: false, wasUnknown: true });
    expect(again(ledger, 9)).toMatchObject({ ok: false, reason: 'taken' });
  });

  it('is counted once at each price on paper, and taken on paper does not take it from the real account', () => {
    const ledger = freshLedger();
    expect(again(ledger, 10, 'paper')).toMatchObject({ ok: true, purchase: { state: 'simulated', lane: 'paper' } });
    expect(again(ledger, 10, 'paper')).toMatchObject({ ok: false, reason: 'already-simulated' });
    expect(again(ledger, 9, 'paper')).toMatchObject({ ok: true });
    expect(again(ledger, 10)).toMatchObject({ ok: true, purchase: { state: 'intended' } });
  });
});

describe('the database itself', () => {
  const insertion = (state: string, extra = '') =>
    `INSERT INTO purchases (account, lane, state, strategy, strategy_hash, market, listing_id, item_id, market_hash_name, price,
       price_micros, price_with_fee, cost, amount, committed, base_seq, seen_at, decided_at, created_at, updated_at, moved_at${extra && ', refunded'})
     VALUES ('account-1', 'live', '${state}', 's', 'h', 'c5game', '1', 'i', 'n', 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1${extra})`;

  it('refuses a second live purchase of a listing, in every state that may have bought it', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const db = raw(folder);
    const first = begun(ledger, 1);
    const refuses = (): void => {
      expect(() => db.exec(insertion('intended'))).toThrow(/was bought, or may have been/);
      db.exec('BEGIN; DROP TRIGGER rule_one_listing_one_purchase');
      expect(() => db.exec(insertion('intended'))).toThrow(/UNIQUE/);
      db.exec('ROLLBACK');
    };
    refuses();
    settled(ledger, first, outcomes.unknown());
    refuses();
    settled(ledger, first, outcomes.refused());
    refuses();
    ledger.apply([{ kind: 'refusal-confirmed', purchaseId: first.id, note: '' }], NOON + 3);
    refuses();
    settled(ledger, first, outcomes.bought('o'));
    refuses();
    ledger.apply([{ kind: 'completed', purchaseId: first.id, order: order('o') }], NOON + 4);
    refuses();
    ledger.apply([{ kind: 'refund', purchaseId: first.id, amount: dollars(10.5), transactionId: 't', note: '' }], NOON + 5);
    refuses();
    expect(ledger.purchase(first.id)?.state).toBe('refunded');
  });

  it('refuses states, moves and amounts that cannot be, and what would rewrite history', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const db = raw(folder);
    begun(ledger, 7);
    const attacks = [
      insertion('bought'),
      insertion('sold'),
      insertion('simulated'),
      insertion('intended', ', 2'),
      insertion('intended', ', -1'),
      "UPDATE purchases SET state = 'completed'",
      "UPDATE purchases SET state = 'unknown'",
      'UPDATE purchases SET surplus = 1',
      "UPDATE purchases SET state = 'bought', surplus = 1",
      'UPDATE purchases SET price = 2',
      'UPDATE purchases SET cost = 1',
      "UPDATE purchases SET listing_id = '8'",
      'UPDATE purchases SET held = 1',
      'UPDATE purchases SET paid = 1.5',
      "UPDATE purchases SET paid = 'much'",
      'DELETE FROM purchases',
      'DELETE FROM evidence',
      "UPDATE evidence SET note = 'never happened'",
    ];
    const succeeded = attacks.filter((attack) => {
      try {
        db.exec(attack);
        return true;
      } catch {
        return false;
      }
    });
    expect(succeeded).toEqual([]);
    const unknown = "UPDATE purchases SET state = 'unknown', was_unknown = 1";
    db.exec(unknown);
    expect(() => db.exec('UPDATE purchases SET was_unknown = 0')).toThrow();
    expect(db.pragma('quick_check', { simple: true })).toBe('ok');
  });
});

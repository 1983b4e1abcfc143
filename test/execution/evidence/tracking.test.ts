import { describe, expect, it } from 'vitest';
import type { Purchase } from '../../../src/domain/purchase.ts';
import type { Known, OrderSeen } from '../../../src/engine/evidence.ts';
import { judge } from '../../../src/execution/evidence/judge.ts';
import { NOON, dollars } from '../../support/values.ts';
import {
  accepted,
  dedicated,
  known,
  knownOrder,
  look,
  minute,
  oldOrders,
  order,
  policy,
  refused,
  second,
  verdicts,
} from '../support/looks.ts';

const ownRow = (given: Partial<OrderSeen> = {}): OrderSeen => order({ orderId: 'S-1', ...given });
const rows = (...novel: OrderSeen[]): OrderSeen[] => [...oldOrders, ...novel];

/** An accepted purchase whose order a list has shown before. */
function followed(given: Partial<Purchase> = {}, more: Partial<Known> = {}): Known {
  return known({
    purchases: [accepted({ orderStatus: 'PENDING', ...given })],
    listed: new Map([[1, 'S-1']]),
    orders: new Map([['S-1', knownOrder(ownRow(), 6, 'ours', 1)]]),
    ownCount: 1,
    ...more,
  });
}

describe('an accepted purchase', () => {
  it('is ours when a list first shows it', () => {
    const fresh = known({ purchases: [accepted()], orders: new Map([['S-1', knownOrder(ownRow(), 6, 'ours', 1)]]) });
    expect(verdicts(look({ rows: rows(ownRow()) }), fresh)).toEqual(['S-1 is ours (1)', '1 has status PENDING']);
  });

  it('keeps the newest status, and says nothing when it has not changed', () => {
    expect(verdicts(look({ rows: rows(ownRow({ statusCode: 'HOLD' })) }), followed())).toEqual(['1 has status HOLD']);
    expect(verdicts(look({ rows: rows(ownRow()) }), followed())).toEqual([]);
  });

  it('is completed by its order', () => {
    const done = ownRow({ statusCode: 'COMPLETED', settlementAt: NOON + 7 * 86_400_000 });
    expect(verdicts(look({ rows: rows(done) }), followed())).toEqual(['1 has status COMPLETED', '1 is completed']);
  });

  it('keeps a settlement time that comes later', () => {
    const done = ownRow({ statusCode: 'COMPLETED', settlementAt: NOON + 5 });
    expect(verdicts(look({ rows: rows(done) }), followed({ state: 'completed', orderStatus: 'COMPLETED' }))).toEqual([
      '1 has status COMPLETED',
    ]);
  });

  it('is not refunded by a failed order: that is told once, and the money waited for [B8]', () => {
    const failed = look({ rows: rows(ownRow({ statusCode: 'FAILED' })) });
    expect(verdicts(failed, followed())).toEqual(['1 has status FAILED', 'alert reverted (1)']);
    expect(verdicts(failed, followed({ orderStatus: 'FAILED' }))).toEqual([]);
    const told = followed({ orderStatus: 'HOLD' }, { alerted: new Set(['reverted:1']) });
    expect(verdicts(failed, told)).toEqual(['1 has status FAILED']);
  });

  it('can be reverted after it was completed [B7]', () => {
    const reverted = look({ rows: rows(ownRow({ statusCode: 'REVERTED' })) });
    expect(verdicts(reverted, followed({ state: 'completed', orderStatus: 'COMPLETED' }))).toEqual([
      '1 has status REVERTED',
      'alert reverted (1)',
    ]);
  });

  it('takes a status that goes backwards as it is [B12]', () => {
    expect(verdicts(look({ rows: rows(ownRow()) }), followed({ state: 'completed', orderStatus: 'COMPLETED' }))).toEqual([
      '1 has status PENDING',
    ]);
  });

  it('stays open with a status nobody has heard of, which is told once [N26 B13]', () => {
    const odd = look({ rows: rows(ownRow({ statusCode: 'PONDERING' })) });
    expect(verdicts(odd, followed())).toEqual(['1 has status PONDERING', 'alert order-odd (1)']);
    expect(verdicts(odd, followed({ orderStatus: 'PONDERING' }))).toEqual([]);
  });

  it('shares one alert with others of the same unheard-of status', () => {
    const second = accepted({ id: 2, serviceOrderId: 'S-2', listingId: '800000002', orderStatus: 'PENDING' });
    const third = { ...second, id: 3, serviceOrderId: 'S-3', orderStatus: 'PONDERING' };
    const what = { ...followed(), purchases: [accepted({ orderStatus: 'PENDING' }), second, third] };
    const pondering = ['S-1', 'S-2', 'S-3'].map((orderId) => ownRow({ orderId, statusCode: 'PONDERING' }));
    const at = look({ rows: rows(...pondering) });
    const told = judge(at, what, at.endedAt, policy).flatMap((finding) =>
      finding.kind === 'alert' ? [finding.alert.message] : [],
    );
    expect(told).toMatchInlineSnapshot(`
      [
        "The order of purchase 1 (and those of 1 more) has a status that Magpie has not heard of: PONDERING",
      ]
    `);
  });

  it('changes nothing when its order vanishes [B11]', () => {
    expect(verdicts(look(), followed())).toEqual([]);
  });

  it('is reported once, at once, when its trade offer waits to be accepted, with the deadline that the service shows', () => {
    const active = ownRow({ statusCode: 'ACTIVE' });
    const at = NOON + 2 * minute;
    expect(verdicts(look({ rows: rows(active), at }), followed())).toEqual(['1 has status ACTIVE', 'alert accept (1)']);
    expect(verdicts(look({ rows: rows(active), at }), followed({}, { alerted: new Set(['accept:1']) }))).toEqual([
      '1 has status ACTIVE',
    ]);
    expect(verdicts(look({ rows: rows(active), at }), followed({ orderStatus: 'ACTIVE' }))).toEqual([]);
    expect(verdicts(look({ rows: rows(active), at }), followed({ state: 'refunded' }))).toEqual(['1 has status ACTIVE']);
    const message = (settlementAt?: number): string | undefined =>
      judge(look({ rows: rows({ ...active, settlementAt }), at }), followed(), at, policy).flatMap((finding) =>
        finding.kind === 'alert' ? [finding.alert.message] : [],
      )[0];
    expect([message(), message(NOON + 3_600_000), message(NOON)]).toMatchInlineSnapshot(`
      [
        "The trade offer of purchase 1 (AK-47 | Redline (Field-Tested), $10.50) waits to be accepted: the service shows no deadline, and offers expire",
        "The trade offer of purchase 1 (AK-47 | Redline (Field-Tested), $10.50) waits to be accepted: the service shows 2026-01-05T13:00Z as when its order settles",
        "The trade offer of purchase 1 (AK-47 | Redline (Field-Tested), $10.50) waits to be accepted: the service shows no deadline, and offers expire",
      ]
    `);
  });

  it('is reported once when it has not got as far as the hold for too long', () => {
    const late = look({ rows: rows(ownRow()), at: NOON + 61 * minute });
    expect(verdicts(late, followed())).toEqual(['alert stuck (1)']);
    expect(verdicts(late, followed({}, { alerted: new Set(['stuck:1']) }))).toEqual([]);
    expect(
      verdicts(look({ rows: rows(ownRow({ statusCode: 'HOLD' })), at: NOON + 61 * minute }), followed({ orderStatus: 'HOLD' })),
    ).toEqual([]);
  });

  it('is reported once when no list has ever shown it', () => {
    const unseen = known({ purchases: [accepted()], orders: new Map() });
    expect(verdicts(look({ at: NOON + 61 * minute }), unseen)).toEqual(['alert stuck (1)']);
    expect(verdicts(look({ at: NOON + 5 * minute }), unseen)).toEqual([]);
  });

  it('costs what its order says when that is more than a cent above what was expected, and buying halts [M17 B14 B25]', () => {
    const fresh = known({ purchases: [accepted()] });
    expect(verdicts(look({ rows: rows(ownRow({ amount: dollars(10.52) })) }), fresh)).toEqual([
      'S-1 is ours (1)',
      '1 cost $10.52',
      'alert debit (1)',
      'halt',
      '1 has status PENDING',
    ]);
    expect(verdicts(look({ rows: rows(ownRow({ amount: dollars(10.51) })) }), fresh)).toEqual([
      'S-1 is ours (1)',
      '1 has status PENDING',
    ]);
  });

  it('is not made cheaper by what its order shows: that may be the price without the fee', () => {
    for (const amount of [dollars(10), dollars(7)]) {
      expect(verdicts(look({ rows: rows(ownRow({ amount })) }), known({ purchases: [accepted()] }))).toEqual([
        'S-1 is ours (1)',
        '1 has status PENDING',
      ]);
    }
  });

  it('halts buying when its order is not in dollars [M12]', () => {
    expect(
      verdicts(look({ rows: rows(ownRow({ currency: 'CNY', amount: dollars(75) })) }), known({ purchases: [accepted()] })),
    ).toEqual(['S-1 is ours (1)', 'alert debit (1)', 'halt', '1 has status PENDING']);
  });

  it('is found bought and completed by one and the same look', () => {
    const done = order({ statusCode: 'COMPLETED' });
    const unknown = known({
      purchases: [accepted({ state: 'unknown', serviceOrderId: undefined, orderStatus: undefined, wasUnknown: true })],
    });
    expect(verdicts(look({ rows: rows(done) }), unknown)).toEqual([
      'O-1 is ours (1)',
      '1 was bought by O-1 for $10.50',
      '1 has status COMPLETED',
      '1 is completed',
    ]);
  });
});

describe('the account’s other orders', () => {
  const foreign = order({ itemId: 'ffffffffffffffff' });

  it('are baseline at the first look, ours excepted', () => {
    const first = known({ purchases: [accepted()], baselineAt: undefined, orders: new Map() });
    const at = look({ rows: [foreign, ownRow()] });
    expect(verdicts(at, first)).toContain('O-1 is baseline');
    expect(verdicts(at, first)).toContain('S-1 is ours (1)');
  });

  it('do not join it by a date that has proved untrue, nor while a purchase may have made them', () => {
    const long = 480 * minute;
    const stranger = order({ orderId: 'X-9', itemId: 'ffffffffffffffff', itemName: 'M4A4 | Howl', timestampMs: NOON - long });
    const own = order({ orderId: 'S-1', timestampMs: NOON + second - long });
    const misdated = known({ purchases: [accepted({ paid: dollars(10.5) })], baselineAt: NOON - 60 * minute });
    expect(verdicts(look({ rows: rows(own, stranger) }), misdated)).toContain('X-9 is adopted');
    const cleared = known({ purchases: [refused({ held: false })], baselineAt: NOON - 60 * minute });
    expect(verdicts(look({ rows: rows(order({ timestampMs: NOON - long })) }), cleared)).toContain('O-1 is adopted');
  });

  it('join the baseline when they turn up later but are dated before it', () => {
    const older = { ...foreign, timestampMs: NOON - 2 * 3_600_000 };
    expect(verdicts(look({ rows: rows(older) }), known())).toEqual(['O-1 is baseline']);
  });

  it('join no baseline that a clock far ahead has dated later than now: every order would, for years', () => {
    const ahead = known({ baselineAt: NOON + 3_650 * 86_400_000 });
    expect(verdicts(look({ rows: rows(foreign) }), ahead)).toEqual(['O-1 is adopted', 'alert adopted']);
    expect(verdicts(look({ rows: rows(foreign) }), ahead, dedicated)).toContain('halt');
  });

  it('are adopted and reported, once, and a dedicated account halts [B19 P13 S30]', () => {
    expect(verdicts(look({ rows: rows(foreign) }), known())).toEqual(['O-1 is adopted', 'alert adopted']);
    expect(verdicts(look({ rows: rows(foreign) }), known(), dedicated)).toEqual(['O-1 is adopted', 'alert adopted', 'halt']);
    const adopted = known({ orders: new Map([['O-1', knownOrder(foreign, 6, 'adopted')]]) });
    expect(verdicts(look({ rows: rows(foreign) }), adopted, dedicated)).toEqual([]);
  });

  it('that one of several confirmed refusals may have made are adopted, and do not halt a dedicated account, where nobody else buys', () => {
    const pair = [refused({ held: false }), refused({ id: 2, listingId: '800000002', wear: 0.3, held: false })];
    const shows = (purchases: Purchase[]) => verdicts(look({ rows: rows(order()) }), known({ purchases }), dedicated);
    expect(shows(pair)).toEqual(['O-1 is adopted', 'alert adopted']);
    const other = pair.map((one) => ({ ...one, itemId: '00000000000000ff' }));
    expect(shows(other)).toEqual(['O-1 is adopted', 'alert adopted', 'halt']);
  });

  it('are not counted by number when they are not in dollars, so buying halts', () => {
    expect(verdicts(look({ rows: rows({ ...foreign, currency: 'EUR' }) }), known(), policy)).toEqual([
      'O-1 is adopted',
      'alert adopted',
      'halt',
    ]);
  });

  it('appear once, however often the list repeats them [B16]', () => {
    expect(verdicts(look({ rows: rows(foreign, { ...foreign }, foreign) }), known())).toEqual([
      'O-1 is adopted',
      'alert adopted',
    ]);
  });
});

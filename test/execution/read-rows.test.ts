import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readOrderRows, readTransactionRows } from '../../src/execution/read-rows.ts';
import { dollars } from '../support/values.ts';
import { wire } from './support/desk.ts';

const readOrder = (given: Record<string, unknown>) => readOrderRows([wire.order('O-1', given)]).rows[0];
const readTransaction = (given: Record<string, unknown>) => readTransactionRows([wire.transaction('T-1', given)]).rows[0];

describe('rows of orders', () => {
  it('are read field by field', () => {
    const row = wire.order('O-1', { settlementTime: '2026-01-12T12:00:00Z', cancelReason: 'seller\n<b>gone</b>' });
    expect(readOrderRows([row]).rows).toMatchInlineSnapshot(`
      [
        {
          "amount": 10500000,
          "cancelReason": "seller gone",
          "currency": "USD",
          "itemId": "10807006fab895f4",
          "itemName": "AK-47 | Redline (Field-Tested)",
          "orderId": "O-1",
          "settlementAt": 1768219200000,
          "statusCode": "PENDING",
          "statusLabel": "Pending",
          "timestampMs": 1767614400000,
        },
      ]
    `);
  });

  it('have times in seconds or in milliseconds', () => {
    const at = Date.UTC(2026, 0, 5, 12);
    expect(readOrder({ timestamp: at / 1_000 })?.timestampMs).toBe(at);
    expect(readOrder({ timestamp: at })?.timestampMs).toBe(at);
    for (const none of [null, undefined, 0, -5]) expect(readOrder({ timestamp: none })?.timestampMs).toBeUndefined();
  });

  it('settle at a time in any of its forms, in UTC where it names no zone', () => {
    const at = Date.UTC(2026, 0, 12, 12);
    for (const text of [
      '2026-01-12T12:00:00Z',
      '2026-01-12T13:00:00+01:00',
      '2026-01-12 12:00:00',
      '2026-01-12T12:00:00',
      String(at),
      String(at / 1_000),
    ]) {
      expect(readOrder({ settlementTime: text })?.settlementAt).toBe(at);
    }
    for (const none of ['soon', '', null]) expect(readOrder({ settlementTime: none })?.settlementAt).toBeUndefined();
  });

  it('have amounts in exact micro-dollars, rounded up and without their sign', () => {
    expect(readOrder({ amount: 8.29 })?.amount).toBe(8_290_000);
    expect(readOrder({ amount: -8.29 })?.amount).toBe(8_290_000);
    expect(readOrder({ amount: 0.0000001 })?.amount).toBe(1);
  });

  it('that cannot be read are counted and cost no other', () => {
    const bad = [
      null,
      7,
      'x',
      [],
      {},
      wire.order(''),
      { ...wire.order('x'), id: 12 },
      wire.order('x', { amount: '10' }),
      wire.order('x', { amount: 1e300 }),
      wire.order('x', { amount: 1_000_000_001 }),
      wire.order('x', { status: 'PENDING' }),
    ];
    expect(readOrderRows([...bad, wire.order('O-1'), null])).toMatchObject({
      unreadable: bad.length + 1,
      rows: [{ orderId: 'O-1' }],
    });
  });

  it('have status codes in capitals, whatever the service writes', () => {
    expect(readOrder({ status: { code: 'completed', label: null } })).toMatchObject({
      statusCode: 'COMPLETED',
      statusLabel: undefined,
    });
  });
});

describe('rows of transactions', () => {
  it('are read field by field', () => {
    expect(readTransactionRows([wire.transaction('T-1', { amount: -10.5, type: 'Purchase' })]).rows).toEqual([
      {
        transactionId: 'T-1',
        itemId: '10807006fab895f4',
        itemName: 'AK-47 | Redline (Field-Tested)',
        float: 0.2,
        price: dollars(10),
        amount: dollars(10.5),
        type: 'purchase',
        status: 'completed',
        timestampMs: 1_767_614_400_000,
      },
    ]);
  });

  it('may lack whatever is not money', () => {
    const bare = { itemId: null, itemName: undefined, float: null, price: null, status: null, timestamp: null };
    expect(readTransaction(bare)).toMatchObject({
      itemId: undefined,
      float: undefined,
      price: undefined,
      timestampMs: undefined,
    });
  });
});

describe('whatever comes', () => {
  it('reading it never throws, and every row is read or counted', () => {
    const near = fc.record({
      id: fc.anything(),
      amount: fc.anything(),
      status: fc.anything(),
      type: fc.anything(),
      timestamp: fc.anything(),
      settlementTime: fc.anything(),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.anything(), near)), (raw) => {
        for (const read of [readOrderRows, readTransactionRows]) {
          const { rows, unreadable } = read(raw);
          expect(rows.length + unreadable).toBe(raw.length);
        }
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/gateway/answer.ts';
import { classifyBuy } from '../../src/gateway/classify-buy.ts';
import { acceptance, json, NOW, order, sameItem, whole } from './answers.ts';

const classify = (answer: Answer) => classifyBuy(answer, order, NOW);
const refusal = (status: number, body: object) => classify(json(status, { success: false, ...body }));

describe('an accepted buy', () => {
  it('is bought with its order id, upstream reference and status', () => {
    expect(classify(json(200, acceptance({}, sameItem)))).toMatchInlineSnapshot(`
      {
        "kind": "bought",
        "message": undefined,
        "mismatch": undefined,
        "orderStatus": "SUCCESS",
        "requestId": "3f0c7a52-6f1d-4b0a-9a53-0f6f1a2b3c4d",
        "serviceOrderId": "so-1",
        "upstreamOrderId": "up-1",
      }
    `);
  });

  it.each(['PENDING', 'FAILED', '', undefined, 7, null])('is bought with any status of the order: %s [N12]', (status) => {
    expect(classify(json(201, acceptance({ status })))).toMatchObject({ kind: 'bought', serviceOrderId: 'so-1' });
  });

  it('says which goods the answer names instead of those asked for [N13]', () => {
    const other = { id: '123', itemId: order.itemId, market: 'c5game', price: 12.35 };
    expect(classify(json(200, acceptance({}, other)))).toMatchObject({
      kind: 'bought',
      mismatch: 'listing 123 instead of 9007199254740993, market c5game instead of ecosteam, price 12.35 instead of 12.34',
    });
  });

  it.each([{}, null, 'x', [], { id: null, market: 5, price: '99' }, { ...sameItem, market: 'eco' }])(
    'takes an item that says nothing else for the one asked for: %j',
    (item) => {
      expect(classify(json(200, acceptance({}, item)))).toMatchObject({ kind: 'bought', mismatch: undefined });
    },
  );

  it('notices a price that is no number money can have', () => {
    const text = JSON.stringify(acceptance({}, { price: 'X' })).replace('"X"', '1e400');
    expect(classify(whole(200, text))).toMatchObject({ kind: 'bought', mismatch: 'price Infinity instead of 12.34' });
  });

  it.each([undefined, null, '', '  ', 5, {}, ['so-1'], 'x'.repeat(300)])(
    'is unknown without an order id that is text: %j [N12 money-4]',
    (serviceOrderId) => {
      expect(classify(json(200, acceptance({ serviceOrderId })))).toMatchObject({
        kind: 'unknown',
        upstreamOrderId: 'up-1',
        status: 200,
      });
    },
  );

  it.each([undefined, null, 'true', 1])('is unknown when success is not true: %j', (success) => {
    expect(classify(json(200, { ...acceptance(), success }))).toMatchObject({ kind: 'unknown', upstreamOrderId: 'up-1' });
  });
});

describe('a refused buy', () => {
  it.each([400, 401, 403, 404, 409, 410, 422, 429])('is refused by %i with a JSON object', (status) => {
    expect(classify(json(status, {}))).toMatchObject({ kind: 'refused', status });
  });

  it('is refused by a 2xx whose whole JSON says so [N11]', () => {
    expect(refusal(200, { code: 'LISTING_NOT_FOUND', message: 'Listing not found', requestId: 'r-1' })).toMatchInlineSnapshot(`
      {
        "cause": "gone",
        "code": "LISTING_NOT_FOUND",
        "kind": "refused",
        "message": "Listing not found",
        "requestId": "r-1",
        "retryAfterMs": undefined,
        "status": 200,
      }
    `);
  });

  it('keeps how long the service asked to wait', () => {
    expect(classify(json(429, {}, { 'retry-after': '7' }))).toMatchObject({
      kind: 'refused',
      cause: 'rate',
      retryAfterMs: 7_000,
    });
  });

  it.each([
    [{ code: 'ORDER_PROCESSING' }],
    [{ errorCode: 'duplicateOrder' }],
    [{ error: { code: 'DUPLICATE_REQUEST' } }],
    [{ error: 'already_exists' }],
    [{ message: 'Order has already been created' }],
    [{ error: { message: 'Your previous purchase is still being processed' } }],
    [{ errorMsg: 'Request timed out, please check whether it was created' }],
    [{ msg: '订单处理中' }],
    [{ message: ['price is fine', 'a pending order exists'] }],
    [{ data: { message: 'Already submitted' } }],
    [{ data: { order: { orderId: 'up-9' } } }],
    [{ data: { order: { serviceOrderId: 'so-9' } } }],
    [{ orderId: 77 }],
    [{ message: `${'so sorry '.repeat(60)} but it is in progress` }],
    [{ message: 'pro\u200bcessing' }],
  ])('is unknown when it hints at an order: %j [N17 money-3]', (body) => {
    for (const status of [200, 409, 422]) expect(refusal(status, body)).toMatchObject({ kind: 'unknown', status });
  });

  it('keeps the reference that it names', () => {
    expect(refusal(409, { data: { orderId: 'up-9' } })).toMatchObject({ kind: 'unknown', upstreamOrderId: 'up-9' });
  });

  it.each([
    [{ message: 'Item has already been sold' }],
    [{ message: 'This listing was already purchased' }],
    [{ message: 'Order could not be created', code: 'ITEM_SOLD' }],
    [{ message: 'Could not open trade', orderId: 0 }],
    [{ message: 'Insufficient balance', orderId: null }],
    [{ message: 'Please check if your trade URL is right' }],
  ])('stays refused where a rival or the account is meant: %j', (body) => {
    expect(refusal(400, body)).toMatchObject({ kind: 'refused' });
  });

  it('is unknown when its status and its success contradict each other [N17]', () => {
    expect(classify(json(400, acceptance({ serviceOrderId: undefined, orderId: undefined })))).toMatchObject({ kind: 'unknown' });
  });

  it('keeps the words harmless and short [transport-5]', () => {
    const outcome = refusal(400, { message: `<b>No\u001b[31m</b>${'!'.repeat(500)}`, code: 42 });
    expect(outcome).toMatchObject({ kind: 'refused', code: '42' });
    expect((outcome as { message: string }).message).toMatch(/^No\\u001b\[31m !{100,}…$/);
    expect((outcome as { message: string }).message.length).toBeLessThanOrEqual(220);
  });
});

describe('a buy whose answer says nothing certain', () => {
  it.each([
    [302, 'redirect'],
    [402, 'funds'],
    [405, 'request'],
    [408, 'timeout'],
    [425, 'service'],
    [500, 'service'],
    [502, 'service'],
    [504, 'timeout'],
    [599, 'service'],
  ])('is unknown for %i (%s), even when it looks like a refusal [N17]', (status, cause) => {
    expect(refusal(status, { message: 'no' })).toMatchObject({ kind: 'unknown', status, cause });
  });

  it.each([
    '',
    '<html><h1>502</h1></html>',
    '{"success":false',
    '[]',
    'null',
    '"no"',
    '{"success":false}{"success":false}',
    '\uFEFF{"success":false}',
  ])('is unknown when the body is no JSON object: %j', (text) => {
    for (const status of [200, 204, 400, 404]) expect(classify(whole(status, text))).toMatchObject({ kind: 'unknown', status });
  });

  it('is unknown when a name stands twice, however it is spelled [N22]', () => {
    for (const text of ['{"success":false,"success":true}', '{"success":false,"a":[{"b":1,"\\u0062":2}]}']) {
      expect(classify(whole(200, text))).toMatchObject({ kind: 'unknown', message: expect.stringContaining('stands twice') });
    }
  });

  it('is unknown when it is nested too deep [N21]', () => {
    const text = `{"success":false,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(classify(whole(200, text))).toMatchObject({ kind: 'unknown', message: expect.stringContaining('nested') });
  });

  it('tells a 403 that is no JSON for a ban and a 429 for crowding', () => {
    expect(classify({ kind: 'whole', status: 403, headers: {}, body: { unreadable: 'it is text/html, not JSON' } }))
      .toMatchInlineSnapshot(`
      {
        "cause": "ban",
        "kind": "unknown",
        "message": "HTTP 403, and its body was not read: it is text/html, not JSON",
        "requestId": undefined,
        "status": 403,
        "upstreamOrderId": undefined,
      }
    `);
    expect(classify(whole(429, 'slow down'))).toMatchObject({ kind: 'unknown', cause: 'rate' });
  });

  it('is unknown when it broke off after its headers may have left, and unsent when they did not [N1 N2]', () => {
    const broken = { kind: 'broken', cause: 'connection', message: 'reset', status: undefined, headers: {} } as const;
    expect(classify({ ...broken, sent: true })).toMatchObject({ kind: 'unknown', cause: 'connection' });
    expect(classify({ ...broken, sent: false })).toEqual({ kind: 'unsent', cause: 'connection', message: 'reset' });
    expect(classify({ ...broken, sent: true, status: 429 })).toMatchObject({ kind: 'unknown', cause: 'rate', status: 429 });
  });
});

const anyBody = fc.oneof(
  fc.json(),
  fc.string(),
  fc
    .record({
      success: fc.oneof(fc.boolean(), fc.jsonValue()),
      code: fc.jsonValue(),
      message: fc.jsonValue(),
      error: fc.jsonValue(),
      data: fc.oneof(
        fc.jsonValue(),
        fc.record({
          order: fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('serviceOrderId', 'orderId', 'status'), fc.jsonValue())),
          item: fc.jsonValue(),
        }),
      ),
    })
    .map((body) => JSON.stringify(body)),
);

describe('whatever comes', () => {
  it('never throws, is bought only with an order id, and refused only by the statuses that can refuse [money-4]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), anyBody, (status, text) => {
        const outcome = classify(whole(status, text));
        const success = status >= 200 && status < 300;
        if (outcome.kind === 'bought') {
          const body = JSON.parse(text);
          expect(success && body.success === true && body.data.order.serviceOrderId).toBe(outcome.serviceOrderId);
          expect(outcome.serviceOrderId).not.toBe('');
        }
        if (outcome.kind === 'refused') {
          if (success) expect(JSON.parse(text).success).toBe(false);
          else expect([400, 401, 403, 404, 409, 410, 422, 429]).toContain(status);
        }
        expect(outcome.kind).not.toBe('unsent');
      }),
      { numRuns: 3_000 },
    );
  });

  it('is never refused when cut anywhere [N9]', () => {
    const text = JSON.stringify({ requestId: 'r', success: false, message: 'Listing not found', data: null });
    for (let length = 0; length < text.length; length++) expect(classify(whole(200, text.slice(0, length))).kind).toBe('unknown');
  });
});

import { describe, expect, it } from 'vitest';
import { causeOf, causeOfStatus } from '../../src/gateway/causes.ts';
import { saidIn } from '../../src/gateway/said.ts';

const heard = (status: number, body: unknown) => causeOf(status, saidIn(body).words);

describe('the cause of a refusal', () => {
  it.each([
    [200, { message: 'Listing not found' }, 'gone'],
    [400, { code: 'ITEM_SOLD' }, 'gone'],
    [404, {}, 'gone'],
    [410, {}, 'gone'],
    [409, { message: 'This item is no longer available' }, 'gone'],
    [400, { message: '商品已下架' }, 'gone'],
    [409, { code: 'PRICE_CHANGED' }, 'repriced'],
    [400, { message: 'The price does not match the current listing price' }, 'repriced'],
    [422, { message: 'Price mismatch' }, 'repriced'],
    [400, { msg: '价格已变动' }, 'repriced'],
    [400, { code: 'INSUFFICIENT_FUNDS' }, 'funds'],
    [200, { errorMsg: 'Not enough account balance' }, 'funds'],
    [403, { message: 'Insufficient balance' }, 'funds'],
    [200, { msg: '余额不足' }, 'funds'],
    [400, { message: 'Trade URL is invalid or revoked' }, 'owner'],
    [422, { error: 'tradeUrl must match pattern' }, 'owner'],
    [403, { message: 'Your account is suspended' }, 'owner'],
    [403, { message: 'Account is trade banned' }, 'owner'],
    [401, {}, 'key'],
    [401, { message: 'Not found' }, 'key'],
    [403, { message: 'Forbidden' }, 'key'],
    [403, {}, 'key'],
    [200, { error: { code: 'INVALID_API_KEY' } }, 'key'],
    [429, { message: 'Listing not found' }, 'rate'],
    [200, { message: 'Too many requests' }, 'rate'],
    [200, { code: 429 }, 'rate'],
    [403, { message: 'Rate limit exceeded' }, 'rate'],
    [200, { msg: '操作频繁' }, 'rate'],
    [403, { message: 'IP banned' }, 'ban'],
    [403, { error: 'Access denied' }, 'ban'],
    [200, { message: 'The account was banned' }, 'owner'],
    [400, { message: ['price must be a positive number'] }, 'request'],
    [422, {}, 'request'],
    [404, { message: 'Route not found' }, 'request'],
    [200, { message: 'Service temporarily unavailable' }, 'service'],
    [503, {}, 'service'],
    [200, {}, 'other'],
    [200, { code: 404 }, 'gone'],
  ])('%i %j is %s', (status, body, cause) => {
    expect(heard(status, body)).toBe(cause);
  });

  it.each([
    [200, 'unreadable'],
    [302, 'redirect'],
    [401, 'key'],
    [403, 'ban'],
    [404, 'gone'],
    [408, 'timeout'],
    [429, 'rate'],
    [500, 'service'],
    [504, 'timeout'],
  ])('of %i alone is %s', (status, cause) => {
    expect(causeOfStatus(status)).toBe(cause);
  });
});

describe('what an answer says', () => {
  it('is found in every place where comparable services put it', () => {
    expect(saidIn({ errorCode: 1001, error: { message: 'no' } })).toEqual({ code: '1001', message: 'no', words: '1001 ; no' });
    expect(saidIn({ error: 'ITEM_SOLD' })).toMatchObject({ code: 'ITEM_SOLD', message: undefined, words: 'item sold' });
    expect(saidIn({ error: 'It was sold', code: '' })).toMatchObject({ code: undefined, message: 'It was sold' });
    expect(saidIn({ msg: '<p>gone</p>' })).toMatchObject({ message: 'gone', words: 'gone' });
  });

  it('is nothing where there is nothing, and never reaches a prototype', () => {
    for (const body of [
      undefined,
      null,
      5,
      'text',
      [],
      {},
      { error: [] },
      { error: { constructor: 1 } },
      { message: { toString: 1 } },
    ]) {
      expect(saidIn(body)).toEqual({ code: undefined, message: undefined, words: '' });
    }
  });
});

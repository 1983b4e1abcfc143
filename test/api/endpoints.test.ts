import { describe, expect, it } from 'vitest';
import { type Endpoint, versionOf } from '../../src/api/endpoint.ts';
import { endpoints } from '../../src/api/endpoints.ts';
import { openApi } from '../../src/api/openapi.ts';
import { checkedBody, checkedQuery, parametersOf, pathFault, requestFaultText } from '../../src/api/request.ts';

const rows = Object.entries(endpoints) as [string, Endpoint][];

/** Every endpoint of the API's document, with who may call where that is not any key. */
const document = `
GET /v2/market/search
GET /v2/market/listings
GET /v2/market/search/suggestions
POST /v2/market/buy
GET /v2/partner/live/listings
POST /v2/partner/listing-detail
POST /v1/partner/users top-level
POST /v1/partner/transfers top-level
GET /v1/partner/stats top-level
GET /v1/partner/market-health top-level
GET /v1/user
GET /v1/user/fees
GET /v1/user/transactions
GET /v1/user/transactions/stats
GET /v1/user/orders
GET /v1/user/ledger
GET /v1/market/listings legacy
GET /v1/market/search legacy
GET /v1/market/search/suggestions legacy
POST /v1/market/buy legacy
GET /v1/market/item/{id} legacy
GET /v1/market/items legacy
GET /v1/market/item/{id}/overview top-level legacy
GET /v1/user/wallet
POST /v1/user/wallet/withdraw
GET /v1/user/wallet/withdraw/fees
POST /v1/user/wallet/deposit/crypto
GET /v1/user/wallet/deposit/crypto/chains
GET /v1/user/wallet/deposit/crypto/rates top-level
POST /v1/user/wallet/deposit/onramp/session
POST /v1/user/wallet/deposit/onramp/quote
POST /v1/user/wallet/{depositId}/cancel
GET /v1/partner/onramp/limitsMapping partner
GET /v1/partner/onramp/allCountryConfig partner
GET /v1/partner/onramp/allConfigMapping partner
GET /v1/partner/live/listings partner legacy
GET /v1/partner/listing-detail partner legacy
`;

describe('the table', () => {
  it('has every endpoint of the document, and no other', () => {
    const own = rows.map(([, { method, path, auth, replacedBy }]) =>
      [method, path, ...(auth === 'key' ? [] : [auth]), ...(replacedBy === undefined ? [] : ['legacy'])].join(' '),
    );
    expect(own.toSorted()).toEqual(document.trim().split('\n').toSorted());
  });

  it('names for each legacy endpoint one that is there, of the second version', () => {
    const known = new Map(rows.map(([, row]) => [`${row.method} ${row.path}`, row]));
    for (const [name, { replacedBy }] of rows) {
      if (replacedBy === undefined) continue;
      const other = known.get(replacedBy);
      expect({ name, version: other && versionOf(other), legacy: other?.replacedBy }).toEqual({
        name,
        version: 'v2',
        legacy: undefined,
      });
    }
  });

  it.each(rows)('has an example for %s that keeps its own rules', (_, row) => {
    const { example = {} } = row;
    expect(pathFault(row, example.path ?? {})).toBeUndefined();
    expect(checkedQuery(row, example.query ?? {})).toMatchObject({ ok: true });
    expect(checkedBody(row, example.body)).toMatchObject({ ok: true });
  });
});

const fault = (row: Endpoint, body: unknown): string => {
  const checked = checkedBody(row, body);
  return checked.ok ? 'fine' : requestFaultText(checked.fault);
};

describe('a request', () => {
  it.each([
    [
      endpoints.transfer,
      { amountCents: 1, idempotencyKey: 'k' },
      'body.toEmail, toApiKeyId: exactly one of toEmail and toApiKeyId',
    ],
    [
      endpoints.transfer,
      { toEmail: 'a@b.cd', toApiKeyId: 'aA1'.repeat(8), amountCents: 1, idempotencyKey: 'k' },
      'exactly one of toEmail and toApiKeyId',
    ],
    [endpoints.transfer, { toApiKeyId: 'a'.repeat(23), amountCents: 1, idempotencyKey: 'k' }, 'body.toApiKeyId: must be 24 hex'],
    [endpoints.transfer, { toEmail: 'nobody', amountCents: 1, idempotencyKey: 'k' }, 'body.toEmail: must be an e-mail address'],
    [endpoints.transfer, { toEmail: 'a@b.cd', amountCents: 0, idempotencyKey: 'k' }, 'body.amountCents'],
    [endpoints.transfer, { toEmail: 'a@b.cd', amountCents: 1.5, idempotencyKey: 'k' }, 'body.amountCents'],
    [endpoints.transfer, { toEmail: 'a@b.cd', amountCents: 1 }, 'body.idempotencyKey'],
    [endpoints.transfer, { toEmail: 'a@b.cd', amountCents: 1, idempotencyKey: 'k'.repeat(129) }, 'body.idempotencyKey'],
    [endpoints.listingDetail, { items: [] }, 'body.items'],
    [endpoints.createUser, { email: 'a@b.cd', name: 'n'.repeat(129) }, 'body.name'],
    [endpoints.createUser, { email: 'a@b.cd', description: 'd'.repeat(501) }, 'body.description'],
    [endpoints.createUser, { email: 'a@b.cd', role: 'admin' }, 'role'],
    [endpoints.withdraw, { token: 'USDT', network: 'TRC20', address: 'T', amount: 9.99 }, 'body.amount'],
    [endpoints.withdraw, { token: 'BTC', network: 'TRC20', address: 'T', amount: 10 }, 'body.token'],
    [endpoints.cryptoDeposit, { token: 'BTC', network: 'BITCOIN', amount: 0 }, 'body.amount'],
    [endpoints.onrampSession, { fiatType: 12 }, 'at least one of fiatAmount and coinAmount'],
    [endpoints.onrampSession, { fiatType: 13, fiatAmount: 10 }, 'body.fiatType'],
    [endpoints.onrampSession, { fiatType: 12, fiatAmount: 10, chainId: 3 }, 'body.chainId'],
    [
      endpoints.onrampQuote,
      { fiatAmount: 1, fiatType: 12, type: 1, coinCode: 'usdt', network: 'trc20', countryCode: 'DEU' },
      'body.countryCode',
    ],
    [endpoints.legacyBuy, { itemId: '1', price: 1, method: 'card', market: 'c5' }, 'body.method'],
    [endpoints.legacyBuy, { itemId: '1', price: 1, method: 'balance', market: 'c5game' }, 'body.market'],
    [endpoints.legacyBuy, { itemId: '1', price: 1, method: 'balance', market: 'c5', tradeURL: 'http://x' }, 'body.tradeURL'],
  ] as [Endpoint, unknown, string][])('is refused with the field and the rule that it breaks (%#)', (row, body, words) => {
    expect(fault(row, body)).toContain(words);
  });

  it('is let through at the very bounds', () => {
    expect(fault(endpoints.transfer, { toApiKeyId: 'aF0'.repeat(8), amountCents: 1, idempotencyKey: 'k'.repeat(128) })).toBe(
      'fine',
    );
    expect(fault(endpoints.withdraw, { token: 'USDC', network: 'x', address: 'y', amount: 10, memo: 'kept' })).toBe('fine');
    expect(fault(endpoints.createUser, { email: 'a@b.cd', name: 'n'.repeat(128), description: 'd'.repeat(500) })).toBe('fine');
    expect(fault(endpoints.onrampSession, { fiatType: 21, coinAmount: 0.01, redirectUrl: null })).toBe('fine');
    expect(fault(endpoints.cancelDeposit, undefined)).toBe('fine');
  });

  it('needs every parameter of its path, and none that leads elsewhere', () => {
    for (const depositId of ['', '.', '..'])
      expect(pathFault(endpoints.cancelDeposit, { depositId })).toEqual({
        where: 'path',
        field: 'depositId',
        rule: 'is required',
      });
    expect(pathFault(endpoints.cancelDeposit, Object.create({ depositId: 'x' }) as Record<string, string>)).toBeDefined();
    expect(pathFault(endpoints.cancelDeposit, { depositId: 'x' })).toBeUndefined();
  });
});

describe('the OpenAPI document', () => {
  const { paths, webhooks } = openApi() as {
    paths: Record<
      string,
      Record<string, { operationId: string; deprecated?: boolean; parameters: { name: string; in: string }[] }>
    >;
    webhooks: object;
  };

  it('has every endpoint and both webhook events', () => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
    );
    expect(new Set(operations.map((parts) => parts.join(' ')))).toEqual(
      new Set(rows.map(([name, { method, path }]) => `${name} ${method} ${path}`)),
    );
    expect(Object.keys(webhooks)).toEqual(['order.updated', 'order.refunded']);
  });

  it('names every parameter of a path, and marks what is legacy', () => {
    for (const [name, row] of rows) {
      const operation = paths[row.path]?.[row.method.toLowerCase()];
      const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name);
      expect({ name, inPath, legacy: operation?.deprecated === true }).toEqual({
        name,
        inPath: parametersOf(row.path),
        legacy: row.replacedBy !== undefined,
      });
    }
  });

  it('writes rules on several fields as schemas', () => {
    const body = (path: string): unknown => {
      const operation = paths[path]?.['post'] as unknown as { requestBody: { content: Record<string, { schema: unknown }> } };
      return operation.requestBody.content['application/json']?.schema;
    };
    expect(body('/v1/partner/transfers')).toMatchObject({ oneOf: [{ required: ['toEmail'] }, { required: ['toApiKeyId'] }] });
    expect(body('/v1/user/wallet/deposit/onramp/session')).toMatchObject({
      anyOf: [{ required: ['fiatAmount'] }, { required: ['coinAmount'] }],
    });
  });
});

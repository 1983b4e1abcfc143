import { describe, expect, it } from 'vitest';
import { endpoints, type Endpoint, type EndpointName } from '../../../src/api/endpoints.ts';
import { casesFor, foundIn, type Judged } from '../../../src/app/conformance/suite.ts';
import { documentRules } from './document-rules.ts';
import { bent, tried } from './stage.ts';

const odd = (judged: readonly Judged[]): readonly string[] =>
  judged
    .filter(({ verdict }) => verdict.kind !== 'agrees')
    .map(({ endpoint, what, verdict }) =>
      `${verdict.kind} ${endpoint} | ${what} | ${foundIn(verdict)}`.replace(/[0-9a-f-]{36}/g, 'UUID'),
    );

describe('the suite of the document', () => {
  it('asks every endpoint rightly, and every one that has rules wrongly', () => {
    const cases = casesFor(false);
    const asked = new Set(cases.map(({ endpoint }) => endpoint));
    expect(Object.keys(endpoints).filter((name) => !asked.has(name as EndpointName))).toEqual([]);
    const broken = new Set(cases.filter(({ what }) => what.startsWith('refused where broken')).map(({ endpoint }) => endpoint));
    const withRules = (Object.entries(endpoints) as [string, Endpoint][]).filter(
      ([, { body, request }]) => body && request !== 'open',
    );
    expect(withRules.map(([name]) => name).filter((name) => !broken.has(name as EndpointName))).toEqual([]);
  });

  it('tries each statement of the document, or says why it cannot, and names no other', () => {
    const tried = new Set(casesFor(false).flatMap(({ rules }) => rules));
    const names = new Set(documentRules.map(({ rule }) => rule));
    expect(documentRules.filter(({ rule, untried }) => tried.has(rule) === (untried !== undefined))).toEqual([]);
    expect([...tried].filter((rule) => !rule.includes('/') && !names.has(rule))).toEqual([]);
  });

  it('asks a real service nothing that changes anything', () => {
    const kept = casesFor(true);
    expect(kept.filter(({ endpoint, changes }) => changes || (endpoints[endpoint] as Endpoint).moves !== undefined)).toEqual([]);
    expect(kept.length).toBeGreaterThan(90);
  });
});

describe('the sandbox', () => {
  it('agrees with the document in everything that can be tried', async () => {
    const { judged } = await tried(false);
    expect(odd(judged)).toEqual([]);
    expect(judged.length).toBeGreaterThan(170);
  });

  it('is told from a service that differs, each time by the rule', async () => {
    const { judged, asked } = await tried(
      true,
      ({ path, query }, answer) => {
        if (path === '/v1/user') return bent(answer, ({ requestId: _, ...rest }) => rest);
        if (path === '/v1/user/fees')
          return bent(answer, (all) => ({ ...all, data: { message: 'fees', fees: { reduction: '0' } } }));
        if (path === '/v1/user/wallet') return { ...answer, status: 500 };
        if (path === '/v1/partner/stats') return { ...answer, status: 403 };
        if (path === '/v2/market/search/suggestions' && query['q'] === undefined)
          return { ...answer, status: 200, bodyText: '{"requestId":"r","success":true,"data":{"items":[]}}' };
        return answer;
      },
      (rule) => /\/v1\/(?:user|user\/fees|user\/wallet|partner\/stats)$|suggestions$/.test(rule),
    );
    expect(odd(judged)).toMatchInlineSnapshot(`
      [
        "differs GET /v1/user | a right request is answered with what the document shows | envelope: it must have required property 'requestId'",
        "differs GET /v1/user/fees | a right request is answered with what the document shows | data: fees must have required property 'totalSpent'",
        "unclear GET /v1/user/wallet | a right request is answered | HTTP 500, requestId UUID",
        "skipped GET /v1/partner/stats | a right request with a top-level key is answered with what the document shows | the key may not ask this: it needs a top-level key (HTTP 403, requestId UUID)",
        "differs GET /v2/market/search/suggestions | refused where broken: q: q is required | taken, where the document has it refused (HTTP 200, requestId r)",
      ]
    `);
    expect(asked.filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('is told from one that leaves rules out: none are refused, prices fall in no order, errors stand nowhere', async () => {
    const { judged } = await tried(
      true,
      ({ path }, answer) => {
        if (path === '/v2/partner/listing-detail')
          return { ...answer, status: 200, bodyText: '{"requestId":"r","success":true,"data":{"items":[]}}' };
        if (path !== '/v2/market/search') return answer;
        return bent({ ...answer, status: 200 }, () => {
          const items = [
            { price: 3, marketHashName: 'b' },
            { price: 50, marketHashName: 'a' },
            { price: 4, marketHashName: 'c' },
            {},
          ];
          return { requestId: 'r', success: true, data: { items, itemsCount: 4 } };
        });
      },
      (rule) => rule.endsWith('/v2/partner/listing-detail') || rule.endsWith('/v2/market/search'),
    );
    expect(odd(judged).filter((line) => !line.includes('refused where broken'))).toMatchInlineSnapshot(`
      [
        "differs POST /v2/partner/listing-detail | a right request is answered with what the document shows | envelope: requestId must match pattern "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"",
        "differs GET /v2/market/search | a right request is answered with what the document shows | envelope: requestId must match pattern "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"",
        "differs GET /v2/market/search | start 1, end 3: at most three items | 4 rows, not at most 3",
        "differs GET /v2/market/search | sort=priceAsc: prices rise | 50 stands before 4",
        "differs GET /v2/market/search | sort=priceDesc: prices fall | 3 stands before 50",
        "differs GET /v2/market/search | sort=abc: names in their order | b stands before a",
        "differs GET /v2/market/search | minPrice=5, maxPrice=20: prices within, fee included | an item costs 3",
        "differs POST /v2/partner/listing-detail | ten elements are taken, one answer each | 0 elements, not 10",
        "differs POST /v2/partner/listing-detail | an unknown listing is LISTING_NOT_FOUND in its place, and the answer a success | the element has the error "none", not LISTING_NOT_FOUND",
        "differs POST /v2/partner/listing-detail | an unknown item is ITEM_NOT_FOUND in its place, and the answer a success | the element has the error "none", not ITEM_NOT_FOUND",
      ]
    `);
    const broken = judged.filter(({ what }) => what.startsWith('refused where broken'));
    expect(broken.length).toBeGreaterThan(12);
    expect(broken.filter(({ verdict }) => verdict.kind !== 'differs')).toEqual([]);
  });
});

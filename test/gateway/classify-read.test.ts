import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCheck } from '../../src/api/check.ts';
import { endpoints } from '../../src/api/endpoints.ts';
import { serviceMessage } from '../../src/domain/text.ts';
import { classifyRead } from '../../src/gateway/classify-read.ts';
import { json, NOW, whole } from './answers.ts';

const expected = { check: compileCheck(endpoints.user.data), mayForbid: false, clean: serviceMessage };
const user = { type: 'user', profile: { id: 'u-1', balance: 12.5 } };

describe('the answer to a read', () => {
  it('is its data when it is whole, successful and of the right shape', () => {
    expect(classifyRead(json(200, { success: true, data: user, requestId: 'r' }), expected, NOW)).toMatchObject({
      ok: true,
      data: user,
      requestId: 'r',
      serviceDate: undefined,
    });
  });

  it('is no data when a number is none that money can have [N23 B22]', () => {
    const text = JSON.stringify({ success: true, data: user }).replace('12.5', '1e400');
    const outcome = classifyRead(whole(200, text), expected, NOW);
    expect(!outcome.ok && outcome.fault).toMatchInlineSnapshot(`
      {
        "cause": "unreadable",
        "class": "transient",
        "code": undefined,
        "message": "the answer has the wrong shape: profile.balance must be number",
        "requestId": undefined,
        "retryAfterMs": undefined,
        "sent": true,
        "status": 200,
      }
    `);
  });

  it('keeps what the service asks to wait, and its words', () => {
    const answer = json(503, { success: false, error: { code: 'BUSY', message: 'Try <b>later</b>' } }, { 'retry-after': '9' });
    expect(classifyRead(answer, expected, NOW)).toMatchObject({
      ok: false,
      fault: { class: 'transient', cause: 'service', code: 'BUSY', message: 'Try later', retryAfterMs: 9_000 },
    });
  });

  it('tells a date from the clock of the service, where it shows one', () => {
    const headers = { date: 'Sat, 28 Nov 2026 20:00:00 GMT', 'retry-after': 'Sat, 28 Nov 2026 20:00:20 GMT' };
    expect(classifyRead(whole(429, '', headers), expected, NOW)).toMatchObject({
      ok: false,
      fault: { cause: 'rate', retryAfterMs: 20_000 },
    });
  });

  it('never throws, is never unknown, and is data only when it says so itself', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record({ success: fc.jsonValue(), data: fc.jsonValue() }).map((body) => JSON.stringify(body)),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), text, (status, body) => {
        const outcome = classifyRead(whole(status, body), { ...expected, check: () => undefined }, NOW);
        if (outcome.ok) expect([Math.floor(status / 100), JSON.parse(body).success]).toEqual([2, true]);
        else expect(outcome.fault.class).not.toBe('unknown');
      }),
      { numRuns: 2_000 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { DataOf } from '../../src/api/endpoints.ts';
import type { Fault } from '../../src/domain/fault.ts';
import type { Reply } from '../../src/engine/ports.ts';
import { readHealth } from '../../src/feed/health.ts';

function answer(data: unknown): Reply<DataOf<'marketHealth'>> {
  const reply = { beganAt: 900, endedAt: 1_000, status: 200, requestId: 'r', serviceDate: undefined, bytes: 10 };
  return { ...reply, ok: true, data: data as DataOf<'marketHealth'> };
}

function fault(fields: Partial<Fault>): Reply<never> {
  const nothing = { code: undefined, requestId: undefined, retryAfterMs: undefined };
  return {
    ok: false,
    beganAt: 900,
    endedAt: 1_000,
    fault: { class: 'refused', cause: 'key', sent: true, status: 403, message: 'Forbidden', ...nothing, ...fields },
  };
}

const good = {
  status: 'ok',
  ts: 1_700_000_000,
  markets: { c5: { status: 'ok', staleMs: 120, workers: [] }, ecosteam: { status: 'degraded', staleMs: 0 } },
  service: { c5: true, ecosteam: false },
};

describe('the health of the markets', () => {
  it('is kept under the names that listings use, as of our own time [M13]', () => {
    expect(readHealth(answer(good))).toEqual({
      status: 'ok',
      markets: {
        c5game: { status: 'ok', staleMs: 120, service: true },
        ecosteam: { status: 'degraded', staleMs: 0, service: false },
      },
      receivedAt: 1_000,
    });
  });

  it.each([-1, 86_400_001, 1e300, Number.NaN, '120', null, undefined])(
    'has no staleness where the answer says %s [M14]',
    (staleMs) => {
      const reading = readHealth(answer({ ...good, markets: { c5: { status: 'ok', staleMs } } }));
      expect(reading).toMatchObject({ markets: { c5game: { status: 'ok', staleMs: undefined } } });
    },
  );

  it('leaves out a market that is missing or no object, and keeps a word it has not heard of', () => {
    const reading = readHealth(
      answer({
        status: 'meh',
        markets: { c5: null, ecosteam: { status: 'splendid', staleMs: 1 }, c9: good.markets.c5 },
        service: { ecosteam: 'yes' },
      }),
    );
    expect(reading).toEqual({
      status: 'meh',
      markets: { ecosteam: { status: 'splendid', staleMs: 1, service: undefined } },
      receivedAt: 1_000,
    });
  });

  it('does not take a market from the prototype [S17]', () => {
    const markets = JSON.parse('{"__proto__": {"c5": {"status": "ok", "staleMs": 1}}}');
    expect(readHealth(answer({ ...good, markets }))).toMatchObject({ markets: {} });
  });

  it.each([
    ['forbidden', 401, 'key'],
    ['forbidden', 403, 'key'],
    ['failed', 403, 'ban'],
    ['failed', 500, 'service'],
    ['failed', undefined, 'timeout'],
  ] as const)('is missing as %s after %s (%s) [M13]', (reason, status, cause) => {
    expect(readHealth(fault({ status, cause }))).toEqual({ reason, message: 'Forbidden', at: 1_000 });
  });
});

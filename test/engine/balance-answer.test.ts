import { describe, expect, it } from 'vitest';
import type { DataOf } from '../../src/api/endpoints.ts';
import type { Reply } from '../../src/engine/ports.ts';
import { readBalance } from '../../src/engine/balance-answer.ts';

function answer(balance: unknown): Reply<DataOf<'user'>> {
  const data = { type: 'user', profile: { id: 'account-1', balance } } as DataOf<'user'>;
  return { ok: true, beganAt: 900, endedAt: 1_000, status: 200, requestId: 'r', serviceDate: 5_000, bytes: 10, data };
}

describe('the balance', () => {
  it('is read exactly, with whose it is and what time the service has', () => {
    expect(readBalance(answer(123.45))).toEqual({
      ok: true,
      reading: { amount: 123_450_000, beganAt: 900, endedAt: 1_000 },
      profileId: 'account-1',
      serviceDate: 5_000,
    });
    expect(readBalance(answer(0))).toMatchObject({ ok: true, reading: { amount: 0 } });
  });

  it('is never rounded up', () => {
    expect(readBalance(answer(0.123_456_9))).toMatchObject({ reading: { amount: 123_456 } });
  });

  it.each([Number.NaN, -0.01, 1 / 0, 100_000_001, '12'])('is no reading when it is %s [B22]', (balance) => {
    expect(readBalance(answer(balance))).toMatchObject({ ok: false, at: 1_000, forbidden: false });
  });

  it.each([
    [401, 'key', true],
    [403, 'key', true],
    [403, 'ban', false],
    [502, 'service', false],
  ] as const)('is no reading after a %s (%s)', (status, cause, forbidden) => {
    const fault = {
      class: 'refused',
      cause,
      sent: true,
      status,
      code: undefined,
      message: 'no',
      requestId: undefined,
      retryAfterMs: undefined,
    } as const;
    expect(readBalance({ ok: false, beganAt: 900, endedAt: 1_000, fault })).toEqual({
      ok: false,
      message: 'no',
      at: 1_000,
      forbidden,
    });
  });
});

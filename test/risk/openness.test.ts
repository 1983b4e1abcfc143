import { describe, expect, it } from 'vitest';
import { type Moment, closedWords, openness } from '../../src/risk/openness.ts';
import { usageOf } from '../../src/risk/usage.ts';
import { NOON, dollars, wideLimits } from '../support/values.ts';

const none = { spend: dollars(0), item: 0, strategySpend: dollars(0), strategyCount: 0, strategyItem: 0, open: 0, unknown: 0 };
const usage = (given: Partial<typeof none> = {}): Moment['usage'] =>
  usageOf([], { ...none, ...given }, { strategy: '', marketHashName: '' }, NOON);
const well = { status: 'ok', staleMs: 100, service: true };

const fine: Moment = {
  ...{ now: NOON, halted: undefined, blockers: [], slowedUntil: undefined, limits: wideLimits, usage: usage() },
  health: { status: 'ok', markets: { c5game: well, ecosteam: well }, receivedAt: NOON },
  healthPolicy: { require: 'ok', staleAfterMs: 15_000 },
  available: dollars(100),
};

function words(given: Partial<Moment>): string {
  const closed = closedWords(openness({ ...fine, ...given }));
  return closed === undefined ? 'open' : [...closed.only, closed.why].join(' | ');
}

describe('whether buying is open', () => {
  it('is said as admission would say it: everywhere, on some markets, or nowhere and why', () => {
    expect(
      [
        words({}),
        words({ halted: 'enough' }),
        words({ blockers: [{ reason: 'starting', detail: 'the account has not answered yet' }] }),
        words({ slowedUntil: NOON + 2_000 }),
        words({ usage: usage({ unknown: 1 }) }),
        words({ usage: usage({ open: 200 }) }),
        words({ available: undefined }),
        words({ available: dollars(5), limits: { ...wideLimits, reserve: dollars(5) } }),
        words({ usage: usage({ spend: dollars(7) }), limits: { ...wideLimits, spend: { total: dollars(7) } } }),
        words({ health: undefined }),
        words({ health: undefined, healthPolicy: { require: 'off', staleAfterMs: 1 } }),
        words({ health: { reason: 'failed', message: 'HTTP 500', at: NOON } }),
        words({ now: NOON + 20_000 }),
        words({ health: { status: 'ok', markets: { ecosteam: well }, receivedAt: NOON } }),
        words({ health: { status: 'ok', markets: { c5game: { ...well, status: 'down' } }, receivedAt: NOON } }),
      ].join('\n'),
    ).toMatchInlineSnapshot(`
      "open
      halted (enough)
      the account has not answered yet
      the service asked us to slow down (for 2 s more)
      purchases of unknown outcome (1 unknown, 1 pause buying)
      limits.openPurchases is reached (200 open, 200 allowed)
      the balance is not known (no reading younger than a minute)
      nothing is free above limits.reserve ($5.00 free - $0.01 is less than the reserve of $5.00)
      limits.spend.total is used up ($7.00 in all + $0.01 is more than $7.00)
      the health of the markets is not known (no answer yet)
      open
      the health of the markets is not known (HTTP 500)
      the health of the markets is not known (the last answer is 20 s old)
      ecosteam | the health of the markets is not known (the answer says nothing of c5game)
      c5game is "down", wanted ok; the health of the markets is not known (the answer says nothing of ecosteam)"
    `);
  });

  it('names with the first cause every other that would keep it closed, so that nobody mends one to meet the next', () => {
    const all = {
      halted: 'enough',
      blockers: [{ reason: 'caution', detail: 'for 3 s more' }],
      slowedUntil: NOON + 2_000,
      usage: usage({ unknown: 1, open: 200, spend: dollars(7) }),
      limits: { ...wideLimits, spend: { day: dollars(70), total: dollars(7) } },
      available: undefined,
      health: undefined,
    } as const;
    const also = (given: Partial<Moment>) => closedWords(openness({ ...fine, ...given }))?.also.map(({ reason }) => reason);
    expect(also(all)).toEqual([
      'caution',
      'slowed',
      'unknown-pause',
      'open-purchases',
      'balance-unknown',
      'spend-total',
      'health-unknown',
    ]);
    expect(also({ halted: 'enough' })).toEqual([]);
    expect(also({ health: undefined }), 'no market is one cause').toEqual([]);
    expect(also({ ...all, halted: undefined, blockers: [{ reason: 'starting', detail: '…' }] }), 'too early to say').toEqual([]);
    expect(also({ halted: 'enough', health: { status: 'ok', markets: { ecosteam: well }, receivedAt: NOON } })).toEqual([
      'health-unknown',
    ]);
  });
});

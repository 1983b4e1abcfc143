import { describe, expect, it } from 'vitest';
import type { HealthReading } from '../../src/domain/readings.ts';
import { type Situation, admit } from '../../src/risk/admit.ts';
import { marketRefusal } from '../../src/risk/health.ts';
import { isApproved } from '../../src/risk/intent.ts';
import { type Since, takenBy, takenRefusal } from '../../src/risk/taken.ts';
import { usageOf } from '../../src/risk/usage.ts';
import { refusalsInRow, tooManyRefusals, unusualHour } from '../../src/risk/breaker.ts';
import { NOON, dollars, intent, listing, purchase, wideLimits } from '../support/values.ts';

const healthy: HealthReading = {
  status: 'ok',
  receivedAt: NOON,
  markets: {
    c5game: { status: 'ok', staleMs: 100, service: true },
    ecosteam: { status: 'degraded', staleMs: 100, service: true },
  },
};
const policy = { require: 'ok', staleAfterMs: 15_000 } as const;

const fine: Situation = {
  now: NOON,
  halted: undefined,
  blockers: [],
  slowedUntil: undefined,
  health: healthy,
  healthPolicy: policy,
  limits: wideLimits,
  never: false,
  usesReference: false,
  taken: undefined,
  since: { balance: dollars(100), provenAt: undefined },
  usage: usageOf(
    [],
    { spend: dollars(0), item: 0, strategySpend: dollars(0), strategyCount: 0, strategyItem: 0, open: 0, unknown: 0 },
    { strategy: '', marketHashName: '' },
    NOON,
  ),
  available: dollars(100),
};

function reasonFor(change: Partial<Situation>, wish = intent()): string | undefined {
  const verdict = admit(wish, { ...fine, ...change });
  return verdict.ok ? undefined : verdict.refusal.reason;
}

describe('admission', () => {
  it('is the only maker of an approved intent', () => {
    const verdict = admit(intent(), fine);
    expect(verdict.ok && isApproved(verdict.intent)).toBe(true);
    expect(isApproved(intent())).toBe(false);
    if (verdict.ok) expect(isApproved({ ...verdict.intent })).toBe(false);
  });

  it('cannot be changed after it was given [money-9]', () => {
    const verdict = admit(intent(), fine);
    if (!verdict.ok) throw new Error('refused');
    expect(() => Object.assign(verdict.intent, { listing: listing({ price: 1 }) })).toThrow(TypeError);
  });

  it('says the first thing that stands in the way, what stops everything first', () => {
    expect(reasonFor({})).toBeUndefined();
    expect(reasonFor({ halted: 'a person said so', health: undefined })).toBe('halted');
    expect(reasonFor({ blockers: [{ reason: 'clock-wrong', detail: '' }], never: true })).toBe('clock-wrong');
    expect(reasonFor({ slowedUntil: NOON + 1 })).toBe('slowed');
    expect(reasonFor({ slowedUntil: NOON })).toBeUndefined();
    expect(reasonFor({ never: true })).toBe('never');
  });

  it('does not believe a reference a hundred times above or twenty times below the price [M8 money-22]', () => {
    const at = (steam: number) => intent({ listing: listing({ steam: dollars(steam), priceWithFee: 10.5 }) });
    expect(reasonFor({ usesReference: true }, at(1_050))).toBeUndefined();
    expect(reasonFor({ usesReference: true }, at(1_050.01))).toBe('reference-odd');
    expect(reasonFor({ usesReference: true }, at(0.52))).toBe('reference-odd');
    expect(reasonFor({ usesReference: false }, at(0.52))).toBeUndefined();
  });
});

describe('the health of a market', () => {
  const ask = (change: Partial<HealthReading>, market = 'c5game', require: 'ok' | 'degraded' | 'off' = 'ok') =>
    marketRefusal(market, { ...healthy, ...change }, { ...policy, require }, NOON)?.reason;

  it('must satisfy what is required, each market for itself [M13]', () => {
    expect(ask({})).toBeUndefined();
    expect(ask({}, 'ecosteam')).toBe('health-poor');
    expect(ask({}, 'ecosteam', 'degraded')).toBeUndefined();
    expect(ask({ status: 'degraded' })).toBeUndefined();
    expect(ask({ status: 'down' })).toBe('health-poor');
  });

  it('blocks on whatever is unheard of [N26 M18]', () => {
    expect(ask({ status: 'splendid' })).toBe('health-poor');
    expect(ask({ markets: { c5game: { status: 'fine', staleMs: 1, service: true } } })).toBe('health-poor');
    expect(ask({ markets: {} })).toBe('health-unknown');
    expect(ask({}, 'buff')).toBe('market-unheard-of');
    expect(ask({}, 'buff', 'off')).toBe('market-unheard-of');
  });

  it('blocks when the service is switched off or the data are old [M13 M14]', () => {
    const with_ = (entry: object) => ask({ markets: { c5game: { status: 'ok', staleMs: 100, service: true, ...entry } } });
    expect(with_({ service: false })).toBe('health-poor');
    expect(with_({ staleMs: 15_001 })).toBe('health-unknown');
    expect(with_({ staleMs: undefined })).toBe('health-unknown');
    expect(ask({ receivedAt: NOON - 15_001 })).toBe('health-unknown');
    expect(ask({ receivedAt: NOON - 15_000 })).toBeUndefined();
  });

  it('that cannot be read blocks unless it is not asked for', () => {
    const missing = { reason: 'forbidden', message: 'the key may not read health', at: NOON } as const;
    expect(marketRefusal('c5game', missing, policy, NOON)?.reason).toBe('health-unknown');
    expect(marketRefusal('c5game', missing, { ...policy, require: 'off' }, NOON)).toBeUndefined();
  });
});

describe('a listing that was tried before', () => {
  const since: Since = { balance: dollars(100), provenAt: undefined };
  const after = (change: Parameters<typeof purchase>[0], price = 10, now = since) =>
    takenRefusal(takenBy(purchase(change)), price, now)?.reason;

  it('is never bought again once it was bought, or may have been', () => {
    for (const state of ['intended', 'unknown', 'bought', 'completed', 'refunded'] as const) {
      expect(after({ state })).toBe('taken');
      expect(after({ state }, 9)).toBe('taken');
    }
    expect(after({ state: 'rejected', wasUnknown: true })).toBe('taken');
  });

  it('may be tried again at another price once its refusal is confirmed [M1]', () => {
    const refused = { state: 'rejected', refusalCause: 'gone', answeredAt: NOON } as const;
    expect(after({ ...refused, held: true }, 9)).toBe('refusal-unconfirmed');
    expect(after(refused, 10)).toBe('refused-before');
    expect(after(refused, 9)).toBeUndefined();
  });

  it('may be tried again at the same price where the cause was another and has gone', () => {
    const funds = { state: 'rejected', refusalCause: 'funds', answeredAt: NOON, baseBalance: dollars(100) } as const;
    expect(after(funds)).toBe('refusal-cause');
    expect(after(funds, 10, { ...since, balance: dollars(150) })).toBeUndefined();
    expect(after({ state: 'rejected', refusalCause: 'rate', answeredAt: NOON })).toBeUndefined();
    const key = { state: 'rejected', refusalCause: 'owner', answeredAt: NOON } as const;
    expect(after(key, 10, { ...since, provenAt: NOON - 1 })).toBe('refusal-cause');
    expect(after(key, 10, { ...since, provenAt: NOON + 1 })).toBeUndefined();
  });

  it('is open as before when the request provably never left', () => {
    expect(after({ state: 'expired' })).toBeUndefined();
  });

  it('counts once on paper at each price', () => {
    expect(after({ state: 'simulated', lane: 'paper' })).toBe('already-simulated');
    expect(after({ state: 'simulated', lane: 'paper' }, 9)).toBeUndefined();
  });
});

describe('breakers', () => {
  const breaker = { refusalsInRow: 3, perHour: 1_000, unusual: 10 };

  it('count refusals in a row, but not those lost to a rival or to the rate', () => {
    let row = 0;
    for (const cause of ['funds', 'gone', 'repriced', 'rate', 'owner'] as const)
      row = refusalsInRow(row, { bought: false, cause });
    expect(row).toBe(2);
    expect(tooManyRefusals(row, breaker)).toBeUndefined();
    expect(tooManyRefusals(refusalsInRow(row, { bought: false, cause: 'other' }), breaker)).toContain('3 refusals in a row');
    expect(refusalsInRow(row, { bought: true })).toBe(0);
  });

  it('know what is unusual only after seven days', () => {
    const hour = { matches: 1_000, spend: dollars(1_000) };
    const usual = { days: 6, matchesPerHour: 5, spendPerHour: dollars(5) };
    expect(unusualHour(hour, usual, breaker)).toBeUndefined();
    expect(unusualHour(hour, undefined, breaker)).toBeUndefined();
    expect(unusualHour(hour, { ...usual, days: 7 }, breaker)).toContain('1000 matches');
    expect(unusualHour({ matches: 49, spend: dollars(49) }, { ...usual, days: 7 }, breaker)).toBeUndefined();
    expect(unusualHour({ matches: 0, spend: dollars(50) }, { ...usual, days: 7 }, breaker)).toContain('$50.00 spent');
  });

  it('leave a quiet account alone: many times almost nothing is nothing', () => {
    const usual = { days: 30, matchesPerHour: 0.01, spendPerHour: dollars(0.01) };
    expect(unusualHour({ matches: 19, spend: dollars(19.99) }, usual, breaker)).toBeUndefined();
  });
});

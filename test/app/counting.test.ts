import { describe, expect, it } from 'vitest';
import { Counting } from '../../src/app/monitoring/counting.ts';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import type { Purchase } from '../../src/domain/purchase.ts';
import type { Fault } from '../../src/domain/fault.ts';
import { Meter } from '../../src/monitor/meter.ts';
import { readExposition, valueOf } from '../monitor/exposition.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const refused = (status: number): BuyOutcome => ({
  ...{ kind: 'refused', cause: status === 429 ? 'rate' : 'gone', status, code: undefined, message: 'no' },
  ...{ requestId: undefined, retryAfterMs: undefined },
});

function counting() {
  const [clock, meter] = [new VirtualClock(), new Meter((text) => text)];
  const timings = { seenAt: 0, decidedAt: 2, committedAt: 3, sentAt: 4, answeredAt: 104 };
  const counts = new Counting({ meter, clock, timingsOf: () => timings, guarded: (work) => work() });
  const outcome = (id: number, came: BuyOutcome): void =>
    counts.stepped({ at: 0, type: 'outcome', purchase: { id } as Purchase, outcome: came }, []);
  const told = (name: string, labels = {}): number | undefined => valueOf(readExposition(meter.text()), name, labels);
  return { clock, counts, outcome, told };
}

describe('counting', () => {
  it('of a purchase waits a turn, and comes once, though a late answer tells of it again', async () => {
    const { clock, outcome, told } = counting();
    outcome(1, {
      kind: 'unknown',
      cause: 'timeout',
      message: '',
      status: undefined,
      upstreamOrderId: undefined,
      requestId: undefined,
    });
    expect(told('magpie_requests_total', { endpoint: 'buy', result: 'timeout' })).toBeUndefined();
    await clock.advance(1);
    outcome(1, refused(409));
    await clock.advance(1);
    expect(told('magpie_requests_total', { endpoint: 'buy', result: 'timeout' })).toBe(1);
    expect(told('magpie_requests_total', { endpoint: 'buy', result: 'gone' })).toBeUndefined();
    expect(told('magpie_purchase_stage_seconds_count', { stage: 'seen-answered' })).toBe(1);
    expect(told('magpie_purchase_stage_seconds_sum', { stage: 'sent-answered' })).toBe(0.1);
  });

  it('remembers no more purchases than it needs to, however many there are', async () => {
    const { clock, outcome, told } = counting();
    for (let id = 1; id <= 1_000; id++) outcome(id, refused(429));
    await clock.advance(1);
    expect(told('magpie_too_many_requests_total', { endpoint: 'buy' })).toBe(1_000);
  });

  it('tells requests that never left from those that failed, and times only those that left', () => {
    const { counts, told } = counting();
    const fault = (sent: boolean): Fault => ({
      ...{ class: 'transient', cause: 'rate', sent, status: sent ? 429 : undefined, code: undefined, message: '' },
      ...{ requestId: undefined, retryAfterMs: undefined },
    });
    counts.answered('orders', { ok: false, fault: fault(true), beganAt: 0, endedAt: 500 });
    counts.answered('orders', { ok: false, fault: fault(false), beganAt: 0, endedAt: 0 });
    expect(told('magpie_requests_total', { endpoint: 'orders', result: 'rate' })).toBe(1);
    expect(told('magpie_requests_total', { endpoint: 'orders', result: 'unsent' })).toBe(1);
    expect(told('magpie_too_many_requests_total', { endpoint: 'orders' })).toBe(1);
    expect(told('magpie_request_duration_seconds_count', { endpoint: 'orders' })).toBe(1);
  });
});

import { describe, expect, it } from 'vitest';
import type { ExchangeFaultRates } from '../../src/domain/exchange-fault.ts';
import type { EventDelivery } from '../../src/sandbox/order-events.ts';
import { Bench } from './harness.ts';

/** What is told of one purchase to its end. */
function told(faults: Partial<ExchangeFaultRates>): readonly EventDelivery[] {
  const all: EventDelivery[] = [];
  const bench = new Bench({ faults, onOrderEvents: (deliveries) => void all.push(...deliveries) });
  bench.buy(bench.cheapest());
  bench.pass(120_000);
  return all;
}

const typesOf = (deliveries: readonly EventDelivery[]): readonly string[] => deliveries.map(({ event }) => event.type);
const codesOf = (deliveries: readonly EventDelivery[]): readonly unknown[] =>
  deliveries.map(({ event }) => (event.data.order['status'] as { code: string }).code);

describe('the events of orders', () => {
  it('tell each state that an order comes to, and its refund, as the account sees it', () => {
    expect(codesOf(told({}))).toEqual(['INITIATED', 'PENDING', 'ACTIVE', 'HOLD', 'COMPLETED']);
    const failed = told({ orderFails: 1 });
    expect(typesOf(failed).slice(-2)).toEqual(['order.updated', 'order.refunded']);
    expect(failed.at(-1)?.event).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      createdAt: expect.stringMatching(/Z$/) as string,
      data: { order: { status: { code: 'FAILED' }, currency: 'USD' } },
    });
  });

  it('webhookLost does what its doc says', () => {
    expect(told({ webhookLost: 1 })).toEqual([]);
  });

  it('webhookTwice does what its doc says', () => {
    const ids = told({ webhookTwice: 1 }).map(({ event }) => event.id);
    expect([ids.length, new Set(ids).size]).toEqual([10, 5]);
  });

  it('webhookLate does what its doc says', () => {
    const late = told({ webhookLate: 1 });
    expect(late.every(({ afterMs }) => afterMs >= 1_000)).toBe(true);
    expect(told({}).every(({ afterMs }) => afterMs === 0)).toBe(true);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Purchase } from '../../../src/domain/purchase.ts';
import { type Shadow, shadowResult } from '../../../src/domain/shadow.ts';
import { type Settled, ShadowDesk, type ShadowDeskOptions } from '../../../src/execution/shadow/desk.ts';
import { Bench } from '../../sandbox/harness.ts';
import { NOON, dollars, purchase } from '../../support/values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { Desk } from '../support/desk.ts';

type Asked = { readonly items: readonly { readonly item: string; readonly listing: string; readonly market: string }[] };

/** All of them stand at $10. */
function allStand({ body }: { readonly body?: unknown }): unknown {
  const { items } = body as Asked;
  const wire = ({ item, listing, market }: Asked['items'][number]): unknown => ({
    id: listing,
    itemId: item,
    market,
    price: 10,
    priceWithFee: 10.5,
  });
  return { items: items.map(wire) };
}

function onPaper(id: number, clock: VirtualClock, given: Partial<Purchase> = {}): Purchase {
  return purchase({ id, listingId: String(id), lane: 'paper', state: 'simulated', createdAt: clock.now(), ...given });
}

function setUp(given: Partial<ShadowDeskOptions> = {}, answer: (request: { body?: unknown }) => unknown = allStand) {
  const clock = new VirtualClock(NOON);
  const service = new Desk(clock, { listingDetail: answer });
  const settled: Settled[] = [];
  const desk = new ShadowDesk({
    ...{ clock, service, settings: { latencyMs: 300, marginMs: 100, perMinute: 30 }, measured: () => [] },
    quietUntil: () => Number.POSITIVE_INFINITY,
    onSettled: (some) => void settled.push(...some),
    onDefect: (error) => {
      throw error;
    },
    ...given,
  });
  const shadows = (): Pick<Shadow, 'purchaseId' | 'reason'>[] =>
    settled.map(({ shadow: { purchaseId, reason } }) => ({ purchaseId, reason }));
  return { clock, service, desk, settled, shadows };
}

describe('purchases on paper', () => {
  it('are asked for once a buy of them would have been answered and the margin is over, ten at a time', async () => {
    const { clock, service, desk, shadows } = setUp();
    desk.take(Array.from({ length: 12 }, (_, index) => onPaper(index + 1, clock)));
    await clock.advance(399);
    expect(service.asked).toEqual([]);
    await clock.advance(100);
    expect(service.times('listingDetail').map((at) => at - NOON)).toEqual([400, 410]);
    expect(service.asked[0]?.request).toMatchObject({ urgency: 'spare' });
    expect(shadows()).toEqual(Array.from({ length: 12 }, (_, index) => ({ purchaseId: index + 1, reason: 'standing' })));
    expect(desk.open).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('take no notice of purchases that are live', async () => {
    const { clock, service, desk } = setUp();
    desk.take([purchase({ id: 1, state: 'bought' }), purchase({ id: 2, state: 'intended' })]);
    await clock.advance(60_000);
    expect({ asked: service.asked, open: desk.open, pending: clock.pending }).toEqual({ asked: [], open: 0, pending: 0 });
  });

  it('are unknown where the service fails until it is too late, with what it said, and it is asked no more than twice a second', async () => {
    const { clock, service, desk, settled } = setUp({}, () => new Error('out of order'));
    desk.take([onPaper(1, clock)]);
    await clock.advance(60_000);
    expect(settled.map(({ shadow }) => [shadow.reason, shadow.detail])).toEqual([['failed', 'out of order']]);
    expect(settled[0]?.shadow.at).toBe(NOON + 3_400);
    expect(service.asked.length).toBeGreaterThan(2);
    expect(service.asked.length).toBeLessThanOrEqual(7);
    expect(clock.pending).toBe(0);
  });

  it('are unknown where the only answers are from before their time', async () => {
    const { clock, service, desk, settled } = setUp();
    const read = service.read.bind(service);
    service.read = async (name, request) => ({ ...(await read(name, request)), beganAt: NOON + 399 });
    desk.take([onPaper(1, clock)]);
    await clock.advance(60_000);
    expect(settled.map(({ shadow }) => shadow.reason)).toEqual(['failed']);
  });

  it('are unknown where no poll leaves room, and are asked for as soon as one does', async () => {
    let quietUntil: number | undefined;
    const { clock, service, desk, shadows } = setUp({ quietUntil: () => quietUntil });
    desk.take([onPaper(1, clock)]);
    await clock.advance(60_000);
    expect({ asked: service.asked, told: shadows() }).toEqual({ asked: [], told: [{ purchaseId: 1, reason: 'budget' }] });
    desk.take([onPaper(2, clock)]);
    await clock.advance(1_000);
    quietUntil = clock.now() + 900;
    await clock.advance(100);
    expect(shadows()).toContainEqual({ purchaseId: 2, reason: 'standing' });
  });

  it('stop asking when a poll is due: the question is broken off, and is asked again later', async () => {
    const stopped: number[] = [];
    const { clock, service, desk, settled } = setUp({ quietUntil: () => clockNow() + 200 });
    const clockNow = (): number => clock.now();
    const read = service.read.bind(service);
    service.read = (name, request) => {
      const { signal } = request as { signal: AbortSignal };
      signal.addEventListener('abort', () => void stopped.push(clock.now() - NOON), { once: true });
      return read(name, request);
    };
    service.tookMs = 250;
    desk.take([onPaper(1, clock)]);
    await clock.advance(620);
    expect(stopped).toEqual([600]);
    service.tookMs = 10;
    await clock.advance(2_000);
    expect(settled.map(({ shadow }) => shadow.reason)).toEqual(['standing']);
  });

  it('that the endpoint would turn away cost the others nothing, and nobody asks for them', async () => {
    const { clock, service, desk, shadows } = setUp();
    desk.take([onPaper(1, clock, { itemId: 'no hex' }), onPaper(2, clock, { market: 'elsewhere' }), onPaper(3, clock)]);
    await clock.advance(1_000);
    expect(service.asked).toHaveLength(1);
    expect(shadows()).toEqual([
      { purchaseId: 1, reason: 'not-asked' },
      { purchaseId: 2, reason: 'not-asked' },
      { purchaseId: 3, reason: 'standing' },
    ]);
  });

  it('are unknown beyond what is kept waiting', async () => {
    const { clock, desk, shadows } = setUp();
    desk.take(Array.from({ length: 600 }, (_, index) => onPaper(index + 1, clock)));
    await clock.advance(1);
    expect(shadows()).toEqual(Array.from({ length: 100 }, (_, index) => ({ purchaseId: index + 501, reason: 'budget' })));
    expect(desk.open).toBe(500);
  });

  it('that wait when it stops are unknown, and nothing is asked or told afterwards', async () => {
    const { clock, service, desk, shadows } = setUp();
    service.tookMs = 50;
    desk.take([onPaper(1, clock)]);
    await clock.advance(410);
    desk.take([onPaper(2, clock)]);
    desk.stop();
    desk.take([onPaper(3, clock)]);
    await clock.advance(60_000);
    expect(shadows()).toEqual([
      { purchaseId: 1, reason: 'stopped' },
      { purchaseId: 2, reason: 'stopped' },
    ]);
    expect({ asked: service.asked.length, pending: clock.pending }).toEqual({ asked: 1, pending: 0 });
  });

  it('are looked at by what our own buys last by now', async () => {
    const measured = [{ seenAt: NOON, decidedAt: NOON, committedAt: NOON, sentAt: NOON, answeredAt: NOON + 2_000 }];
    const settings = { latencyMs: undefined, marginMs: 100, perMinute: 30 };
    const { clock, service, desk, settled } = setUp({ settings, measured: () => measured });
    desk.take([onPaper(1, clock)]);
    await clock.advance(1_000);
    desk.take([onPaper(2, clock)]);
    await clock.advance(10_000);
    expect(settled.map(({ shadow }) => shadow.latency)).toEqual([
      { ms: 500, measuredOn: undefined },
      { ms: 2_000, measuredOn: 1 },
    ]);
    expect(service.times('listingDetail').map((at) => at - NOON)).toEqual([600, 3_100]);
  });

  it('never cost more questions in a minute than the budget, and each of them is settled once', async () => {
    const arrivals = fc.array(
      fc.record({ afterMs: fc.integer({ min: 0, max: 5_000 }), count: fc.integer({ min: 1, max: 30 }) }),
      {
        maxLength: 30,
      },
    );
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 6 }), fc.boolean(), async (some, perMinute, fails) => {
        const settings = { latencyMs: 50, marginMs: 0, perMinute };
        const { clock, service, desk, shadows } = setUp({ settings }, fails ? () => new Error('down') : allStand);
        let id = 0;
        for (const { afterMs, count } of some) {
          await clock.advance(afterMs);
          desk.take(Array.from({ length: count }, () => onPaper(++id, clock)));
        }
        await clock.advance(10_000);
        const times = service.times('listingDetail');
        for (const at of times)
          expect(times.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(perMinute);
        const ids = shadows().map(({ purchaseId }) => purchaseId);
        expect(ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: id }, (_, index) => index + 1));
      }),
      { numRuns: 40 },
    );
  });
});

describe('at an exchange where rivals buy', () => {
  it('what is called won is sold to whoever buys it at that moment, and what is called lost is refused', async () => {
    const results = new Map<string, number>();
    for (let seed = 1; seed <= 6; seed++) {
      const bench = new Bench({ seed, speed: 2_000, balance: 1_000_000 });
      const { clock } = bench;
      const service = new Desk(clock, {
        listingDetail: ({ body }) => bench.data('POST', '/v2/partner/listing-detail', { body }),
      });
      service.tookMs = 0;
      const desk = new ShadowDesk({
        ...{ clock, service, settings: { latencyMs: 400, marginMs: 100, perMinute: 600 }, measured: () => [] },
        quietUntil: () => Number.POSITIVE_INFINITY,
        onDefect: (error) => {
          throw error;
        },
        onSettled: (settled) => {
          for (const {
            purchase: { listingId: id, market, price },
            shadow,
          } of settled) {
            const { status } = bench.buy({ id, market, price });
            const result = shadowResult(shadow);
            expect([result, shadow.reason, status === 200 ? 'sold' : 'refused']).toEqual([
              result,
              shadow.reason,
              result === 'won' ? 'sold' : 'refused',
            ]);
            results.set(shadow.reason, (results.get(shadow.reason) ?? 0) + 1);
          }
        },
      });
      const wanted = bench.cheap().slice(0, 60);
      desk.take(
        wanted.map(({ id, itemId, market, price, priceWithFee }, index) =>
          onPaper(index + 1, clock, { listingId: id, itemId, market, price, priceWithFee, cost: dollars(priceWithFee) }),
        ),
      );
      await clock.advance(5_000);
    }
    expect([...results.keys()].toSorted()).toEqual(['gone', 'repriced', 'standing']);
    expect([...results.values()].reduce((sum, count) => sum + count, 0)).toBe(360);
  });
});

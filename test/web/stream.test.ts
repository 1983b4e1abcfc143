import { describe, expect, it, onTestFinished } from 'vitest';
import type { Marks, News } from '../../src/web/page-facts.ts';
import { NOON, dollars } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { eventsIn, listens } from './listener.ts';
import { type Stage, TOKEN, stage } from './stage.ts';

function decide({ ledger }: Stage, count: number): void {
  ledger.recordDecisions(
    Array.from({ length: count }, (_, index) => ({
      ...{
        at: NOON + index,
        lane: 'live',
        market: 'c5game',
        listingId: String(index),
        marketHashName: 'Case',
        strategy: 'cases',
      },
      ...{ strategyHash: 'hash', cost: dollars(1), verdict: 'refused', reason: 'spend-day', detail: undefined },
    })),
  );
}

describe('the stream of events', () => {
  it('tells where things stand at once, and then what is new, of a thousand decisions as many as can be read', async () => {
    const clock = new VirtualClock(NOON + 60_000);
    const scene = await stage({ clock });
    decide(scene, 5);
    const listener = await listens(scene);
    await clock.advance(0);
    await listener.until('event: status');
    expect(eventsIn(listener.text())).toEqual(['status']);
    decide(scene, 1_000);
    await clock.advance(1_000);
    await listener.until('"decided":1000');
    const news = /event: decisions\ndata: (.*)\n/.exec(listener.text())?.[1] ?? '';
    expect((JSON.parse(news) as { newest: unknown[] }).newest).toHaveLength(60);
    expect(news.length).toBeLessThan(40_000);
  });

  it('says every few seconds that it is alive, however still it is, and no oftener', async () => {
    const clock = new VirtualClock(NOON + 60_000);
    const scene = await stage({ clock });
    const listener = await listens(scene);
    for (let second = 0; second < 21; second += 1) await clock.advance(1_000);
    await listener.until('event: status');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(eventsIn(listener.text()).length).toBeLessThanOrEqual(6);
    expect(eventsIn(listener.text()).length).toBeGreaterThanOrEqual(4);
  });

  it('asks nothing while nobody looks on', async () => {
    const clock = new VirtualClock(NOON + 60_000);
    let asked = 0;
    const counting = (since: Marks | undefined, news: (since: Marks | undefined) => News): News => {
      asked += 1;
      return news(since);
    };
    const scene = await stage({ clock, facts: (facts) => ({ ...facts, news: (since) => counting(since, facts.news) }) });
    await clock.advance(10_000);
    expect([asked, clock.pending]).toEqual([0, 0]);
    const listener = await listens(scene);
    await clock.advance(0);
    await listener.until('event: status');
    expect(asked).toBe(1);
  });

  it('is for eight at once; a ninth is told to come later, and no place is lost for good', async () => {
    const clock = new VirtualClock(NOON + 60_000);
    const scene = await stage({ clock });
    await Promise.all(Array.from({ length: 8 }, () => listens(scene)));
    await expect(listens(scene)).rejects.toThrow('503');
  });

  it('lets go of who does not read', async () => {
    const clock = new VirtualClock(NOON + 60_000);
    const padding = 'x'.repeat(400_000);
    const scene = await stage({ clock, facts: (facts) => ({ ...facts, status: () => ({ padding }) }) });
    const { hostname, port } = new URL(scene.page.address);
    const { connect } = await import('node:net');
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`),
    );
    onTestFinished(() => void socket.destroy());
    await new Promise((resolve) => socket.once('readable', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    for (let second = 0; second < 120; second += 1) await clock.advance(5_000);
    socket.on('error', () => undefined).resume();
    await ended;
    expect(clock.pending).toBe(0);
  });

  it('tells of a question that failed, and goes on', async () => {
    const clock = new VirtualClock(NOON + 60_000);
    let fails = true;
    const scene = await stage({
      clock,
      facts: (facts) => ({
        ...facts,
        status() {
          if (fails) throw new Error('the disk is away');
          return facts.status();
        },
      }),
    });
    const listener = await listens(scene);
    await clock.advance(0);
    await listener.until('the disk is away');
    fails = false;
    await clock.advance(6_000);
    await listener.until('event: status');
    expect(eventsIn(listener.text())).toEqual(['trouble', 'status']);
  });
});

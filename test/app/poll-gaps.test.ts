import { describe, expect, it } from 'vitest';
import { PollGaps } from '../../src/app/poll-gaps.ts';
import { watching } from '../../src/app/watching.ts';
import type { Purchase } from '../../src/domain/purchase.ts';
import type { ReadName, ReadRequest, Service } from '../../src/engine/ports.ts';
import { ShadowDesk } from '../../src/execution/shadow/desk.ts';
import { Desk } from '../execution/support/desk.ts';
import { SimPace } from '../simulation/sim-pace.ts';
import { NOON, purchase } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const RATE = { perSecond: 4, concurrent: 2 };
const ranks = { reconcile: 'first', poll: 'second', spare: 'third' } as const;

/** A service behind the limiter of the reads; `left` says when each question left. */
class Limited implements Service {
  readonly left: { readonly name: ReadName; readonly at: number }[] = [];
  readonly #pace: SimPace;
  readonly #clock: VirtualClock;
  readonly #desk: Desk;
  readonly #lasts: (name: ReadName, times: number) => number;

  constructor(clock: VirtualClock, lasts: (name: ReadName, times: number) => number) {
    this.#clock = clock;
    this.#lasts = lasts;
    this.#pace = new SimPace(RATE, clock);
    this.#desk = new Desk(clock, {});
  }

  async read<N extends ReadName>(name: N, request: ReadRequest<N> = {}): Promise<never> {
    const signal = request.signal ?? new AbortController().signal;
    const permit = await this.#pace.take(ranks[request.urgency ?? 'poll'], signal).catch(() => undefined);
    this.#desk.tookMs = 0;
    if (permit === undefined) return (await this.#desk.read(name, request)) as never;
    permit.begin();
    this.left.push({ name, at: this.#clock.now() - NOON });
    const cut = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    const lasting = this.#lasts(name, this.left.filter((one) => one.name === name).length);
    const beganAt = this.#clock.now();
    await Promise.race([cut, new Promise<void>((resolve) => void this.#clock.after(lasting, resolve))]);
    permit.done();
    return { ...(await this.#desk.read(name, request)), beganAt } as never;
  }
}

/** Two minutes of polls, with purchases on paper by the hundred or with none. */
async function polled(lasts: (name: ReadName, times: number) => number, onPaper: number) {
  const clock = new VirtualClock(NOON);
  const service = new Limited(clock, lasts);
  const intervalsMs = new Map<ReadName, number>([
    ['liveListings', 1_000],
    ['marketHealth', 5_000],
    ['user', 15_000],
  ]);
  const gaps = new PollGaps({ clock, service, intervalsMs, spacingMs: 1_000 / RATE.perSecond });
  const desk = new ShadowDesk({
    ...{ clock, service, settings: { latencyMs: 100, marginMs: 0, perMinute: 600 }, measured: () => [] },
    quietUntil: () => gaps.quietUntil(),
    onSettled: () => undefined,
    onDefect: (error) => {
      throw error;
    },
  });
  const options = { clock, service: gaps.service, intervalMs: 1_000, healthIntervalMs: 5_000, parse: 'whole' as const };
  const heard = watching({ ...options, health: true, onceAfter: undefined }).subscribe();
  let id = 0;
  for (let second = 0; second < 120; second++) {
    const some = Array.from({ length: onPaper }, (): Purchase => {
      const listingId = String(++id);
      return purchase({ id, listingId, lane: 'paper', state: 'simulated', createdAt: clock.now() });
    });
    desk.take(some);
    await clock.advance(1_000);
  }
  heard.unsubscribe();
  desk.stop();
  const of = (name: ReadName): number[] => service.left.filter((one) => one.name === name).map(({ at }) => at);
  return { polls: ['liveListings', 'marketHealth', 'user'].map((name) => of(name as ReadName)), details: of('listingDetail') };
}

describe('between polls', () => {
  const services: readonly (readonly [string, (name: ReadName, times: number) => number])[] = [
    ['that answers at once', () => 40],
    ['whose listings take longer now and then', (name, times) => (name === 'liveListings' ? 100 + (times % 7) * 150 : 30)],
    ['that answers questions about details late or never', (name) => (name === 'listingDetail' ? 30_000 : 60)],
  ];

  it.each(services)('of a service %s, purchases on paper are asked for and no poll leaves a moment later', async (_, lasts) => {
    const [without, withPaper] = [await polled(lasts, 0), await polled(lasts, 20)];
    expect(withPaper.polls).toEqual(without.polls);
    expect(without.details).toEqual([]);
    expect(withPaper.details.length).toBeGreaterThan(50);
  });

  it('there is no room before all of them have been asked for once, nor while one is under way, nor just before one is due', async () => {
    const clock = new VirtualClock(NOON);
    const service = new Desk(clock, {});
    const intervalsMs = new Map<ReadName, number>([
      ['liveListings', 1_000],
      ['user', 15_000],
    ]);
    const gaps = new PollGaps({ clock, service, intervalsMs, spacingMs: 250 });
    const isQuiet = (): boolean => gaps.quietUntil() !== undefined;
    expect(isQuiet()).toBe(false);
    void gaps.service.read('user');
    await clock.advance(20);
    expect(isQuiet()).toBe(false);
    void gaps.service.read('liveListings');
    await clock.advance(5);
    expect(isQuiet()).toBe(false);
    await clock.advance(15);
    expect(gaps.quietUntil()).toBe(NOON + 1_000);
    await clock.advance(709);
    expect(isQuiet()).toBe(true);
    await clock.advance(2);
    expect(isQuiet()).toBe(false);
    await clock.advance(60_000);
    expect(isQuiet()).toBe(false);
  });
});

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PermitPump } from '../../src/app/permit-pump.ts';
import type { Permit } from '../../src/engine/ports.ts';
import type { LiveVenue } from '../../src/gateway/venue.ts';
import { acceptance, order } from './answers.ts';
import { type Scene, scenes } from './harness.ts';
import { type Manners, answering, reset } from './hostile-server.ts';
import { expectWithin, onVirtualTime } from './pacing.ts';

const tooMany = { success: false, message: 'Too many requests' };

/** How the service answers: what asks us to wait does so once. */
const manners = {
  well: answering(200, acceptance()),
  sold: answering(410, { success: false, message: 'gone' }),
  crowded: answering(429, tooMany, { 'retry-after': '3' }),
  'crowded, without a word': answering(429, tooMany),
  broken: { answer: reset },
  silent: { answer: () => undefined },
} as const satisfies Record<string, Manners>;

type Manner = keyof typeof manners;

const anyEvent = fc.record({
  atMs: fc.integer({ min: 0, max: 20_000 }),
  what: fc.oneof(fc.constant('restart' as const), fc.constantFrom<Manner>(...(Object.keys(manners) as Manner[]))),
});

/** How many steps apart somebody wants to buy, and to read: from as often as possible to now and then. */
const anyDemand = fc.record({ buys: fc.integer({ min: 1, max: 40 }), reads: fc.integer({ min: 1, max: 40 }) });

const BUYS = 2;
const READS = 4;
const STEP_MS = 25;
/** Reads under way or waiting at the most. */
const READING_MAX = 6;
/** What has begun may still be waiting for its connection when another answer asks us to wait. */
const ON_ITS_WAY_MS = 250;

interface Wait {
  readonly from: number;
  readonly until: number;
}

/** One run of the gateway after another against one server, as a daemon that is killed and started again drives it. */
class Runs {
  readonly waits: Wait[] = [];
  #slowUntil: number | undefined;
  #stop = new AbortController();
  #pump: PermitPump | undefined;
  #permits = 0;
  #reading = 0;
  #scene: Scene | undefined;
  #venue: LiveVenue | undefined;
  readonly #open: ReturnType<typeof scenes>;

  constructor(open: ReturnType<typeof scenes>) {
    this.#open = open;
  }

  /** The process before is gone from one moment to the next; what it wrote down is known. */
  async restart(): Promise<void> {
    await this.kill();
    this.#stop = new AbortController();
    this.#permits = 0;
    this.#reading = 0;
    const timeoutMs = 1_000;
    const rates = { reads: { perSecond: READS, concurrent: 3 }, buys: { perSecond: BUYS, concurrent: 2 }, timeoutMs };
    this.#scene = await this.#open(manners.well, {
      rates,
      slowUntil: this.#slowUntil,
      onSlowed: ({ until }) => {
        this.#slowUntil = until;
        this.waits.push({ from: performance.now(), until: until - performance.timeOrigin });
      },
    });
    this.#venue = this.#scene.venue();
    this.#pump = new PermitPump(this.#scene.gateway.permits, () => void this.#permits++);
    void this.#pump.start(this.#stop.signal);
  }

  async kill(): Promise<void> {
    this.#stop.abort();
    await this.#venue?.close();
    await this.#scene?.gateway.close();
  }

  behave(manner: Manner): void {
    const server = this.#scene?.server;
    const { answer } = manners[manner];
    if (!manner.startsWith('crowded')) return server?.behave(manners[manner]);
    server?.behave({
      answer: (socket, request, nth) => {
        server.behave(manners.well);
        answer?.(socket, request, nth);
      },
    });
  }

  read(): void {
    const scene = this.#scene;
    if (!scene || this.#reading >= READING_MAX) return;
    this.#reading++;
    void scene.gateway.service.read('liveListings').then(() => {
      if (scene === this.#scene) this.#reading--;
    });
  }

  /** As the engine lets a match go: with a permit, and not while the service wants us to wait. */
  buy(listingId: string): void {
    if (this.#permits === 0 || (this.#slowUntil ?? 0) > performance.timeOrigin + performance.now()) return;
    this.#permits--;
    const permit = this.#pump?.claim();
    if (permit) void this.#send(permit, listingId);
  }

  async #send(permit: Permit, listingId: string): Promise<void> {
    permit.begin();
    await this.#venue?.buy({ ...order, listingId }, () => undefined);
    permit.done();
  }
}

/** When requests left, by method. */
function departures(): { readonly POST: number[]; readonly GET: number[] } {
  const left = { POST: [] as number[], GET: [] as number[] };
  const onHeaders = (message: unknown): void => {
    const { method } = (message as { readonly request: { readonly method: 'POST' | 'GET' } }).request;
    left[method].push(performance.now());
  };
  subscribe('undici:client:sendHeaders', onHeaders);
  onTestFinished(() => void unsubscribe('undici:client:sendHeaders', onHeaders));
  return left;
}

/** Time goes on by a step; sockets, which are real, come to what they can come to meanwhile. */
async function step(): Promise<void> {
  await vi.advanceTimersByTimeAsync(STEP_MS);
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => void setImmediate(resolve));
}

describe('what leaves, by buys and reads as they come, on virtual time and real sockets', () => {
  onVirtualTime();
  const open = scenes();

  it('is never more in any window than it may be, across 429s and restarts, and nothing leaves while we are to wait [P39 N16]', async () => {
    const left = departures();
    let [most, waits] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 5, maxLength: 30 }), anyDemand, async (events, demand) => {
        left.POST.length = 0;
        left.GET.length = 0;
        const runs = new Runs(open);
        await runs.restart();
        const due = events.toSorted((a, b) => a.atMs - b.atMs);
        for (let at = 0; at * STEP_MS < 22_000; at++) {
          while (due[0] && due[0].atMs <= at * STEP_MS) {
            const { what } = due.shift()!;
            if (what === 'restart') await runs.restart();
            else runs.behave(what);
          }
          if (at % demand.buys === 0) runs.buy(String(at));
          if (at % demand.reads === 0) runs.read();
          await step();
        }
        await runs.kill();
        expectWithin(left.POST, BUYS);
        expectWithin(left.GET, READS);
        for (const { from, until } of runs.waits) {
          const meanwhile = [...left.POST, ...left.GET].filter((at) => at > from + ON_ITS_WAY_MS && at < until);
          expect(meanwhile).toEqual([]);
        }
        most = Math.max(most, left.POST.length);
        waits += runs.waits.length;
      }),
      { numRuns: 12 },
    );
    expect(most, 'buys in one run').toBeGreaterThan(5);
    expect(waits, 'waits in all').toBeGreaterThan(3);
  });
});

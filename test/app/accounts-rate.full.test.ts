import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TurnDesk } from '../../src/app/accounts/turn-desk.ts';
import { EngineLoop, type Posted } from '../../src/app/engine-loop.ts';
import { PermitPump } from '../../src/app/permit-pump.ts';
import type { Listing } from '../../src/domain/listing.ts';
import { seededRandom } from '../../src/domain/random.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { SnapshotChange } from '../../src/engine/snapshot.ts';
import { initialState } from '../../src/engine/state.ts';
import { type Gateway, createGateway } from '../../src/gateway/gateway.ts';
import { type LiveVenue, createVenue } from '../../src/gateway/venue.ts';
import type { Approved, Intent } from '../../src/risk/intent.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { acceptance, order } from '../gateway/answers.ts';
import { realClock as clock, tradeUrl } from '../gateway/harness.ts';
import { HostileServer, type Manners, answering } from '../gateway/hostile-server.ts';
import { expectWithin, onVirtualTime } from '../gateway/pacing.ts';
import { dollars, listing, purchase, strategy, wideLimits } from '../support/values.ts';

const ACCOUNTS = 100;
const STEP_MS = 100;
const LASTS_MS = 5_000;
/** Fresh listings at each step, each wanted by ten accounts: more than these together may buy. */
const FRESH = 30;
/** How long one of them is asked to wait. */
const RETRY_S = 3;

/** Purchases a second, of each its own. */
const rateOf = (at: number): number => 1 + (at % 3);
const keyOf = (at: number): string => `key-of-account-${at}`;

const limits = { ...wideLimits, openPurchases: 10_000, breaker: { refusalsInRow: 50, perHour: 1_000_000, unusual: 1_000_000 } };

/** One account that wants whatever there is: its own engine, limiter, gateway and connections; it meets the others at the desk alone. */
class Member {
  readonly loop: EngineLoop;
  /** Buys that have left and have no answer. */
  inFlight = 0;
  readonly #gateway: Gateway;
  readonly #venue: LiveVenue;
  readonly #pump: PermitPump;
  readonly #stop = new AbortController();
  #bought = 0;

  constructor(at: number, baseUrl: string, desk: TurnDesk) {
    const name = `account-${at}`;
    this.#gateway = createGateway({
      ...{ baseUrl, apiKey: new Secret(keyOf(at)), partnerKey: undefined, tradeUrl, clock, random: seededRandom(at) },
      rates: {
        reads: { perSecond: 4, concurrent: 1 },
        buys: { perSecond: rateOf(at), concurrent: 1 },
        timeoutMs: 60_000,
      },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      slowUntil: undefined,
      onSlowed: ({ until }) => this.loop.post({ type: 'slowed', until }),
    });
    this.#venue = createVenue(this.#gateway.line, tradeUrl, () => undefined);
    const rules = {
      ...{
        strategies: new StrategyIndex([strategy({ matches: ({ id }) => Number(id) % 10 === at % 10 })]),
        limits,
        never: () => false,
        patienceMs: 500,
      },
      ...{ reference: { minSamples: 5, maxJump: 0.5 }, health: { require: 'off' as const, staleAfterMs: 15_000 } },
    };
    const past = { purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0, now: clock.now() };
    this.loop = new EngineLoop(
      initialState(rules, { ...past, inTurns: true }),
      clock,
      (effect) => void (effect.type === 'buy' && this.#buy(effect.intent)),
      (event) => desk.stepped(name, event),
    );
    this.#pump = new PermitPump(this.#gateway.permits, (event) => this.loop.post(event));
    this.loop.post({ type: 'unblocked', name: 'starting' });
    this.loop.post({ type: 'balance', reading: { amount: dollars(100_000), beganAt: clock.now(), endedAt: clock.now() } });
    desk.join(name, { state: () => this.loop.state, post: (event: Posted) => this.loop.post(event) });
    void this.#pump.start(this.#stop.signal);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#venue.close();
    await this.#gateway.close();
  }

  #buy({ listing: { id: listingId, market, key } }: Approved<Intent>): void {
    const permit = this.#pump.claim();
    this.inFlight += 1;
    permit.begin();
    this.#bought += 1;
    const row = { id: this.#bought, market, listingId, marketHashName: key };
    void this.#venue
      .buy({ ...order, listingId }, () => undefined)
      .then(({ outcome: { kind } }) => {
        permit.done();
        this.inFlight -= 1;
        const refused = { state: 'rejected', refusalCause: 'rate', held: false } as const;
        this.loop.post({ type: 'purchases', purchases: [purchase({ ...row, ...(kind === 'bought' ? {} : refused) })] });
      });
  }
}

/** Many strangers, each with its own key at one service; a 429 for one of them, once. */
class Crowd {
  readonly members: readonly Member[];
  readonly server: HostileServer;
  readonly #desk: TurnDesk;
  #polls = 0;

  constructor(server: HostileServer) {
    this.server = server;
    this.#desk = new TurnDesk(Array.from({ length: ACCOUNTS }, (_, at) => `account-${at}`));
    this.members = Array.from({ length: ACCOUNTS }, (_, at) => new Member(at, server.url, this.#desk));
  }

  show(fresh: readonly Listing[]): void {
    this.#polls += 1;
    const change: SnapshotChange = {
      ...{ pollSeq: this.#polls, beganAt: clock.now(), endedAt: clock.now(), first: this.#polls === 1, complete: true },
      ...{ count: fresh.length, bad: [], badCount: 0, gone: [], unchangedInARow: 0, trouble: undefined },
      changed: fresh.map((each, position) => ({
        ...{ kind: 'appeared' as const, listing: each, seenAt: clock.now(), position, raw: undefined, chunk: 0 },
      })),
    };
    this.#desk.afterAll(() => this.members.forEach(({ loop }) => loop.post({ type: 'snapshot', change })));
  }

  /** Time goes on by a step; whatever has left comes to its end within it. */
  async step(): Promise<void> {
    await vi.advanceTimersByTimeAsync(STEP_MS);
    while (this.members.some(({ inFlight }) => inFlight > 0)) await new Promise((resolve) => void setImmediate(resolve));
  }

  /** When each buy of an account was there, with what it asked for. */
  buys(at: number): { readonly at: number; readonly listingId: string }[] {
    return this.server.requests
      .filter(({ method, headers }) => method === 'POST' && headers['x-api-key'] === keyOf(at))
      .map((request) => ({ at: request.at, listingId: (JSON.parse(request.body) as { itemId: string }).itemId }));
  }
}

/** The service asks the one with this key to wait, at its second buy; it takes all others. */
function crowdedOnce(key: string): Manners {
  const [takes, asks] = [
    answering(200, acceptance()),
    answering(429, { success: false, message: 'Too many requests' }, { 'retry-after': String(RETRY_S) }),
  ];
  let buys = 0;
  return {
    answer: (socket, request, nth) => {
      if (request.headers['x-api-key'] === key) buys += 1;
      const manners = request.headers['x-api-key'] === key && buys === 2 ? asks : takes;
      manners.answer?.(socket, request, nth);
    },
  };
}

describe('a hundred accounts that buy at once, on virtual time and real sockets', () => {
  onVirtualTime();

  it('keep each its own rate in every window and all of it, also while one of them is asked to wait [N16]', async () => {
    const slow = 40;
    const server = await HostileServer.start(crowdedOnce(keyOf(slow)));
    onTestFinished(() => server.close());
    const crowd = new Crowd(server);
    onTestFinished(async () => void (await Promise.all(crowd.members.map((member) => member.close()))));
    const began = performance.now();
    for (let step = 0; step * STEP_MS < LASTS_MS; step += 1) {
      crowd.show(Array.from({ length: FRESH }, (_, n) => listing({ id: String(900_000_000 + step * FRESH + n) })));
      await crowd.step();
    }
    const all = crowd.members.map((_, at) => crowd.buys(at));
    for (const [at, buys] of all.entries()) {
      const times = buys.map((buy) => buy.at - began);
      expectWithin(times, rateOf(at));
      if (at === slow) continue;
      // It has as many as if it were alone, whose timers are late by a step: it waits for nobody's permits but its own.
      const alone = Math.floor(LASTS_MS / (1_000 / rateOf(at) + STEP_MS)) - 1;
      expect({ at, enough: buys.length >= alone, buys: buys.length }).toEqual({ at, enough: true, buys: buys.length });
    }
    const [, asked = { at: 0 }, next = { at: 0 }] = all[slow] ?? [];
    expect(next.at - asked.at, 'nothing leaves while it is to wait').toBeGreaterThanOrEqual(RETRY_S * 1_000);
    const listings = all.flat().map(({ listingId }) => listingId);
    const again = listings.filter((id, place) => listings.indexOf(id) !== place);
    // What was refused for its rate alone is free for the others; nothing else is asked for twice.
    expect(again.length).toBeLessThanOrEqual(1);
  });
});

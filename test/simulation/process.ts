import type { Clock, EpochMs } from '../../src/domain/clock.ts';
import type { Random } from '../../src/domain/random.ts';
import type { Among } from '../../src/app/accounts/among.ts';
import { Core } from '../../src/app/core.ts';
import { type Followed, putInForce } from '../../src/app/follow-files.ts';
import { keptBack } from '../../src/app/kept-back.ts';
import { rulesOf } from '../../src/app/rules.ts';
import { Upkeep } from '../../src/app/upkeep.ts';
import type { BuyOrder, Log } from '../../src/engine/ports.ts';
import { Buyer } from '../../src/execution/buyer.ts';
import { Paper } from '../../src/execution/paper.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Tape } from '../../src/replay/tape.ts';
import type { Settings } from '../../src/settings/settings.ts';
import type { Strategy } from '../../src/strategy/strategy.ts';
import type { Door } from './door.ts';
import type { Network } from './network.ts';
import { SimGateway } from './sim-gateway.ts';
import { ProcessClock, type SimTime, type WallOffset } from './sim-time.ts';

export interface ProcessParts {
  readonly time: SimTime;
  readonly offset: WallOffset;
  readonly ledger: Ledger;
  readonly settings: Settings;
  readonly strategies: readonly Strategy[];
  readonly network: Network;
  readonly door: Door;
  readonly random: Random;
  readonly keys: { readonly account: string; readonly partner: string };
  readonly tradeUrl: string;
  readonly log: Log;
  readonly boot: number;
  readonly alive: () => boolean;
  readonly point: (name: string) => void;
  /** How much slower again where the whole life goes slower. */
  readonly patience: number;
  readonly onPost: (order: BuyOrder) => void;
  readonly onLeave: (order: BuyOrder) => void;
  readonly onDefect: (error: unknown) => void;
  /** What is seen is recorded there; undefined: nowhere. */
  readonly tape?: Tape | undefined;
  /** What it shares as one of several accounts; left out: it is alone. */
  readonly among?: Among | undefined;
  /** Keeps what its timers throw from others; left out: they are nobody else's. */
  readonly guard?: ((clock: Clock) => Clock) | undefined;
}

/** A command is obeyed within this, at the usual pace. */
const OUTSIDE_MS = 1_000;

/** The daemon's upkeep goes this much slower: four ticks a second would be most of what happens in a life. */
const UPKEEP_SLOWER = 4;

/** How soon rules that could not be written down are tried again. */
const RETAKE_MS = 2_000;

/** One run of the bot from start to end, composed as the daemon composes it, over simulated ports. */
export class SimProcess {
  readonly core: Core;
  readonly #upkeep: Upkeep;
  readonly #clock: Clock;
  #saved = 0;
  readonly #followed: Followed;
  readonly #stopping = new AbortController();

  constructor(parts: ProcessParts) {
    const { time, offset, ledger, settings, strategies, log, alive, onDefect, among, guard = (own) => own } = parts;
    const clock = guard(new ProcessClock(time, offset, alive));
    this.#clock = clock;
    for (const strategy of strategies) ledger.keepStrategy(strategy.hash, strategy.text, clock.now());
    const { reads, buys, timeoutMs } = settings.rate;
    const { network, door, random, keys, tradeUrl, boot, onPost, onLeave } = parts;
    const gateway = new SimGateway({
      network,
      door,
      clock,
      random,
      keys,
      tradeUrl,
      rates: { reads, buys, timeoutMs },
      parse: settings.feed.parse,
      slowUntil: ledger.slowUntil(),
      onSlowed: ({ key, until }) => {
        if (key === 'account') this.core.slowed(until);
      },
      boot,
      alive,
      trueNow: () => time.now,
      onPost,
      onLeave,
      keptBack: ({ market }) => keptBack(market, { core: this.core, ledger, clock }),
    });
    const { venue } = gateway;
    const crashPoint = parts.point;
    const { feed } = settings;
    this.core = new Core({
      clock,
      log,
      ledger,
      service: gateway.service,
      rules: rulesOf(settings, strategies, false),
      intervalMs: feed.intervalMs,
      healthIntervalMs: feed.health.intervalMs,
      parse: feed.parse,
      tape: parts.tape,
      observer: among?.observer(undefined),
      market: among?.market,
      inTurns: among !== undefined,
      live: {
        permits: gateway.permits,
        buyer: (told, limits) => new Buyer({ journal: among?.guarded(ledger) ?? ledger, venue, clock, limits, told, crashPoint }),
      },
      paper: (told, limits) => new Paper({ journal: ledger, clock, limits, told }),
      shadows: settings.settle && { ...settings.settle, perSecond: reads.perSecond },
      reference: { ...settings.reference, prices: among?.prices },
      policy: { dedicated: settings.dedicated, stuckAfterMs: settings.alerts.stuckAfterMs },
      lookIntervalMs: settings.reconcile.intervalMs,
      outsideIntervalMs: OUTSIDE_MS * parts.patience,
      onForeignFolder: (account) => onDefect(new Error(`foreign folder: ${account}`)),
      onDefect,
    });
    among?.join(this.core, ledger, this.#stopping.signal);
    const slow = slower(clock, UPKEEP_SLOWER * parts.patience);
    this.#upkeep = new Upkeep({ core: this.core, ledger, clock: slow, log, settings, version: 'simulated' });
    const { core } = this;
    this.#followed = {
      ...{ core, upkeep: this.#upkeep, ledger, clock, log, tape: parts.tape, scrub: (text) => text },
      ...{ rules: { settings, strategies }, dryRunAsked: false, onDefect },
    };
  }

  /** Takes what was saved, as the daemon does: again and again until it could be written down, or something else is saved. */
  reload(settings: Settings, strategies: readonly Strategy[], taken: (at: EpochMs) => void): void {
    const turn = ++this.#saved;
    const take = async (): Promise<void> => {
      const change = { why: 'saved', what: ['simulated'] } as const;
      if (this.#stopping.signal.aborted || turn !== this.#saved) return;
      if (await putInForce(this.#followed, { settings, strategies }, change, async () => undefined)) taken(this.#clock.now());
      else this.#clock.after(RETAKE_MS, () => void take());
    };
    void take();
  }

  /** Aborted as soon as it is being stopped. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  start(): void {
    this.core.start(this.#stopping.signal);
    this.#upkeep.start(this.#stopping.signal);
  }

  /** As on SIGTERM: resolves when the process would exit. */
  async stop(): Promise<void> {
    this.abort();
    await this.finished();
  }

  abort(): void {
    this.#stopping.abort();
  }

  /** After it was aborted: resolves when what was under way has come to an end. */
  async finished(): Promise<void> {
    await this.core.finish();
    this.#upkeep.last();
  }
}

/** The same time, in which timers take longer. */
function slower(clock: Clock, times: number): Clock {
  return {
    now: () => clock.now(),
    wall: () => clock.wall(),
    mono: () => clock.mono(),
    after: (ms, work) => clock.after(ms * times, work),
  };
}

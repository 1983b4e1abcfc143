import type { Clock } from '../../src/domain/clock.ts';
import type { Random } from '../../src/domain/random.ts';
import { Core } from '../../src/app/core.ts';
import { keptBack } from '../../src/app/kept-back.ts';
import { rulesOf } from '../../src/app/rules.ts';
import { Upkeep } from '../../src/app/upkeep.ts';
import type { BuyOrder, Log } from '../../src/engine/ports.ts';
import { Buyer } from '../../src/execution/buyer.ts';
import { Paper } from '../../src/execution/paper.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
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
}

/** A command is obeyed within this, at the usual pace. */
const OUTSIDE_MS = 1_000;

/** The daemon's upkeep goes this much slower: four ticks a second would be most of what happens in a life. */
const UPKEEP_SLOWER = 4;

/** One run of the bot from start to end, composed as the daemon composes it, over simulated ports. */
export class SimProcess {
  readonly core: Core;
  readonly #upkeep: Upkeep;
  readonly #stopping = new AbortController();

  constructor(parts: ProcessParts) {
    const { time, offset, ledger, settings, strategies, log, alive, onDefect } = parts;
    const clock = new ProcessClock(time, offset, alive);
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
    const { limits, feed } = settings;
    this.core = new Core({
      clock,
      log,
      ledger,
      service: gateway.service,
      rules: rulesOf(settings, strategies, false),
      intervalMs: feed.intervalMs,
      healthIntervalMs: feed.health.intervalMs,
      parse: feed.parse,
      tape: undefined,
      live: {
        permits: gateway.permits,
        buyer: (told) => new Buyer({ journal: ledger, venue, clock, limits, told, crashPoint: parts.point }),
      },
      paper: (told) => new Paper({ journal: ledger, clock, limits, told }),
      policy: { dedicated: settings.dedicated, stuckAfterMs: settings.alerts.stuckAfterMs },
      lookIntervalMs: settings.reconcile.intervalMs,
      outsideIntervalMs: OUTSIDE_MS * parts.patience,
      onForeignFolder: (account) => onDefect(new Error(`foreign folder: ${account}`)),
      onDefect,
    });
    const slow = slower(clock, UPKEEP_SLOWER * parts.patience);
    this.#upkeep = new Upkeep({ core: this.core, ledger, clock: slow, log, settings, version: 'simulated' });
  }

  start(): void {
    this.core.start(this.#stopping.signal);
    this.#upkeep.start(this.#stopping.signal);
  }

  /** As on SIGTERM: resolves when the process would exit. */
  async stop(): Promise<void> {
    this.#stopping.abort();
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

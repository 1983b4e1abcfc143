import type { Clock } from '../domain/clock.ts';
import { blockersOf } from '../engine/judge.ts';
import type { Log } from '../engine/ports.ts';
import type { Watchlist } from '../feed/watchlist.ts';
import type { InForce } from '../ledger/heartbeat.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Settings } from '../settings/settings.ts';
import type { Core } from './core.ts';
import { statusLine, strategyCapsLine } from './facts.ts';

export interface UpkeepOptions {
  readonly core: Core;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Settings;
  readonly version: string;
  /** What the first sign of life tells besides. */
  readonly inForce?: Omit<InForce, 'startedAt' | 'readAt'> | undefined;
  readonly watchlist?: Pick<Watchlist, 'items'> | undefined;
}

const TICK_MS = 250;
const HEARTBEAT_MS = 1_000;
/** How often a journal that refused a write is tried again; each try may wait for a lock. */
const MEND_MS = 5_000;
/** The line about where things stand, for a person who looks on; soon after the start, then now and then. */
const STATUS_FIRST_MS = 3_000;
const STATUS_MS = 15_000;
/** Watched items that a sign of life tells of. */
const WATCHED_TOLD_MAX = 200;
const HOURLY_MS = 3_600_000;
/** Decisions forgotten in one step: short enough that nothing waits. */
const PRUNE_STEP = 500;

/** What is done again and again while the daemon runs, apart from watching and buying. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #startedAt: number;
  #inForce: InForce | undefined;
  /** What cancels each timer that runs. */
  readonly #waiting = new Set<() => void>();

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
    if (options.inForce !== undefined) this.goBy(options.inForce);
  }

  /** The next sign of life tells what is in force from now on. */
  goBy(inForce: Omit<InForce, 'startedAt' | 'readAt'>): void {
    this.#inForce = { ...inForce, startedAt: this.#startedAt, readAt: this.#options.clock.now() };
  }

  start(signal: AbortSignal): void {
    const { core } = this.#options;
    signal.addEventListener('abort', () => this.#waiting.forEach((cancel) => cancel()), { once: true });
    this.#every(TICK_MS, signal, () => core.tick());
    this.#every(HEARTBEAT_MS, signal, () => core.keep(() => this.#heartbeat()));
    this.#every(MEND_MS, signal, () => core.mend());
    this.#every(STATUS_MS, signal, () => this.#status(), STATUS_FIRST_MS);
    this.#every(HOURLY_MS, signal, () => core.usual());
    this.#every(HEARTBEAT_MS, signal, () => core.keep(() => this.#prune()));
  }

  /** The last sign of life, at the end. */
  last(): void {
    this.#options.core.keep(() => this.#heartbeat());
  }

  #status(): void {
    const { core, clock, log } = this.#options;
    log.info('status', {
      line: statusLine(core.state, core.facts, clock.now()),
      caps: strategyCapsLine(core.state, clock.now()),
    });
  }

  #heartbeat(): void {
    const { core, ledger, clock, settings, version, watchlist } = this.#options;
    const { state, facts } = core;
    const heartbeat = {
      at: clock.now(),
      startedAt: this.#startedAt,
      pid: process.pid,
      version,
      mode: settings.mode,
      lastPollAt: facts.lastCompleteAt,
      lastLookAt: core.lastLookAt,
      listings: facts.listings,
      matching: state.standing.size,
      bad: facts.bad,
      badExample: facts.badExample,
      health: state.health,
      blockers: blockersOf(state, clock.now()),
      watched: watchlist?.items.slice(0, WATCHED_TOLD_MAX),
    };
    ledger.saveHeartbeat(heartbeat, this.#inForce);
    this.#inForce = undefined;
  }

  #prune(): void {
    const { core, ledger, clock, settings } = this.#options;
    // By a clock far ahead all of them would be too old.
    if (!core.gate.isTimeKnown) return;
    ledger.pruneDecisions(clock.now() - settings.decisions.keepMs, PRUNE_STEP);
  }

  #every(ms: number, signal: AbortSignal, work: () => void, firstMs = ms): void {
    const next = (delay: number): void => {
      const cancel = this.#options.clock.after(delay, () => {
        this.#waiting.delete(cancel);
        work();
        if (!signal.aborted) next(ms);
      });
      this.#waiting.add(cancel);
    };
    next(firstMs);
  }
}

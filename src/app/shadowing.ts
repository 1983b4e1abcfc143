import type { Clock } from '../domain/clock.ts';
import type { ReadName, Service } from '../engine/ports.ts';
import { type Settled, ShadowDesk, type ShadowSettings } from '../execution/shadow/desk.ts';
import { BALANCE_INTERVAL_MS } from '../feed/watch.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { JournalGuard } from './journal-guard.ts';
import { PollGaps } from './poll-gaps.ts';
import type { Telling } from './telling.ts';

/** So many of the newest live purchases tell how long a buy takes. */
const MEASURED_ON = 1_000;

export interface ShadowingOptions {
  readonly clock: Clock;
  readonly service: Service;
  readonly ledger: Ledger;
  readonly journal: JournalGuard;
  readonly telling: Telling;
  readonly settings: ShadowSettings & { /** Of the reads, requests in a second. */ readonly perSecond: number };
  readonly intervalMs: number;
  readonly healthIntervalMs: number;
  readonly onDefect: (error: unknown) => void;
}

/** What is polled again and again beside it. */
interface Polled {
  readonly listings: boolean;
  readonly health: boolean;
}

/** Checks purchases on paper again, keeps what became of them with them, and tells it. */
export class Shadowing {
  readonly #options: ShadowingOptions;
  readonly #desk: ShadowDesk;
  #gaps: PollGaps | undefined;

  constructor(options: ShadowingOptions) {
    this.#options = options;
    const { clock, service, settings, journal, ledger, onDefect } = options;
    this.#desk = new ShadowDesk({
      ...{ clock, service, settings, onDefect },
      measured: () => journal.attempt(() => ledger.newestTimings(MEASURED_ON)) ?? [],
      quietUntil: () => this.#gaps?.quietUntil(),
      onSettled: (settled) => this.#settled(settled),
    });
  }

  /** How many purchases on paper wait to be checked. */
  get open(): number {
    return this.#desk.open;
  }

  /** What an earlier process left unchecked stays unknown. Gives the service for those who poll. */
  start(polled: Polled): Service {
    const { clock, service, ledger, journal, settings, intervalMs, healthIntervalMs } = this.#options;
    journal.attempt(() => ledger.leaveShadows(clock.now()));
    const intervalsMs = new Map<ReadName, number>([['user', BALANCE_INTERVAL_MS]]);
    if (polled.listings) intervalsMs.set('liveListings', intervalMs);
    if (polled.health) intervalsMs.set('marketHealth', healthIntervalMs);
    this.#gaps = new PollGaps({ clock, service, intervalsMs, spacingMs: 1_000 / settings.perSecond });
    this.#desk.start();
    return this.#gaps.service;
  }

  take(...purchases: Parameters<ShadowDesk['take']>): void {
    this.#desk.take(...purchases);
  }

  stop(): void {
    this.#desk.stop();
  }

  #settled(settled: readonly Settled[]): void {
    const { journal, ledger, telling } = this.#options;
    journal.attempt(() => ledger.keepShadows(settled.map(({ shadow }) => shadow)));
    telling.shadows(settled);
  }
}

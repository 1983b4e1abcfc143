import { type Clock, sleep } from '../../domain/clock.ts';
import type { Log } from '../../engine/ports.ts';
import { ServiceManager } from '../../monitor/service-manager.ts';
import type { Bell } from '../bell.ts';

export interface SupervisionOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly bell: Pick<Bell, 'ring'>;
  /** Where things stand, on a line. */
  readonly status: () => string;
  /** What does not move any more; undefined while everything does. */
  readonly stuck: () => string | undefined;
}

/** How often a service manager hears where things stand when it does not want to hear more often. */
const STATUS_MS = 30_000;

/** Of the time within which it wants to hear that all is well. */
const SHARE = 1 / 3;
const BEAT_MS_MIN = 1_000;

/** Tells the service manager that has started us how we are: the watchdog is fed only while there is progress. */
export class Supervision {
  readonly #options: SupervisionOptions;
  readonly #manager: ServiceManager | undefined;
  #stuck: string | undefined;

  constructor(options: SupervisionOptions) {
    this.#options = options;
    this.#manager = ServiceManager.of({ env: options.env, pid: process.pid, onLost: (message) => this.#lost(message) });
  }

  /** What was started is running, whether or not the service answers: to wait for that would be to be started again and again. */
  start(signal: AbortSignal): void {
    const manager = this.#manager;
    if (manager === undefined) return;
    manager.ready(this.#options.status());
    signal.addEventListener('abort', () => manager.stopping(), { once: true });
    void this.#beat(manager, signal);
  }

  /** The files of limits and strategies are read anew, as somebody has asked for. */
  reloading(): void {
    this.#manager?.reloading(process.hrtime.bigint() / 1_000n);
  }

  reloaded(): void {
    this.#manager?.ready(this.#options.status());
  }

  /** Resolves when nothing of it runs any more. */
  async finished(): Promise<void> {
    await this.#manager?.end();
  }

  async #beat(manager: ServiceManager, signal: AbortSignal): Promise<void> {
    const { clock, status } = this.#options;
    const { watchdogMs } = manager;
    const beatMs = watchdogMs === undefined ? STATUS_MS : Math.min(STATUS_MS, Math.max(BEAT_MS_MIN, watchdogMs * SHARE));
    while (!signal.aborted) {
      const stuck = this.#noticed();
      if (stuck !== undefined) manager.status(`stuck: ${stuck}`);
      else if (watchdogMs === undefined) manager.status(status());
      else manager.alive(status());
      await sleep(clock, beatMs, signal);
    }
  }

  #noticed(): string | undefined {
    const { log, stuck } = this.#options;
    const before = this.#stuck;
    this.#stuck = stuck();
    if (this.#stuck !== undefined && before === undefined) log.error('stuck', { what: this.#stuck });
    return this.#stuck;
  }

  #lost(message: string): void {
    const { bell, clock } = this.#options;
    const words = `The service manager that started Magpie cannot be told that it runs: ${message}`;
    const next = 'see that systemd-notify is installed and the unit has NotifyAccess=all, or write Type=exec there';
    bell.ring({ kind: 'monitoring', at: clock.now(), message: words, next, purchaseId: undefined });
  }
}

import { type Clock, type EpochMs, sleep } from '../../domain/clock.ts';
import type { Log } from '../../engine/ports.ts';
import type { ListeningServer } from '../../monitor/listening.ts';
import { Meter, together } from '../../monitor/meter.ts';
import { type Page, serve } from '../../monitor/server.ts';
import { isLoopback } from '../../settings/loopback.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Bell } from '../bell.ts';
import { DeadMan } from '../monitoring/dead-man.ts';
import { MachineFigures } from '../monitoring/machine-figures.ts';
import { type AccountTold, unheard } from '../monitoring/monitoring.ts';
import { type AccountReady, healthPage, metricsPage, readyPageOfAll } from '../monitoring/pages.ts';
import { Supervision } from '../monitoring/supervision.ts';
import type { AccountKeeper } from './account-keeper.ts';

export interface PlatformMonitoringOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly scrub: (text: string) => string;
}

/** An address that is taken may be free a minute later. */
const LISTEN_AGAIN_MS = 60_000;

/** A reader rests a minute after a refusal, and its question may wait for an answer. */
const REST_MS = 120_000;
const INTERVALS = 3;

/** Of the process' own meter: the rest is told of each account. */
const ofProcess = /^# HELP (?:process_|nodejs_|magpie_(?:build_info|disk_|recording_bytes))/;

/** Tells whoever watches the process how it and each of its accounts do. Nothing waits for any of it. */
export class PlatformMonitoring {
  readonly #options: PlatformMonitoringOptions;
  readonly #told = new Map<string, AccountTold>();
  readonly #meter: Meter | undefined;
  readonly #machine: MachineFigures | undefined;
  readonly #bell: Pick<Bell, 'ring' | 'once' | 'again'>;
  #polledAt: EpochMs;
  #running: Promise<unknown> = Promise.resolve();
  #supervision: Supervision | undefined;

  constructor(options: PlatformMonitoringOptions) {
    const { settings, log, clock, scrub, version } = options;
    this.#options = options;
    this.#polledAt = clock.now();
    this.#meter = settings.metrics && new Meter(scrub);
    this.#machine = this.#meter && new MachineFigures(this.#meter, settings);
    this.#meter?.set('magpie_build_info', { version, node: process.version, mode: settings.mode }, 1);
    this.#bell = bellOf(log);
  }

  /** What is told of the process itself goes to the log: there is no ledger of all. */
  get bell(): Pick<Bell, 'ring' | 'once' | 'again'> {
    return this.#bell;
  }

  /** The reader of the listings has come to an end of a question. */
  polled(): void {
    this.#polledAt = this.#options.clock.now();
  }

  told(account: string, told: AccountTold): void {
    this.#told.set(account, told);
  }

  start(keepers: readonly AccountKeeper[], signal: AbortSignal): void {
    const { env, clock, log } = this.#options;
    const status = (): string => {
      const up = keepers.filter(({ daemon }) => daemon !== undefined).length;
      return `${up} of ${keepers.length} accounts are up`;
    };
    this.#supervision = new Supervision({ env, clock, log, bell: this.#bell, status, stuck: () => this.#stuck(keepers) });
    this.#supervision.start(signal);
    this.#running = Promise.all([this.#deadMan(keepers, signal), this.#serve(keepers, signal)]);
  }

  /** After the signal; resolves within moments. */
  async finish(): Promise<void> {
    await this.#running;
    await this.#supervision?.finished();
  }

  /** A restart ends all of them: it mends what keeps all of them, and no trouble of one is worth it. */
  #stuck(keepers: readonly AccountKeeper[]): string | undefined {
    const { settings, clock } = this.#options;
    const silentMs = clock.now() - this.#polledAt;
    if (silentMs > INTERVALS * settings.feed.intervalMs + REST_MS)
      return `no question for the listings has ended for ${Math.floor(silentMs / 1_000)} s`;
    const all = keepers.filter(({ daemon }) => daemon !== undefined).map(({ account }) => this.#told.get(account)?.stuck());
    return all.length > 0 && all.every((each) => each !== undefined) ? all[0] : undefined;
  }

  #ready(keepers: readonly AccountKeeper[]): readonly AccountReady[] {
    return keepers.map(({ account, down }) => {
      const told = down === undefined ? this.#told.get(account) : undefined;
      return { account, down, checks: told?.checks() ?? [], halted: told?.isHalted() ?? false };
    });
  }

  /** Pinged while any account makes progress: one merchant's trouble is told by `/readyz` and by its own alerts. */
  async #deadMan(keepers: readonly AccountKeeper[], signal: AbortSignal): Promise<void> {
    const { settings, clock, log } = this.#options;
    const { url, everyMs = 0 } = settings.deadMan ?? {};
    if (url === undefined) return;
    const isReady = (): boolean =>
      this.#ready(keepers).some(({ down, checks }) => down === undefined && !checks.some(({ late }) => late));
    await new DeadMan({ url, everyMs, clock, log, bell: this.#bell, isReady, onPing: () => undefined }).run(signal);
  }

  async #serve(keepers: readonly AccountKeeper[], signal: AbortSignal): Promise<void> {
    const { settings, clock, log } = this.#options;
    const { metrics: at } = settings;
    if (at === undefined) return;
    this.#machine?.start();
    let server: ListeningServer | undefined;
    while (!signal.aborted && server === undefined) {
      try {
        const isOurName = (name: string): boolean => !isLoopback(at.host) || isLoopback(name);
        server = await serve({ ...at, isOurName, pages: this.#pages(keepers) });
        log.info('metrics-at', { address: server.address });
        this.#bell.again('metrics');
      } catch (error) {
        this.#bell.once('metrics', unheard(at, error, clock.now()));
        await sleep(clock, LISTEN_AGAIN_MS, signal);
      }
    }
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await server?.close();
    this.#machine?.stop();
  }

  #pages(keepers: readonly AccountKeeper[]): Readonly<Record<string, () => Page | Promise<Page>>> {
    return {
      '/metrics': async () => metricsPage(await this.#text(keepers)),
      '/healthz': () => healthPage(this.#options.version),
      '/readyz': () => readyPageOfAll(this.#ready(keepers)),
    };
  }

  async #text(keepers: readonly AccountKeeper[]): Promise<string> {
    await this.#machine?.tell();
    const own = (this.#meter?.text() ?? '').split(/^(?=# HELP )/m).filter((block) => ofProcess.test(block));
    const texts = [own.join('')];
    for (const { account, down } of keepers) {
      const text = down === undefined ? this.#told.get(account)?.text : undefined;
      if (text !== undefined) texts.push(await text());
    }
    return together(texts);
  }
}

/** Tells each trouble once, until it is over. */
function bellOf(log: Log): Pick<Bell, 'ring' | 'once' | 'again'> {
  const rung = new Set<string>();
  const ring: Bell['ring'] = ({ kind, message, next }) => log.warn('alert', { kind, message, next });
  return {
    ring,
    once: (name, alert) => {
      if (!rung.has(name)) ring(alert);
      rung.add(name);
    },
    again: (name) => void rung.delete(name),
  };
}

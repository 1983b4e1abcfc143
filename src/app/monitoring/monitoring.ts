import { type Clock, sleep } from '../../domain/clock.ts';
import type { Effect } from '../../engine/effect.ts';
import type { Event } from '../../engine/event.ts';
import { JournalFailure } from '../../engine/journal.ts';
import type { Log, Service } from '../../engine/ports.ts';
import type { PollResult } from '../../engine/snapshot.ts';
import { Meter } from '../../monitor/meter.ts';
import type { ListeningServer } from '../../monitor/listening.ts';
import { serve } from '../../monitor/server.ts';
import { isLoopback } from '../../settings/loopback.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Core } from '../core.ts';
import { statusLine } from '../facts.ts';
import { Counting } from './counting.ts';
import { DeadMan } from './dead-man.ts';
import { Exposition, type ExpositionOptions } from './exposition.ts';
import { type Observer, overheard } from './observer.ts';
import { healthPage, metricsPage, readyPage } from './pages.ts';
import { type Check, Progress } from './progress.ts';
import { Supervision } from './supervision.ts';

export interface MonitoringOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly ledger: ExpositionOptions['ledger'];
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly scrub: (text: string) => string;
  readonly hasAccount: boolean;
  /** One of several accounts: what it has to tell is handed there, and nobody is told by it itself. */
  readonly handOn?: ((told: AccountTold) => void) | undefined;
}

/** How one of several accounts does. */
export interface AccountTold {
  readonly checks: () => readonly Check[];
  readonly isHalted: () => boolean;
  /** What does not move any more; undefined while everything does. */
  readonly stuck: () => string | undefined;
  /** Its metrics; undefined where nobody reads any. */
  readonly text: (() => Promise<string>) | undefined;
}

/** What there is to tell of, once it is built. */
export type Watched = Pick<ExpositionOptions, 'core' | 'gateway' | 'notifier' | 'reloader'> & { readonly core: Core };

/** An address that is taken may be free a minute later. */
const LISTEN_AGAIN_MS = 60_000;

/** Tells whoever watches Magpie how it does: metrics, service manager, dead-man's ping. Nothing waits for any of it. */
export class Monitoring implements Observer {
  readonly #options: MonitoringOptions;
  readonly #progress: Progress;
  /** Only where somebody can read what is counted. */
  readonly #meter: Meter | undefined;
  readonly #counting: Counting | undefined;
  #counts = true;
  #running: Promise<unknown> = Promise.resolve();
  #supervision: Supervision | undefined;

  constructor(options: MonitoringOptions) {
    const { settings, clock, ledger, scrub, hasAccount } = options;
    this.#options = options;
    this.#progress = new Progress({
      ...{ clock, hasAccount, intervalMs: settings.feed.intervalMs, lookIntervalMs: settings.reconcile.intervalMs },
      readSpacingMs: 1_000 / settings.rate.reads.perSecond,
    });
    this.#meter = settings.metrics && new Meter(scrub, settings.account);
    const guarded = (work: () => void): void => this.#guarded(work);
    this.#counting = this.#meter && new Counting({ meter: this.#meter, clock, guarded, timingsOf: (id) => ledger.timingsOf(id) });
  }

  /** The same service, whose answers are noticed. */
  overheard(service: Service): Service {
    return overheard(service, (name, reply) => {
      this.#progress.turned(name);
      this.#guarded(() => this.#counting?.answered(name, reply));
    });
  }

  stepped(event: Event, effects: readonly Effect[]): void {
    if (event.type === 'tick') this.#progress.ticked(event.at);
    else if (event.type === 'snapshot') this.#progress.decided(event.at);
    this.#guarded(() => this.#counting?.stepped(event, effects));
  }

  polled(poll: PollResult): void {
    // Where somebody else asks for the listings, this is where it shows that they still come.
    this.#progress.turned('liveListings');
    this.#guarded(() => this.#counting?.polled(poll));
  }

  start(watched: Watched, signal: AbortSignal): void {
    if (this.#options.handOn !== undefined) return this.#handOn(this.#options.handOn, watched, signal);
    const { clock, log, env, scrub } = this.#options;
    const { core } = watched;
    const status = (): string => scrub(statusLine(core.state, core.facts, clock.now()));
    this.#supervision = new Supervision({ env, clock, log, bell: core.bell, status, stuck: () => this.#progress.stuck() });
    this.#supervision.start(signal);
    this.#running = Promise.all([this.#deadMan(core, signal), this.#serve(watched, signal)]);
  }

  #handOn(handOn: (told: AccountTold) => void, watched: Watched, signal: AbortSignal): void {
    const { core } = watched;
    const exposition = this.#meter && this.#exposition(this.#meter, watched);
    exposition?.start();
    this.#running = aborted(signal).then(() => exposition?.stop());
    handOn({
      checks: () => this.#checks(core),
      isHalted: () => core.state.halt !== undefined,
      stuck: () => this.#progress.stuck(),
      text: exposition && (() => exposition.text()),
    });
  }

  #exposition(meter: Meter, watched: Watched): Exposition {
    const withoutMachine = this.#options.handOn !== undefined;
    return new Exposition({ ...this.#options, ...watched, meter, withoutMachine, checks: () => this.#checks(watched.core) });
  }

  /** Files are read anew because somebody asked for it, and have been. */
  reloading(): void {
    this.#supervision?.reloading();
  }

  reloaded(): void {
    this.#supervision?.reloaded();
  }

  /** After the signal; resolves within moments. */
  async finish(): Promise<void> {
    await this.#running;
    await this.#supervision?.finished();
  }

  /** Counting that fails is a line of the log, and the end of counting: it must end nothing else. */
  #guarded(work: () => void): void {
    if (!this.#counts) return;
    try {
      work();
    } catch (error) {
      if (error instanceof JournalFailure) return;
      this.#counts = false;
      this.#options.log.error('counting-failed', {
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }

  #checks({ facts, lastLookAt }: Pick<Core, 'facts' | 'lastLookAt'>): readonly Check[] {
    return this.#progress.checks(facts, lastLookAt);
  }

  async #deadMan(core: Core, signal: AbortSignal): Promise<void> {
    const { settings, clock, log } = this.#options;
    const { url, everyMs = 0 } = settings.deadMan ?? {};
    if (url === undefined) return;
    const isReady = (): boolean => !this.#checks(core).some(({ late }) => late);
    const onPing = (taken: boolean): void =>
      this.#meter?.add('magpie_dead_man_pings_total', { result: taken ? 'taken' : 'failed' });
    await new DeadMan({ url, everyMs, clock, log, bell: core.bell, isReady, onPing }).run(signal);
  }

  /** What cannot be listened at is told and tried again: nobody buys less because nobody can read how it goes. */
  async #serve(watched: Watched, signal: AbortSignal): Promise<void> {
    const { settings, clock, log } = this.#options;
    const { metrics: at } = settings;
    if (at === undefined || this.#meter === undefined) return;
    const { bell } = watched.core;
    const exposition = this.#exposition(this.#meter, watched);
    exposition.start();
    let server: ListeningServer | undefined;
    while (!signal.aborted && server === undefined) {
      try {
        server = await serve(this.#serverOf(at, exposition, watched.core));
        log.info('metrics-at', { address: server.address });
        bell.again('metrics');
      } catch (error) {
        bell.once('metrics', unheard(at, error, clock.now()));
        await sleep(clock, LISTEN_AGAIN_MS, signal);
      }
    }
    await aborted(signal);
    await server?.close();
    await exposition.stop();
  }

  #serverOf({ host, port }: NonNullable<Settings['metrics']>, exposition: Exposition, core: Core): Parameters<typeof serve>[0] {
    const { version } = this.#options;
    return {
      ...{ host, port, isOurName: (name) => !isLoopback(host) || isLoopback(name) },
      pages: {
        '/metrics': async () => metricsPage(await exposition.text()),
        '/healthz': () => healthPage(version),
        '/readyz': () => readyPage(this.#checks(core), core.state.halt !== undefined),
      },
    };
  }
}

export function unheard(
  { host, port }: NonNullable<Settings['metrics']>,
  error: unknown,
  at: number,
): Parameters<Core['bell']['ring']>[0] {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const taken = code === 'EADDRINUSE' ? 'another program listens there' : error instanceof Error ? error.message : String(error);
  return {
    kind: 'monitoring',
    at,
    message: `Nobody can read metrics at ${host}:${port}: ${taken}`,
    next: 'stop what listens there, or give metrics another port; Magpie tries again each minute, and goes on buying',
    purchaseId: undefined,
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

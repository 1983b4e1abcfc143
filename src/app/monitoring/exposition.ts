import { type Clock, sleep } from '../../domain/clock.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Meter } from '../../monitor/meter.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Core } from '../core.ts';
import type { Notifier } from '../notifier.ts';
import type { Reloader } from '../reloader.ts';
import { tellItemCaps, tellStrategies } from './cap-figures.ts';
import { tellAccountCaps, tellBalance, tellOpenness } from './engine-figures.ts';
import { LedgerFigures } from './ledger-figures.ts';
import { MachineFigures } from './machine-figures.ts';
import type { Check } from './progress.ts';

export interface ExpositionOptions {
  readonly meter: Meter;
  readonly core: Pick<Core, 'state' | 'facts' | 'troubles'>;
  readonly gateway: Pick<Gateway, 'waiting'>;
  readonly ledger: Ledger;
  readonly notifier: Pick<Notifier, 'channels'>;
  readonly reloader: Pick<Reloader, 'faulty'> | undefined;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly version: string;
  readonly checks: () => readonly Check[];
  /** Left out: the machine and the process are told of too. */
  readonly withoutMachine?: boolean | undefined;
}

/** However often it is asked for, it is put together no oftener than this. */
const FRESH_MS = 1_000;

/**
 * The text of all metrics, put together when it is asked for: in steps of a millisecond or two, between which everything else has its
 * turn, so that a scrape keeps no purchase waiting.
 */
export class Exposition {
  readonly #options: ExpositionOptions;
  readonly #ledger: LedgerFigures;
  readonly #machine: MachineFigures | undefined;
  readonly #toldBefore = new Map<string, { told: number; failures: number }>();
  #newest: { readonly at: number; readonly text: Promise<string> } | undefined;

  constructor(options: ExpositionOptions) {
    const { meter, ledger, settings, clock, version } = options;
    this.#options = options;
    this.#ledger = new LedgerFigures(meter, ledger, clock.now());
    this.#machine = options.withoutMachine === true ? undefined : new MachineFigures(meter, settings);
    meter.set('magpie_build_info', { version, node: process.version, mode: settings.mode }, 1);
    meter.set('magpie_poll_interval_seconds', {}, settings.feed.intervalMs / 1_000);
  }

  start(): void {
    this.#machine?.start();
    this.#ledger.tell();
  }

  /** Resolves when nothing is put together any more. */
  async stop(): Promise<void> {
    this.#machine?.stop();
    await this.#newest?.text.catch(() => undefined);
  }

  text(): Promise<string> {
    const now = this.#options.clock.mono();
    if (this.#newest !== undefined && now - this.#newest.at < FRESH_MS) return this.#newest.text;
    const text = (this.#newest?.text ?? Promise.resolve('')).then(
      () => this.#together(),
      () => this.#together(),
    );
    this.#newest = { at: now, text };
    return text;
  }

  async #together(): Promise<string> {
    const { meter, core, clock, settings } = this.#options;
    const breathe = (): Promise<void> => sleep(clock, 0);
    await this.#machine?.tell();
    this.#ledger.tell();
    await breathe();
    const now = clock.now();
    tellOpenness(meter, core.state, now);
    await breathe();
    tellBalance(meter, core.state, settings.alerts.lowBalance, now);
    await breathe();
    tellAccountCaps(meter, core.state, now);
    await breathe();
    tellItemCaps(meter, core.state, now);
    await tellStrategies(meter, () => core.state, now, breathe);
    this.#feed();
    this.#channels();
    return meter.text();
  }

  #feed(): void {
    const { meter, core, gateway, reloader, checks } = this.#options;
    const { facts, troubles } = core;
    const told = checks();
    for (const { what, ageMs } of told) meter.set(`magpie_${what}_age_seconds`, {}, ageMs / 1_000);
    meter.set('magpie_ready', {}, told.some(({ late }) => late) ? 0 : 1);
    meter.set('magpie_listings', {}, facts.listings);
    meter.set('magpie_listings_bad', {}, facts.bad);
    const refused = facts.lastCause === 'key' || facts.accountFault?.forbidden === true;
    meter.set('magpie_key_refused', {}, refused ? 1 : 0);
    meter.set('magpie_limiter_queue', { limiter: 'reads' }, gateway.waiting());
    meter.set('magpie_recording_paused', {}, troubles.recordingPaused ? 1 : 0);
    meter.set('magpie_last_reload_successful', {}, reloader?.faulty === true ? 0 : 1);
  }

  #channels(): void {
    const { meter, notifier } = this.#options;
    for (const { name: channel, told, pending, failures, failing } of notifier.channels) {
      const before = this.#toldBefore.get(channel) ?? { told: 0, failures: 0 };
      meter.add('magpie_alerts_told_total', { channel }, told - before.told);
      meter.add('magpie_channel_failures_total', { channel }, failures - before.failures);
      this.#toldBefore.set(channel, { told, failures });
      meter.set('magpie_alerts_pending', { channel }, pending);
      meter.set('magpie_channel_failing', { channel }, failing ? 1 : 0);
    }
  }
}

import { MachineFigures } from '../app/monitoring/machine-figures.ts';
import { healthPage, metricsPage, treasuryReadyPage } from '../app/monitoring/pages.ts';
import { type EpochMs, sleep } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import type { ListeningServer } from '../monitor/listening.ts';
import { Meter } from '../monitor/meter.ts';
import { type Page, serve } from '../monitor/server.ts';
import { isLoopback } from '../settings/loopback.ts';
import type { Settings } from '../settings/settings.ts';
import type { TreasurySettings } from '../settings/treasury-schema.ts';
import type { TreasuryPolicy } from '../treasury/decide/policy.ts';
import { tellTreasury } from '../treasury/figures.ts';
import type { TreasuryJournal } from '../treasury/journal.ts';
import type { Round } from '../treasury/treasury.ts';
import type { Io } from './io.ts';
import { utc } from './time.ts';
import { versionOf } from './version.ts';

export interface TreasuryMonitorOptions {
  readonly settings: Settings;
  readonly treasury: TreasurySettings;
  readonly policy: TreasuryPolicy;
  readonly journal: TreasuryJournal;
  /** In dry-run nothing is moved. */
  readonly moves: boolean;
  /** From one request to the next, milliseconds at least. */
  readonly gapMs: number;
}

/** An address that is taken may be free a minute later. */
const LISTEN_AGAIN_MS = 60_000;
/** However often it is asked for, the text is put together no oftener than this. */
const FRESH_MS = 1_000;
/** What a round may take beside its pause and its questions, answers that do not come included. */
const ROUND_MS = 300_000;
/** Rounds and questions that may fail in a row before it counts as late. */
const IN_ROW = 3;

/** Of the whole table, what a treasury has to tell. */
const told = /^# HELP (?:process_|nodejs_|magpie_(?:build_info|disk_|treasury_))/;

/** Tells whoever watches the process how the treasury does. No round waits for any of it. */
export class TreasuryMonitor {
  readonly #io: Io;
  readonly #options: TreasuryMonitorOptions;
  readonly #startedAt: EpochMs;
  #round: Round | undefined;
  #endedAt: EpochMs | undefined;
  #newest: { readonly at: number; readonly text: Promise<string> } | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(io: Io, options: TreasuryMonitorOptions) {
    this.#io = io;
    this.#options = options;
    // By the clock that no setting of the machine's moves.
    this.#startedAt = io.clock.now();
  }

  /** What a round has found, at its end. */
  note(round: Round): void {
    this.#round = round;
    this.#endedAt = this.#io.clock.now();
  }

  /** Listens where the configuration says so, until the signal is aborted. */
  start(signal: AbortSignal): void {
    const { metrics: at } = this.#options.treasury;
    if (at !== undefined) this.#running = this.#serve(at, signal);
  }

  /** After the signal; resolves within moments. */
  finish(): Promise<void> {
    return this.#running;
  }

  async #serve(at: NonNullable<TreasurySettings['metrics']>, signal: AbortSignal): Promise<void> {
    const { clock, err } = this.#io;
    const { settings, moves } = this.#options;
    const meter = new Meter((text) => this.#io.masked(text));
    const machine = new MachineFigures(meter, settings);
    meter.set('magpie_build_info', { version: versionOf(), node: process.version, mode: moves ? 'live' : 'dry-run' }, 1);
    machine.start();
    let server: ListeningServer | undefined;
    for (let tries = 1; !signal.aborted && server === undefined; tries += 1) {
      try {
        const isOurName = (name: string): boolean => !isLoopback(at.host) || isLoopback(name);
        server = await serve({ ...at, isOurName, pages: this.#pages(meter, machine) });
        err.line(`${utc(clock.wall())}  Metrics of the treasury at ${server.address}/metrics`);
      } catch (error) {
        const why = printable(error instanceof Error ? error.message : String(error));
        if (tries === 1)
          err.line(
            `${utc(clock.wall())}  Nobody can read metrics of the treasury at ${at.host}:${at.port}: ${why}. → stop what listens there, or give treasury.metrics another port; it is tried again each minute`,
          );
        await sleep(clock, LISTEN_AGAIN_MS, signal);
      }
    }
    if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await server?.close();
    machine.stop();
  }

  #pages(meter: Meter, machine: MachineFigures): Readonly<Record<string, () => Page | Promise<Page>>> {
    return {
      '/metrics': async () => metricsPage(await this.#text(meter, machine)),
      '/healthz': () => healthPage(versionOf()),
      '/readyz': () => {
        const halted = this.#options.journal.halted() !== undefined;
        return treasuryReadyPage({ ...this.#age(), ever: this.#endedAt !== undefined }, halted);
      },
    };
  }

  #age(): { readonly ageMs: number; readonly boundMs: number; readonly late: boolean } {
    const { treasury, gapMs } = this.#options;
    const ageMs = this.#io.clock.now() - (this.#endedAt ?? this.#startedAt);
    const boundMs = ROUND_MS + IN_ROW * (treasury.intervalMs + gapMs * (treasury.children.length + 1));
    return { ageMs, boundMs, late: ageMs > boundMs };
  }

  #text(meter: Meter, machine: MachineFigures): Promise<string> {
    const now = this.#io.clock.mono();
    if (this.#newest === undefined || now - this.#newest.at >= FRESH_MS)
      this.#newest = { at: now, text: this.#together(meter, machine) };
    return this.#newest.text;
  }

  async #together(meter: Meter, machine: MachineFigures): Promise<string> {
    const { journal, policy, treasury } = this.#options;
    await machine.tell();
    const { ageMs, late } = this.#age();
    meter.set('magpie_treasury_round_age_seconds', {}, ageMs / 1_000);
    meter.set('magpie_treasury_round_late', {}, late ? 1 : 0);
    meter.set('magpie_treasury_interval_seconds', {}, treasury.intervalMs / 1_000);
    tellTreasury(meter, journal, { policy, round: this.#round }, this.#io.clock.now());
    const blocks = meter.text().split(/^(?=# HELP )/m);
    return blocks.filter((block) => told.test(block)).join('');
  }
}

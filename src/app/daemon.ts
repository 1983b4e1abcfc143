import { join } from 'node:path';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { Secret, scrubber, secretsOfTradeUrl } from '../domain/secret.ts';
import { counted } from '../domain/text.ts';
import { JournalFailure } from '../engine/journal.ts';
import type { Log } from '../engine/ports.ts';
import { Buyer } from '../execution/buyer.ts';
import { Paper } from '../execution/paper.ts';
import type { Slowed } from '../gateway/backoff.ts';
import { slicesReader } from '../feed/slices/reader.ts';
import { type Gateway, createGateway } from '../gateway/gateway.ts';
import { type KeptBack, type LiveVenue, createVenue } from '../gateway/venue.ts';
import { faultOfFailure, withSteps } from '../ledger/failure.ts';
import { Tape } from '../replay/tape.ts';
import type { TapeTrouble } from '../replay/trouble.ts';
import type { Settings } from '../settings/settings.ts';
import { unserved } from '../settings/unserved.ts';
import { settingsThatCount } from '../settings/what-counts.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { Core } from './core.ts';
import { type Held, type Holdings, takeHold } from './holdings.ts';
import { keptBack } from './kept-back.ts';
import { createLog } from './log.ts';
import type { Palette } from './narrate.ts';
import { type Failing, onceOver } from './once.ts';
import { rulesOf } from './rules.ts';
import { Upkeep, type UpkeepOptions } from './upkeep.ts';

export interface DaemonOptions {
  readonly settings: Settings;
  readonly strategies: readonly Strategy[];
  /** What the start must say. */
  readonly notices: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly palette: Palette;
  /** Where lines go; must not throw. */
  readonly write: (line: string) => void;
  /** One poll, its decisions and its buys; then it stops by itself. */
  readonly once: boolean;
  /** The mode is dry-run because it was asked for, whatever the configuration says. */
  readonly dryRunAsked?: boolean | undefined;
}

export interface Ended {
  /** 0: as it should; 1: something failed; 2: the data folder is another account's. */
  readonly exitCode: 0 | 1 | 2;
  /** What it failed in, as far as a person has not been told by a line of the log. */
  readonly failings?: readonly Failing[];
}

export interface Daemon {
  readonly core: Core;
  /** Resolves when it has ended, however. */
  readonly ended: Promise<Ended>;
  /** Ends it within ten seconds: nothing new starts, what is in flight is finished or recorded as unknown. */
  stop(why: string): void;
}

export type Started = { readonly ok: true; readonly daemon: Daemon } | Extract<Held, { ok: false }>;

/** Builds the bot from real parts and starts it. In dry-run nothing is built that could buy. */
export async function startDaemon(options: DaemonOptions): Promise<Started> {
  const { settings, clock } = options;
  const lines: { log?: Log } = {};
  const onStoreFailure = (error: unknown): void => lines.log?.error('sandbox-not-kept', { message: String(error) });
  const held = await takeHold({ settings, clock, env: options.env, onStoreFailure });
  if (!held.ok) return held;
  const { holdings } = held;
  const secrets = secretsOf(settings, holdings);
  const { format, level } = settings.log;
  const log = createLog({ format, level, scrub: scrubber(secrets), palette: options.palette, write: options.write });
  lines.log = log;
  try {
    return { ok: true, daemon: run(options, holdings, log, scrubber(secrets)) };
  } catch (error) {
    await holdings.release();
    if (!(error instanceof JournalFailure)) throw error;
    return { ok: false, exitCode: 1, message: withSteps(faultOfFailure(error)) };
  }
}

/** Ends the daemon; the first to call it says why and with what exit code. */
class Ending {
  readonly #stopping = new AbortController();
  readonly #log: Log;
  how: Ended = { exitCode: 0 };

  constructor(log: Log) {
    this.#log = log;
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  stop(why: string, how: Ended = this.how): void {
    if (this.signal.aborted) return;
    this.how = how;
    this.#log.info('stopping', { why });
    this.#stopping.abort();
  }

  /** A broken invariant: the one thing that ends the process by itself. */
  defect(error: unknown): void {
    this.#log.error('defect', { message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    this.stop('a defect in Magpie: please report it with the lines above', { exitCode: 1 });
  }
}

interface Parts {
  readonly core: Core;
  readonly gateway: Gateway;
  readonly venue: LiveVenue | undefined;
  readonly tape: Tape | undefined;
}

function run(options: DaemonOptions, holdings: Holdings, log: Log, scrub: (text: string) => string): Daemon {
  const { settings, strategies, clock, once, version } = options;
  const { ledger } = holdings;
  tellStart(options, holdings, log);
  for (const strategy of strategies) ledger.keepStrategy(strategy.hash, scrub(strategy.text), clock.now());
  const ending = new Ending(log);
  const { core, gateway, venue, tape } = partsOf(options, holdings, log, scrub, ending);
  const upkeep = new Upkeep({ core, ledger, clock, log, settings, version, inForce: inForceOf(options) });
  const say = (message: string): void => log.info('notice', { message });
  const over = once ? onceOver({ core, ledger, clock, signal: ending.signal, say }) : undefined;
  core.start(ending.signal, over?.ready);
  upkeep.start(ending.signal);
  void over?.done.then(
    (failings) => ending.stop('one poll was asked for', failings.length === 0 ? undefined : { exitCode: 1, failings }),
    (error: unknown) => (error instanceof JournalFailure ? ending.stop(error.message, { exitCode: 1 }) : ending.defect(error)),
  );
  const close = async (): Promise<Ended> => {
    await core.finish();
    tape?.close(clock.now());
    await venue?.close();
    await gateway.close();
    upkeep.last();
    log.info('stopped', { summary: summaryOf(core, ledger) });
    await holdings.release();
    return ending.how;
  };
  return { core, ended: aborted(ending.signal).then(close), stop: (why) => ending.stop(why) };
}

function summaryOf(core: Core, ledger: Holdings['ledger']): string {
  try {
    return core.telling.summary(ledger.everyPurchase());
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    return `Stopped; what was bought cannot be read: ${error.message}`;
  }
}

/** What is in force from now on: the files may change, the daemon goes on with what it has read. */
function inForceOf({ settings, strategies, dryRunAsked = false }: DaemonOptions): UpkeepOptions['inForce'] {
  const { file, strategies: folder, limits, feed } = settings;
  const { mode, ...counting } = settingsThatCount(settings);
  return {
    ...{ config: file, folder, limits, health: feed.health },
    settings: dryRunAsked ? counting : { mode, ...counting },
    strategies: strategies.map(({ name, hash }) => ({ name, hash })),
  };
}

function partsOf(options: DaemonOptions, holdings: Holdings, log: Log, scrub: (text: string) => string, ending: Ending): Parts {
  const { settings, strategies, clock, once } = options;
  const { ledger } = holdings;
  const gateway = gatewayOf(options, holdings, log, (until, why) => core.slowed(until, why));
  const venue = venueOf(settings, gateway, holdings, ({ market }) => keptBack(market, { core, ledger, clock }));
  const tape = tapeOf(options, scrub, log, (trouble) => core.troubles.recording(trouble));
  const { limits, feed } = settings;
  const { service } = gateway;
  const core: Core = new Core({
    clock,
    log,
    ledger,
    service,
    rules: rulesOf(settings, strategies, once),
    intervalMs: feed.intervalMs,
    healthIntervalMs: feed.health.intervalMs,
    parse: feed.parse,
    tape,
    live: venue && { permits: gateway.permits, buyer: (told) => new Buyer({ journal: ledger, venue, clock, limits, told }) },
    paper: (told) => new Paper({ journal: ledger, clock, limits, told }),
    policy: { dedicated: settings.dedicated, stuckAfterMs: settings.alerts.stuckAfterMs },
    lookIntervalMs: settings.reconcile.intervalMs,
    keepLocks: holdings.keepLocks,
    onForeignFolder: (account, belongsTo) => {
      const message = `this data folder belongs to account ${belongsTo}, the key to account ${account}`;
      log.error('foreign-folder', { message, next: 'give each account a folder of its own with `data:` or --data' });
      ending.stop('the data folder is another account’s', { exitCode: 2 });
    },
    onDefect: (error) => ending.defect(error),
  });
  const { strategies: inForce } = core.state.rules;
  tape?.input(
    'strategies',
    clock.now(),
    inForce.all.map(({ name, hash, lane, priority }) => ({ name, hash, lane, priority })),
  );
  tape?.input('settings', clock.now(), { limits, feed, mode: settings.mode });
  return { core, gateway, venue, tape };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function secretsOf(settings: Settings, { partner }: Holdings): readonly Secret[] {
  const { account } = partner;
  if (account === undefined) return settings.secrets;
  return [
    ...settings.secrets,
    account.apiKey,
    account.partnerKey,
    ...(account.tradeUrl === undefined ? [] : secretsOfTradeUrl(account.tradeUrl)),
  ];
}

/** Without a key requests carry none: the service will say that it wants one. */
const noKey = new Secret('none');

function gatewayOf(
  { settings, clock, random }: DaemonOptions,
  { ledger, partner }: Holdings,
  log: Log,
  onSlowed: (until: number, why: Pick<Slowed, 'cause' | 'message'>) => void,
): Gateway {
  const { reads, buys, timeoutMs } = settings.rate;
  return createGateway({
    baseUrl: partner.baseUrl,
    apiKey: partner.account?.apiKey ?? noKey,
    partnerKey: partner.account?.partnerKey,
    tradeUrl: partner.account?.tradeUrl,
    rates: { reads, buys, timeoutMs },
    listingsReader: settings.feed.parse === 'whole' ? undefined : slicesReader,
    clock,
    random,
    log,
    slowUntil: ledger.slowUntil(),
    onSlowed: ({ key, until, cause, message }) => {
      if (key === 'account') onSlowed(until, { cause, message });
    },
  });
}

/** The only place where something that can buy is made, and only in live mode. */
function venueOf(settings: Settings, gateway: Gateway, { partner }: Holdings, kept: KeptBack): LiveVenue | undefined {
  const tradeUrl = partner.account?.tradeUrl;
  return settings.mode === 'live' && tradeUrl !== undefined ? createVenue(gateway.line, tradeUrl, kept) : undefined;
}

function tapeOf(
  { settings, clock, version }: DaemonOptions,
  scrub: (text: string) => string,
  log: Log,
  onTrouble: (trouble: TapeTrouble) => void,
): Tape | undefined {
  const { recording } = settings;
  if (recording === undefined) return undefined;
  return new Tape({
    path: join(settings.data, 'recording.db'),
    version,
    mode: settings.mode,
    startedAt: clock.now(),
    ...recording,
    scrub,
    onTrouble: (trouble) => {
      if (trouble.kind === 'resumed') log.info('recording-resumed', { lostPolls: trouble.lostPolls });
      onTrouble(trouble);
    },
  });
}

function tellStart(
  { settings, strategies, notices, version }: DaemonOptions,
  { partner, notices: more, alerts, ledger }: Holdings,
  log: Log,
): void {
  const mode = settings.mode === 'live' ? 'live' : 'dry-run (nothing can be bought)';
  log.info('started', { version, mode, service: partner.name, data: settings.data, config: settings.file });
  for (const message of [...notices, ...more, ...unserved(settings)]) log.info('notice', { message });
  for (const { kind, message, next, purchaseId } of alerts) log.warn('alert', { kind, message, next, purchaseId });
  const names = strategies.map(({ name, lane }) => (lane === 'paper' && settings.mode === 'live' ? `${name} (on paper)` : name));
  log.info('watching', {
    interval: `${settings.feed.intervalMs / 1000} s`,
    strategies: `${counted(strategies.length, 'strategy', 'strategies')}: ${names.join(', ')}`,
  });
  const halt = ledger.halted();
  if (halt !== undefined) log.error('halted', { reason: halt.reason, by: halt.by });
}

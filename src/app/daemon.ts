import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { type Secret, scrubber } from '../domain/secret.ts';
import { JournalFailure } from '../engine/journal.ts';
import type { Log } from '../engine/ports.ts';
import { Buyer } from '../execution/buyer.ts';
import { Paper } from '../execution/paper.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { type KeptBack, type LiveVenue, createVenue } from '../gateway/venue.ts';
import { faultOfFailure, withSteps } from '../ledger/failure.ts';
import type { Watchlist } from '../feed/watchlist.ts';
import type { Tape } from '../replay/tape.ts';
import type { TapeTrouble } from '../replay/trouble.ts';
import type { RuleFiles } from '../settings/rule-files.ts';
import type { Settings } from '../settings/settings.ts';
import type { Strategy } from '../strategy/strategy.ts';
import type { Among } from './accounts/among.ts';
import { type Guarded, guardFolder, guardOfOne } from './accounts/folder-guard.ts';
import { Core } from './core.ts';
import { followFiles, inForceOf, recordRules, rulesRow } from './follow-files.ts';
import { Housekeeping } from './housekeeping.ts';
import { type Held, type Holdings, takeHold } from './holdings.ts';
import { Hooks } from './hooks.ts';
import { keptBack } from './kept-back.ts';
import { createLog } from './log.ts';
import type { Palette } from './narrate.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { Notifier } from './notifier.ts';
import { type Failing, onceOver } from './once.ts';
import { tapeOf } from './recording.ts';
import { rulesOf } from './rules.ts';
import { tellStart } from './tell-start.ts';
import { watchlistOf } from './watchlist-of.ts';
import { Upkeep } from './upkeep.ts';
import { gatewayOf, secretsOf } from './way-to-service.ts';

export interface DaemonOptions {
  readonly settings: Settings;
  readonly strategies: readonly Strategy[];
  /** Where they were read from, to be followed while it runs. */
  readonly files?: RuleFiles | undefined;
  /** From one look at them to the next, milliseconds; by default a second. */
  readonly filesIntervalMs?: number | undefined;
  /** Until the first look at them, milliseconds; by default none. */
  readonly filesOffsetMs?: number | undefined;
  /** What the start must say. */
  readonly notices: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly palette: Palette;
  /** What is masked besides the secrets of the settings. */
  readonly hidden?: readonly Secret[] | undefined;
  /** Where lines go; must not throw. */
  readonly write: (line: string) => void;
  /** One poll, its decisions and its buys; then it stops by itself. */
  readonly once: boolean;
  /** What several accounts in one process share; left out: this account is alone in it. */
  readonly among?: Among | undefined;
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
  /** For whoever serves others beside it. */
  readonly log: Log;
  /** Aborted as soon as it is being ended, however. */
  readonly stopping: AbortSignal;
  /** Resolves when it has ended, however. */
  readonly ended: Promise<Ended>;
  /** Ends it within ten seconds: nothing new starts, what is in flight is finished or recorded as unknown. */
  stop(why: string): void;
  /** Reads limits and strategies anew now, where their files are followed. */
  reload(): void;
}

export type Started = { readonly ok: true; readonly daemon: Daemon } | Extract<Held, { ok: false }>;

/** Builds the bot from real parts and starts it. In dry-run nothing is built that could buy. */
export async function startDaemon(options: DaemonOptions): Promise<Started> {
  const { settings, clock } = options;
  const since = clock.now();
  const lines: { log?: Log } = {};
  const onStoreFailure = (error: unknown): void => lines.log?.error('sandbox-not-kept', { message: String(error) });
  const held = await takeHold({ settings, clock, env: options.env, onStoreFailure, partner: options.among?.partner });
  if (!held.ok) return held;
  const { holdings } = held;
  const scrub = options.among?.scrub ?? scrubber([...secretsOf(settings, holdings), ...(options.hidden ?? [])]);
  const { format, level } = settings.log;
  const { palette, write } = options;
  const log = createLog({ format, level, scrub, palette, write, account: settings.account });
  lines.log = log;
  try {
    const { ledger, why } = guardFolder(holdings.ledger, settings, options.among?.guard ?? guardOfOne(settings));
    return { ok: true, daemon: run({ ...options, since, why }, { ...holdings, ledger }, log, scrub) };
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
  readonly monitoring: Monitoring | undefined;
  readonly watchlist: Watchlist | undefined;
}

type Starting = DaemonOptions & Pick<Guarded, 'why'> & { readonly since: number };

function run(options: Starting, holdings: Holdings, log: Log, scrub: (text: string) => string): Daemon {
  const { settings, strategies, clock, once, version, files, env, since, dryRunAsked = false } = options;
  const { ledger } = holdings;
  tellStart(options, holdings, log);
  for (const strategy of strategies) ledger.keepStrategy(strategy.hash, scrub(strategy.text), clock.now());
  ledger.noteRules(rulesRow(options, clock.now(), 'start'));
  const ending = new Ending(log);
  const { core, gateway, venue, tape, monitoring, watchlist } = partsOf(options, holdings, log, scrub, ending);
  const inForce = inForceOf(options, dryRunAsked);
  const upkeep = new Upkeep({ core, ledger, clock, log, settings, version, inForce, watchlist });
  const onDefect = (error: unknown): void => ending.defect(error);
  const followed = {
    ...{ core, upkeep, ledger, clock, log, tape, watchlist, scrub, dryRunAsked, onDefect, rules: options },
    ...{ intervalMs: options.filesIntervalMs, offsetMs: options.filesOffsetMs },
    onDone: () => monitoring?.reloaded(),
  };
  const reloader = files && !once ? followFiles(files, followed) : undefined;
  const say = (message: string): void => log.info('notice', { message });
  const over = once ? onceOver({ core, ledger, clock, signal: ending.signal, say }) : undefined;
  const notifier = new Notifier({ settings, core, ledger, clock, log, env, since });
  core.start(ending.signal, over?.ready);
  notifier.start(ending.signal);
  upkeep.start(ending.signal);
  const house = once ? undefined : new Housekeeping({ core, ledger, clock, log, settings, onDefect });
  house?.start(ending.signal);
  const hooks =
    once || options.among || !settings.webhooks ? undefined : new Hooks({ at: settings.webhooks, core, clock, log, tape });
  hooks?.start(ending.signal);
  void reloader?.start(ending.signal);
  monitoring?.start({ core, gateway, notifier, reloader }, ending.signal);
  void over?.done.then(
    (failings) => ending.stop('one poll was asked for', failings.length === 0 ? undefined : { exitCode: 1, failings }),
    (error: unknown) => (error instanceof JournalFailure ? ending.stop(error.message, { exitCode: 1 }) : ending.defect(error)),
  );
  const close = async (): Promise<Ended> => {
    await core.finish().catch(onDefect);
    await notifier.finish();
    await monitoring?.finish();
    await hooks?.finished();
    await house?.finished();
    tape?.close(clock.now());
    await venue?.close();
    await gateway.close();
    guarded(() => upkeep.last(), onDefect);
    guarded(() => log.info('stopped', { summary: summaryOf(core, ledger) }), onDefect);
    await holdings.release();
    return ending.how;
  };
  const reload = (): void => {
    if (reloader !== undefined) monitoring?.reloading();
    reloader?.ask();
  };
  const ended = aborted(ending.signal).then(close);
  return { core, log, stopping: ending.signal, ended, stop: (why) => ending.stop(why), reload };
}

function summaryOf(core: Core, ledger: Holdings['ledger']): string {
  try {
    return core.telling.summary(ledger.everyPurchase(), (since) => ledger.shadowFigures(since));
  } catch (error) {
    if (!(error instanceof JournalFailure)) throw error;
    return `Stopped; what was bought cannot be read: ${error.message}`;
  }
}

function partsOf(options: Starting, holdings: Holdings, log: Log, scrub: (text: string) => string, ending: Ending): Parts {
  const { settings, strategies, clock, once, among } = options;
  const { ledger } = holdings;
  const gateway = gatewayOf(options, holdings, log, (until, why) => core.slowed(until, why));
  const venue = venueOf(settings, gateway, holdings, ({ market }) => keptBack(market, { core, ledger, clock }));
  const onTrouble = (trouble: TapeTrouble): void => core.troubles.recording(trouble);
  // What several accounts see is recorded once, by whoever reads it for them.
  const tape = among ? undefined : tapeOf({ ...options, mode: settings.mode }, scrub, log, onTrouble);
  const { feed } = settings;
  const hasAccount = holdings.partner.account !== undefined;
  const monitoring = once ? undefined : new Monitoring({ ...options, ledger, log, scrub, hasAccount, handOn: among?.handOn });
  const service = monitoring?.overheard(gateway.service) ?? gateway.service;
  const watchlist = once ? undefined : watchlistOf(settings, strategies, clock);
  const core: Core = new Core({
    clock,
    log,
    ledger,
    service,
    rules: rulesOf(settings, strategies, once),
    intervalMs: feed.intervalMs,
    healthIntervalMs: feed.health.intervalMs,
    parse: feed.parse,
    watchlist,
    tape,
    observer: among?.observer(monitoring) ?? monitoring,
    market: among?.market,
    inTurns: among !== undefined,
    live: venue && {
      permits: gateway.permits,
      buyer: (told, limits) => new Buyer({ journal: among?.guarded(ledger) ?? ledger, venue, clock, limits, told }),
    },
    paper: (told, limits) => new Paper({ journal: ledger, clock, limits, told }),
    shadows: settings.settle && { ...settings.settle, perSecond: settings.rate.reads.perSecond },
    lowBalance: settings.alerts.lowBalance,
    // Who watches items for itself sees more than the others do.
    reference: { ...settings.reference, prices: watchlist === undefined ? among?.prices : undefined },
    policy: { dedicated: settings.dedicated, stuckAfterMs: settings.alerts.stuckAfterMs },
    lookIntervalMs: settings.reconcile.intervalMs,
    keepLocks: holdings.keepLocks,
    onForeignFolder: (account, belongsTo) => {
      const { message, next, exitCode } = options.why(account, belongsTo);
      log.error('foreign-folder', { message, next });
      ending.stop(exitCode === 2 ? 'the data folder is another account’s' : 'nobody can say whose it is', { exitCode });
    },
    onDefect: (error) => ending.defect(error),
  });
  among?.join(core, ledger, ending.signal);
  recordRules(tape, options, clock.now());
  return { core, gateway, venue, tape, monitoring, watchlist };
}

/** Whatever a defect has left behind, what is held is let go of at the end. */
function guarded(work: () => void, onDefect: (error: unknown) => void): void {
  try {
    work();
  } catch (error) {
    onDefect(error);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** The only place where something that can buy is made, and only in live mode. */
function venueOf(settings: Settings, gateway: Gateway, { partner }: Holdings, kept: KeptBack): LiveVenue | undefined {
  const tradeUrl = partner.account?.tradeUrl;
  return settings.mode === 'live' && tradeUrl !== undefined ? createVenue(gateway.line, tradeUrl, kept) : undefined;
}

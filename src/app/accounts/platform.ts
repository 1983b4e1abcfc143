import { sleep } from '../../domain/clock.ts';
import { type Secret, scrubber } from '../../domain/secret.ts';
import type { Log } from '../../engine/ports.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { type Lock, acquireFolderLock } from '../../ledger/lock.ts';
import type { Tape } from '../../replay/tape.ts';
import type { RuleFiles } from '../../settings/rule-files.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import { type DaemonOptions, type Ended, startDaemon } from '../daemon.ts';
import { Hooks, type HooksOptions } from '../hooks.ts';
import type { AccountTold } from '../monitoring/monitoring.ts';
import type { Failing } from '../once.ts';
import { createLog } from '../log.ts';
import { tapeOf } from '../recording.ts';
import { type Partner, partnerFor, partnerOf } from '../surroundings.ts';
import { gatewayOf, secretsOf } from '../way-to-service.ts';
import { AccountKeeper } from './account-keeper.ts';
import { amongOthers } from './among.ts';
import { type FolderGuard, guardOfAll } from './folder-guard.ts';
import { guardedClock } from './guarded-clock.ts';
import { PlatformMonitoring } from './platform-monitoring.ts';
import { type InName, Rejections } from './rejections.ts';
import { SharedMarket } from './shared-market.ts';
import { SharedPrices, openPrices } from './shared-prices.ts';
import { TurnDesk } from './turn-desk.ts';

/** One account as its part of the configuration says. */
export interface AccountParts {
  readonly settings: Settings;
  readonly strategies: readonly Strategy[];
  readonly files?: RuleFiles | undefined;
}

export interface PlatformOptions extends Omit<DaemonOptions, 'strategies' | 'files' | 'among'> {
  /** What all of them share. */
  readonly settings: Settings;
  readonly accounts: readonly AccountParts[];
  /** From one try to start an account that is down to the next, milliseconds; by default a minute. */
  readonly againMs?: number | undefined;
}

export interface Platform {
  readonly log: Log;
  readonly accounts: readonly AccountKeeper[];
  /** Aborted as soon as it is being ended, however. */
  readonly stopping: AbortSignal;
  readonly ended: Promise<Ended>;
  stop(why: string): void;
  /** Reads limits and strategies of all accounts anew now. */
  reload(): void;
}

export type PlatformStarted =
  | { readonly ok: true; readonly platform: Platform }
  | { readonly ok: false; readonly exitCode: 1 | 3; readonly held?: 'folder'; readonly message: string };

/** An account that cannot be started is tried again so often. */
const AGAIN_MS = 60_000;
/** Files are looked at each second where there are few accounts; many of them must not ask the file system all the time. */
const FILES_MS = 1_000;
const FILES_MS_EACH = 20;

/**
 * Serves several accounts in one process, each with a folder, a ledger, an engine and a connection of its own, as if it were alone. They
 * share the reader of listings and health, the recording, and the desk where it is told whose turn it is.
 */
export async function startPlatform(options: PlatformOptions): Promise<PlatformStarted> {
  const { settings, clock } = options;
  const folder = acquireFolderLock(settings.data);
  if (!folder.ok)
    return { ok: false, exitCode: folder.held ? 3 : 1, ...(folder.held && { held: 'folder' }), message: folder.fault.message };
  const lines: { log?: Log } = {};
  const onStoreFailure = (error: unknown): void => lines.log?.error('sandbox-not-kept', { message: String(error) });
  let partner: Partner | undefined;
  const rejections = new Rejections();
  const deaf = rejections.listen();
  try {
    partner = await partnerOf(settings, clock, onStoreFailure);
    const { format, level } = settings.log;
    const scrub = scrubber(allSecrets(options, partner));
    const log = createLog({ format, level, scrub, palette: options.palette, write: options.write });
    lines.log = log;
    const platform = await run(options, { partner, lock: folder.lock, log, scrub, rejections });
    void platform.ended.then(deaf, deaf);
    return { ok: true, platform };
  } catch (error) {
    deaf();
    await partner?.sandbox?.close();
    folder.lock.release();
    return { ok: false, exitCode: 1, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Where the accounts meet. */
interface Meeting {
  readonly market: SharedMarket;
  readonly prices: SharedPrices;
  readonly desk: TurnDesk;
  readonly monitoring: PlatformMonitoring;
  readonly guard: FolderGuard;
}

interface Means {
  readonly partner: Partner;
  readonly lock: Lock;
  readonly log: Log;
  readonly scrub: (text: string) => string;
  readonly rejections: Rejections;
}

function allSecrets({ settings, accounts, hidden = [] }: PlatformOptions, partner: Partner): readonly Secret[] {
  const each = accounts.map((account) => account.settings);
  // Each has the secrets of all, in one list: of a thousand accounts it is gone through once.
  const lists = [...new Set([settings, ...each].map(({ secrets }) => secrets))];
  const ofKeys = (of: Settings, at: Partner): readonly Secret[] => secretsOf({ ...of, secrets: [] }, { partner: at });
  const keys = each.flatMap((own) => ofKeys(own, partnerFor(partner, own)));
  const all = [...lists.flat(), ...ofKeys(settings, partner), ...keys, ...hidden];
  return [...new Map(all.map((secret) => [secret.reveal(), secret])).values()];
}

async function run(options: PlatformOptions, means: Means): Promise<Platform> {
  const { settings, accounts, clock, version, notices, once } = options;
  const { partner, log, scrub } = means;
  log.info('accounts-started', { version, count: accounts.length, service: partner.name });
  for (const message of notices) log.info('notice', { message });
  const stopping = new AbortController();
  const desk = new TurnDesk(settings.accountNames);
  const gateway = gatewayOf(options, { partner }, log, (until, { message }) => log.warn('slowed-down', { until, message }));
  const tape = tapeOf({ settings, clock, version, mode: 'record' }, scrub, log, (trouble) => {
    if (trouble.kind === 'paused') log.error('recording-paused', { message: trouble.message, next: trouble.next });
  });
  const monitoring = new PlatformMonitoring({ ...options, log, scrub });
  const market = marketOf(options, gateway, tape, desk, () => monitoring.polled());
  const { days, fall } = settings.reference;
  const kept = openPrices(settings.data);
  const afterAll = (work: () => void): void => desk.afterAll(work);
  const prices = new SharedPrices({ clock, ledger: kept, log, market, days, fall, afterAll });
  prices.start(stopping.signal);
  const guard = guardOfAll(
    settings,
    accounts.map((account) => account.settings),
  );
  const meeting = { market, prices, desk, monitoring, guard };
  const keepers = accounts.map((account) => keeperOf(account, options, means, meeting));
  // One after the other: each opens a ledger, and reads what it has bought before anybody is told of a listing.
  for (const keeper of keepers) await keeper.begin();
  const over = Promise.all(keepers.map((keeper) => keeper.run(stopping.signal)));
  market.start(stopping.signal);
  if (!once) monitoring.start(keepers, stopping.signal);
  const hooks =
    once || !settings.webhooks ? undefined : hooksOf(settings.webhooks, { keepers, clock, log, tape, bell: monitoring.bell });
  hooks?.start(stopping.signal);
  const stop = (why: string): void => {
    if (stopping.signal.aborted) return;
    log.info('stopping', { why });
    stopping.abort();
  };
  if (once) void over.then(() => stop('one poll was asked for'));
  const close = async (): Promise<Ended> => {
    const all = await over;
    await monitoring.finish();
    await hooks?.finished();
    tape?.close(clock.now());
    kept.close();
    await gateway.close();
    await partner.sandbox?.close();
    means.lock.release();
    log.info('accounts-stopped', {});
    return endedOf(all, once);
  };
  const ended = aborted(stopping.signal).then(close);
  const reload = (): void => keepers.forEach(({ daemon }) => daemon?.reload());
  keepLock(means.lock, options, log, stopping.signal, stop);
  return { log, accounts: keepers, stopping: stopping.signal, ended, stop, reload };
}

function marketOf(
  { settings, accounts, clock }: PlatformOptions,
  gateway: Gateway,
  tape: Tape | undefined,
  desk: TurnDesk,
  onPoll: () => void,
): SharedMarket {
  const { feed } = settings;
  return new SharedMarket({
    service: gateway.service,
    clock,
    intervalMs: feed.intervalMs,
    healthIntervalMs: feed.health.intervalMs,
    parse: feed.parse,
    health: feed.health.require !== 'off' && accounts.length > 0,
    tape,
    afterAll: (work) => desk.afterAll(work),
    onFirst: (keys) => desk.firstSeen(keys),
    onPoll,
  });
}

function keeperOf(
  { settings, strategies, files }: AccountParts,
  options: PlatformOptions,
  { partner, log, scrub, rejections }: Means,
  { market, prices, desk, monitoring, guard }: Meeting,
): AccountKeeper {
  const account = settings.account ?? '';
  const { againMs = AGAIN_MS, filesIntervalMs = Math.max(FILES_MS, options.accounts.length * FILES_MS_EACH) } = options;
  // One after the other within an interval, so that no moment has the files of all of them to read.
  const filesOffsetMs = Math.max(0, options.settings.accountNames.indexOf(account)) * FILES_MS_EACH;
  const handOn = (told: AccountTold): void => monitoring.told(account, told);
  const failed = (error: unknown): void => keeper.failed(error);
  const inName: InName = (work) => rejections.of(failed, work);
  const start = (): ReturnType<typeof startDaemon> =>
    inName(() =>
      startDaemon({
        ...options,
        clock: guardedClock(options.clock, failed),
        ...{ settings, strategies, files, filesIntervalMs, filesOffsetMs, notices: [] },
        among: amongOthers(
          account,
          { partner: partnerFor(partner, settings), scrub, market, prices, guard, handOn },
          desk,
          inName,
        ),
      }),
    );
  const keeper: AccountKeeper = new AccountKeeper({
    account,
    clock: options.clock,
    desk,
    log,
    start,
    once: options.once,
    againMs,
  });
  return keeper;
}

/** An event says of no account that it is its own: each has a reason to look. */
function hooksOf(
  at: NonNullable<Settings['webhooks']>,
  {
    keepers,
    clock,
    log,
    tape,
    bell,
  }: { readonly keepers: readonly AccountKeeper[] } & Pick<HooksOptions, 'clock' | 'log' | 'tape'> & {
      readonly bell: HooksOptions['core']['bell'];
    },
): Hooks {
  const soon = (): void => keepers.forEach(({ daemon }) => daemon?.core.looks.soon());
  return new Hooks({ at, core: { bell, looks: { soon } }, clock, log, tape });
}

/** The folder that all of them share is one process's; without its lock another one might read it and buy beside this one. */
const LOCK_MS = 5_000;

function keepLock(lock: Lock, { clock }: PlatformOptions, log: Log, signal: AbortSignal, stop: (why: string) => void): void {
  const watch = async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(clock, LOCK_MS, signal);
      const fault = signal.aborted ? undefined : lock.keep();
      if (fault === undefined) continue;
      log.error('defect', { message: `the lock of the data folder was lost: ${fault.message}` });
      stop('another process has the data folder');
    }
  };
  void watch();
}

/** One poll: what failed in any of them. Otherwise they were stopped, and what each had to tell stands in its lines. */
function endedOf(all: readonly Ended[], once: boolean): Ended {
  if (!once) return { exitCode: 0 };
  const failings: Failing[] = all.flatMap((each) => each.failings ?? []);
  const worst = all.some(({ exitCode }) => exitCode !== 0);
  return worst ? { exitCode: 1, failings } : { exitCode: 0 };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

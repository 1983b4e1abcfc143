import { systemRandom } from '../app/system-random.ts';
import { afterLong, sleep } from '../domain/clock.ts';
import { Secret } from '../domain/secret.ts';
import { createHand, type Hand } from '../gateway/hand.ts';
import { codeOf } from '../ledger/failure.ts';
import { prepareFolder } from '../ledger/folder.ts';
import { type Lock, type LockResult, acquireKeyLock } from '../ledger/lock.ts';
import type { Settings } from '../settings/settings.ts';
import type { TreasurySettings } from '../settings/treasury-schema.ts';
import { moverOf, readerOf } from '../treasury/bank.ts';
import type { Child } from '../treasury/child-balances.ts';
import { openToWrite } from '../treasury/journal-file.ts';
import { type Recipient, TreasuryJournal } from '../treasury/journal.ts';
import { type Round, Treasury, WrongAccount } from '../treasury/treasury.ts';
import type { SharedOptions } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { placesOf, wholeSettingsFor } from './settings.ts';
import { stopSignals } from './stop-signals.ts';
import { utc } from './time.ts';
import { TreasuryAlerts } from './treasury-alerts.ts';
import { lockFolder, policyOf, treasuryOf, usable } from './treasury-desk.ts';
import { TreasuryEvents } from './treasury-events.ts';
import { TreasuryMonitor } from './treasury-monitor.ts';
import { verdictLine } from './treasury-text.ts';

export interface TreasuryRunOptions extends SharedOptions {
  readonly once?: boolean;
  readonly for?: number;
  readonly dryRun?: boolean;
}

/** A process of its own: it holds the top-level key, and nothing here buys. */
export async function runTreasury(io: Io, options: TreasuryRunOptions): Promise<ExitCode> {
  const { settings } = wholeSettingsFor(io, options);
  const treasury = treasuryOf(settings);
  const { baseUrl, key } = wayOf(settings, treasury);
  const locks = locked(io, settings.data, key);
  const hands: Hand[] = [];
  const handFor = (apiKey: Secret): Hand => {
    const hand = createHand({
      baseUrl,
      apiKey,
      partnerKey: undefined,
      secrets: settings.secrets,
      timeoutMs: settings.rate.timeoutMs,
      clock: io.clock,
    });
    hands.push(hand);
    return hand;
  };
  const stop = new AbortController();
  const signals = stopSignals(io);
  void signals.first.then(() => stop.abort());
  try {
    const journal = new TreasuryJournal(usable(openToWrite(settings.data)));
    try {
      const moves = treasury.mode === 'live' && options.dryRun !== true;
      const top = handFor(key);
      const children = new Map(treasury.children.map((child) => [child.name, childOf(child, handFor, io)]));
      const gapMs = 1_000 / settings.rate.reads.perSecond;
      const events = new TreasuryEvents((line) => io.out.line(`${utc(io.clock.wall())}  ${line}`));
      const object = new Treasury({
        ...{ policy: policyOf(treasury), journal, children, clock: io.clock, newKey },
        ...{ top: readerOf(top, io.clock), mover: moves ? moverOf(top) : undefined },
        gapMs,
        tell: (event) => events.tell(event),
      });
      const monitor = new TreasuryMonitor(io, { settings, treasury, policy: policyOf(treasury), journal, moves, gapMs });
      const alerts = new TreasuryAlerts(io, { notify: settings.notify, journal, policy: policyOf(treasury), moves });
      io.err.line(`${placesOf(io, settings)}; ${moves ? `moving money at ${baseUrl}` : 'dry-run: nothing is moved'}`);
      return await rounds(io, {
        object,
        events,
        journal,
        locks,
        options,
        moves,
        alerts,
        monitor,
        intervalMs: treasury.intervalMs,
        stop,
      });
    } finally {
      journal.close();
    }
  } finally {
    signals.off();
    for (const hand of hands) await hand.close();
    for (const lock of locks) lock.release();
  }
}

/** Never the same twice: 128 bits of the machine's randomness. */
function newKey(): string {
  return `magpie-treasury-${Array.from({ length: 32 }, () => Math.floor(systemRandom.next() * 16).toString(16)).join('')}`;
}

interface Running {
  readonly object: Treasury;
  readonly events: TreasuryEvents;
  readonly journal: TreasuryJournal;
  readonly locks: readonly Lock[];
  readonly options: TreasuryRunOptions;
  readonly moves: boolean;
  readonly alerts: TreasuryAlerts;
  readonly monitor: TreasuryMonitor;
  readonly intervalMs: number;
  readonly stop: AbortController;
}

async function rounds(io: Io, running: Running): Promise<ExitCode> {
  const { object, events, journal, locks, options, moves, alerts, monitor, intervalMs, stop } = running;
  const { clock } = io;
  const cancel = options.for === undefined ? undefined : afterLong(clock, options.for, () => stop.abort());
  const shown = new Map<string, string>();
  alerts.start(stop.signal);
  if (options.once !== true) monitor.start(stop.signal);
  try {
    while (!stop.signal.aborted) {
      for (const lock of locks)
        if (lock.keep() !== undefined) throw new CommandFailure(exits.held, 'Another process has taken the treasury.');
      const began = clock.mono();
      const round = await object.round(stop.signal);
      events.roundOver();
      kept(journal, round);
      alerts.note(round);
      monitor.note(round);
      tellNews(io, round, moves, shown);
      if (options.once === true) return isWell(round, journal) ? exits.done : exits.failed;
      const quietMs = (round.quietUntil ?? 0) - clock.now();
      await sleep(clock, Math.max(0, intervalMs - (clock.mono() - began), quietMs), stop.signal);
    }
    const open = journal.open().length;
    const left = open === 0 ? '' : `; ${open} not settled, asked again at the next start`;
    io.out.line(`${utc(clock.wall())}  Stopped: nothing more is sent${left}`);
    return exits.done;
  } catch (error) {
    const failure = failureOf(error);
    alerts.ended(failure instanceof Error ? failure.message : String(failure));
    throw failure;
  } finally {
    cancel?.();
    stop.abort();
    await Promise.all([alerts.finish(options.once === true), monitor.finish()]);
  }
}

/** What ends the rounds, in words for a person where that is known; anything else is a defect. */
function failureOf(error: unknown): unknown {
  if (error instanceof WrongAccount)
    return new CommandFailure(exits.wrong, `Nothing was sent: ${error.message}. → use another data folder for another account`);
  if (codeOf(error).startsWith('SQLITE_'))
    return new CommandFailure(exits.failed, `The journal of the treasury failed, and nothing more is sent: ${String(error)}`);
  return error;
}

/** Every balance was read, nothing is open, and nothing is halted. */
function isWell({ top, verdicts }: Round, journal: TreasuryJournal): boolean {
  const isRead = top !== undefined && verdicts.every(({ reason }) => reason !== 'unread');
  return isRead && journal.halted() === undefined && journal.open().length === 0;
}

/** What `treasury status` shows of the last round, whoever asks. */
function kept(journal: TreasuryJournal, { at, top, verdicts }: Round): void {
  journal.learn('round', JSON.stringify({ at, top: top?.balance ?? null, verdicts }));
}

/** A verdict is told once, until it changes. */
function tellNews(io: Io, { verdicts }: Round, moves: boolean, shown: Map<string, string>): void {
  for (const verdict of verdicts) {
    const news = verdict.reason === 'transfer' ? `transfer ${verdict.amount}` : verdict.reason;
    if (shown.get(verdict.child) === news) continue;
    shown.set(verdict.child, news);
    io.out.line(`${utc(io.clock.wall())}  ${verdictLine(verdict, moves)}`);
  }
}

function wayOf({ service }: Settings, treasury: TreasurySettings): { readonly baseUrl: string; readonly key: Secret } {
  if (service.kind === 'sandbox')
    throw new CommandFailure(
      exits.wrong,
      'The treasury needs service.baseUrl: the embedded exchange lives in one process alone. → `magpie sandbox` serves one that everybody can ask',
    );
  const key = treasury.key ?? service.account?.partnerKey;
  if (key !== undefined) return { baseUrl: service.baseUrl, key };
  throw new CommandFailure(exits.wrong, 'The treasury has no top-level key. → write `key: ${MAGPIE_PARTNER_KEY}` below treasury');
}

function childOf(child: TreasurySettings['children'][number], handFor: (key: Secret) => Hand, io: Io): Child {
  const { name, email, keyId, key } = child;
  if (key === undefined) throw new CommandFailure(exits.wrong, `The key of ${name} is missing.`);
  const to: Recipient = email === undefined ? { keyId: keyId ?? '' } : { email };
  return { to, reader: readerOf(handFor(key), io.clock) };
}

/** One treasury in a data folder, and one with a key on a machine, whatever the folder. A daemon that reads health with the key holds neither. */
function locked(io: Io, data: string, key: Secret): readonly Lock[] {
  const fault = prepareFolder(data);
  if (fault) throw new CommandFailure(exits.failed, fault.message);
  const folder = heldOr(lockFolder(data));
  try {
    return [folder, heldOr(acquireKeyLock(new Secret(`treasury of ${key.reveal()}`), io.env))];
  } catch (error) {
    folder.release();
    throw error;
  }
}

function heldOr(result: LockResult): Lock {
  if (result.ok) return result.lock;
  if (!result.held) throw new CommandFailure(exits.failed, result.fault.message);
  const next =
    '→ `magpie treasury status` shows what it does; a data folder, and a key on a machine, have one treasury at a time';
  throw new CommandFailure(exits.held, `${result.fault.message}\n${next}`);
}

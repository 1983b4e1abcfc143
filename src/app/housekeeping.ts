import { statfs } from 'node:fs/promises';
import { bytesText } from '../domain/text.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Log } from '../engine/ports.ts';
import { backUpLedger, checkLedger, ledgerBytes } from '../ledger/backup.ts';
import { withSteps } from '../ledger/failure.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { dropOldBackups, scheduledBackups, scheduledPath } from '../ledger/scheduled-backups.ts';
import type { Settings } from '../settings/settings.ts';
import type { Core } from './core.ts';
import type { Troubles } from './troubles.ts';

export interface HousekeepingOptions {
  readonly core: { readonly troubles: Pick<Troubles, 'space' | 'backup' | 'check'>; readonly keep: Core['keep'] };
  readonly ledger: Pick<Ledger, 'distrust' | 'probe'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<Settings, 'data' | 'backup' | 'disk'>;
  readonly onDefect: (error: unknown) => void;
}

/** From one look at what is due to the next; the first comes soon after the start. */
const LOOK_MS = 60_000;
const FIRST_LOOK_MS = 2_000;
/** A run that ends sooner makes no backup. */
const SETTLED_MS = 60_000;
const CHECK_MS = 24 * 3_600_000;
/** After a backup or a check that failed: each costs a reading of the whole ledger. */
const AGAIN_MS = 3_600_000;
/** An alert about space is over when there is this much more than it takes to raise it, so that it does not come and go. */
const ENOUGH = 1.1;

/**
 * Looks after the files of the data folder: space on the disk, backups, and damage that nobody has met yet. What takes long is done on
 * threads of their own; nothing that watches or buys waits for it.
 */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  #checkAt: EpochMs;
  #backupNotBefore: EpochMs;
  #looking: Promise<void> = Promise.resolve();
  #cancel = (): void => undefined;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
    // The start has looked at the whole file.
    this.#checkAt = options.clock.now() + CHECK_MS;
    this.#backupNotBefore = options.clock.now() + SETTLED_MS;
  }

  start(signal: AbortSignal): void {
    signal.addEventListener('abort', () => this.#cancel(), { once: true });
    this.#after(signal, FIRST_LOOK_MS);
  }

  /** Resolves when nothing of it is under way any more. */
  finished(): Promise<void> {
    return this.#looking;
  }

  #after(signal: AbortSignal, ms = LOOK_MS): void {
    if (signal.aborted) return;
    this.#cancel = this.#options.clock.after(ms, () => {
      this.#looking = this.#look(signal)
        .catch((error: unknown) => this.#options.onDefect(error))
        .finally(() => this.#after(signal));
    });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const free = await this.#space();
    if (free !== undefined) await this.#backUp(free, signal);
    await this.#check(signal);
  }

  /** Bytes free for a backup; undefined where there is too little. */
  async #space(): Promise<number | undefined> {
    const { core, settings } = this.#options;
    const { minFreeBytes } = settings.disk;
    const free = await freeBytes(settings.data);
    // Where nobody can say, what is written says it.
    if (free === undefined) return Infinity;
    if (free < minFreeBytes) {
      core.troubles.space(`${bytesText(free)} free at ${settings.data}, less than disk.minFree (${bytesText(minFreeBytes)})`);
      return undefined;
    }
    if (free >= minFreeBytes * ENOUGH) core.troubles.space(undefined);
    return free - minFreeBytes;
  }

  async #backUp(free: number, signal: AbortSignal): Promise<void> {
    const { core, clock, settings } = this.#options;
    const { backup, data } = settings;
    const now = clock.now();
    if (backup === undefined || now < this.#backupNotBefore) return;
    try {
      const newest = scheduledBackups(data).find(({ at }) => at <= now);
      if (newest !== undefined && now < newest.at + backup.everyMs) return;
      const failed = await this.#tryBackUp(free, backup.keep, signal);
      if (signal.aborted) return;
      if (failed !== undefined) this.#backupNotBefore = now + AGAIN_MS;
      core.troubles.backup(failed);
    } catch (error) {
      this.#backupNotBefore = now + AGAIN_MS;
      core.troubles.backup(error instanceof Error ? error.message : String(error));
    }
  }

  /** Why there is none. */
  async #tryBackUp(free: number, keep: number, signal: AbortSignal): Promise<string | undefined> {
    const { clock, log, settings } = this.#options;
    const needed = ledgerBytes(settings.data);
    if (free < needed) return `it would take ${bytesText(needed)}, and leave less free than disk.minFree`;
    const made = await backUpLedger(settings.data, scheduledPath(settings.data, clock.now()), signal);
    if (!made.ok) return made.fault.message;
    dropOldBackups(settings.data, keep, clock.now());
    log.info('backed-up', { file: made.value.path, bytes: made.value.bytes });
    return undefined;
  }

  /** A damaged ledger takes no intent any more, as it would not be opened by a start: some reads go well on it for long. */
  async #check(signal: AbortSignal): Promise<void> {
    const { core, ledger, clock, settings } = this.#options;
    if (clock.now() < this.#checkAt) return;
    const fault = await checkLedger(settings.data, signal);
    if (signal.aborted) return;
    this.#checkAt = clock.now() + (fault === undefined ? CHECK_MS : AGAIN_MS);
    if (fault?.kind !== 'damaged') return core.troubles.check(fault && withSteps(fault));
    ledger.distrust(fault.message);
    core.keep(() => ledger.probe(clock.now()));
  }
}

async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

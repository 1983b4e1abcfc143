import { setMaxListeners } from 'node:events';
import { type Clock, sleep } from '../../domain/clock.ts';
import { isTold } from '../../domain/repetition.ts';
import type { Log } from '../../engine/ports.ts';
import type { Daemon, Ended, Started } from '../daemon.ts';
import type { TurnDesk } from './turn-desk.ts';

export interface AccountKeeperOptions {
  readonly account: string;
  readonly clock: Clock;
  readonly desk: TurnDesk;
  /** Of the process: what it says is of an account that says nothing by itself. */
  readonly log: Log;
  readonly start: () => Promise<Started>;
  /** It ends when its account ends, however: nobody starts it again. */
  readonly once: boolean;
  /** From one try to start it to the next, milliseconds. */
  readonly againMs: number;
}

/**
 * Keeps one account going by itself: what cannot be started, or ends for a defect, is told and tried again, and no other account hears of
 * it. Its journal is what a restart of the whole process would find it to be.
 */
export class AccountKeeper {
  readonly account: string;
  readonly #options: AccountKeeperOptions;
  #daemon: Daemon | undefined;
  /** Why it is down; undefined while it runs. */
  #down: string | undefined = 'it has not been started yet';
  /** How many times in a row it is down for the same reason. */
  #times = 0;

  constructor(options: AccountKeeperOptions) {
    this.account = options.account;
    this.#options = options;
  }

  /** undefined while it is down. */
  get daemon(): Daemon | undefined {
    return this.#daemon;
  }

  get down(): string | undefined {
    return this.#down;
  }

  /** Its work has failed where nothing of its own catches it: it ends, and is started again. */
  failed(error: unknown): void {
    const { log, account } = this.#options;
    log.error('defect', { account, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    this.#daemon?.stop('a defect in Magpie: please report it with the lines above');
  }

  /** Resolves when it was tried for the first time. */
  async begin(): Promise<void> {
    const { start } = this.#options;
    let started: Started;
    try {
      started = await start();
    } catch (error) {
      return this.#fell(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    if (!started.ok) return this.#fell(started.message);
    this.#daemon = started.daemon;
    this.#down = undefined;
    this.#times = 0;
  }

  /** Resolves when it has ended for good: when the signal is aborted, its folder is another's, or it was for one poll. */
  async run(signal: AbortSignal): Promise<Ended> {
    const { clock, once, againMs, desk, account } = this.#options;
    const stop = (): void => this.#daemon?.stop('all accounts are stopped');
    // One signal stops any number of accounts.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop, { once: true });
    let ended: Ended = { exitCode: 1 };
    for (;;) {
      if (this.#daemon !== undefined) {
        if (signal.aborted) stop();
        ended = await this.#daemon.ended.catch((error: unknown): Ended => this.#broke(error));
        this.#daemon = undefined;
        desk.leave(account);
        if (!signal.aborted && !once) this.#down = 'it has ended; the lines above say why';
      }
      const forGood = signal.aborted || once || ended.exitCode === 2;
      const again = forGood ? undefined : `${Math.ceil(againMs / 1_000)} s`;
      if (this.#down !== undefined && !signal.aborted) this.#tellDown(this.#down, again);
      if (forGood) break;
      await sleep(clock, againMs, signal);
      if (!signal.aborted) await this.begin();
    }
    signal.removeEventListener('abort', stop);
    return ended;
  }

  /** Its end has failed too: what it holds may be held for as long as the process lives. */
  #broke(error: unknown): Ended {
    this.failed(error);
    return { exitCode: 1 };
  }

  #fell(message: string): void {
    if (this.#down !== message) this.#times = 0;
    this.#down = message;
  }

  /** What ends it for good is told however often it was told before. */
  #tellDown(message: string, again: string | undefined): void {
    const { log, account } = this.#options;
    this.#times += 1;
    if (again === undefined || isTold(this.#times)) log.error('account-down', { account, message, again, times: this.#times });
  }
}

import { type Clock, type EpochMs, sleep } from '../../domain/clock.ts';
import { type Secret, secretsOfAddress } from '../../domain/secret.ts';
import type { Log } from '../../engine/ports.ts';
import { post } from '../../notify/post.ts';
import type { Bell } from '../bell.ts';

export interface DeadManOptions {
  readonly url: Secret;
  /** From one ping to the next, milliseconds. */
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly bell: Pick<Bell, 'once' | 'again'>;
  /** Nothing is late just now. */
  readonly isReady: () => boolean;
  /** Told of each ping, whether it was taken. */
  readonly onPing: (taken: boolean) => void;
}

/** How often it is looked whether a ping is due, and after what time one that was not taken is tried again. */
const LOOK_MS = 1_000;
const AGAIN_MS = 30_000;

/** So many failures in a row are told to a person: whoever waits for pings will cry soon. */
const FAILURES_TOLD = 3;

/** Asks for an address again and again while there is progress, so that somebody outside notices when there is none any more. */
export class DeadMan {
  readonly #options: DeadManOptions;
  #dueAt: EpochMs;
  #failures = 0;

  constructor(options: DeadManOptions) {
    this.#options = options;
    this.#dueAt = options.clock.now();
  }

  /** Runs until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, isReady } = this.#options;
    while (!signal.aborted) {
      if (clock.now() >= this.#dueAt && isReady()) await this.#ping(signal);
      await sleep(clock, LOOK_MS, signal);
    }
  }

  async #ping(signal: AbortSignal): Promise<void> {
    const { url, everyMs, clock, log, bell, onPing } = this.#options;
    const beganAt = clock.now();
    const next = 'see whether deadMan.url is right and this machine reaches it';
    const secrets = secretsOfAddress(url);
    const headers = { 'user-agent': 'magpie' };
    const asked = { url: new URL(url.reveal()), method: 'GET', headers, body: undefined, secrets, next } as const;
    const sent = await post(asked, clock, signal);
    if (signal.aborted) return;
    onPing(sent.ok);
    this.#dueAt = beganAt + (sent.ok ? everyMs : Math.min(everyMs, AGAIN_MS));
    if (sent.ok) {
      this.#failures = 0;
      return bell.again('dead-man');
    }
    this.#failures += 1;
    if (this.#failures === 1) log.warn('dead-man-failing', { message: sent.message });
    if (this.#failures < FAILURES_TOLD) return;
    const message = `deadMan.url takes no pings, so whoever waits for them will say that Magpie is down: ${sent.message}`;
    bell.once('dead-man', { kind: 'monitoring', at: clock.now(), message, next, purchaseId: undefined });
  }
}

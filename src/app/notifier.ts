import type { Alert } from '../domain/alert.ts';
import { type Clock, type EpochMs, sleep } from '../domain/clock.ts';
import { isTold } from '../domain/repetition.ts';
import type { Log } from '../engine/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ChannelName, Sent } from '../notify/channel.ts';
import { Delivery } from '../notify/delivery.ts';
import type { Settings } from '../settings/settings.ts';
import { channelsOf, senderOf } from './channels.ts';
import type { Core } from './core.ts';
import { Deliveries } from './deliveries.ts';
import { type ChannelFigures, counted, freshFigures } from './channel-figures.ts';
import { Digest } from './digest.ts';
import { NewsQueue } from './news-queue.ts';

export interface NotifierOptions {
  readonly settings: Pick<Settings, 'notify' | 'mode' | 'account'>;
  readonly core: Pick<Core, 'bell' | 'keep'>;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** When the start began. */
  readonly since: EpochMs;
}

/** Some ten minutes of trying: by then a person should know it who looks elsewhere. */
const TRIES_TOLD = 10;

/** A digest is made within this of its time. */
const DIGEST_LOOK_MS = 30_000;

/**
 * Tells the channels of the configuration what a person should know, beside everything else: nothing waits for it, and whatever goes
 * wrong with a channel is a line of the log.
 */
export class Notifier {
  readonly #clock: Clock;
  readonly #deliveries: Deliveries;
  readonly #log: Log;
  /** What came of each channel since the start. */
  readonly channels: readonly ChannelFigures[];
  readonly #digest: Digest | undefined;
  /** Digests that failed in a row. */
  #digestFailures = 0;

  constructor({ settings, core, ledger, clock, log, env, since }: NotifierOptions) {
    this.#clock = clock;
    this.#log = log;
    const timeMs = settings.notify?.digestMs;
    const lane = settings.mode === 'live' ? 'live' : 'paper';
    const keep: Core['keep'] = (work) => core.keep(work);
    this.#digest = timeMs === undefined ? undefined : new Digest({ clock, ledger, lane, timeMs, keep });
    const figures: ChannelFigures[] = [];
    this.channels = figures;
    const deliveries = channelsOf(settings.notify, { clock, env }).flatMap(({ name, only, channel }) => {
      if (channel === undefined) return [];
      const own = freshFigures(name);
      figures.push(own);
      const unkept = (): ReturnType<typeof core.bell.unkept> => core.bell.unkept();
      const queue = new NewsQueue({ channel: name, only, clock, ledger, unkept, since, keep: (work) => core.keep(work) });
      return new Delivery({
        ...{ channel, clock, from: senderOf(settings), waiting: () => counted(own, queue.waiting()) },
        onFailing: (sent, tries) => {
          own.failures += 1;
          own.failing = true;
          if (tries === 1) log.warn('channel-failing', { channel: name, message: sent.message });
          if (tries >= TRIES_TOLD || sent.kind === 'refused')
            core.bell.once(`channel ${name}`, channelAlert(name, sent, clock.now()));
        },
        onWell: (tries) => {
          own.failing = false;
          log.info('channel-well', { channel: name, tries });
          core.bell.again(`channel ${name}`);
        },
      });
    });
    this.#deliveries = new Deliveries(clock, deliveries);
  }

  /** Tells until the signal is aborted. */
  start(signal: AbortSignal): void {
    this.#deliveries.start(signal, [this.#digests(signal)]);
  }

  /** After the signal: what still waits is told where a channel takes it at once. Within a second and a half, whatever the channels do. */
  finish(): Promise<void> {
    return this.#deliveries.finish();
  }

  async #digests(signal: AbortSignal): Promise<void> {
    while (this.#digest !== undefined && !signal.aborted) {
      this.#makeDigest(this.#digest);
      await sleep(this.#clock, DIGEST_LOOK_MS, signal);
    }
  }

  /** A digest that fails is a line of the log, and tried again: what it stumbled over may be another by then. */
  #makeDigest(digest: Digest): void {
    try {
      digest.tick();
      this.#digestFailures = 0;
    } catch (error) {
      this.#digestFailures += 1;
      if (!isTold(this.#digestFailures)) return;
      this.#log.error('digest-failed', { message: error instanceof Error ? error.message : String(error) });
    }
  }
}

function channelAlert(name: ChannelName, sent: Extract<Sent, { ok: false }>, at: EpochMs): Alert {
  const next = sent.kind === 'refused' ? sent.next : `see whether ${name} is up and this machine reaches it; it is tried again`;
  const message = `notify.${name} takes no alerts, which wait meanwhile: ${sent.message}`;
  return { kind: 'channel', at, message, next, purchaseId: undefined };
}

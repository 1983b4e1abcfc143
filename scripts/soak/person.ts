import { Digest } from '../../src/app/digest.ts';
import { NewsQueue } from '../../src/app/news-queue.ts';
import type { Core } from '../../src/app/core.ts';
import { type Clock, sleep } from '../../src/domain/clock.ts';
import { type Random, chance } from '../../src/domain/random.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Channel } from '../../src/notify/channel.ts';
import { Delivery } from '../../src/notify/delivery.ts';

const HOUR_MS = 3_600_000;

/** At eight, universal time. */
const DIGEST_MS = 8 * HOUR_MS;
const DIGEST_LOOK_MS = 30_000;

/** Of the letters so many are not taken at first. */
const FAILS = 0.2;
const TAKES_MS = 300;

export interface PersonOptions {
  readonly core: Core;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/**
 * Who is told: digests and alerts go by the production's queue and delivery to a channel on virtual time, which takes its time and now and
 * then nothing. A real one would need real time for its sockets.
 */
export class Person {
  /** Letters that were taken, and alerts and digests in them. */
  letters = 0;
  digests = 0;
  alerts = 0;

  constructor({ core, ledger, clock, random, signal }: PersonOptions) {
    const keep: Core['keep'] = (work) => core.keep(work);
    const unkept = (): ReturnType<typeof core.bell.unkept> => core.bell.unkept();
    const queue = new NewsQueue({ channel: 'soak', only: undefined, clock, ledger, unkept, since: clock.now(), keep });
    const delivery = new Delivery({
      ...{ channel: this.#channel(clock, random), from: 'soak', clock, waiting: () => queue.waiting() },
      onFailing: () => undefined,
      onWell: () => undefined,
    });
    void delivery.run(signal);
    void this.#digest(new Digest({ clock, ledger, lane: 'live', timeMs: DIGEST_MS, keep }), clock, signal);
  }

  #channel(clock: Clock, random: Random): Channel {
    return {
      name: 'command',
      send: async ({ groups }, signal) => {
        await sleep(clock, TAKES_MS, signal);
        if (chance(random, FAILS)) return { ok: false, kind: 'transient', message: 'not now', retryAfterMs: undefined };
        this.letters++;
        for (const { kind, count } of groups) {
          if (kind === 'digest') this.digests += count;
          else this.alerts += count;
        }
        return { ok: true };
      },
    };
  }

  async #digest(digest: Digest, clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      digest.tick();
      await sleep(clock, DIGEST_LOOK_MS, signal);
    }
  }
}

import type { EpochMs } from '../domain/clock.ts';
import type { HealthMissing, HealthReading } from '../domain/readings.ts';
import type { Refusal } from '../risk/caps.ts';
import type { Meta } from './meta.ts';
import type { Store } from './store.ts';

/** A sign of life, with what only the running daemon knows. It stays behind when the daemon has gone. */
export interface Heartbeat {
  readonly at: EpochMs;
  readonly startedAt: EpochMs;
  readonly pid: number;
  readonly version: string;
  readonly mode: 'live' | 'dry-run';
  /** End of the last complete poll; missing before the first. */
  readonly lastPollAt?: EpochMs | undefined;
  /** End of the last look at the account's orders; missing before the first. */
  readonly lastLookAt?: EpochMs | undefined;
  /** Listings in the last answer, those that a strategy wants, and those that cannot be judged. */
  readonly listings: number;
  readonly matching: number;
  readonly bad: number;
  /** One of those that cannot be judged, with the reason; hostile text. */
  readonly badExample?: string | undefined;
  readonly health?: HealthReading | HealthMissing | undefined;
  /** What keeps buying closed, most important first. */
  readonly blockers: readonly Refusal[];
}

export interface HeartbeatQueries {
  /** The newest sign of life; undefined when no daemon has left one here. */
  heartbeat(): Heartbeat | undefined;
}

export interface Heartbeats extends HeartbeatQueries {
  saveHeartbeat(heartbeat: Heartbeat): void;
}

/** Written every second or so, hence on the connection that does not wait for the disk. */
export function createHeartbeats(relaxed: Store, meta: Meta): Heartbeats {
  return {
    heartbeat() {
      const text = meta.text('heartbeat');
      return text === undefined ? undefined : (JSON.parse(text) as Heartbeat);
    },
    saveHeartbeat(heartbeat) {
      relaxed.transaction('heartbeat', () => meta.set('heartbeat', JSON.stringify(heartbeat)));
    },
  };
}

import type { EpochMs } from '../domain/clock.ts';
import type { AccountLimits } from '../domain/limits.ts';
import type { HealthMissing, HealthReading } from '../domain/readings.ts';
import type { WatchedItem } from '../domain/watched-item.ts';
import type { Refusal } from '../risk/caps.ts';
import type { HealthPolicy } from '../risk/health.ts';
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
  /** The items that are watched beside the live listings, with how each is doing; missing where none is. */
  readonly watched?: readonly WatchedItem[] | undefined;
}

/** What a daemon goes by, whatever became of the files that it was read from. */
export interface InForce {
  /** As in its heartbeats. */
  readonly startedAt: EpochMs;
  /** When the files were read that say so: at the start, or since. */
  readonly readAt: EpochMs;
  /** The configuration file, and the folder of the strategies; absolute. */
  readonly config: string;
  readonly folder: string;
  /** The settings that count, by the key of the configuration, as plain JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly limits: AccountLimits;
  readonly health: HealthPolicy;
  /** None for a daemon that only serves one request. The ledger has their wording by the hash. */
  readonly strategies: readonly { readonly name: string; readonly hash: string }[];
}

export interface HeartbeatQueries {
  /** The newest sign of life; undefined when no daemon has left one here. */
  heartbeat(): Heartbeat | undefined;
  /** What the daemon of that sign of life goes by; undefined when it has not said so. */
  inForce(): InForce | undefined;
}

export interface Heartbeats extends HeartbeatQueries {
  /** The first one of a daemon, and the first after a change, brings what it goes by. */
  saveHeartbeat(heartbeat: Heartbeat, inForce?: InForce): void;
}

/** Written every second or so, hence on the connection that does not wait for the disk. */
export function createHeartbeats(relaxed: Store, meta: Meta): Heartbeats {
  const kept = <T>(key: 'heartbeat' | 'inForce'): T | undefined => {
    const text = meta.text(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  };
  const heartbeat = (): Heartbeat | undefined => kept('heartbeat');
  return {
    heartbeat,
    inForce() {
      const inForce = kept<InForce>('inForce');
      return inForce?.startedAt === heartbeat()?.startedAt ? inForce : undefined;
    },
    saveHeartbeat(next, inForce) {
      relaxed.transaction('heartbeat', () => {
        if (inForce !== undefined) meta.set('inForce', JSON.stringify(inForce));
        meta.set('heartbeat', JSON.stringify(next));
      });
    },
  };
}

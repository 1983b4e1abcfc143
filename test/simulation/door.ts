import type { EpochMs } from '../../src/domain/clock.ts';
import type { BuyOutcome } from '../../src/domain/outcome.ts';
import type { RawEnding } from '../../src/gateway/exchange.ts';
import type { Carried } from './network.ts';

/** One buy as it went on the wire, in true time. */
export interface Post {
  readonly seq: number;
  /** Which start of the process sent it. */
  readonly boot: number;
  readonly at: EpochMs;
  readonly market: string;
  readonly listingId: string;
  readonly price: number;
  readonly carried: Carried;
  /** What reached us of its answer; undefined while nothing did. */
  delivered: { readonly at: EpochMs; readonly ending: RawEnding } | undefined;
  /** What the gateway made of it, in order. */
  readonly outcomes: { readonly at: EpochMs; readonly kind: BuyOutcome['kind'] }[];
  /** What the bot had been told when it sent this. */
  readonly told: Told;
}

/** The newest answers that the bot has heard, as bytes that an auditor reads for itself. */
export interface Told {
  /** Newest last, as is the other. */
  readonly health: readonly Heard[];
  readonly feeds: readonly Heard[];
}

export interface Heard {
  readonly at: EpochMs;
  /** Empty when no whole answer came. */
  readonly text: string;
}

const HEALTH_KEPT = 2;
const FEEDS_KEPT = 6;

/** Everything that passes between the bot and the exchange and that an auditor needs. */
export class Door {
  readonly posts: Post[] = [];
  #health: readonly Heard[] = [];
  #feeds: readonly Heard[] = [];

  /** What the bot has heard is forgotten with its process. */
  reboot(): void {
    this.#health = [];
    this.#feeds = [];
  }

  heardHealth(heard: Heard): void {
    this.#health = [...this.#health.slice(1 - HEALTH_KEPT), heard];
  }

  heardFeed(heard: Heard): void {
    this.#feeds = [...this.#feeds.slice(1 - FEEDS_KEPT), heard];
  }

  post(post: Omit<Post, 'seq' | 'told' | 'delivered' | 'outcomes'>): Post {
    const made: Post = {
      ...post,
      seq: this.posts.length + 1,
      delivered: undefined,
      outcomes: [],
      told: { health: this.#health, feeds: this.#feeds },
    };
    this.posts.push(made);
    return made;
  }
}

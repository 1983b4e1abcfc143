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
  /** It was sent while an answer of the live listings still arrived. */
  readonly early: boolean;
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
  /** It is only the beginning of an answer. */
  readonly part?: true;
}

const HEALTH_KEPT = 2;
/** Answers. */
const FEEDS_KEPT = 6;
/** More than any cache on the way keeps. */
const IDS_KEPT = 2_000;

/** Everything that passes between the bot and the exchange and that an auditor needs. */
export class Door {
  readonly posts: Post[] = [];
  #health: readonly Heard[] = [];
  #feeds: readonly Heard[] = [];
  #arriving: Heard | undefined;
  /** Of whole answers of the live listings, the newest last. */
  #requestIds = new Set<string>();

  /** What the bot has heard is forgotten with its process. */
  reboot(): void {
    this.#health = [];
    this.#feeds = [];
    this.#arriving = undefined;
    this.#requestIds = new Set();
  }

  heardHealth(heard: Heard): void {
    this.#health = [...this.#health.slice(1 - HEALTH_KEPT), heard];
  }

  /** More of an answer of the live listings has come. */
  heardPart(heard: Omit<Heard, 'part'>): void {
    if (this.#isOld(heard.text)) return;
    this.#arriving = { ...heard, part: true };
  }

  /** The answer has ended; one that came to nothing has been heard as far as it came. */
  endOfPart(cameToNothing: boolean): void {
    const part = this.#arriving;
    this.#arriving = undefined;
    if (part !== undefined && cameToNothing) this.heardFeed(part);
  }

  /** One that was heard in parts before it came to nothing is one answer all the same, and shows what its parts did. */
  heardFeed(heard: Heard): void {
    if (this.#isOld(heard.text)) return;
    const id = wholeId(heard.text);
    if (id !== undefined) this.#remember(id);
    const last = this.#feeds.at(-1);
    const isLast = last?.part === true && heard.text.startsWith(last.text);
    const before = isLast ? this.#feeds.slice(0, -1) : this.#feeds;
    this.#feeds = [...before.slice(1 - FEEDS_KEPT), isLast ? { ...heard, part: true } : heard];
  }

  #remember(id: string): void {
    this.#requestIds.add(id);
    const [oldest] = this.#requestIds;
    if (this.#requestIds.size > IDS_KEPT && oldest !== undefined) this.#requestIds.delete(oldest);
  }

  /** What was heard whole before, and is given again by a cache on the way or a feed that stands still, shows nothing of this moment. */
  #isOld(text: string): boolean {
    const id = idIn(text);
    return id !== undefined && this.#requestIds.has(id);
  }

  post(post: Omit<Post, 'seq' | 'told' | 'early' | 'delivered' | 'outcomes'>): Post {
    const arriving = this.#arriving;
    const made: Post = {
      ...post,
      seq: this.posts.length + 1,
      delivered: undefined,
      outcomes: [],
      told: { health: this.#health, feeds: arriving === undefined ? this.#feeds : [...this.#feeds, arriving] },
      early: arriving !== undefined,
    };
    this.posts.push(made);
    return made;
  }
}

function idIn(text: string): string | undefined {
  return /"requestId":"([^"]+)"/.exec(text)?.[1];
}

/** The id of an answer that is whole and no failure. */
function wholeId(text: string): string | undefined {
  try {
    const { success } = JSON.parse(text) as { success?: unknown };
    return success === true ? idIn(text) : undefined;
  } catch {
    return undefined;
  }
}

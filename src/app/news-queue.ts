import type { Alert, AlertKind } from '../domain/alert.ts';
import type { Clock, EpochMs } from '../domain/clock.ts';
import { JournalFailure } from '../engine/journal.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NewsCursor } from '../ledger/news.ts';
import type { Waiting } from '../notify/delivery.ts';
import type { NewsGroup } from '../notify/letter.ts';

export interface NewsQueueOptions {
  readonly channel: string;
  /** The kinds that are told there; undefined: all. */
  readonly only: readonly AlertKind[] | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly ledger: Pick<Ledger, 'newsSince' | 'newsAfter' | 'newsCursor' | 'saveNewsCursor'>;
  /** Does a write of upkeep, unless the journal refuses. */
  readonly keep: (work: () => void) => void;
  /** Alerts that the journal would not take so far. */
  readonly unkept: () => readonly Alert[];
  /** A channel that is new is told what happened since then. */
  readonly since: EpochMs;
}

/** How far a channel was told is kept at least so often while others have news. */
const SAVE_MS = 60_000;

/** Alerts told before they were kept, of which the kept ones are still to come. */
const EARLY_MAX = 200;

/**
 * What waits for one channel: the ledger is the queue, and how far it was told is kept there too. Alerts that the journal refuses (it is
 * full, say) are told all the same, and not again when it has taken them.
 */
export class NewsQueue {
  readonly #options: NewsQueueOptions;
  #cursor: NewsCursor | undefined;
  #saved: NewsCursor | undefined;
  #savedAt = -Infinity;
  readonly #early = new Set<string>();

  constructor(options: NewsQueueOptions) {
    this.#options = options;
  }

  waiting(): Waiting | undefined {
    const { groups, told } = this.#kept();
    const early = this.#options.unkept().filter((alert) => this.#isWanted(alert.kind) && !this.#early.has(markOf(alert)));
    const all = early.reduce(withAlert, groups);
    if (all.length === 0) {
      told(false);
      return undefined;
    }
    return {
      groups: all,
      told: () => {
        for (const alert of early) this.#early.add(markOf(alert));
        for (const mark of [...this.#early].slice(0, -EARLY_MAX)) this.#early.delete(mark);
        told(true);
      },
    };
  }

  /** What the ledger holds; nothing while it cannot be read. */
  #kept(): { readonly groups: readonly NewsGroup[]; readonly told: (save: boolean) => void } {
    const { ledger } = this.#options;
    try {
      const { upTo, groups } = ledger.newsAfter(this.#begun());
      const wanted = groups.filter(({ kind }) => this.#isWanted(kind));
      return { groups: wanted.flatMap((group) => this.#untold(group)), told: (save) => this.#advance(upTo, save) };
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      return { groups: [], told: () => undefined };
    }
  }

  #begun(): NewsCursor {
    const { ledger, channel, since } = this.#options;
    if (this.#cursor !== undefined) return this.#cursor;
    this.#saved = ledger.newsCursor(channel);
    this.#cursor = this.#saved ?? ledger.newsSince(since);
    return this.#cursor;
  }

  #isWanted(kind: AlertKind): boolean {
    return this.#options.only?.includes(kind) ?? true;
  }

  #untold(group: NewsGroup): NewsGroup[] {
    if (this.#early.size === 0) return [group];
    const newest = group.newest.filter((news) => !this.#early.has(markOf({ kind: group.kind, ...news })));
    const count = group.count - (group.newest.length - newest.length);
    return newest.length === 0 ? [] : [{ ...group, count, newest }];
  }

  #advance(upTo: NewsCursor, save: boolean): void {
    this.#cursor = upTo;
    const { keep, ledger, channel, clock } = this.#options;
    const same = this.#saved?.alert === upTo.alert && this.#saved.evidence === upTo.evidence;
    if (same || (!save && clock.now() - this.#savedAt < SAVE_MS)) return;
    this.#savedAt = clock.now();
    keep(() => {
      ledger.saveNewsCursor(channel, upTo);
      this.#saved = upTo;
    });
  }
}

function markOf({ kind, at, message }: { readonly kind: string; readonly at: EpochMs; readonly message: string }): string {
  return `${kind} ${at} ${message}`;
}

function withAlert(groups: readonly NewsGroup[], { kind, at, message, next, purchaseId }: Alert): readonly NewsGroup[] {
  const news = { id: undefined, at, message, next, purchaseId };
  const same = groups.find((group) => group.kind === kind);
  if (same === undefined) return [...groups, { kind, count: 1, newest: [news] }];
  const more = { ...same, count: same.count + 1, newest: [...same.newest, news] };
  return groups.map((group) => (group === same ? more : group));
}

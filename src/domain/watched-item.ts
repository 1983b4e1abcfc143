import type { EpochMs } from './clock.ts';

/** How one watched item is doing. */
export interface WatchedItem {
  /** As the configuration names it: a marketHashName or an item id. */
  readonly asked: string;
  /** undefined until its name was found. */
  readonly itemId: string | undefined;
  /** Why it is not looked at, in words for a person; undefined: it is. */
  readonly problem: string | undefined;
  /** Names or ids that may have been meant. */
  readonly near: readonly string[];
  /** End of the last look whose pages all came; undefined before the first. */
  readonly lookedAt: EpochMs | undefined;
  /** Listings that it showed. */
  readonly listings: number;
  /** It saw all that there is, or all that is cheap enough to be wanted. */
  readonly complete: boolean;
  /** Why the look after it failed; undefined when it did not. */
  readonly fault: string | undefined;
}

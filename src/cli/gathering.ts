import type { Clock, EpochMs } from '../domain/clock.ts';
import { looksInTurn } from './looks-in-turn.ts';

/** Where a row stands in a list of several accounts: newest first, then by the account's name, then the larger number first. */
export interface Place {
  readonly at: EpochMs;
  readonly account: string;
  readonly id: number;
}

/** A row of such a list, and what is told of it. */
export interface Gathered extends Place {
  readonly json: Readonly<Record<string, unknown>>;
}

/** Which rows of one account are wanted; they are handed over in the order of the list. */
export interface Wanted {
  readonly before: { readonly at: EpochMs; readonly id: number };
  readonly since: EpochMs;
  readonly limit: number;
}

export interface GatheringOptions {
  readonly clock: Pick<Clock, 'mono' | 'now'>;
  readonly names: readonly string[];
  /** Looks into the ledger of one account; in words why it cannot be read. */
  readonly look: (account: string, wanted: Wanted) => readonly Gathered[] | { readonly unread: string };
  /** What stands behind this place of the list; its newest rows where it is undefined. */
  readonly before: Place | undefined;
  /** What is older than this is not listed. */
  readonly since: (now: EpochMs) => EpochMs;
}

/** As far as it has come. */
export interface GatheredPage {
  /** Newest first, of the accounts that were looked at. */
  readonly rows: readonly Gathered[];
  /** Where older ones go on; undefined where there are none. */
  readonly next: Place | undefined;
  /** How many accounts were looked at. */
  readonly looked: number;
  readonly unread: readonly { readonly account: string; readonly why: string }[];
}

/** Rows of an answer. */
export const ROWS = 100;
/** As many again are kept, so that rows which fit no more leave no gap. */
const KEPT = 2 * ROWS;

const NO_END = Number.MAX_SAFE_INTEGER;

/**
 * One page of a list of many accounts, put together of a few of them at a time. However long their histories are, it keeps the rows of two
 * pages, and asks an account for no more than could stand among them.
 */
export class Gathering {
  readonly #options: GatheringOptions;
  readonly #lookedAt = new Map<string, number>();
  readonly #unread = new Map<string, string>();
  #kept: readonly Gathered[] = [];
  /** The first that was left out: from there on rows may be missing. */
  #floor: Place | undefined;

  constructor(options: GatheringOptions) {
    this.#options = options;
  }

  /** Looks at accounts for so long; every account is looked at again in its turn. */
  goOn(sliceMs: number): void {
    const { clock, names } = this.#options;
    // Too many of those that were kept fit no more: what was left out for them belongs here again.
    if (this.#floor !== undefined && this.#kept.length < ROWS) this.#beginAnew();
    looksInTurn({ clock, names, lookedAt: (name) => this.#lookedAt.get(name), sliceMs }, (name) => this.#look(name));
  }

  page(): GatheredPage {
    const rows = this.#kept.slice(0, ROWS);
    const more = this.#kept.length > ROWS || this.#floor !== undefined;
    const unread = this.#options.names.flatMap((account) => {
      const why = this.#unread.get(account);
      return why === undefined ? [] : [{ account, why }];
    });
    return { rows, next: more ? rows.at(-1) : undefined, looked: this.#lookedAt.size, unread };
  }

  #beginAnew(): void {
    this.#floor = undefined;
    this.#lookedAt.clear();
  }

  #look(account: string): void {
    const { clock, before, look, since } = this.#options;
    const oldest = since(clock.now());
    const found = look(account, {
      before: before === undefined ? { at: NO_END, id: NO_END } : boundOf(before, account),
      since: Math.max(oldest, this.#floor?.at ?? -NO_END),
      limit: KEPT + 1,
    });
    this.#lookedAt.set(account, clock.mono());
    if ('unread' in found) this.#unread.set(account, found.unread);
    else this.#unread.delete(account);
    this.#take(account, 'unread' in found ? [] : found, oldest);
  }

  #take(account: string, found: readonly Gathered[], oldest: EpochMs): void {
    const floor = this.#floor;
    const own = floor === undefined ? found : found.filter((row) => inOrder(row, floor) < 0);
    const others = this.#kept.filter((row) => row.account !== account && row.at >= oldest);
    const all = [...others, ...own].toSorted(inOrder);
    this.#floor = all[KEPT] ?? floor;
    this.#kept = all.slice(0, KEPT);
  }
}

function inOrder(one: Place, other: Place): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.account !== other.account) return one.account < other.account ? -1 : 1;
  return other.id - one.id;
}

/** Where the rows of an account begin behind a place of the list: of those of the same moment, whoever comes first by name is told already. */
function boundOf({ at, account: last, id }: Place, account: string): Wanted['before'] {
  if (account === last) return { at, id };
  return { at, id: account < last ? 0 : NO_END };
}

/** A place as it stands in an address. */
export function placeText({ at, account, id }: Place): string {
  return `${at}_${id}_${account}`;
}

/** The place that such a text says; undefined for any other text. */
export function placeOf(text: string): Place | undefined {
  const [, at, id, account] = /^(\d{1,15}(?:\.\d{1,20})?)_(\d{1,15})_([a-z0-9-]{1,64})$/.exec(text) ?? [];
  if (at === undefined || id === undefined || account === undefined) return undefined;
  return { at: Number(at), id: Number(id), account };
}

import type { EpochMs } from '../domain/clock.ts';
import type { Listing, ListingKey } from '../domain/listing.ts';
import type { ItemLook } from '../engine/item-look.ts';
import type { EarlyChange, ListingChange, SnapshotChange } from '../engine/snapshot.ts';
import { ByItem } from './by-item.ts';
import type { ItemPage } from './item-page.ts';
import { sameListing, samePrice } from './same.ts';

/** What no look has shown for so long is forgotten, where looks never come to an end that tells what is gone. */
const FORGOTTEN_AFTER_MS = 3_600_000;

/**
 * Makes one market of two views of it: the live listings, and looks at watched items. What both show is one listing. The newer word counts;
 * where two words differ and neither began after the other had ended, the listing cannot be bought until one of them speaks again. What a
 * complete look lacks is gone until an answer of the live listings that began later shows it.
 *
 * An answer that contradicts a look which had ended before it is believed once. From then on the listing is disputed, as long as it stands
 * in both: a look that lacks it takes it away no more, and while the two tell it differently it is not bought.
 */
export class BothViews {
  /** What the live listings show, and since when. */
  readonly #live = new ByItem();
  /** What looks have shown, and nothing newer has contradicted: this is how it stands. */
  readonly #looked = new ByItem();
  /** Shown by the live listings, and contradicted by a look that had ended by then. */
  readonly #overruled = new Map<ListingKey, EpochMs>();
  readonly #disputed = new Set<ListingKey>();
  /** What an answer has shown before its end and was kept back, since a look has a word in it. */
  #keptBack: { readonly pollSeq: number; readonly keys: Set<ListingKey> } | undefined;
  /** When the last answer of the live listings ended. */
  #liveEndedAt = Number.NEGATIVE_INFINITY;

  /** What an answer of the live listings changes in the market. Answers and pages are told in the order in which they ended. */
  live(change: SnapshotChange): SnapshotChange {
    this.#liveEndedAt = change.endedAt;
    if (!this.#isTwofold) return this.#learnt(change);
    for (const key of change.gone) this.#forget(key);
    const changed: ListingChange[] = [];
    const [gone, vouched]: ListingKey[][] = [[], []];
    for (const each of change.changed) {
      const { listing } = each;
      const word = this.#wordOfLive(listing, change.beganAt);
      if (word === 'news') changed.push(each);
      else (word === 'known' ? vouched : gone)?.push(listing.key);
      this.#live.set(listing, change.endedAt);
    }
    if (change.complete) this.#shownAgain(change, changed, gone ?? []);
    return { ...change, changed, gone: [...change.gone, ...(gone ?? [])], vouched: vouched ?? [] };
  }

  /** Of what an answer shows before its end: all in which no look has a word. The rest is told with the whole answer, or with `brokenOff`. */
  early(change: EarlyChange): EarlyChange {
    if (!this.#isTwofold) return change;
    const { pollSeq } = change;
    const isFree = ({ listing: { key } }: ListingChange): boolean => !this.#looked.has(key) && !this.#overruled.has(key);
    if (this.#keptBack?.pollSeq !== pollSeq) this.#keptBack = { pollSeq, keys: new Set() };
    for (const each of change.changed) if (!isFree(each)) this.#keptBack.keys.add(each.listing.key);
    return { ...change, changed: change.changed.filter(isFree) };
  }

  /** What `live` has made of an answer that came to nothing, as far as `early` has not told it. */
  brokenOff({ pollSeq, endedAt, changed, gone, vouched }: SnapshotChange): EarlyChange {
    const untold = this.#keptBack?.pollSeq === pollSeq ? this.#keptBack.keys : new Set<ListingKey>();
    const left = changed.filter(({ listing: { key } }) => untold.has(key));
    return { pollSeq, at: endedAt, changed: left, gone, ...(vouched && { vouched }) };
  }

  /** What a page of an item's listings changes in the market. */
  page(page: ItemPage): ItemLook {
    const { itemId, beganAt, endedAt, first, ends } = page;
    const [changed, shown, gone]: [ListingChange[], ListingKey[], ListingKey[]] = [[], [], []];
    for (const key of [...page.bad, ...this.#stale(itemId, beganAt)]) if (this.#takeAway(key, endedAt)) gone.push(key);
    for (const [position, { listing, raw }] of page.listings.entries()) {
      const { key } = listing;
      const before = this.standing(key);
      const word = this.#wordOfLook(listing, before, page);
      if (word === 'unwanted') continue;
      if (word === 'doubtful') {
        if (this.#takeAway(key, Math.max(endedAt, this.#liveEndedAt))) gone.push(key);
        continue;
      }
      this.#look(word === 'known' && before ? before : listing, endedAt);
      if (word === 'news') changed.push(changeOf(before, listing, { seenAt: page.receivedAt, position, raw }));
      shown.push(key);
    }
    if (ends !== undefined) for (const key of this.#lacking(itemId, ends)) if (this.#takeAway(key, endedAt)) gone.push(key);
    const alone = shown.filter((key) => !this.#live.has(key));
    return { itemId, page: page.page, beganAt, endedAt, first, complete: ends !== undefined, changed, shown, alone, gone };
  }

  /** The item is watched no more: what the live listings do not show just so is not known any longer. */
  drop(itemId: string, at: EpochMs): ItemLook {
    const gone: ListingKey[] = [];
    for (const { key } of this.#looked.of(itemId)) {
      this.#looked.delete(key);
      if (!this.#live.has(key) || this.#overruled.has(key)) gone.push(key);
    }
    return { itemId, page: 0, beganAt: at, endedAt: at, first: false, complete: false, changed: [], shown: [], alone: [], gone };
  }

  /** How a listing stands; undefined where it cannot be bought. */
  standing(key: ListingKey): Listing | undefined {
    return this.#looked.get(key)?.listing ?? (this.#overruled.has(key) ? undefined : this.#live.get(key)?.listing);
  }

  get #isTwofold(): boolean {
    return this.#looked.size > 0 || this.#overruled.size > 0;
  }

  #learnt(change: SnapshotChange): SnapshotChange {
    for (const key of change.gone) this.#live.delete(key);
    for (const { listing } of change.changed) this.#live.set(listing, change.endedAt);
    return change;
  }

  #forget(key: ListingKey): void {
    this.#live.delete(key);
    this.#looked.delete(key);
    this.#overruled.delete(key);
    this.#disputed.delete(key);
  }

  #wordOfLive(listing: Listing, beganAt: EpochMs): 'news' | 'known' | 'doubtful' {
    const { key } = listing;
    const look = this.#looked.get(key);
    if (look !== undefined && sameListing(look.listing, listing)) {
      this.#agree(key);
      return 'known';
    }
    const lookedAt = Math.max(look?.at ?? Number.NEGATIVE_INFINITY, this.#overruled.get(key) ?? Number.NEGATIVE_INFINITY);
    this.#looked.delete(key);
    if (beganAt >= lookedAt && !this.#disputed.has(key)) {
      this.#overruled.delete(key);
      return 'news';
    }
    this.#overruled.set(key, lookedAt);
    return 'doubtful';
  }

  /** What looks have contradicted, and the live listings show unchanged in an answer that began later. */
  #shownAgain(change: SnapshotChange, changed: ListingChange[], gone: ListingKey[]): void {
    const told = new Set(change.changed.map(({ listing }) => listing.key));
    for (const [key, lookedAt] of this.#overruled) {
      const live = this.#live.get(key);
      if (live === undefined || told.has(key) || change.beganAt < lookedAt) continue;
      const before = this.#looked.get(key)?.listing;
      this.#looked.delete(key);
      if (this.#disputed.has(key)) {
        if (before !== undefined) gone.push(key);
        continue;
      }
      this.#overruled.delete(key);
      this.#disputed.add(key);
      changed.push(changeOf(before, live.listing, { seenAt: change.endedAt, position: change.count, raw: undefined }));
    }
  }

  #wordOfLook(
    listing: Listing,
    before: Listing | undefined,
    { beganAt, costMax }: ItemPage,
  ): 'news' | 'known' | 'doubtful' | 'unwanted' {
    const { key } = listing;
    if (before !== undefined && sameListing(before, listing)) return 'known';
    const live = this.#live.get(key);
    if (live === undefined) {
      return before === undefined && costMax !== undefined && listing.cost > costMax ? 'unwanted' : 'news';
    }
    if (sameListing(live.listing, listing)) return 'news';
    const toldAt = this.#looked.has(key) ? Number.NEGATIVE_INFINITY : this.#liveEndedAt;
    return this.#disputed.has(key) || beganAt < Math.max(toldAt, this.#overruled.get(key) ?? toldAt) ? 'doubtful' : 'news';
  }

  #look(listing: Listing, endedAt: EpochMs): void {
    const { key } = listing;
    this.#looked.set(listing, endedAt);
    const live = this.#live.get(key);
    if (live === undefined) return;
    if (sameListing(live.listing, listing)) this.#agree(key);
    else this.#overruled.set(key, endedAt);
  }

  #agree(key: ListingKey): void {
    this.#overruled.delete(key);
    this.#disputed.delete(key);
  }

  /** Whether it stood until now. */
  #takeAway(key: ListingKey, at: EpochMs): boolean {
    const stood = this.standing(key) !== undefined;
    this.#looked.delete(key);
    if (this.#live.has(key)) this.#overruled.set(key, at);
    return stood;
  }

  #stale(itemId: string, now: EpochMs): ListingKey[] {
    const isStale = (key: ListingKey): boolean => (this.#looked.get(key)?.at ?? now) < now - FORGOTTEN_AFTER_MS;
    return this.#looked.of(itemId).flatMap(({ key }) => (isStale(key) ? [key] : []));
  }

  /** What stands of an item, and a look at all of it has not shown. */
  #lacking(itemId: string, { seen, beganAt, costMax }: NonNullable<ItemPage['ends']>): ListingKey[] {
    const isDisputed = (key: ListingKey): boolean => this.#disputed.has(key) && this.#live.has(key);
    const looked = this.#looked.of(itemId).filter(({ key }) => !seen.has(key) && !isDisputed(key));
    const live = this.#live
      .of(itemId)
      .filter(({ key, cost }) => !seen.has(key) && !isDisputed(key) && (costMax === undefined || cost <= costMax))
      // What came while the look was made may stand on a page that had been read by then.
      .filter(({ key }) => !this.#overruled.has(key) && (this.#live.get(key)?.at ?? beganAt) < beganAt);
    return [...new Set([...looked, ...live].map(({ key }) => key))];
  }
}

function changeOf(
  before: Listing | undefined,
  listing: Listing,
  seen: Pick<ListingChange, 'seenAt' | 'position' | 'raw'>,
): ListingChange {
  const kind = before === undefined ? 'appeared' : samePrice(before, listing) ? 'changed' : 'repriced';
  return { kind, listing, chunk: 0, ...seen };
}

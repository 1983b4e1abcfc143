import type { EpochMs } from '../domain/clock.ts';
import { microsFromDollars } from '../domain/money.ts';
import { seededRandom } from '../domain/random.ts';
import { AccountStreams } from './account-streams.ts';
import { hexText, type Account } from './accounts.ts';
import { Books } from './books.ts';
import type { Catalogue } from './catalogue.ts';
import { EventQueue } from './event-queue.ts';
import type { Health } from './health.ts';
import { FIRST_LISTING_ID, type MarketListing } from './listing.ts';
import { Market, type Rivalry } from './market.ts';
import { costOf, OrderDesk } from './order-desk.ts';
import type { Order, OrderTimes } from './orders.ts';
import type { Meta } from './meta.ts';
import { Changes, type RecordStore } from './records.ts';
import { Treasury } from './treasury.ts';
import type { Twists } from './twists.ts';

export interface ExchangeSettings {
  readonly seed: number;
  /** Listings that stand, on average. */
  readonly listings: number;
  /** How many times faster than usual the market moves. */
  readonly pace: number;
  /** Added to the base price, as a share. */
  readonly feeRate: number;
  readonly rivalry: Rivalry;
  readonly times: OrderTimes;
  /** As they are opened, each with its first balance. */
  readonly accounts: readonly Account[];
  /** The live listings show so many of the market, the most popular; undefined: all. */
  readonly liveMax: number | undefined;
}

export interface BuyAsk {
  readonly account: string;
  readonly listingId: string;
  readonly market: string;
  /** Base price in dollars. */
  readonly price: number;
}

export type BuyAnswer =
  | { readonly kind: 'accepted'; readonly order: Order; readonly listing: MarketListing }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string; readonly message: string };

/** A buy that stands in the exchange's own queue. Saved as it is. */
export interface QueuedBuy extends BuyAsk {
  readonly id: string;
  readonly at: EpochMs;
}

/** The saved listings of a snapshot, and whether rivals take them. */
export interface SnapshotMarket {
  readonly listings: readonly MarketListing[];
  readonly rivals: boolean;
}

interface Parts {
  readonly settings: ExchangeSettings;
  readonly catalogue: Catalogue;
  readonly store: RecordStore;
  readonly meta: Meta;
  readonly health: Health;
  readonly twists: Twists;
  readonly snapshot: SnapshotMarket | undefined;
}

/**
 * The market with its accounts and orders, without clock, network or faults of transport: it stands still until `advance`
 * runs what is due, and with the same seed, times and questions it always goes the same way.
 */
export class Exchange {
  readonly books: Books;
  readonly market: Market;
  readonly treasury: Treasury;
  readonly health: Health;
  readonly settings: ExchangeSettings;
  readonly catalogue: Catalogue;
  readonly #changes = new Changes();
  readonly #queue = new EventQueue();
  readonly #store: RecordStore;
  readonly #twists: Twists;
  readonly #streams: AccountStreams;
  readonly #desk: OrderDesk;
  readonly #meta: Meta;
  readonly #snapshot: SnapshotMarket | undefined;

  constructor({ settings, catalogue, store, meta, health, twists, snapshot }: Parts) {
    this.settings = settings;
    this.catalogue = catalogue;
    this.health = health;
    this.#store = store;
    this.#twists = twists;
    this.#meta = meta;
    this.#snapshot = snapshot;
    const { seed, pace, feeRate, rivalry } = settings;
    this.#streams = new AccountStreams(seed, `orders/${meta.boot}`, settings.accounts);
    this.books = new Books(this.#changes);
    this.#desk = new OrderDesk({ books: this.books, queue: this.#queue, twists, streams: this.#streams, times: settings.times });
    this.treasury = new Treasury({
      books: this.books,
      changes: this.#changes,
      queue: this.#queue,
      random: seededRandom(seed, `treasury/${meta.boot}`),
      pace,
    });
    this.market = new Market({
      settings: { size: snapshot ? 0 : settings.listings, pace, feeRate, rivalry },
      catalogue,
      random: seededRandom(seed, `market/${meta.boot}`),
      queue: this.#queue,
      changes: this.#changes,
      nextSeq: meta.nextSeq,
    });
  }

  /** Opens the market and the accounts, or goes on with what the store holds. */
  start(now: EpochMs): void {
    const { settings } = this;
    this.books.load(this.#store);
    this.books.open(settings.accounts, now);
    if (this.#meta.marketGoesOn)
      this.market.resume(this.#store.load('listing') as MarketListing[], now, now - this.#meta.savedAt);
    else this.#openMarket(now, this.#snapshot);
    for (const order of this.books.orders()) this.#desk.resume(order);
    this.treasury.load(this.#store);
    for (const queued of this.#store.load('queued') as QueuedBuy[]) this.#queueUp(queued);
    this.advance(now);
    this.commit(now);
  }

  #openMarket(now: EpochMs, snapshot: SnapshotMarket | undefined): void {
    for (const old of this.#store.load('listing') as MarketListing[]) this.#changes.remove('listing', old.key);
    if (snapshot)
      this.market.stand(
        snapshot.listings.filter((listing) => !this.#wasSold(listing)),
        now,
        snapshot.rivals,
      );
    else this.market.open(now);
  }

  #wasSold(listing: MarketListing): boolean {
    return this.books.orders().some((order) => order.market === listing.market && order.listingId === listing.id);
  }

  /** Runs everything that is due until `now`. */
  advance(now: EpochMs): void {
    this.#queue.runUntil(now);
  }

  /** Writes what changed to the store, in one transaction; returns when it is there, throws what the store throws. */
  commit(now: EpochMs): void {
    if (this.#changes.size === 0) return;
    const { seed } = this.settings;
    this.#changes.put('meta', 'meta', {
      seed,
      boot: this.#meta.boot,
      savedAt: now,
      nextSeq: this.market.nextSeq,
      market: this.#meta.market,
    });
    this.#changes.commitTo(this.#store);
  }

  account(key: string): Account | undefined {
    return this.books.accounts.find((account) => account.key === key);
  }

  /** Sells a listing at exactly its price, once. */
  buy(ask: BuyAsk, now: EpochMs): BuyAnswer {
    const answer = this.#judge(ask, now);
    if (answer.kind === 'refused') return answer;
    const { listing } = answer;
    this.market.take(listing);
    const order = this.#desk.accept(ask.account, listing, now, 'ours');
    if (this.#twists.buysTwice(order.id)) this.#desk.accept(ask.account, listing, now, 'twin');
    const foreignAfter = this.#twists.foreignBuyAfter(order.id);
    if (foreignAfter !== undefined) this.#queue.add(now + foreignAfter, (at) => this.#foreignBuy(ask.account, listing, at));
    return { kind: 'accepted', order, listing };
  }

  /** Executes a buy later, as if it had stood in a queue; what becomes of it then, nobody is told. */
  buyLater(ask: BuyAsk, at: EpochMs): void {
    const queued: QueuedBuy = { ...ask, id: hexText(this.#streams.of(ask.account), 16), at };
    this.#changes.put('queued', queued.id, queued);
    this.#queueUp(queued);
  }

  #queueUp(queued: QueuedBuy): void {
    this.#queue.add(queued.at, (at) => {
      this.#changes.remove('queued', queued.id);
      this.buy(queued, at);
    });
  }

  #judge(ask: BuyAsk, now: EpochMs): { kind: 'accepted'; listing: MarketListing } | Extract<BuyAnswer, { kind: 'refused' }> {
    const listing = this.market.standing.byKey(`${ask.market}:${ask.listingId}`);
    if (!listing) return this.#notThere(ask);
    if (this.health.of(ask.market, now).status === 'down')
      return refusal(409, 'MARKET_UNAVAILABLE', 'this market is down at present');
    if (listing.price !== ask.price) return refusal(409, 'PRICE_CHANGED', 'the price of the listing is another one now');
    const cost = microsFromDollars(listing.priceWithFee, 'up');
    const balance = this.books.account(ask.account)?.balance;
    if (cost === undefined || balance === undefined || balance < cost)
      return refusal(400, 'INSUFFICIENT_BALANCE', 'the balance does not cover the price');
    return { kind: 'accepted', listing };
  }

  #notThere({ market, listingId }: BuyAsk): BuyAnswer & { kind: 'refused' } {
    const other = market === 'ecosteam' ? 'c5game' : 'ecosteam';
    if (this.market.standing.byKey(`${other}:${listingId}`)) return refusal(400, 'MARKET_MISMATCH', `the listing is on ${other}`);
    return refusal(this.#everStood(listingId) ? 410 : 404, 'LISTING_NOT_FOUND', 'the listing is not for sale');
  }

  #everStood(listingId: string): boolean {
    const seq = Number(listingId) - FIRST_LISTING_ID;
    return (seq >= 0 && seq < this.market.nextSeq) || this.books.orders().some((order) => order.listingId === listingId);
  }

  /** Somebody else with the same key buys what looks most like it. */
  #foreignBuy(accountId: string, like: MarketListing, now: EpochMs): void {
    const balance = this.books.account(accountId)?.balance ?? 0;
    const payable = this.market.standing
      .inOrder()
      .filter(({ price, priceWithFee }) => price > 0 && costOf(priceWithFee) <= balance);
    const alike = payable.filter((listing) => listing.name === like.name);
    const [chosen] = (alike.length > 0 ? alike : payable).toSorted(
      (a, b) => Math.abs(a.price - like.price) - Math.abs(b.price - like.price),
    );
    if (!chosen) return;
    this.market.take(chosen);
    this.#desk.accept(accountId, chosen, now, 'foreign');
  }
}

function refusal(status: number, code: string, message: string): Extract<BuyAnswer, { kind: 'refused' }> {
  return { kind: 'refused', status, code, message };
}

import type { EpochMs } from '../domain/clock.ts';
import { listingKey } from '../domain/listing.ts';
import { chance, type Random } from '../domain/random.ts';
import type { Catalogue, CatalogueItem } from './catalogue.ts';
import { decorationsOf, type Decorations } from './decorations.ts';
import type { EventQueue } from './event-queue.ts';
import { drawListing, pricesAt, type MarketListing, type NextKind } from './listing.ts';
import type { Changes } from './records.ts';
import { drawPlace, meanOverSpread, placeAfterEdit, placeBeside, ratioAt, rivalRate } from './spread.ts';
import { Standing } from './standing.ts';

/** How often a seller moves a price and takes an offer back, per millisecond, at pace 1. */
const EDIT_PER_MS = 1 / 600_000;
const DELIST_PER_MS = 1 / 1_800_000;
/** Of the offers taken back, those that return within a minute under a new id. */
const RELISTED = 0.6;
const RELIST_MS = 60_000;
/** Of new offers, those of a name that nobody offers yet; the others join a name that is there. */
const NEW_NAME = 0.4;
/** Of new offers that follow no other, those that take no heed of what their name costs elsewhere. */
const STRAY = 0.05;

/** How a market differs from the usual one. */
export interface Rivalry {
  /** How many times sooner than usual rivals take what they want. */
  readonly speed: number;
  /** The share of offers that they look at, 0 to 1. */
  readonly share: number;
  /** How many times further apart than usual the prices are. */
  readonly spread: number;
}

export const usualRivalry: Rivalry = { speed: 1, share: 1, spread: 1 };

export interface MarketSettings {
  /** Listings that stand, on average. */
  readonly size: number;
  /** How many times faster than usual the market moves. */
  readonly pace: number;
  readonly feeRate: number;
  readonly rivalry: Rivalry;
}

/** How the market lives: arrivals, edits, delistings and rivals, drawn from its own random stream on the shared queue. */
export class Market {
  readonly standing = new Standing();
  readonly #settings: MarketSettings;
  readonly #catalogue: Catalogue;
  readonly #decorations: Decorations;
  readonly #random: Random;
  readonly #queue: EventQueue;
  readonly #changes: Changes;
  readonly #arrivalsPerMs: number;
  readonly #fastestExit: number;
  #nextSeq: number;

  constructor(parts: {
    settings: MarketSettings;
    catalogue: Catalogue;
    random: Random;
    queue: EventQueue;
    changes: Changes;
    nextSeq: number;
  }) {
    this.#settings = parts.settings;
    this.#catalogue = parts.catalogue;
    this.#decorations = decorationsOf(parts.catalogue);
    this.#random = parts.random;
    this.#queue = parts.queue;
    this.#changes = parts.changes;
    this.#nextSeq = parts.nextSeq;
    const { size, pace, rivalry } = parts.settings;
    this.#arrivalsPerMs = size * meanOverSpread((ratio) => exitRate(ratio, rivalry), rivalry.spread) * pace;
    this.#fastestExit = exitRate(0, rivalry);
  }

  /** Number of the next listing that arrives: what has to be kept so that ids never come twice. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /** Puts up the first listings, as a market looks that has lived for a while. */
  open(now: EpochMs): void {
    for (let count = 0; count < this.#settings.size; count++) {
      const beside = this.#anyone();
      const joined = beside && !chance(this.#random, NEW_NAME) ? this.#besides(beside) : undefined;
      this.#put(this.#withNext(joined ?? this.#newcomer(this.#place()), now));
    }
    this.#queueArrival(now);
  }

  /** Puts up the listings of a saved answer: they stand until sold or, with `rivals`, until somebody else takes them. */
  stand(listings: readonly MarketListing[], now: EpochMs, rivals: boolean): void {
    this.resume(
      rivals ? listings.map((listing) => (listing.place === undefined ? listing : this.#withNext(listing, now))) : listings,
      now,
    );
  }

  /** Goes on with listings that stood before; `shift` moves their times on by as long as the market slept. */
  resume(listings: readonly MarketListing[], now: EpochMs, shift = 0): void {
    const awake = listings.map((listing) =>
      listing.next ? { ...listing, next: { ...listing.next, at: listing.next.at + shift } } : listing,
    );
    this.standing.fill(awake);
    for (const listing of awake) this.#kept(listing);
    this.#queueArrival(now);
  }

  /** Sold through the exchange. */
  take(listing: MarketListing): void {
    this.standing.remove(listing);
    this.#changes.remove('listing', listing.key);
  }

  /** Puts up what somebody asks for, at its own price unless they say another; nothing befalls it by itself. */
  putUp(item: CatalogueItem, asked: Readonly<Record<string, unknown>>): MarketListing {
    const drawn = this.#draw(item, this.#place());
    const { price, priceWithFee } = pricesAsked(asked, drawn, this.#settings.feeRate);
    const market = asked['market'] === 'c5game' || asked['market'] === 'ecosteam' ? asked['market'] : drawn.market;
    const wire = { ...drawn.wire, ...asked, market, price, priceWithFee };
    const listing = { ...drawn, key: listingKey(market, drawn.id), market, price, priceWithFee, wire };
    this.#put(listing);
    return listing;
  }

  /** Gives a listing another price; nothing befalls it by itself from then on. */
  reprice(listing: MarketListing, price: number, priceWithFee: number | undefined): MarketListing {
    const prices = pricesAsked({ price, priceWithFee }, listing, this.#settings.feeRate);
    const repriced = { ...listing, ...prices, next: undefined, wire: { ...listing.wire, ...prices } };
    this.standing.replace(repriced);
    this.#kept(repriced);
    return repriced;
  }

  #queueArrival(now: EpochMs): void {
    if (this.#arrivalsPerMs === 0) return;
    this.#queue.add(now + wait(this.#random, this.#arrivalsPerMs), (at) => {
      this.#arrive(at);
      this.#queueArrival(at);
    });
  }

  /**
   * The cheaper a listing, the sooner it goes; so that the spread of what stands stays as it is, what comes is drawn with the
   * same preference for the cheap.
   */
  #arrive(now: EpochMs): void {
    const beside = chance(this.#random, NEW_NAME)
      ? undefined
      : this.#preferringCheap(
          () => this.#anyone(),
          (listing) => listing?.place,
        );
    const listing =
      (beside && this.#besides(beside)) ??
      this.#newcomer(
        this.#preferringCheap(
          () => this.#place(),
          (place) => place,
        ),
      );
    this.#put(this.#withNext(listing, now));
  }

  #anyone(): MarketListing | undefined {
    return this.standing.at(Math.floor(this.#random.next() * this.standing.size));
  }

  #preferringCheap<T>(draw: () => T, placeIn: (drawn: T) => number | undefined): T {
    for (;;) {
      const drawn = draw();
      const place = placeIn(drawn);
      if (place === undefined || this.#random.next() * this.#fastestExit < exitRate(ratioAt(place), this.#settings.rivalry))
        return drawn;
    }
  }

  /** A name that is not offered yet, where there is one to be found; now and then one that is, at a price of its own. */
  #newcomer(place: number): MarketListing {
    let item = this.#catalogue.draw(this.#random);
    const anyName = chance(this.#random, STRAY);
    for (let tries = 0; !anyName && tries < 20 && this.#isOffered(item); tries++) item = this.#catalogue.draw(this.#random);
    return this.#draw(item, place);
  }

  #isOffered(item: CatalogueItem): boolean {
    return this.standing.ofItem(item.itemId).length > 0;
  }

  #besides(other: MarketListing): MarketListing | undefined {
    const item = this.#catalogue.byId(other.itemId);
    return item && other.place !== undefined ? this.#draw(item, placeBeside(other.place, this.#random)) : undefined;
  }

  #draw(item: CatalogueItem, place: number): MarketListing {
    const draw = { random: this.#random, decorations: this.#decorations, feeRate: this.#settings.feeRate };
    return drawListing(draw, item, place, this.#nextSeq++);
  }

  #put(listing: MarketListing): void {
    this.standing.add(listing);
    this.#kept(listing);
  }

  #kept(listing: MarketListing): void {
    this.#changes.put('listing', listing.key, listing);
    const { next } = listing;
    if (next) this.#queue.add(next.at, (at) => this.#happens(listing, at));
  }

  /** One of the three things that can happen to a listing, whichever its rates bring first. */
  #withNext(listing: MarketListing, now: EpochMs): MarketListing {
    const rival = this.#rivalRate(ratioAt(listing.place ?? 0));
    const all = rival + EDIT_PER_MS + DELIST_PER_MS;
    const at = now + wait(this.#random, all * this.#settings.pace);
    const draw = this.#random.next() * all;
    const kind: NextKind =
      draw < rival ? 'rival' : draw < rival + EDIT_PER_MS ? 'edited' : chance(this.#random, RELISTED) ? 'relisted' : 'delisted';
    return { ...listing, next: { at, kind } };
  }

  /** Of one offer: rivals look at it or they do not. */
  #rivalRate(ratio: number): number {
    const { speed, share } = this.#settings.rivalry;
    return share < 1 && !chance(this.#random, share) ? 0 : speed * rivalRate(ratio);
  }

  #place(): number {
    return drawPlace(this.#random, this.#settings.rivalry.spread);
  }

  #happens(listing: MarketListing, now: EpochMs): void {
    // Sold or moved meanwhile: what was to come of it then no longer counts.
    if (this.standing.byKey(listing.key) !== listing) return;
    if (listing.next?.kind === 'edited') return this.#edit(listing, now);
    this.take(listing);
    if (listing.next?.kind !== 'relisted') return;
    this.#queue.add(now + (this.#random.next() * RELIST_MS) / this.#settings.pace, (at) => this.#relist(listing, at));
  }

  #edit(listing: MarketListing, now: EpochMs): void {
    const edited = this.#repriced(listing, listing);
    this.standing.replace(this.#withNextKept(edited, now));
  }

  #withNextKept(listing: MarketListing, now: EpochMs): MarketListing {
    const next = this.#withNext(listing, now);
    this.#kept(next);
    return next;
  }

  #relist(listing: MarketListing, now: EpochMs): void {
    const item = this.#catalogue.byId(listing.itemId);
    if (!item) return;
    const fresh = this.#draw(item, listing.place ?? 0);
    const { wear, paintSeed, stickers, charm } = listing.wire;
    const same = { ...fresh, wire: { ...fresh.wire, wear, paintSeed, stickers, charm } };
    this.#put(this.#withNext(this.#repriced(same, listing), now));
  }

  /** Another listing of the same name, any of them. */
  #another(listing: MarketListing): MarketListing | undefined {
    const others = this.standing.ofItem(listing.itemId).filter(({ id }) => id !== listing.id);
    return others[Math.floor(this.#random.next() * others.length)];
  }

  #repriced(listing: MarketListing, before: MarketListing): MarketListing {
    const item = this.#catalogue.byId(listing.itemId);
    if (!item || before.place === undefined) return listing;
    const rival = this.#another(before);
    const place =
      rival?.place === undefined
        ? placeAfterEdit(before.place, this.#random, this.#settings.rivalry.spread)
        : placeBeside(rival.place, this.#random);
    const prices = pricesAt(item, place, this.#settings.feeRate);
    return { ...listing, ...prices, place, wire: { ...listing.wire, ...prices } };
  }
}

/** The prices that are asked for, in dollars; the fee on top where only the base price is. */
function pricesAsked(
  { price, priceWithFee }: Readonly<Record<string, unknown>>,
  own: Pick<MarketListing, 'price' | 'priceWithFee'>,
  feeRate: number,
): { price: number; priceWithFee: number } {
  if (typeof price !== 'number') return { price: own.price, priceWithFee: own.priceWithFee };
  const withFee = Math.round(price * 100 * (1 + feeRate)) / 100;
  return { price, priceWithFee: typeof priceWithFee === 'number' ? priceWithFee : withFee };
}

/** How fast listings at a ratio leave for good, per millisecond at pace 1. */
function exitRate(ratio: number, { speed, share }: Rivalry): number {
  return share * speed * rivalRate(ratio) + DELIST_PER_MS * (1 - RELISTED);
}

/** Milliseconds until the next of events that come at a rate. */
function wait(random: Random, perMs: number): number {
  return -Math.log(1 - random.next()) / perMs;
}

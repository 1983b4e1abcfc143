import type { AccountLimits, StrategyLimits } from '../../src/domain/limits.ts';
import { type Listing, listingKey } from '../../src/domain/listing.ts';
import { type Micros, microsFromDollars } from '../../src/domain/money.ts';
import type { Purchase } from '../../src/domain/purchase.ts';
import type { Intent } from '../../src/risk/intent.ts';
import { type Strategy, anyListing } from '../../src/strategy/strategy.ts';

/** Where the tests' time begins: a Monday noon, UTC. */
export const NOON = Date.UTC(2026, 0, 5, 12);

export function dollars(amount: number): Micros {
  const exact = microsFromDollars(amount, 'up');
  if (exact === undefined) throw new RangeError(`no amount: ${amount}`);
  return exact;
}

export const noLimits: StrategyLimits = { spend: {}, count: {}, perItem: {} };

export const wideLimits: AccountLimits = {
  maxPrice: dollars(1_000),
  spend: { day: dollars(100_000) },
  perItem: {},
  never: [],
  reserve: dollars(0),
  openPurchases: 200,
  unknown: 1,
  breaker: { refusalsInRow: 50, perHour: 1_000, unusual: 10 },
};

/** A sound listing; what is not given is ordinary. `price` is the base price, the fee 5 %. */
export function listing(given: Partial<Listing> & { readonly id?: string } = {}): Listing {
  const market = given.market ?? 'c5game';
  const id = given.id ?? '800000001';
  const name = given.name ?? 'AK-47 | Redline (Field-Tested)';
  const price = given.price ?? 10;
  const priceWithFee = given.priceWithFee ?? Math.round(price * 105) / 100;
  return {
    itemId: '10807006fab895f4',
    steam: dollars(20),
    type: 'rifle',
    delivery: 'normal',
    exterior: 'Field-Tested',
    wear: 0.2,
    paintSeed: 1,
    rarity: 'Classified',
    collection: undefined,
    color: '#d32ce6',
    stickers: [],
    charm: null,
    ...given,
    key: listingKey(market, id),
    market,
    id,
    name,
    nameFolded: name.toLowerCase(),
    price,
    priceMicros: dollars(price),
    priceWithFee,
    cost: dollars(priceWithFee),
  };
}

export function intent(given: Partial<Intent> = {}): Intent {
  return {
    lane: 'live',
    strategy: 'cheap',
    strategyHash: 'hash',
    limits: noLimits,
    listing: listing(),
    seenAt: NOON,
    ...given,
  };
}

/** A strategy that wants what a test says. */
export function strategy(given: Partial<Strategy> = {}): Strategy {
  return {
    name: 'cheap',
    hash: 'hash',
    text: '',
    lane: 'live',
    priority: 0,
    limits: noLimits,
    usesReference: false,
    looksAround: undefined,
    watches: [],
    foresight: anyListing,
    matches: () => true,
    misses: () => undefined,
    explain: () => [],
    ...given,
  };
}

export function purchase(given: Partial<Purchase> = {}): Purchase {
  const cost = given.cost ?? dollars(10.5);
  return {
    id: 1,
    account: 'account-1',
    lane: 'live',
    state: 'bought',
    strategy: 'cheap',
    strategyHash: 'hash',
    market: 'c5game',
    listingId: '800000001',
    itemId: '10807006fab895f4',
    marketHashName: 'AK-47 | Redline (Field-Tested)',
    wear: 0.2,
    paintSeed: 1,
    price: 10,
    priceMicros: dollars(10),
    priceWithFee: 10.5,
    cost,
    steam: dollars(20),
    serviceOrderId: undefined,
    upstreamOrderId: undefined,
    orderStatus: undefined,
    paid: undefined,
    refunded: dollars(0),
    reason: undefined,
    held: false,
    wasUnknown: false,
    refusalCause: undefined,
    debitSeen: false,
    baseSeq: 0,
    baseTotal: undefined,
    baseBalance: undefined,
    createdAt: NOON,
    updatedAt: NOON,
    answeredAt: undefined,
    completedAt: undefined,
    settlementAt: undefined,
    ...given,
  };
}

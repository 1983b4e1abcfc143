import { z } from 'zod';
import { compileCheck, type Check } from './check.ts';
import type { EndpointName } from './endpoints.ts';

/*
 * The answers word for word as the document has them, where `schemas.ts` is content with less. Nothing that decides is held to these:
 * they tell a person where a service differs from its document. Fields that it does not name are let pass.
 */

const text = z.string();
const number = z.number();
const textOrNull = text.nullable();
const numberOrNull = number.nullable();
const hex16 = text.regex(/^[0-9a-f]{16}$/, 'must be 16 characters of 0-9 and a-f');

/** The envelope of a success, around whatever `data` is. */
const envelope = z.looseObject({
  requestId: text.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be formatted as a UUID'),
  success: z.literal(true),
  data: z.unknown(),
});

/**
 * As the item of a buy has it: without wear and paintSeed. The document gives no null for what an item may lack (a sticker has no wear,
 * some have no price on Steam); there null is taken, but not that the field is missing. A charm is known to come as a list of one, too.
 */
const boughtItem = z.looseObject({
  itemId: hex16,
  id: text.regex(/^\d+$/, 'must be digits only'),
  marketHashName: text,
  type: textOrNull,
  iconUrl: textOrNull,
  price: number,
  priceWithFee: number,
  steamPrice: numberOrNull,
  delivery: z.enum(['normal', 'auto']),
  market: z.enum(['c5game', 'ecosteam']),
  exterior: textOrNull,
  rarity: textOrNull,
  collection: textOrNull,
  color: text.regex(/^#[0-9a-f]{6}$/i, 'must be #rrggbb').nullable(),
  stickers: z.array(z.unknown()),
  charm: z.union([z.looseObject({}), z.array(z.looseObject({})).max(1), z.null()]),
});

const listing = boughtItem.extend({ wear: numberOrNull, paintSeed: number.int().nullable() });

const searchItem = z.looseObject({
  id: hex16,
  marketHashName: text,
  type: textOrNull,
  iconUrl: textOrNull,
  price: number,
  steamPrice: numberOrNull,
  exterior: textOrNull,
  rarity: textOrNull,
  collection: textOrNull,
  color: textOrNull,
  weapon: textOrNull,
  sellingTotal: number,
  popularity: number,
});

const suggestion = z.looseObject({
  id: text,
  marketHashName: text,
  iconUrl: textOrNull,
  rarity: textOrNull,
  color: textOrNull,
});

const orderResult = z.looseObject({ orderId: text.optional(), serviceOrderId: text, status: text, message: text.optional() });

const level = z.enum(['ok', 'degraded', 'down']);
const worker = z.looseObject({
  workerId: text,
  queue: text,
  consumerCount: number,
  heartbeat: z.looseObject({ ts: number, ageMs: number, balanceUsd: numberOrNull }).nullable(),
  status: z.enum(['ok', 'no-consumer', 'no-heartbeat', 'stale-heartbeat']),
});
const healthEntry = z.looseObject({
  status: level,
  staleMs: number,
  commonQueue: text,
  commonConsumers: number,
  workers: z.array(worker),
});

const orderRow = z.looseObject({
  id: text,
  item: text,
  itemId: text,
  amount: number,
  currency: z.literal('USD'),
  status: z.looseObject({
    code: z.enum(['INITIATED', 'PENDING', 'ACTIVE', 'HOLD', 'COMPLETED', 'FAILED', 'REVERTED']),
    label: text,
  }),
  timestamp: number,
  cancelType: number,
  cancelReason: text,
  settlementTime: textOrNull,
  protectedCauser: number,
});

const transactionRow = z.looseObject({
  id: text,
  itemId: text,
  itemName: text,
  float: numberOrNull,
  price: number,
  fee: number,
  amount: number,
  type: text,
  status: text,
  timestamp: number,
});

const chatAccount = z.looseObject({ id: text, username: text, discriminator: text, avatar: text });
const profile = z.looseObject({
  id: text,
  balance: number,
  twoFactor: z.looseObject({ enabled: z.boolean(), method: textOrNull }),
  subscription: z.looseObject({ active: z.boolean(), nextBilling: numberOrNull, cancelAtPeriodEnd: z.boolean() }),
  chatAccount: chatAccount.nullable(),
});

const fees = z.looseObject({
  totalSpent: numberOrNull,
  tier: numberOrNull,
  reduction: number,
  currentFee: number,
  platformFee: number,
  partnerFee: number,
  withdrawFee: number,
  progress: numberOrNull,
  isCustom: z.boolean(),
  isSubscribed: z.boolean(),
  inheritedFrom: z.looseObject({ type: z.literal('ApiKey'), id: text }).nullable(),
});

const childKey = z.looseObject({
  apiKeyId: text,
  apiKey: text.optional(),
  email: text,
  name: text,
  linkedUserId: textOrNull,
  status: z.enum(['active', 'suspended', 'deleted']),
  message: text,
});

/** The `data` of each answer that the document shows. */
const documentShapes = {
  search: { named: 'Search result item', data: z.looseObject({ items: z.array(searchItem), itemsCount: number }) },
  listings: { named: 'ListingItemV2', data: z.looseObject({ listings: z.array(listing), totalSellCount: number }) },
  suggestions: { named: 'Suggestion item', data: z.looseObject({ items: z.array(suggestion) }) },
  buy: { named: 'Buy order result', data: z.looseObject({ order: orderResult, item: boughtItem }) },
  liveListings: { named: 'ListingItemV2', data: z.looseObject({ listings: z.array(listing), listingsCount: number }) },
  listingDetail: {
    named: 'ListingItemV2',
    data: z.looseObject({
      items: z.array(z.union([listing, z.looseObject({ id: text, error: z.enum(['ITEM_NOT_FOUND', 'LISTING_NOT_FOUND']) })])),
    }),
  },
  createUser: { named: 'Child key', data: childKey },
  transfer: {
    named: 'Transfer result',
    data: z.looseObject({
      partnerApiKeyId: text.optional(),
      userApiKeyId: text.optional(),
      amountCents: number.optional(),
      message: text,
    }),
  },
  partnerStats: {
    named: 'Partner stats',
    data: z.looseObject({
      orderAmount: number,
      pendingOrderAmount: number,
      volume: number,
      pendingVolume: number,
      partnerRevenue: number,
      pendingPartnerRevenue: number,
    }),
  },
  marketHealth: {
    named: 'Market health',
    data: z.looseObject({
      status: level,
      ts: number,
      markets: z.looseObject({ c5: healthEntry, ecosteam: healthEntry }),
      service: z.looseObject({ c5: z.boolean(), ecosteam: z.boolean() }),
    }),
  },
  user: { named: 'Profile', data: z.looseObject({ type: z.enum(['user', 'apiKey']), message: text, profile }) },
  fees: { named: 'Fees', data: z.looseObject({ message: text, fees }) },
  transactions: {
    named: 'Transaction row',
    data: z.looseObject({ total: number, transactions: z.array(transactionRow), message: text }),
  },
  transactionStats: {
    named: 'GET /v1/user/transactions/stats',
    data: z.looseObject({ stats: z.looseObject({ completed: number, failed: number }), message: text }),
  },
  orders: {
    named: 'Order row',
    data: z.looseObject({ total: number, returned: number, orders: z.array(orderRow), message: text }),
  },
  ledger: {
    named: 'Ledger page',
    data: z.looseObject({ page: number, limit: number, total: number, items: z.array(z.unknown()), message: text }),
  },
} as const satisfies Partial<Record<EndpointName, { readonly named: string; readonly data: z.ZodType }>>;

/** What the document calls the payload of an endpoint; undefined where it shows none. */
export function documentNameOf(name: EndpointName): string | undefined {
  return shapeOf(name)?.named;
}

const checks = new Map<EndpointName | 'envelope', Check>();

/** Says of a whole answer how its envelope differs from the document's. */
export const checkEnvelope: Check = (value) => checkOf('envelope', envelope)(value);

/** Says of the `data` of an answer how it differs from what the document shows; nothing where that shows none. */
export function checkDocument(name: EndpointName, data: unknown): string | undefined {
  const shape = shapeOf(name);
  return shape && checkOf(name, shape.data)(data);
}

function shapeOf(name: EndpointName): { readonly named: string; readonly data: z.ZodType } | undefined {
  return Object.hasOwn(documentShapes, name) ? documentShapes[name as keyof typeof documentShapes] : undefined;
}

/** Compiled when first needed: nothing but a person's question needs them. */
function checkOf(name: EndpointName | 'envelope', shape: z.ZodType): Check {
  const known = checks.get(name);
  if (known) return known;
  const made = compileCheck(shape);
  checks.set(name, made);
  return made;
}

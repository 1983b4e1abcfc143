import { z } from 'zod';

// Wire shapes of the partner API. Strict where money depends on it, tolerant of unknown fields and unknown enum values
// everywhere else: an upstream that adds a word must not blind us. No transforms, so that each shape is also JSON Schema.

const text = z.string();
export const digits = z.string().regex(/^\d+$/, 'must be digits only').meta({ title: 'digits' });
const hex16 = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'must be 16 characters of 0-9 and a-f')
  .meta({ title: '16 characters of 0-9 and a-f' });
export const nullable = <T extends z.ZodType>(schema: T) => schema.nullable().optional();

const market = z.enum(['c5game', 'ecosteam']);
const delivery = z.enum(['normal', 'auto']);
/** Trade-offer URL; the host is any, since the document names none. */
export const tradeUrl = z
  .string()
  .regex(
    /^https:\/\/(?:www\.)?[^\s/?#]+\/tradeoffer\/new\/\?partner=\d+&token=[^\s&#]+$/,
    'must be https://HOST/tradeoffer/new/?partner=DIGITS&token=TEXT',
  )
  .meta({ title: 'a trade URL' });

/** What an offer must carry to be judged at all: what a purchase names and what it costs. */
export const listingCore = z.looseObject({
  itemId: text.min(1).max(64),
  id: digits.max(64),
  marketHashName: text.min(1).max(512),
  price: z.number().positive(),
  priceWithFee: z.number().positive(),
  market: text.min(1).max(64),
});

/** The live feed's envelope: the entries are judged one by one, so that one bad listing never costs the good ones. */
export const liveListings = z.looseObject({
  listings: z.array(z.unknown()),
  // Counts are known to come as text or null. One that contradicts the list is a matter for the feed, not a reason to see nothing.
  listingsCount: nullable(z.union([z.number(), text])),
});

export const itemListings = z.looseObject({ listings: z.array(z.unknown()), totalSellCount: z.number().optional() });

export const batchDetail = z.looseObject({ items: z.array(z.unknown()) });

export const batchDetailBody = z.strictObject({
  items: z
    .array(z.strictObject({ item: hex16, listing: digits, market }))
    .min(1)
    .max(10),
});

export const buyBody = z.strictObject({
  itemId: digits,
  price: z.number().positive(),
  market,
  tradeUrl: tradeUrl.optional(),
});

const buyOrder = z.looseObject({
  orderId: nullable(text),
  serviceOrderId: text.min(1),
  status: text,
  message: nullable(text),
});

export const buyResult = z.looseObject({ order: buyOrder, item: z.unknown() });

const healthStatus = text;
const worker = z.looseObject({
  workerId: text,
  queue: text,
  consumerCount: z.number(),
  heartbeat: z.looseObject({ ts: z.number(), ageMs: z.number(), balanceUsd: z.number().nullable() }).nullable(),
  status: text,
});
const marketHealthEntry = z.looseObject({
  status: healthStatus,
  staleMs: z.number(),
  commonQueue: text.optional(),
  commonConsumers: z.number().optional(),
  workers: z.array(worker).optional(),
});
/** A market or flag that is missing leaves that market unknown; it does not make the answer unreadable. */
export const marketHealth = z.looseObject({
  status: healthStatus,
  ts: z.number().optional(),
  markets: z.looseObject({ c5: marketHealthEntry.optional(), ecosteam: marketHealthEntry.optional() }),
  service: z.looseObject({ c5: z.boolean().optional(), ecosteam: z.boolean().optional() }),
});

export const profile = z.looseObject({
  type: text,
  message: text.optional(),
  profile: z.looseObject({ id: text.min(1), balance: z.number() }),
});

export const fees = z.looseObject({
  message: text.optional(),
  fees: z.looseObject({
    totalSpent: nullable(z.number()),
    tier: nullable(z.number()),
    reduction: z.number().optional(),
    currentFee: z.number().optional(),
    platformFee: z.number().optional(),
    partnerFee: z.number().optional(),
    withdrawFee: z.number().optional(),
    progress: nullable(z.number()),
    isCustom: z.boolean().optional(),
    isSubscribed: z.boolean().optional(),
    inheritedFrom: z.unknown(),
  }),
});

/** Rows are read one by one: one order's trouble must not stop the reconciling of all others. */
export const orders = z.looseObject({
  total: z.number().optional(),
  returned: z.number().optional(),
  orders: z.array(z.unknown()),
  message: text.optional(),
});

export const orderRow = z.looseObject({
  id: text.min(1),
  item: nullable(text),
  itemId: nullable(text),
  amount: z.number(),
  currency: nullable(text),
  status: z.looseObject({ code: text, label: nullable(text) }),
  timestamp: nullable(z.number()),
  cancelType: nullable(z.number()),
  cancelReason: nullable(text),
  settlementTime: nullable(text),
  protectedCauser: nullable(z.number()),
});

export const transactions = z.looseObject({
  total: z.number().optional(),
  transactions: z.array(z.unknown()),
  message: text.optional(),
});

export const transactionRow = z.looseObject({
  id: text.min(1),
  itemId: nullable(text),
  itemName: nullable(text),
  float: nullable(z.number()),
  price: nullable(z.number()),
  fee: nullable(z.number()),
  amount: z.number(),
  type: text,
  status: nullable(text),
  timestamp: nullable(z.number()),
});

export const transactionStats = z.looseObject({
  stats: z.looseObject({ completed: z.number(), failed: z.number() }),
  message: text.optional(),
});

export const ledgerPage = z.looseObject({
  page: z.number(),
  limit: z.number(),
  total: z.number(),
  items: z.array(z.unknown()),
  message: text.optional(),
});

export const searchQuery = z.strictObject({
  q: text.optional(),
  start: z.number().int().min(1).optional(),
  end: z.number().int().min(1).optional(),
  minPrice: z.number().min(0).optional(),
  maxPrice: z.number().min(0).optional(),
  rarity: text.optional(),
  team: text.optional(),
  wear: text.optional(),
  category: text.optional(),
  tags: text.optional(),
  paintIndex: text.optional(),
  weapon: text.optional(),
  itemType: text.optional(),
  sort: z.enum(['abc', 'priceAsc', 'popularity', 'priceDesc']).optional(),
});

const searchItem = z.looseObject({
  id: text,
  marketHashName: text,
  type: nullable(text),
  iconUrl: nullable(text),
  price: z.number(),
  steamPrice: nullable(z.number()),
  exterior: nullable(text),
  rarity: nullable(text),
  collection: nullable(text),
  color: nullable(text),
  weapon: nullable(text),
  sellingTotal: z.number(),
  popularity: z.number(),
});

export const searchResult = z.looseObject({ items: z.array(searchItem), itemsCount: z.number() });

export const suggestions = z.looseObject({
  items: z.array(
    z.looseObject({ id: text, marketHashName: text, iconUrl: nullable(text), rarity: nullable(text), color: nullable(text) }),
  ),
});

export const listingsQuery = z.strictObject({
  item: hex16,
  page: z.number().int().min(1).optional(),
  delivery: delivery.optional(),
});

export const suggestionsQuery = z.strictObject({ q: text.min(1) });

export const pageQuery = z.strictObject({ page: z.number().int().min(1).optional(), limit: z.number().int().min(1).optional() });

export const ledgerQuery = z.strictObject({
  page: z.number().int().min(1).optional(),
  limit: z.number().int().min(1).optional(),
  type: text.optional(),
});

export const noQuery = z.strictObject({});

/** A query that the document does not show: whatever is given is sent. */
export const openQuery = z.object({}).catchall(z.union([text, z.number()]));

/** A payload that the document does not show: passed through unharmed. */
export const open = z.unknown();

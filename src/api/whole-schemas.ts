import { z } from 'zod';
import {
  batchDetail,
  buyResult,
  itemListings,
  listingCore,
  liveListings,
  nullable,
  orderRow,
  orders,
  transactionRow,
  transactions,
} from './schemas.ts';

// The answers whose lists `schemas.ts` leaves to be judged one by one, here with every element.

const text = z.string();

/** A listing with everything that the document says of it. What is left out or null is let pass: a gap costs a field, not the listing. */
const listing = listingCore.extend({
  type: nullable(text),
  iconUrl: nullable(text),
  steamPrice: nullable(z.number()),
  delivery: nullable(text),
  exterior: nullable(text),
  wear: nullable(z.number()),
  paintSeed: nullable(z.number()),
  rarity: nullable(text),
  collection: nullable(text),
  color: nullable(text),
  stickers: nullable(z.array(z.unknown())),
  charm: z.unknown().optional(),
});

export const wholeLiveListings = liveListings.extend({ listings: z.array(listing) });
export const wholeItemListings = itemListings.extend({ listings: z.array(listing) });
const detailError = z.looseObject({ id: text, error: text });
export const wholeBatchDetail = batchDetail.extend({ items: z.array(z.union([listing, detailError])) });
export const wholeOrders = orders.extend({ orders: z.array(orderRow) });
export const wholeTransactions = transactions.extend({ transactions: z.array(transactionRow) });
export const wholeBuyResult = buyResult.extend({ item: listing });

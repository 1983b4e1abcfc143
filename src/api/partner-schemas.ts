import { z } from 'zod';
import { digits, nullable, tradeUrl } from './schemas.ts';

// Shapes of partner provisioning, transfers and statistics, and of the legacy requests that the document shows.

const text = z.string();
const email = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+){1,10}$/, 'must be an e-mail address')
  .meta({ title: 'an e-mail address' });

export const createUserBody = z.strictObject({
  email,
  name: text.max(128).meta({ title: 'text of at most 128 characters' }).optional(),
  description: text.max(500).meta({ title: 'text of at most 500 characters' }).optional(),
});

export const childKey = z.looseObject({
  apiKeyId: text.min(1),
  apiKey: nullable(text),
  email: nullable(text),
  name: nullable(text),
  linkedUserId: nullable(text),
  status: text,
  message: text.optional(),
});

export const transferBody = z.strictObject({
  toEmail: email.optional(),
  toApiKeyId: z
    .string()
    .regex(/^[0-9a-fA-F]{24}$/, 'must be 24 hex characters')
    .meta({ title: '24 hex characters' })
    .optional(),
  amountCents: z.number().int().min(1),
  idempotencyKey: text.min(1).max(128).meta({ title: 'text of at most 128 characters' }),
});

export const transferResult = z.looseObject({
  partnerApiKeyId: nullable(text),
  userApiKeyId: nullable(text),
  amountCents: nullable(z.number()),
  message: text,
});

export const partnerStats = z.looseObject({
  orderAmount: z.number(),
  pendingOrderAmount: z.number(),
  volume: z.number(),
  pendingVolume: z.number(),
  partnerRevenue: z.number(),
  pendingPartnerRevenue: z.number(),
});

export const legacyBuyBody = z.strictObject({
  itemId: digits,
  price: z.number().positive(),
  method: z.literal('balance').meta({ title: '`balance`' }),
  market: z.enum(['c5', 'ecosteam']),
  tradeURL: tradeUrl.optional(),
});

export const legacyDetailQuery = z.strictObject({
  item: text.length(16).meta({ title: '16 characters' }),
  listing: text.min(1),
  market: z.enum(['c5', 'eco', 'ecosteam']),
});

import { z } from 'zod';

// Bodies of the wallet's endpoints. Where the document does not forbid other fields, they are sent on.

const text = z.string();

export const withdrawBody = z.looseObject({
  token: z.enum(['USDC', 'USDT']),
  network: text.min(1),
  address: text.min(1),
  amount: z.number().min(10),
});

export const cryptoDepositBody = z.looseObject({
  token: z.enum(['USDT', 'BTC', 'ETH', 'USDC', 'SOL', 'DAI', 'POL']),
  amount: z.number().positive(),
  network: text.min(1),
});

const fiatType = z.literal([12, 20, 21]);
const one = z.literal(1).meta({ title: '`1`' });
const coinCode = z.enum(['usdt', 'usdc']);

export const onrampSessionBody = z.strictObject({
  fiatType,
  coinId: z.literal([54, 116]).optional(),
  coinCode: coinCode.optional(),
  chainId: z.literal([0, 1, 2, 16]).optional(),
  fiatAmount: z.number().positive().optional(),
  coinAmount: z.number().positive().optional(),
  type: one.optional(),
  network: text.optional(),
  paymentMethod: z.literal([1, 2]).optional(),
  redirectUrl: text.nullable().optional(),
});

export const onrampQuoteBody = z.strictObject({
  fiatAmount: z.number().positive(),
  fiatType,
  type: one,
  coinCode,
  network: text.min(1),
  countryCode: text.length(2).meta({ title: 'text of 2 characters' }).optional(),
});

/** A body that the document does not show; none is one too. */
export const openBody = z.unknown();

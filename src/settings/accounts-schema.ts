import { z } from 'zod';
import { block, key, tradeUrl, yesOrNo } from './shapes.ts';

/** What an account may be called: it names its folder, stands in every line of its log, and is typed behind `--account`. */
const ACCOUNT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

export function isAccountName(text: string): boolean {
  return ACCOUNT_NAME.test(text);
}

/** How many accounts one process serves at most. */
export const ACCOUNTS_MAX = 1_000;

/**
 * The accounts of a platform operator by name. What an account may say besides its key are the keys of the top that are given here, all
 * of them optional and without defaults: what it leaves out is what the top says, with the top's defaults.
 */
export function accountsOf(inherited: Readonly<Record<string, z.ZodType>>) {
  const own = {
    apiKey: key().optional().describe('Its own key: no other account may have the same.'),
    tradeUrl: tradeUrl().optional().describe('Where its items are sent; needed in live mode.'),
    dedicated: yesOrNo().optional().describe('true: nobody else buys with this key. Left out: as `account.dedicated` says.'),
  };
  const rest = Object.fromEntries(Object.entries(inherited).map(([name, schema]) => [name, leftOpen(schema)]));
  const wants = { error: 'a block with one account a key, such as `shop-one: { apiKey: ${SHOP_ONE_KEY} }`' };
  const name = z.string().regex(ACCOUNT_NAME);
  return z
    .record(name, block({ ...own, ...rest }), wants)
    .refine((accounts) => Object.keys(accounts).length > 0, wants)
    .refine((accounts) => Object.keys(accounts).length <= ACCOUNTS_MAX, { error: `a block of at most ${ACCOUNTS_MAX} accounts` })
    .meta({ title: 'a block an account, by name' });
}

/** What is wrong with the name of an account. */
export const accountNameWords = 'an account is named by a-z, 0-9 and -, at most 40 characters, beginning and ending with no -';

/** The same check without any default, so that what is not written stays unwritten; its words stay. */
function leftOpen(schema: z.ZodType): z.ZodType {
  const words = schema.description;
  const bare = withoutDefault(schema);
  const open = isBlock(bare) && Object.values(bare.shape).some(hasDefault) ? openBlock(bare) : bare;
  const optional = open.optional();
  return words === undefined ? optional : optional.describe(words);
}

function openBlock({ shape }: z.ZodObject<Record<string, z.ZodType>>): z.ZodType {
  return block(Object.fromEntries(Object.entries(shape).map(([name, each]) => [name, leftOpen(each)])));
}

function isBlock(schema: z.ZodType): schema is z.ZodObject<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject;
}

function withoutDefault(schema: z.ZodType): z.ZodType {
  const wrapped = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional;
  return wrapped ? withoutDefault(schema.unwrap() as z.ZodType) : schema;
}

function hasDefault(schema: unknown): boolean {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return true;
  return schema instanceof z.ZodOptional && hasDefault(schema.unwrap());
}

import { z } from 'zod';
import { DOLLARS_MAX } from '../domain/money.ts';
import {
  age,
  atLeastOne,
  belowFloorOf,
  block,
  dollars,
  groups,
  number,
  oneOrMore,
  perWindow,
  range,
  seeds,
  whole,
  yesNoOr,
} from './shapes.ts';

// The one definition of a strategy file: checks, editor completion (JSON Schema) and the reference page are derived from it.
// No transforms and no defaults, so that what was checked is what the file says.

const reference = atLeastOne({
  minSamples: whole(1, 90).optional().describe('So many past days with a steamPrice are on record, at least.'),
  maxAge: age().optional().describe('The newest of those days was over at most so long ago: `36h`, `3d`.'),
  maxJump: number(0, 1_000)
    .optional()
    .describe('steamPrice is at most this share above or below the median of those days: 0.5 is 50 %.'),
}).describe('Our own record of the steamPrice of its name. Neither true nor false while there is none.');

const conditions = z
  .strictObject(
    {
      name: oneOrMore('glob')
        .describe('marketHashName as a whole, one glob or a list, without case: `*` is any run of characters, `?` exactly one.')
        .optional(),
      market: oneOrMore('word').describe('Market of the listing (c5game, ecosteam), one or a list.').optional(),
      type: oneOrMore('word')
        .describe('Kind of item as the service calls it (rifle, knife, sticker …), one or a list.')
        .optional(),
      delivery: oneOrMore('word').describe('How it is delivered (normal, auto), one or a list.').optional(),
      exterior: oneOrMore('word').describe('Wear category as the listing names it (Field-Tested …), one or a list.').optional(),
      rarity: oneOrMore('word')
        .describe(
          'Rarity by name, one or a list. "Mil-Spec" and "Mil-Spec Grade" are the same; stickers and agents of that tier have ' +
            'names of their own ("High Grade", "Distinguished"): list them too, or use `color`, which takes in the whole tier.',
        )
        .optional(),
      collection: oneOrMore('glob').describe('Collection, one glob or a list.').optional(),
      color: oneOrMore('word').describe('Colour of the rarity as "#rrggbb" (in quotes), one or a list.').optional(),
      wear: range(number(0, 1)).describe('Wear (float value), never rounded.').optional(),
      paintSeed: seeds()
        .describe('Pattern number, a list or a range. It means something only for one weapon and finish.')
        .optional(),
      fade: range(number(0, 100))
        .describe(
          'How far a fade reaches, in per cent (80 to 100), from weapon and paint seed; Fade, Amber Fade and Acid Fade only.',
        )
        .optional(),
      stickers: atLeastOne({
        min: whole(0, 100).optional().describe('At least so many; 1 where only a name is given.'),
        max: whole(0, 100).optional().describe('At most so many.'),
        name: oneOrMore('glob')
          .describe(
            'Counts only stickers whose name matches one glob or one of a list. Names may come in Chinese: "*Katowice 2014*" does not ' +
              'match "Clan-Mystik（全息）| 2014年卡托维兹锦标赛", "*2014年卡托维兹*" does; list both.',
          )
          .optional(),
      })
        .describe('How many applied stickers match.')
        .optional(),
      charm: yesNoOr('a text in which * and ? stand for anything')
        .describe('true: has a charm; false: has none; a glob, or a list of them: has a charm of such a name.')
        .optional(),
      steamPrice: range(number(0, DOLLARS_MAX)).describe('Reference price on Steam, in dollars.').optional(),
      reference: reference.optional(),
      get all() {
        return groups(conditions).describe('Blocks of conditions that must all hold.').optional();
      },
      get any() {
        return groups(conditions).describe('Blocks of conditions of which at least one must hold.').optional();
      },
      get not() {
        return conditions.optional();
      },
    },
    { error: 'a block of conditions, such as { market: ecosteam }' },
  )
  .meta({
    id: 'conditions',
    minProperties: 1,
    description:
      'Conditions on a listing, all of which must hold. One on a value that the listing lacks is neither true nor false; only true buys.',
  });

const price = z
  .strictObject(
    {
      max: dollars().describe('priceWithFee at most this many dollars.').optional(),
      maxOfSteam: z
        .number({ error: 'a share above 0, such as 0.7 for 70 %' })
        .positive({ error: 'a share above 0, such as 0.7 for 70 %' })
        .max(10, { error: 'a share of at most 10, such as 0.7 for 70 %' })
        .describe('priceWithFee at most this share of steamPrice: 0.7 is 70 %.')
        .optional(),
      minProfit: number(-DOLLARS_MAX, DOLLARS_MAX)
        .describe("At least so many dollars left of a sale at steamPrice after Steam's own fee, minus priceWithFee.")
        .optional(),
      steamFee: z
        .number({ error: 'a share from 0 to less than 1, such as 0.15 for 15 %' })
        .min(0, { error: 'a share from 0 to less than 1, such as 0.15 for 15 %' })
        .lt(1, { error: 'a share from 0 to less than 1, such as 0.15 for 15 %' })
        .describe("For minProfit: steamPrice × (1 − steamFee) instead of Steam's own fee.")
        .optional(),
      maxOfMedian: z
        .number({ error: 'a share above 0, such as 0.7 for 70 %' })
        .positive({ error: 'a share above 0, such as 0.7 for 70 %' })
        .max(10, { error: 'a share of at most 10, such as 0.7 for 70 %' })
        .describe('priceWithFee at most this share of the recorded median of steamPrice; beside one of the other rules.')
        .optional(),
      belowFloor: belowFloorOf()
        .describe(
          'priceWithFee at least this share (0.05 is 5 %) below the cheapest other live listing of its name, or so many dollars, or ' +
            'both; beside one of the other rules. Judged once an answer has arrived whole.',
        )
        .optional(),
    },
    { error: 'a block with at least one of max, maxOfSteam and minProfit: without one it would buy at any price' },
  )
  .refine((rules) => rules.max !== undefined || rules.maxOfSteam !== undefined || rules.minProfit !== undefined, {
    error: 'a block with at least one of max, maxOfSteam and minProfit: without one it would buy at any price',
  })
  .meta({
    description: 'What it may cost; all rules that are given must hold, and one of max, maxOfSteam and minProfit must be given.',
    anyOf: [{ required: ['max'] }, { required: ['maxOfSteam'] }, { required: ['minProfit'] }],
  });

const limits = atLeastOne({
  spend: perWindow(dollars(), 'Dollars, fees included,').describe('What this strategy may spend.').optional(),
  count: perWindow(whole(1, 1_000_000), 'Purchases').describe('How many purchases it may make.').optional(),
  perItem: perWindow(whole(1, 1_000_000), 'Purchases')
    .describe('How many purchases it may make of one marketHashName.')
    .optional(),
}).describe("This strategy's own limits, beside the account's. What others buy with the key counts in the account's alone.");

/** A strategy file. */
export const strategyDocument = block({
  name: z
    .string({ error: 'a name of a-z, 0-9 and -, at most 64 characters' })
    .regex(/^[a-z0-9-]{1,64}$/, { error: 'a name of a-z, 0-9 and -, at most 64 characters' })
    .describe('Unique name of a-z, 0-9 and -, at most 64 characters.'),
  mode: z
    .enum(['live', 'dry-run'], { error: 'live or dry-run' })
    .describe('dry-run puts this one strategy on paper; default live.')
    .optional(),
  priority: whole(-1_000_000, 1_000_000)
    .describe('Which strategy goes first where several match: higher first; default 0.')
    .optional(),
  doppler: z
    .boolean({ error: 'true or false' })
    .describe(
      'true: maxOfSteam and minProfit count for Doppler and Gamma Doppler finishes too. Else they never hold for those, whose ' +
        'steamPrice blends all phases.',
    )
    .optional(),
  watch: z
    .boolean({ error: 'true or false' })
    .describe(
      'true: the items that `when.name` names, as whole names without * and ?, are looked at beside the live listings, as those of ' +
        '`watch.items` in the configuration are.',
    )
    .optional(),
  when: conditions.optional(),
  price,
  limits: limits.optional(),
}).meta({ title: 'Magpie strategy', description: 'What to buy, at which price, and how much of it.' });

export type StrategyDocument = z.infer<typeof strategyDocument>;
export type Conditions = z.infer<typeof conditions>;
export type PriceRules = z.infer<typeof price>;
export type Range = NonNullable<Conditions['wear']>;

/** The definition as JSON Schema (draft-07), for editors and the reference page. */
export function strategyJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(strategyDocument, { target: 'draft-7', io: 'input' });
}

import type { z } from 'zod';
import type { Settings } from './settings.ts';
import { block, duration, number, whole, yesOrNo } from './shapes.ts';
import { durationMs } from './units.ts';

const fall = block({
  off: yesOrNo().default(false).describe('true: a fall of the market pauses nothing.'),
  share: number({ above: 0, max: 1 })
    .default(0.3)
    .describe(
      'So many more names must be down than up, as a share of those that were seen the day before too (100 of them at least): 0.3 is 30 %.',
    ),
  by: number({ above: 0, max: 0.99 })
    .default(0.1)
    .describe('By how much, as a share, in their cheapest listings or in their steamPrices, against the day before.'),
  calm: duration('1h', '30d')
    .default('24h')
    .describe('Buying goes on when less than half of that has been seen for so long; `magpie resume` ends the pause at once.'),
});

/** The block `reference` of the configuration. */
export const reference = block({
  days: whole(1, 90)
    .default(14)
    .describe('So many past days of each name count, and are kept: a sample a day of its steamPrice and its cheapest listing.'),
  minSamples: whole(1, 90).default(3).describe('With fewer days on record nothing is held against a steamPrice.'),
  maxJump: number({ above: 0, max: 1_000 })
    .default(0.5)
    .describe(
      'A steamPrice that is further than this share above or below the median of those days buys nothing by rules that use it: 0.5 is 50 %.',
    ),
  fall: fall.prefault({}).describe('When prices fall all over the market within a day, buying pauses.'),
});

/** The block with every duration in milliseconds. Throws only where a check was forgotten. */
export function resolveReference({ fall: { off, share, by, calm }, ...rest }: z.output<typeof reference>): Settings['reference'] {
  const calmMs = durationMs(calm);
  if (calmMs === undefined) throw new Error('a configuration was resolved that had not passed its checks');
  return { ...rest, fall: off ? undefined : { share, by, calmMs } };
}

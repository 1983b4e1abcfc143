import { z } from 'zod';
import { block, number, path, whole } from './shapes.ts';

/** More variants than this say more about the patience of whoever asks than about the market. */
export const SAMPLES_MAX = 100_000;

const ways = 'a list of values, such as [0.6, 0.65, 0.7], or { from, to, step }, or { random: { from, to } }';

function anyNumber() {
  const wants = { error: 'a number' };
  return z.number(wants).min(-1e9, wants).max(1e9, wants);
}

function step() {
  const wants = { error: 'a number above 0' };
  return z.number(wants).gt(0, wants).max(1e9, wants);
}

const list = z.array(z.unknown(), { error: ways }).min(1, { error: ways }).max(SAMPLES_MAX, { error: ways });

const range = z.strictObject({ from: anyNumber(), to: anyNumber(), step: step() }, { error: ways });

const byChance = z.strictObject(
  {
    random: z.strictObject(
      { from: anyNumber(), to: anyNumber(), step: step().optional() },
      { error: 'a block of from and to, and step where not every number between may stand' },
    ),
  },
  { error: ways },
);

/** What one value is varied over. Which of the three it is meant to be is told by its keys, so that what is said of it fits. */
export function choiceSchema(value: unknown): typeof list | typeof range | typeof byChance {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return list;
  return 'random' in value ? byChance : range;
}

export type Written = z.infer<typeof list> | z.infer<typeof range> | z.infer<typeof byChance>;

/** A sweep file. */
export const sweepSchema = block({
  strategy: path(),
  vary: z
    .record(z.string(), z.unknown(), { error: 'a block of values to vary, such as { price.maxOfSteam: [0.6, 0.65, 0.7] }' })
    .refine((values) => Object.keys(values).length > 0, { error: 'a block of at least one value to vary' }),
  samples: whole(1, SAMPLES_MAX).optional(),
  seed: whole(0, 999_999_999).optional(),
  train: number({ min: 0.1, max: 0.9 }).optional(),
});

export type SweepDocument = z.infer<typeof sweepSchema>;

export const sweepKeys: readonly string[] = Object.keys(sweepSchema.shape);

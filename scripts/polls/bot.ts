import type { BotPlan } from '../../test/simulation/bot-plan.ts';

/** How a bot of long runs asks and sends: at the usual pace, with the caps of a person who means it. What it buys, each run says itself. */
export const steadyPace = {
  intervalMs: 1_000,
  healthIntervalMs: 10_000,
  healthStaleMs: 30_000,
  require: 'ok',
  parse: 'slices',
  timeoutMs: 10_000,
  buysPerSecond: 2,
  buysAtOnce: 1,
  reconcileMs: 30_000,
} as const satisfies Partial<BotPlan>;

export const steadyLimits = {
  ...{ maxPrice: 10, perItem: { day: 5 }, reserve: 10 },
  ...{ openPurchases: 200, unknown: 5, refusalsInRow: 50, perHour: 1_000 },
} as const satisfies Partial<BotPlan['limits']>;

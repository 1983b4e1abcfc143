import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Caps } from './audit.ts';

/** The account's limits of a run, in dollars and purchases. */
export type Limits = Omit<Caps, 'strategies'> & { readonly [key: string]: unknown };

type Strategy = Caps['strategies'][string] & { readonly price: object; readonly when: object; readonly priority?: number };

export interface Setup {
  readonly limits: Limits;
  readonly strategies: Readonly<Record<string, Strategy>>;
  /** Blocks of the configuration that differ from the defaults. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Writes a configuration with its strategies into a folder, as JSON, which is YAML as well; keys come from the environment. */
export function writeSetup(folder: string, { limits, strategies, config }: Setup): void {
  mkdirSync(join(folder, 'strategies'), { recursive: true });
  writeFileSync(join(folder, 'magpie.yaml'), `${JSON.stringify({ ...config, limits, mode: 'live' }, null, 2)}\n`);
  for (const [name, { spend, count, perItem, ...rest }] of Object.entries(strategies)) {
    const own = { ...(spend && { spend }), ...(count && { count }), ...(perItem && { perItem }) };
    const caps = Object.keys(own).length > 0 ? { limits: own } : {};
    writeFileSync(join(folder, 'strategies', `${name}.yaml`), `${JSON.stringify({ name, ...rest, ...caps }, null, 2)}\n`);
  }
}

export function capsOf({ limits, strategies }: Setup): Caps {
  return { ...limits, strategies };
}

/** What the long run buys with: strategies that find something every few seconds, under caps of which some bind. */
export const longRunSetup: Setup = {
  config: {
    feed: { interval: '1s' },
    rate: { reads: { perSecond: 6, concurrent: 3 }, buys: { perSecond: 2, concurrent: 1 }, timeout: '5s' },
    reconcile: { interval: '5s' },
  },
  limits: {
    maxPrice: 40,
    spend: { hour: 4_000, day: 5_000 },
    perItem: { hour: 2, day: 3 },
    never: ['Souvenir *'],
    openPurchases: 150,
    unknown: 40,
  },
  strategies: {
    'resale-below-80': {
      priority: 5,
      when: { steamPrice: { min: 2 } },
      price: { max: 40, maxOfSteam: 0.8 },
      spend: { day: 3_500 },
    },
    'small-change': { when: { name: '*' }, price: { max: 2 }, count: { day: 120 } },
    'knives-any': { priority: 9, when: { type: ['knife', 'hands'] }, price: { maxOfSteam: 0.7 }, count: { day: 3 } },
  },
};

import { type Killed, killing } from '../../scripts/proof/killing.ts';
import type { Setup } from '../../scripts/proof/setup.ts';

/** Quick to buy, and with caps that bind before the end. */
const setup: Setup = {
  config: {
    feed: { interval: '200ms', health: { interval: '500ms' } },
    rate: { reads: { perSecond: 30, concurrent: 4 }, buys: { perSecond: 12, concurrent: 2 }, timeout: '1s' },
    reconcile: { interval: '1s' },
  },
  limits: { maxPrice: 30, spend: { hour: 400, day: 500 }, perItem: { hour: 2 }, reserve: 40, openPurchases: 400, unknown: 300 },
  strategies: {
    cheap: { when: { name: '*' }, price: { max: 2 }, count: { hour: 100 } },
    better: { priority: 5, when: { steamPrice: { min: 1 } }, price: { max: 30, maxOfSteam: 0.9 }, spend: { day: 300 } },
  },
};

/** Some rounds of `npm run kill-loop`, under caps that bind before they are over. */
export function killed({
  kills,
  seed,
  folder,
}: {
  readonly kills: number;
  readonly seed: number;
  readonly folder: string;
}): Promise<Killed> {
  return killing({
    rounds: kills,
    seed,
    folder,
    setup,
    balance: 450,
    lookEvery: kills,
    settleEvery: 1,
    doubtMs: 0,
    say: () => undefined,
  });
}

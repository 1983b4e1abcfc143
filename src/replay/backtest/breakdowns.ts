import { profitOf } from './profit.ts';
import type { Bid } from './replay.ts';
import type { Study } from './study.ts';
import type { ValueModel } from './value.ts';

/** Expected purchases that have something in common. Micro-dollars. */
export interface Share {
  readonly label: string;
  readonly bought: number;
  readonly spent: number;
  readonly profit: number;
}

/** What the expected purchases of a trial come from. */
export interface Breakdowns {
  /** The most profitable first. */
  readonly items: readonly Share[];
  readonly rarities: readonly Share[];
  /** By the price as a share of steamPrice. */
  readonly discounts: readonly Share[];
  /** By the hour of the day, UTC. */
  readonly hours: readonly Share[];
}

const STEP = 0.1;

export function breakdownsOf(study: Study, model: ValueModel): Breakdowns {
  const weight = 1 / study.expected.length;
  const won = study.expected.flatMap(({ bids }) => bids.filter(({ fate }) => fate === 'won'));
  const by = (label: (bid: Bid) => string): Share[] => {
    const found = new Map<string, { label: string; bought: number; spent: number; profit: number }>();
    for (const bid of won) {
      const name = label(bid);
      const share = found.get(name) ?? { label: name, bought: 0, spent: 0, profit: 0 };
      found.set(name, share);
      share.bought += weight;
      share.spent += weight * bid.listing.cost;
      share.profit += weight * (profitOf(study, bid, model) ?? 0);
    }
    return [...found.values()];
  };
  const named = (shares: Share[]): Share[] => shares.sort((a, b) => (a.label < b.label ? -1 : 1));
  return {
    items: by(({ listing }) => listing.name).sort((a, b) => b.profit - a.profit),
    rarities: by(({ listing }) => listing.rarity ?? 'not told').sort((a, b) => b.profit - a.profit),
    discounts: named(by(discountOf)),
    hours: named(by(({ decidedAt }) => `${String(new Date(decidedAt).getUTCHours()).padStart(2, '0')}:00`)),
  };
}

function discountOf({ listing: { cost, steam } }: Bid): string {
  if (steam === undefined) return 'no steamPrice';
  const low = Math.floor(cost / steam / STEP);
  return low >= 10 ? '100 % and more' : `${low * 10}–${low * 10 + 10} %`;
}

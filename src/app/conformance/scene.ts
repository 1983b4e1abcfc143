import { checkListing } from '../../api/check.ts';
import type { ProbeAnswer } from '../../gateway/probe.ts';
import { successOf } from './case.ts';

/** A listing that stands, as far as it is asked about. */
export interface Offered {
  readonly itemId: string;
  readonly id: string;
  readonly market: string;
  readonly price: number;
  readonly priceWithFee: number;
}

/** What the suite asks about. */
export interface Scene {
  /** Cheapest first. */
  readonly listings: readonly Offered[];
  readonly tradeUrl: string;
  /** Tells the things that this run makes from those of others. */
  readonly mark: string;
}

/** The sound listings of an answer, which are asked about; none where there is no such answer. */
export function offeredIn(answer: ProbeAnswer): readonly Offered[] {
  const success = successOf('liveListings', answer);
  const data = success.ok ? (success.data as { readonly listings?: unknown } | undefined) : undefined;
  const listings = Array.isArray(data?.listings) ? (data.listings as unknown[]) : [];
  return listings
    .filter((listing): listing is Offered => checkListing(listing) === undefined)
    .toSorted((a, b) => a.priceWithFee - b.priceWithFee);
}

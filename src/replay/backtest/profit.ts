import type { Bid } from './replay.ts';
import type { Study } from './study.ts';
import type { ValueModel } from './value.ts';

/** What one purchase adds by a model: its worth (its cost where the money came back) less its cost; undefined: it cannot be valued. */
export function profitOf(study: Study, bid: Bid, model: ValueModel): number | undefined {
  if (bid.refunded) return 0;
  const worth = study.valuer.worth(bid)[model];
  return worth === undefined ? undefined : worth - bid.listing.cost;
}

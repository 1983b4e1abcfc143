import type { EpochMs } from '../domain/clock.ts';
import { formatDollars, sum } from '../domain/money.ts';
import { type Purchase, committedAmount } from '../domain/purchase.ts';
import type { Reader } from '../ledger/ledger.ts';
import type { Settings } from '../settings/settings.ts';
import { asking } from './folder.ts';
import type { Io } from './io.ts';
import { purchaseTable, purchaseTotals } from './purchase-table.ts';

/** Far more than one poll decides. */
const DECISIONS_MAX = 200_000;

/** What a run of one poll ends with: what was bought, or what would be bought now and for how much in all. */
export function showRun(io: Io, settings: Settings, since: EpochMs): void {
  const { out } = io;
  const { live, paper } = asking(settings.data, (reader) => madeSince(reader, since));
  if (settings.mode === 'live') {
    out.line();
    if (live.length === 0) out.line('Nothing was bought. → `magpie why LISTING_ID` explains any listing');
    else out.write(`${purchaseTable(out, live)}\n${purchaseTotals(live)}\n`);
    if (paper.length === 0) return;
  }
  out.line();
  if (paper.length === 0) return out.line('Nothing would be bought now. → `magpie why LISTING_ID` explains any listing');
  const total = formatDollars(sum(paper.map(committedAmount)));
  out.write(purchaseTable(out, paper));
  out.line();
  out.line(out.palette.strong(`${paper.length} would be bought now, for ${total} in all (on paper: nothing was sent)`));
}

interface Made {
  readonly live: readonly Purchase[];
  /** Those counted in an earlier dry-run whose offers still stand are among them. */
  readonly paper: readonly Purchase[];
}

function madeSince(reader: Reader | undefined, since: EpochMs): Made {
  if (reader === undefined) return { live: [], paper: [] };
  const made = reader.purchases({ since });
  const again = new Set<string>();
  for (const { at, reason, market, listingId } of reader.decisions(DECISIONS_MAX)) {
    if (at >= since && reason === 'already-simulated') again.add(`${market}:${listingId}`);
  }
  const earlier = again.size === 0 ? [] : newestOf(reader, again, since);
  return {
    live: made.filter(({ lane }) => lane === 'live'),
    paper: [...made.filter(({ lane }) => lane === 'paper'), ...earlier],
  };
}

/** The newest simulated purchase of each of these listings, made before then. */
function newestOf(reader: Reader, keys: ReadonlySet<string>, before: EpochMs): readonly Purchase[] {
  const newest = new Map<string, Purchase>();
  for (const purchase of reader.everyPurchase()) {
    const key = `${purchase.market}:${purchase.listingId}`;
    if (purchase.lane === 'paper' && purchase.createdAt < before && keys.has(key)) newest.set(key, purchase);
  }
  return [...newest.values()];
}

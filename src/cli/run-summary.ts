import type { PollFacts } from '../app/facts.ts';
import type { EpochMs } from '../domain/clock.ts';
import type { Decision } from '../domain/decision.ts';
import { formatDollars, sum } from '../domain/money.ts';
import { type Purchase, committedAmount } from '../domain/purchase.ts';
import { type ReasonCode, reasons } from '../domain/reason.ts';
import { shadowWords } from '../domain/shadow.ts';
import { counted } from '../domain/text.ts';
import type { Reader } from '../ledger/ledger.ts';
import type { Settings } from '../settings/settings.ts';
import { asking } from './folder.ts';
import { type ShadowOf, figuresOf } from './shadow-text.ts';
import type { Io, Voice } from './io.ts';
import { purchaseTable, purchaseTotals } from './purchase-table.ts';

/** Far more than one poll decides. */
const DECISIONS_MAX = 200_000;

/** What a run of one poll ends with: what was bought, or what would be bought now and for how much in all; if nothing, why. */
export function showRun(io: Io, settings: Settings, since: EpochMs, facts: PollFacts): void {
  const { out } = io;
  const made = asking(settings.data, (reader) => madeSince(reader, since));
  const { live, paper, shadowOf } = made;
  if (settings.mode === 'live') {
    out.line();
    if (live.length === 0) showNothing(out, 'was bought', facts, made.refused);
    else out.write(`${purchaseTable(out, live, shadowOf)}\n${purchaseTotals(live, shadowOf)}\n`);
    if (paper.length === 0) return;
  }
  out.line();
  if (paper.length === 0) {
    showNothing(out, 'would be bought now', facts, made.refused);
    return showEarlier(out, made);
  }
  const total = formatDollars(sum(paper.map(committedAmount)));
  out.write(purchaseTable(out, paper, shadowOf));
  out.line();
  showEarlier(out, made);
  const checked = shadowWords(figuresOf(paper, shadowOf));
  if (checked !== undefined) out.line(`Checked again: ${checked}`);
  out.line(out.palette.strong(`${paper.length} would be bought now, for ${total} in all (on paper: nothing was sent)`));
}

/** Reasons that an earlier dry-run may have brought about by what it counted. */
const BY_CAPS = /^(?:spend|item|strategy-\w+)-(?:hour|day|total)$/;

/** What an earlier dry-run has counted fills the caps of this one as purchases would; a second look must not pass for a first. */
function showEarlier({ line, palette }: Voice, { earlier, refused }: Made): void {
  const capped = sumOf([...refused].flatMap(([reason, count]) => (BY_CAPS.test(reason) ? [count] : [])));
  if (earlier === 0 || capped === 0) return;
  const they = earlier === 1 ? '1 purchase of an earlier dry-run counts' : `${earlier} purchases of earlier dry-runs count`;
  line(palette.warn(`${they} against the caps here, and ${counted(capped, 'listing was', 'listings were')} refused by caps.`));
  line('→ for a look that begins anew: a data folder of its own, `--data DIR`');
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function showNothing(out: Voice, what: string, { lastCompleteAt, listings }: PollFacts, refused: Refused): void {
  if (lastCompleteAt === undefined) return out.line(`Nothing was judged, so nothing ${what}.`);
  if (refused.size === 0)
    return out.line(`Nothing ${what}: no strategy wants any of ${counted(listings, 'listing')}. ${explains}`);
  out.line(`Nothing ${what}. Refused, of what the strategies want:`);
  for (const [reason, count] of refused) {
    const text = Object.hasOwn(reasons, reason) ? reasons[reason as ReasonCode].text : '';
    out.line(`  ${count} for ${reason}: ${text}`);
  }
  out.line(explains);
}

const explains = '→ `magpie why LISTING_ID` explains any listing';

/** How many listings were refused for each reason, the commonest first. */
type Refused = ReadonlyMap<string, number>;

interface Made {
  readonly live: readonly Purchase[];
  /** Those counted in an earlier dry-run whose offers still stand are among them. */
  readonly paper: readonly Purchase[];
  readonly shadowOf: ShadowOf;
  readonly refused: Refused;
  /** Purchases on paper from before this run, whose count nothing but time or another folder takes back. */
  readonly earlier: number;
}

function madeSince(reader: Reader | undefined, since: EpochMs): Made {
  if (reader === undefined) return { live: [], paper: [], shadowOf: () => undefined, refused: new Map(), earlier: 0 };
  const made = reader.purchases({ since });
  const decisions = reader.decisions(DECISIONS_MAX).filter(({ at }) => at >= since);
  const again = new Set<string>();
  for (const decision of decisions) if (decision.reason === 'already-simulated') again.add(keyOf(decision));
  const standing = again.size === 0 ? [] : newestOf(reader, again, since);
  const paper = [...made.filter(({ lane }) => lane === 'paper'), ...standing];
  const shadows = reader.shadowsOf(paper.map(({ id }) => id));
  return {
    live: made.filter(({ lane }) => lane === 'live'),
    paper,
    shadowOf: ({ id }) => shadows.get(id),
    refused: refusedOf(decisions),
    earlier: reader.purchases({ lane: 'paper' }).filter(({ createdAt }) => createdAt < since).length,
  };
}

function refusedOf(decisions: readonly Decision[]): Refused {
  const listings = new Map<string, Set<string>>();
  for (const decision of decisions) {
    if (decision.verdict === 'admitted') continue;
    const reason = decision.reason ?? 'no reason kept';
    listings.set(reason, (listings.get(reason) ?? new Set()).add(keyOf(decision)));
  }
  const counts = [...listings].map(([reason, keys]) => [reason, keys.size] as const);
  return new Map(counts.sort((a, b) => b[1] - a[1]));
}

function keyOf({ market, listingId }: { readonly market: string; readonly listingId: string }): string {
  return `${market}:${listingId}`;
}

/** The newest simulated purchase of each of these listings, made before then. */
function newestOf(reader: Reader, keys: ReadonlySet<string>, before: EpochMs): readonly Purchase[] {
  const newest = new Map<string, Purchase>();
  for (const purchase of reader.everyPurchase()) {
    const key = keyOf(purchase);
    if (purchase.lane === 'paper' && purchase.createdAt < before && keys.has(key)) newest.set(key, purchase);
  }
  return [...newest.values()];
}

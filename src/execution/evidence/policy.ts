import { CENT, type Micros } from '../../domain/money.ts';

/** What the configuration says about evidence. */
export interface EvidencePolicy {
  /** Nobody else buys with this key: an order or a fall of the balance that no purchase explains halts buying. */
  readonly dedicated: boolean;
  /** Milliseconds in which an order that has not got as far as the trade hold raises an alert. */
  readonly stuckAfterMs: number;
}

/** An amount that is off by less than this is the same amount, printed to the cent. */
export const TOLERANCE: Micros = CENT;

/** The second look that confirms a refusal begins at least this long after the first (invariant 7). */
export const CONFIRM_GAP_MS = 2_000;
/** So long after a refusal turned out bought, others are confirmed only by looks as far apart as a list can be late. */
export const DISTRUST_MS = 3_600_000;
/** Looks that confirm a refusal, and looks of the early proof (invariants 4 and 7). */
export const LOOKS_FEW = 2;
/** A refusal stays watched this long (invariant 7). */
export const WATCH_MS = 600_000;

/** A listing that stands this long after the request was sent was not bought by it (invariant 4). */
export const STANDING_MS = 60_000;

/** The long proof of absence: looks and quiet healthy time (reliability study, 4.1 and 4.4). */
export const LOOKS_MANY = 6;
export const QUIET_MS = 1_800_000;
/** What quiet time is worth while nobody may read the market's health: a quarter. */
export const QUIET_UNREADABLE_SHARE = 0.25;
/** Quiet time between two looks counts up to this: looks are a minute apart, so a longer gap is a machine that slept. */
export const QUIET_GAP_MS_MAX = 600_000;

/** An accepted order that no list shows after this is not merely late. */
export const LIST_LAG_MS = 600_000;
/** How long an accepted order's own id is waited for before a row under another id is taken for it. */
export const OWN_ID_WAIT_MS = 60_000;
/** An order and its debit are booked together: dates that are farther apart than this may be those of two purchases. */
export const SAME_MOMENT_MS = 100;
/**
 * How long what two purchases may have made in one second waits for what may tell: less than a refusal is watched, so that the one that is told
 * is still there.
 */
export const BLURRED_MS = 480_000;
/** What a date loses at most that is cut to whole seconds. */
export const DATE_CUT_MS = 1_000;
/** The same amount back so soon after the first time is the same money once more, not another purchase's. */
export const PAID_AGAIN_MS = 10_000;
/** What is dated this long after a purchase came after it, however far the service's clock and ours are apart in daily life. */
export const CLOCKS_APART_MS = 60_000;
/** How long a transaction with another float keeps a purchase from being settled by its order alone. */
export const FLOAT_DOUBT_MS = 120_000;
/** An unlisted order of this age is no longer preferred over a purchase of unknown outcome. */
export const UNLISTED_FRESH_MS = 3_600_000;
/** A row dated more than this before a purchase is not its order, once the service's dates have proved true of our own. */
export const DATE_MARGIN_MS = 600_000;

import type { EpochMs } from '../domain/clock.ts';
import type { Lags } from '../domain/lag.ts';
import type { AccountLimits } from '../domain/limits.ts';
import type { Listing, ListingKey } from '../domain/listing.ts';
import type { Micros } from '../domain/money.ts';
import type { Lane, Purchase } from '../domain/purchase.ts';
import type { BalanceReading, HealthMissing, HealthReading } from '../domain/readings.ts';
import type { ReasonCode } from '../domain/reason.ts';
import type { ReferenceRecord } from '../domain/reference.ts';
import type { Usual } from '../risk/breaker.ts';
import type { Refusal } from '../risk/caps.ts';
import type { HealthPolicy } from '../risk/health.ts';
import type { ReferencePolicy } from '../risk/reference-guard.ts';
import { type Taken, takenBy } from '../risk/taken.ts';
import type { Strategy } from '../strategy/strategy.ts';
import type { StrategyIndex } from '../strategy/strategy-index.ts';
import type { BlockerName } from './event.ts';
import { type Exposure, emptyExposure, withAdopted, withPurchase } from './exposure.ts';
import type { Halt } from './journal.ts';
import { NameShelf } from './name-shelf.ts';

/** What decides; the event `rules` brings others. What the index of strategies remembers of items changes no answer. */
export interface Rules {
  /** In the order in which they get a listing: priority first, then name. */
  readonly strategies: StrategyIndex;
  readonly limits: AccountLimits;
  /** Whether `limits.never` holds for a name (NFC, lower case). */
  readonly never: (nameFolded: string) => boolean;
  readonly health: HealthPolicy;
  /** When a steamPrice is not believed beside our own record of it; missing: it always is. */
  readonly reference?: ReferencePolicy | undefined;
  /** How long a match may wait for its turn, milliseconds: two polling intervals in a running daemon. */
  readonly patienceMs: number;
}

/** One listing that some strategy wants, as it was last seen. */
export interface Match {
  readonly key: ListingKey;
  readonly listing: Listing;
  /** The strategies that match it, in order, for each lane. */
  readonly strategies: Readonly<Record<Lane, readonly Strategy[]>>;
  readonly position: number;
  readonly priority: number;
  /** 1 − price / steamPrice; 0 without a reference. */
  readonly discount: number;
  /** When a snapshot last showed it like this. */
  seenAt: EpochMs;
  /** The last reason noted for each lane and strategy, so that the same one is written once. */
  readonly noted: Map<string, ReasonCode | 'admitted'>;
  /** A person asked for it: the number of the request. */
  readonly requestId: number | undefined;
}

export interface Waiting {
  readonly match: Match;
  readonly since: EpochMs;
}

/** What was handed on of an answer that has not ended yet. */
export interface EarlyAnswer {
  readonly pollSeq: number;
  /** These very listings have been looked at: the whole answer shows them once more. */
  readonly shown: Map<ListingKey, Listing>;
  /** How many of them are wanted. */
  wanted: number;
  /** Matches that stand, but are judged only with the whole answer. */
  readonly putOff: Match[];
}

/** What one of several accounts knows of the others. */
export interface Among {
  /** The listing that it may buy now, if it still wants to. */
  turn: ListingKey | undefined;
  /** Listings that another account has. */
  readonly elsewhere: Set<ListingKey>;
}

export interface LaneState {
  readonly exposure: Exposure;
  readonly taken: Map<ListingKey, Taken>;
  /** The newest purchase of each listing: only its row can open the listing again. */
  readonly newest: Map<ListingKey, number>;
  /** Intents whose request has no outcome yet: of each listing one at most. */
  readonly pending: Map<ListingKey, Pending>;
  /** Of all rows that were told. */
  newestId: number;
}

/** An intent that was handed on. Its row comes later than all that had been told by then, and nothing else says which it is. */
export interface Pending {
  /** What the listing means should it never be sent. */
  before: Taken | undefined;
  /** Rows up to this one are of earlier purchases. */
  readonly after: number;
}

/** All that the engine knows. Owned by `step`: the state that was handed in must not be used after the call. */
export interface EngineState {
  rules: Rules;
  readonly lanes: Readonly<Record<Lane, LaneState>>;
  readonly blockers: Map<BlockerName, Refusal>;
  halt: Halt | undefined;
  health: HealthReading | HealthMissing | undefined;
  balance: BalanceReading | undefined;
  slowedUntil: EpochMs | undefined;
  /** After a refusal of the key, trade URL or account, or a service that cannot be reached: no attempt before this. */
  cautionUntil: EpochMs | undefined;
  cautions: number;
  /** Leave to send so many live buys now. */
  permits: number;
  /** Matching listings that still stand. */
  readonly standing: Map<ListingKey, Match>;
  /** Listings that looks at watched items have shown and the live listings do not: no answer of those makes them fresh. */
  readonly watchedAlone: Set<ListingKey>;
  /** Live matches that wait for a permit. */
  waiting: Waiting[];
  /** Of one of several accounts that buy in turns; undefined: this account is alone, and buys whenever it has a permit. */
  readonly among: Among | undefined;
  /** undefined while no answer has shown anything before its end. */
  early: EarlyAnswer | undefined;
  /** Grows with everything that could turn a refusal into an admission. */
  version: number;
  judgedVersion: number;
  judgedAt: EpochMs;
  refusalsInRow: number;
  /** When a purchase was last accepted or a person acted. */
  provenAt: EpochMs | undefined;
  usual: Usual | undefined;
  hour: { start: EpochMs; matches: number };
  /** Our own record of each name's steamPrice, by the name as `foldCase` makes it. */
  references: ReadonlyMap<string, ReferenceRecord>;
  /** The same where no other account shares it. */
  readonly ownReferences: Map<string, ReferenceRecord>;
  /** The live listings by name. */
  readonly shelf: NameShelf;
  /** When a jump of a steamPrice was last reported. */
  jumpToldAt: EpochMs | undefined;
  /** The reserve has been reported as reached, and has not been left since. */
  reserveTold: boolean;
}

export interface AdoptedOrder {
  readonly orderId: string;
  readonly amount: Micros;
  readonly marketHashName: string;
  readonly firstSeen: EpochMs;
  /** It is on its way: neither delivered nor failed. */
  readonly open: boolean;
}

export interface Past {
  /** Oldest first. */
  readonly purchases: Iterable<Purchase>;
  readonly adopted: Iterable<AdoptedOrder>;
  readonly halt: Halt | undefined;
  readonly slowedUntil: EpochMs | undefined;
  readonly refusalsInRow: number;
  /** Of the runs that have written the purchases and orders. */
  readonly lags?: Lags | undefined;
  readonly now: EpochMs;
  /** It is one of several accounts: nothing is bought but in its turn. */
  readonly inTurns?: boolean | undefined;
}

function emptyLane(lags: Lags | undefined): LaneState {
  return { exposure: emptyExposure(lags), taken: new Map(), newest: new Map(), pending: new Map(), newestId: 0 };
}

/** The state at start: everything the ledger remembers, and buying closed until the start checks have passed. */
export function initialState(rules: Rules, past: Past): EngineState {
  const lanes = { live: emptyLane(past.lags), paper: emptyLane(past.lags) };
  for (const purchase of past.purchases) {
    const lane = lanes[purchase.lane];
    withPurchase(lane.exposure, purchase);
    noteTaken(lane, purchase);
    lane.newestId = Math.max(lane.newestId, purchase.id);
  }
  for (const { orderId, amount, marketHashName, firstSeen, open } of past.adopted) {
    withAdopted(lanes.live.exposure, orderId, { at: firstSeen, amount, marketHashName, open });
  }
  const ownReferences = new Map<string, ReferenceRecord>();
  return {
    rules,
    lanes,
    blockers: new Map([['starting', { reason: 'starting', detail: 'the start checks have not begun' }]]),
    halt: past.halt,
    health: undefined,
    balance: undefined,
    slowedUntil: past.slowedUntil,
    cautionUntil: undefined,
    cautions: 0,
    permits: 0,
    standing: new Map(),
    watchedAlone: new Set(),
    waiting: [],
    among: past.inTurns === true ? { turn: undefined, elsewhere: new Set() } : undefined,
    early: undefined,
    version: 0,
    judgedVersion: 0,
    judgedAt: past.now,
    refusalsInRow: past.refusalsInRow,
    provenAt: past.now,
    usual: undefined,
    hour: { start: hourOf(past.now), matches: 0 },
    reserveTold: false,
    references: ownReferences,
    ownReferences,
    shelf: new NameShelf(),
    jumpToldAt: undefined,
  };
}

/** Whether an intent for the listing of a purchase is under way, and is not this one, which was made before. */
export function isBeforePending({ pending }: LaneState, { id, market, listingId }: Purchase): boolean {
  return id <= (pending.get(`${market}:${listingId}`)?.after ?? -1);
}

/**
 * What a purchase's row means for its listing. Of several purchases, the newest counts, unless an older one closes it. While a later intent
 * is under way the listing is closed by that, whatever its older rows say: they count again if it is never sent.
 */
export function noteTaken(lane: LaneState, purchase: Purchase): void {
  const key: ListingKey = `${purchase.market}:${purchase.listingId}`;
  const taken = takenBy(purchase);
  if (taken === undefined) return;
  const newest = lane.newest.get(key) ?? 0;
  if (purchase.id >= newest) lane.newest.set(key, purchase.id);
  if (taken.kind !== 'closed' && purchase.id < newest) return;
  const pending = lane.pending.get(key);
  if (pending !== undefined && purchase.id <= pending.after) pending.before = taken;
  else lane.taken.set(key, taken);
}

/** The start of the hour that an instant falls in. */
export function hourOf(at: EpochMs): EpochMs {
  return at - (at % 3_600_000);
}

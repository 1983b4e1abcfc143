import type { EpochMs } from '../domain/clock.ts';
import type { Listing, ListingKey } from '../domain/listing.ts';
import type { BuyOutcome } from '../domain/outcome.ts';
import type { Lane, Purchase } from '../domain/purchase.ts';
import type { BalanceReading, HealthMissing, HealthReading } from '../domain/readings.ts';
import type { ReferenceRecord } from '../domain/reference.ts';
import type { Usual } from '../risk/breaker.ts';
import type { Refusal } from '../risk/caps.ts';
import type { Approved, Intent } from '../risk/intent.ts';
import type { Halt } from './journal.ts';
import type { ItemLook } from './item-look.ts';
import type { NamedRecord } from './references.ts';
import type { EarlyChange, ListingChange, SnapshotChange } from './snapshot.ts';
import type { AdoptedOrder, Rules } from './state.ts';

/** What keeps buying closed until it is cured. Listed by importance: the first that stands is the reason given. */
export const blockerNames = ['stopping', 'journal', 'lock', 'clock', 'starting', 'orders', 'slept', 'market'] as const;
export type BlockerName = (typeof blockerNames)[number];

/** Something that happened outside. `at` is when, by the steady clock. */
export type Event = { readonly at: EpochMs } & (
  | {
      readonly type: 'snapshot';
      readonly change: SnapshotChange;
      /** Said by `Stillness` alone: what stands would be judged as it was, and is not looked at again. */
      readonly asJudged?: boolean;
    }
  | { /** An answer that still arrives shows so much for sure. */ readonly type: 'early'; readonly change: EarlyChange }
  | { /** A page of a watched item's listings. */ readonly type: 'looked'; readonly look: ItemLook }
  | { readonly type: 'health'; readonly health: HealthReading | HealthMissing }
  | { readonly type: 'balance'; readonly reading: BalanceReading }
  | { /** The limiter lets one buy go. */ readonly type: 'permit' }
  | {
      /** Rows of the ledger that are new or have changed. */ readonly type: 'purchases';
      readonly purchases: readonly Purchase[];
    }
  | { /** An order that nobody here made. */ readonly type: 'adopted'; readonly order: AdoptedOrder }
  | { /** One of those has turned out to be a purchase's own. */ readonly type: 'explained'; readonly orderId: string }
  | {
      /** A buy request of ours came to something. */ readonly type: 'outcome';
      readonly purchase: Purchase;
      readonly outcome: BuyOutcome;
    }
  | {
      /** The ledger's own check said no to what the engine had approved; nothing was sent. */ readonly type: 'not-committed';
      readonly intent: Approved<Intent>;
      readonly refusal: Refusal;
    }
  | { readonly type: 'halted'; readonly halt: Halt }
  | { readonly type: 'resumed' }
  | { readonly type: 'blocked'; readonly name: BlockerName; readonly refusal: Refusal }
  | { readonly type: 'unblocked'; readonly name: BlockerName }
  | { readonly type: 'slowed'; readonly until: EpochMs }
  | { readonly type: 'usual'; readonly usual: Usual }
  | {
      /** A person wants to buy this listing as it was seen. */ readonly type: 'by-hand';
      readonly listing: Listing;
      readonly seenAt: EpochMs;
      readonly lane: Lane;
      readonly requestId: number;
    }
  | {
      /** Strategies and limits are others from now on. What stands is matched anew by the events `shown` that follow. */
      readonly type: 'rules';
      readonly rules: Rules;
    }
  | {
      /** Some of the listings that stand, for rules that came after them: judged with the next complete snapshot. */
      readonly type: 'shown';
      readonly listings: readonly StandingListing[];
    }
  | {
      /** Our own records of some names are others from now on. */
      readonly type: 'references';
      readonly records: readonly NamedRecord[];
      /** Every record, these among them, as whoever keeps them for several accounts holds them; left out: the engine has its own. */
      readonly all?: ReadonlyMap<string, ReferenceRecord> | undefined;
    }
  | {
      /** Of several accounts that may want it, this one's turn has come to buy a listing. */ readonly type: 'turn';
      readonly key: ListingKey;
    }
  | {
      /** Another account has a listing, or has it no longer. */ readonly type: 'elsewhere';
      readonly key: ListingKey;
      readonly taken: boolean;
    }
  | { /** Time has passed; matches that waited too long are dropped. */ readonly type: 'tick' }
);

/** A listing as the newest answers show it. */
export type StandingListing = Pick<ListingChange, 'listing' | 'seenAt' | 'position'> & {
  /** Looks at its item alone have shown it, last at `seenAt`. */
  readonly alone?: boolean;
};

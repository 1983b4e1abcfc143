import type { EpochMs } from '../domain/clock.ts';
import type { Listing } from '../domain/listing.ts';
import type { BuyOutcome } from '../domain/outcome.ts';
import type { Lane, Purchase } from '../domain/purchase.ts';
import type { BalanceReading, HealthMissing, HealthReading } from '../domain/readings.ts';
import type { Usual } from '../risk/breaker.ts';
import type { Refusal } from '../risk/caps.ts';
import type { Approved, Intent } from '../risk/intent.ts';
import type { Halt } from './journal.ts';
import type { EarlyChange, SnapshotChange } from './snapshot.ts';
import type { AdoptedOrder } from './state.ts';

/** What keeps buying closed until it is cured. Listed by importance: the first that stands is the reason given. */
export const blockerNames = ['stopping', 'journal', 'lock', 'clock', 'starting', 'orders', 'slept'] as const;
export type BlockerName = (typeof blockerNames)[number];

/** Something that happened outside. `at` is when, by the steady clock. */
export type Event = { readonly at: EpochMs } & (
  | { readonly type: 'snapshot'; readonly change: SnapshotChange }
  | { /** An answer that still arrives shows so much for sure. */ readonly type: 'early'; readonly change: EarlyChange }
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
  | { /** Time has passed; matches that waited too long are dropped. */ readonly type: 'tick' }
);

import type { Micros } from '../domain/money.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log, Permits, Service } from '../engine/ports.ts';
import type { Rules } from '../engine/state.ts';
import type { Buyer } from '../execution/buyer.ts';
import type { EvidencePolicy } from '../execution/evidence/policy.ts';
import type { Paper } from '../execution/paper.ts';
import type { Told } from '../execution/told.ts';
import type { Parse } from '../feed/watch.ts';
import type { Watchlist } from '../feed/watchlist.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tape } from '../replay/tape.ts';
import type { ShadowingOptions } from './shadowing.ts';
import type { Observer } from './monitoring/observer.ts';
import type { ReferenceKeeping } from './references.ts';
import type { MarketSource } from './watching.ts';
import type { VigilOptions } from './vigil.ts';

/** The account's limits as they stand when they are asked for. */
type CurrentLimits = () => Rules['limits'];

export interface CoreOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly ledger: Ledger;
  readonly service: Service;
  readonly rules: Rules;
  readonly intervalMs: number;
  readonly healthIntervalMs: number;
  readonly parse: Parse;
  /** Items that are looked at beside the live listings; missing: none. */
  readonly watchlist?: Watchlist | undefined;
  /** Who reads listings and health for this account and others; left out: it reads them by itself. */
  readonly market?: MarketSource | undefined;
  /** It is one of several accounts, and buys in its turn. */
  readonly inTurns?: boolean | undefined;
  readonly tape: Pick<Tape, 'poll' | 'input'> | undefined;
  /** Counts what is done; undefined: nobody does. */
  readonly observer?: Observer | undefined;
  /** What sends live purchases; undefined in dry-run, where no object exists that could send one. */
  readonly live: { readonly permits: Permits; readonly buyer: (told: Told, limits: CurrentLimits) => Buyer } | undefined;
  readonly paper: (told: Told, limits: CurrentLimits) => Paper;
  /** How purchases on paper are checked again; undefined: they are not. */
  readonly shadows?: ShadowingOptions['settings'] | undefined;
  /** Missing: no record of prices is kept. */
  readonly reference?: ReferenceKeeping | undefined;
  readonly policy: EvidencePolicy;
  /** A free balance below this is told of; undefined: by the reserve. */
  readonly lowBalance?: Micros | undefined;
  /** From one look at the orders to the next while purchases are open, milliseconds. */
  readonly lookIntervalMs: number;
  /** From one look at what commands have changed in the ledger to the next, milliseconds; by default a fifth of a second. */
  readonly outsideIntervalMs?: number | undefined;
  /** Sees to the locks of folder and key; a fault while one cannot be held. */
  readonly keepLocks?: VigilOptions['keepLocks'];
  readonly onForeignFolder: (account: string, belongsTo: string) => void;
  /** A defect of ours: buying stops, and the process must not go on as if nothing had happened. */
  readonly onDefect: (error: unknown) => void;
}

import type { Clock, EpochMs } from '../domain/clock.ts';
import { counted } from '../domain/text.ts';
import type { Look } from '../engine/evidence.ts';
import { LIST_LAG_MS } from '../execution/evidence/policy.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { StartGate } from './start-gate.ts';

/** A look that leaves orders unaccounted for is soon followed by another, and then less and less often. */
const AGAIN_MS = 2_000;
const AGAIN_MS_MAX = 30_000;

type Orders = NonNullable<Look['orders']>;

export interface FirstLookOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'knownWith' | 'hiddenOrders' | 'keepHiddenOrders'>;
  readonly gate: Pick<StartGate, 'looked'>;
  /** Has the orders looked at again. */
  readonly lookAgain: () => void;
}

/**
 * Whether a look at the orders may open buying after a start. The ledger may be an old copy and the list late, and what neither knows of
 * counts in no cap: each row must be readable, and as many orders known as the total counts. A list may end after the newest so many
 * orders, or have no total at all: what it has never shown is remembered, and a count that stays unexplained is waited for no longer
 * than an order takes to be listed.
 */
export class FirstLook {
  readonly #options: FirstLookOptions;
  #passed = false;
  /** When a list that could be read first left orders unaccounted for. */
  #lackingSince: EpochMs | undefined;
  #againMs = AGAIN_MS;
  #againAt: EpochMs | undefined;

  constructor(options: FirstLookOptions) {
    this.#options = options;
  }

  /** A look has read the orders, and everything that was open was held against them. */
  looked(orders: Orders): void {
    const { clock, gate } = this.#options;
    const missing = this.#passed ? undefined : this.#missing(orders);
    if (missing === undefined && orders.unreadable === 0) this.#keep(orders);
    gate.looked(missing);
    this.#passed = missing === undefined;
    this.#againAt = this.#passed ? undefined : clock.now() + this.#againMs;
    this.#againMs = Math.min(this.#againMs * 2, AGAIN_MS_MAX);
  }

  /** To be called again and again. */
  tick(): void {
    if (this.#againAt === undefined || this.#options.clock.now() < this.#againAt) return;
    this.#againAt = undefined;
    this.#options.lookAgain();
  }

  #missing(orders: Orders): string | undefined {
    const { rows, unreadable } = orders;
    if (unreadable > 0)
      return `${unreadable} of ${counted(rows.length + unreadable, 'order')} in the account's list cannot be read`;
    const lacking = this.#lacking(orders);
    if (lacking === undefined) return undefined;
    const now = this.#options.clock.now();
    this.#lackingSince ??= now;
    return now - this.#lackingSince >= LIST_LAG_MS ? undefined : lacking;
  }

  #lacking({ rows, total, returned }: Orders): string | undefined {
    const { ledger } = this.#options;
    if (returned !== undefined && returned !== rows.length)
      return `the account's list shows ${counted(rows.length, 'order')} and says that it shows ${returned}`;
    if (total === undefined) return "the account's list does not say how many orders there are: it may be late";
    const unexplained = total - ledger.knownWith(rows.map(({ orderId }) => orderId)).all;
    // Before anything was bought every order is from before our time; but a list that shows none of them is no list.
    const allowed = ledger.hiddenOrders() ?? (rows.length > 0 ? Number.POSITIVE_INFINITY : 0);
    if (unexplained <= allowed) return undefined;
    return `the account has ${counted(total, 'order')}, and its list does not show all that are not known yet: it may be late`;
  }

  /** What has never been listed although it is counted, as it stands when buying opens; later only what turns out to be less. */
  #keep({ rows, total }: Orders): void {
    if (total === undefined) return;
    const { ledger } = this.#options;
    const hidden = Math.max(0, total - ledger.knownWith(rows.map(({ orderId }) => orderId)).listed);
    const kept = ledger.hiddenOrders();
    if (kept === undefined || (this.#passed ? hidden < kept : hidden !== kept)) ledger.keepHiddenOrders(hidden);
  }
}

import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Refusal } from '../risk/caps.ts';
import type { BlockerName } from '../engine/event.ts';
import type { Posted } from './engine-loop.ts';

/** A machine's clock further than this from the service's cannot be trusted with windows. */
const CLOCK_OFF_MS = 5 * 60_000;

/** Steady time never comes to agree by itself: where one date of the service did not, so many in a row must, since some may be wrong. */
const AGREE_AGAIN = 3;

export interface GateOptions {
  readonly clock: Clock;
  readonly post: (event: Posted) => void;
  /** The latest time in any row of the ledger; undefined in an empty one. */
  readonly newestRowAt: EpochMs | undefined;
  /** Told once, when everything has passed. */
  readonly onOpen: () => void;
  /** The clock is wrong, with what it was held against; undefined: it is right. */
  readonly onClock: (wrong: string | undefined) => void;
}

/** What must be known before anything is bought: whose account it is, what it has ordered, and what time it is. */
export class StartGate {
  readonly #options: GateOptions;
  #account = false;
  /** Why no look at the orders is enough yet; undefined: one was. */
  #unseen: string | undefined = 'the orders of the account have not been looked at yet';
  #open = false;
  #clockWrong = false;
  /** Dates that agreed in a row since one did not; undefined: none ever disagreed. */
  #agreed: number | undefined;
  /** Dates in a row, each later than the last, that agreed with the clock although rows are dated later. */
  #forClock = 0;
  #lastForClock = -Infinity;
  #told = '';

  constructor(options: GateOptions) {
    this.#options = options;
    this.#tell();
  }

  get open(): boolean {
    return this.#open;
  }

  /** The service has borne out the machine's clock, as far as it tells the time. */
  get isTimeKnown(): boolean {
    return this.#account && !this.#clockWrong;
  }

  /**
   * The account has answered and the data folder is its own. The answer's date is what the machine's clock is held against. True when by
   * that the clock is right, and rows are dated later all the same: an earlier run had a wrong one.
   */
  accountKnown(serviceDate: EpochMs | undefined): boolean {
    this.#account = true;
    const rowsAhead = this.#checkClock(serviceDate);
    this.#tell();
    return rowsAhead;
  }

  /**
   * Orders of the account were looked at since the start, and everything that was open was held against them. `lacking`: why that is
   * not enough.
   */
  looked(lacking?: string): void {
    this.#unseen = lacking;
    this.#tell();
  }

  /** What keeps the gate closed, as far as it is known. */
  missing(detail: string): void {
    if (!this.#open) this.#block('starting', { reason: 'starting', detail });
  }

  /** At the start a wrong clock keeps buying blocked until it is right; afterwards the steady clock carries on. */
  #checkClock(serviceDate: EpochMs | undefined): boolean {
    if (this.#open && !this.#clockWrong) return false;
    const { clock, newestRowAt = -Infinity, post, onClock } = this.#options;
    const now = clock.now();
    this.#clockWrong = true;
    const isOff = serviceDate !== undefined && Math.abs(now - serviceDate) > CLOCK_OFF_MS;
    const aheadMs = newestRowAt - now;
    if (aheadMs > 0 && !this.#isRowWrong(aheadMs, serviceDate, isOff)) {
      const behind = `this machine's clock says ${iso(now)}, but the newest record is of ${iso(newestRowAt)}`;
      this.#block('clock', { reason: 'clock-wrong', detail: behind });
      // While the service's dates bear the clock out, there is nothing about it to be set right.
      if (this.#forClock === 0 || aheadMs <= CLOCK_OFF_MS) onClock(behind);
    } else if (serviceDate !== undefined && isOff) {
      this.#agreed = 0;
      const off = this.#offWords(now, serviceDate);
      this.#block('clock', { reason: 'clock-wrong', detail: off });
      onClock(off);
    } else if (this.#agrees(serviceDate)) {
      this.#clockWrong = false;
      post({ type: 'unblocked', name: 'clock' });
      onClock(undefined);
      return aheadMs > 0;
    }
    return false;
  }

  /**
   * A row is dated ahead by more than clocks may be off, and the service's dates bear this clock out: then an earlier run had a wrong one,
   * and waiting until then would be for nothing. A cache may repeat a date that is old: each must be later than the last.
   */
  #isRowWrong(aheadMs: number, serviceDate: EpochMs | undefined, isOff: boolean): boolean {
    if (isOff) this.#forClock = 0;
    else if (serviceDate !== undefined && serviceDate > this.#lastForClock) {
      this.#forClock += 1;
      this.#lastForClock = serviceDate;
    }
    return aheadMs > CLOCK_OFF_MS && this.#forClock >= AGREE_AGAIN;
  }

  /** Whether the clock is right, as far as dates tell; one that none was held against is. */
  #agrees(serviceDate: EpochMs | undefined): boolean {
    if (this.#agreed === undefined) return true;
    if (serviceDate !== undefined) this.#agreed += 1;
    return this.#agreed >= AGREE_AGAIN;
  }

  /** Steady time begins with the machine's clock as it was: one that is set right later sets this run right no more. */
  #offWords(now: EpochMs, serviceDate: EpochMs): string {
    if (Math.abs(this.#options.clock.wall() - serviceDate) > CLOCK_OFF_MS)
      return `this machine's clock says ${iso(now)}, the service's ${iso(serviceDate)}`;
    return "this machine's clock is right by now, and was not when this run began: start Magpie again";
  }

  #tell(): void {
    if (this.#open) return;
    if (!this.#account) return this.missing('the account has not answered yet');
    if (this.#unseen !== undefined) return this.missing(this.#unseen);
    this.#open = true;
    this.#options.post({ type: 'unblocked', name: 'starting' });
    this.#options.onOpen();
  }

  #block(name: BlockerName, refusal: Refusal): void {
    const words = `${name} ${refusal.detail}`;
    if (words === this.#told) return;
    this.#told = words;
    this.#options.post({ type: 'blocked', name, refusal });
  }
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type FallPolicy, type MarketFall, type MarketMeasure, fallAfter } from '../risk/market-fall.ts';
import type { Bell } from './bell.ts';
import type { Posted } from './engine-loop.ts';

export interface FallWatchOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly bell: Pick<Bell, 'ring'>;
  readonly ledger: Pick<Ledger, 'marketFall' | 'saveMarketFall'>;
  /** Does something with the ledger unless it refuses; undefined then. */
  readonly attempt: <T>(work: () => T) => T | undefined;
  readonly post: (event: Posted) => void;
  /** undefined: a fall pauses nothing. */
  readonly policy: FallPolicy | undefined;
}

/** Pauses buying while the whole market has fallen: until it has been steady for long enough, or until a person resumes. Outlasts a restart. */
export class FallWatch {
  readonly #options: FallWatchOptions;
  #fall: MarketFall | undefined;
  /** One answer has shown a fall. */
  #suspected = false;

  constructor(options: FallWatchOptions) {
    this.#options = options;
  }

  /** Takes up a fall that stood before the start. */
  start(): void {
    const { policy, ledger, attempt } = this.#options;
    this.#fall = attempt(() => ledger.marketFall());
    if (policy === undefined && this.#fall !== undefined) this.#keep(undefined);
    if (this.#fall?.resumed === false) this.#close(this.#fall);
  }

  /** Notices that a person has resumed. */
  tick(): void {
    const { ledger, attempt } = this.#options;
    if (this.#fall === undefined || this.#fall.resumed) return;
    const onDisk = attempt(() => ledger.marketFall());
    // An earlier one, where the ledger could not take this one.
    if (onDisk?.resumed !== true || onDisk.since !== this.#fall.since) return;
    this.#fall = onDisk;
    this.#open('a person has resumed');
  }

  /** Takes a measure of the market. A fall is believed when two answers show it: returns true when another one is wanted for that. */
  measured(worst: MarketMeasure['worst'], at: EpochMs): boolean {
    const { policy } = this.#options;
    if (policy === undefined) return false;
    // What a person has said meanwhile must not be written over.
    this.tick();
    const before = this.#fall;
    const after = fallAfter(before, worst, policy, at);
    const wasSuspected = this.#suspected;
    this.#suspected = before === undefined && after !== undefined && !wasSuspected;
    if (this.#suspected) return true;
    // Again where it stays, since it may not have been written before.
    if (before !== undefined || after !== undefined) this.#keep(after);
    if (before === undefined && after !== undefined) this.#begin(after);
    else if (after === undefined && before?.resumed === false) this.#open('prices have been steady since');
    return false;
  }

  #keep(fall: MarketFall | undefined): void {
    const { ledger, attempt } = this.#options;
    this.#fall = fall;
    attempt(() => ledger.saveMarketFall(fall));
  }

  #begin(fall: MarketFall): void {
    this.#close(fall);
    this.#ring(
      `Prices have fallen all over the market, so buying pauses: ${fall.why}`,
      'look at the market; buying goes on by itself when it has been steady for long enough (reference.fall.calm), or at once with `magpie resume`',
    );
  }

  #close({ why }: MarketFall): void {
    this.#options.post({ type: 'blocked', name: 'market', refusal: { reason: 'market-fall', detail: why } });
  }

  #open(why: string): void {
    this.#options.post({ type: 'unblocked', name: 'market' });
    this.#ring(
      `The fall of the market pauses buying no more: ${why}`,
      'nothing; look whether your strategies fit the prices of now',
    );
  }

  #ring(message: string, next: string): void {
    const { bell, clock } = this.#options;
    bell.ring({ kind: 'market-fall', at: clock.now(), message, next, purchaseId: undefined });
  }
}

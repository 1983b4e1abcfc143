import type { EpochMs } from '../../domain/clock.ts';
import type { PurchaseState } from '../../domain/purchase.ts';
import { JournalFailure } from '../../engine/journal.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { NewsCursor } from '../../ledger/news.ts';
import type { Meter } from '../../monitor/meter.ts';

type Asked = Pick<Ledger, 'countsByState' | 'evidenceSeq' | 'movesAfter' | 'newsSince' | 'newsAfter' | 'ruleChanges'>;

/** Tells what the ledger knows. After the start it reads only what is new there, however long the ledger is. */
export class LedgerFigures {
  readonly #meter: Meter;
  readonly #ledger: Asked;
  readonly #counts = new Map<PurchaseState, number>();
  #seq: number | undefined;
  #told: NewsCursor | undefined;
  readonly #since: EpochMs;

  constructor(meter: Meter, ledger: Asked, since: EpochMs) {
    this.#meter = meter;
    this.#ledger = ledger;
    this.#since = since;
  }

  /** A ledger that cannot be read just now is no news of metrics: what was told before stays. */
  tell(): void {
    try {
      this.#purchases();
      this.#alerts();
      const [inForce] = this.#ledger.ruleChanges(1);
      if (inForce !== undefined) this.#meter.set('magpie_last_reload_timestamp_seconds', {}, inForce.at / 1_000);
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
    }
  }

  #purchases(): void {
    if (this.#seq === undefined) return this.#begin();
    const { upTo, moves } = this.#ledger.movesAfter(this.#seq);
    for (const { from, to, count } of moves) {
      if (from !== null) this.#bump(from, -count);
      this.#bump(to, count);
      this.#meter.add('magpie_purchase_moves_total', { state: to }, count);
    }
    this.#seq = upTo;
  }

  /** What others write between two questions must not be counted twice. */
  #begin(): void {
    const before = this.#ledger.evidenceSeq();
    const counts = this.#ledger.countsByState();
    if (this.#ledger.evidenceSeq() !== before) return this.#begin();
    for (const [state, count] of Object.entries(counts) as [PurchaseState, number][]) this.#bump(state, count);
    this.#seq = before;
  }

  #bump(state: PurchaseState, by: number): void {
    const count = (this.#counts.get(state) ?? 0) + by;
    this.#counts.set(state, count);
    this.#meter.set('magpie_purchases', { state }, count);
  }

  #alerts(): void {
    this.#told ??= this.#ledger.newsSince(this.#since);
    const { upTo, groups } = this.#ledger.newsAfter(this.#told);
    for (const { kind, count } of groups) this.#meter.add('magpie_alerts_total', { kind }, count);
    this.#told = upTo;
  }
}

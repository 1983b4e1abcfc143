import type { EpochMs } from '../../../../src/domain/clock.ts';
import type { Listing } from '../../../../src/domain/listing.ts';
import { type Micros, ZERO, subtract } from '../../../../src/domain/money.ts';
import { type Purchase, committedAmount } from '../../../../src/domain/purchase.ts';
import type { Finding, Known, Look } from '../../../../src/engine/evidence.ts';
import { WATCH_MS } from '../../../../src/execution/evidence/policy.ts';
import { type Movement, type PlacedReading, expectedBalance } from '../../../../src/ledger/expected-balances.ts';
import { Book } from '../book.ts';
import { inWords, minute } from '../looks.ts';

/** One line of what became known, by our own clock. */
export interface Entry {
  readonly at: EpochMs;
  readonly text: string;
}

/**
 * A book that knows what moved in which order, so that what the balance should be is reckoned as the ledger reckons it. It writes
 * down what became known and when.
 */
export class DenseBook extends Book {
  readonly halts: string[] = [];
  readonly entries: Entry[] = [];
  /** Places in the order of evidence: of each purchase, and of when it was known to be bought. */
  readonly #seqs = new Map<number, number>();
  readonly #acceptedSeqs = new Map<number, number>();
  readonly #refunds: Movement[] = [];
  /** The newest first. */
  readonly #readings: PlacedReading[] = [];
  #seq = 0;

  constructor() {
    super(minute);
  }

  override intend(listing: Listing, at: EpochMs): Purchase {
    const made = super.intend(listing, at);
    this.#seqs.set(made.id, ++this.#seq);
    const { name, wear, price, cost, id } = listing;
    this.#write(at, `${made.id} is intended: ${name} for ${price}, cost ${cost}, wear ${wear ?? 'none'}, listing ${id}`);
    return made;
  }

  override answer(id: number, at: EpochMs, outcome: 'bought' | 'refused' | 'unknown', serviceOrderId?: string): void {
    super.answer(id, at, outcome, serviceOrderId);
    this.#seq += 1;
    if (outcome === 'bought') this.#acceptedSeqs.set(id, this.#seq);
    this.#write(at, `${id} is answered: ${outcome}${serviceOrderId === undefined ? '' : ` by ${serviceOrderId}`}`);
  }

  override known(look: Look): Known {
    const known = super.known(look);
    return {
      ...known,
      purchases: known.purchases.filter((one) => isWatched(one, look.endedAt)),
      expectedBalances: this.#expectedBalances(),
    };
  }

  override apply(findings: readonly Finding[], look: Look): void {
    super.apply(findings, look);
    for (const finding of findings) this.#follow(finding, look.endedAt);
    if (look.balance !== undefined) this.#readings.unshift({ ...look.balance, afterSeq: this.#seq });
  }

  #follow(finding: Finding, at: EpochMs): void {
    this.#seq += 1;
    if (finding.kind === 'halt') this.halts.push(finding.reason);
    if (finding.kind === 'bought') this.#acceptedSeqs.set(finding.purchaseId, this.#seq);
    if (finding.kind === 'refund') {
      const owedSince = this.purchases.get(finding.purchaseId)?.createdAt;
      const { amount, bookedAt } = finding;
      this.#refunds.push({ amount, notBefore: undefined, knownAt: at, bookedAt, owedSince, seq: this.#seq });
    }
    const note = 'note' in finding ? ` (${finding.note})` : finding.kind === 'halt' ? `: ${finding.reason}` : '';
    for (const words of inWords(finding)) this.#write(at, `judged: ${words}${note}`);
  }

  #expectedBalances(): ReadonlyMap<number, Micros> {
    const doubtful = [...this.purchases.values()].filter(({ state }) => state === 'unknown');
    return new Map(
      doubtful.flatMap(({ id, createdAt }) => {
        const seq = this.#seqs.get(id) ?? 0;
        const earlier = this.#readings.filter(({ afterSeq = 0 }) => afterSeq < seq);
        const expected = expectedBalance(createdAt, earlier, this.#movementsBut(id));
        return expected === undefined ? [] : [[id, expected] as const];
      }),
    );
  }

  #movementsBut(purchaseId: number): Movement[] {
    const debits = [...this.acceptedAt].flatMap(([id, knownAt]) => {
      const one = this.purchases.get(id);
      if (one === undefined || id === purchaseId) return [];
      const seq = this.#acceptedSeqs.get(id);
      return [{ amount: subtract(ZERO, committedAmount(one)), notBefore: one.createdAt, knownAt, seq }];
    });
    const adopted = [...this.orders.values()].flatMap(({ orderId, as, amount }) =>
      as === 'adopted' ? [{ amount: subtract(ZERO, amount), notBefore: undefined, knownAt: this.seenAt.get(orderId) ?? 0 }] : [],
    );
    return [...debits, ...adopted, ...this.#refunds];
  }

  #write(at: EpochMs, text: string): void {
    this.entries.push({ at, text });
  }
}

/** As the ledger watches: a refusal for ten minutes, longer while its money is held or its outcome was unknown once. */
function isWatched({ state, held, wasUnknown, answeredAt }: Purchase, now: EpochMs): boolean {
  return state !== 'rejected' || held || wasUnknown || (answeredAt ?? 0) >= now - WATCH_MS;
}

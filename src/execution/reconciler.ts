import { type Clock, sleep } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { BalanceReading } from '../domain/readings.ts';
import type { Finding, Look } from '../engine/evidence.ts';
import { type Journal, JournalFailure } from '../engine/journal.ts';
import type { Service } from '../engine/ports.ts';
import { nextLookMs } from './cadence.ts';
import { judge } from './evidence/judge.ts';
import type { EvidencePolicy } from './evidence/policy.ts';
import { type Asking, askBalance, askListings, askOrders, askTransactions } from './questions.ts';
import type { Told } from './told.ts';

export interface ReconcilerOptions {
  readonly service: Service;
  readonly journal: Pick<Journal, 'known' | 'apply' | 'recordBalance'>;
  readonly clock: Clock;
  readonly policy: EvidencePolicy;
  /** From one look to the next while purchases are open, milliseconds. */
  readonly intervalMs: number;
  readonly told: Told;
  /** A reading of the balance that a look has brought, already in the journal. */
  readonly onBalance: (reading: BalanceReading) => void;
  /** A look that could read the orders is done and applied. */
  readonly onLook: (look: Look, findings: readonly Finding[]) => void;
  /** Markets that were healthy without a break since then, and whether health can be read at all. */
  readonly health: (since: number) => Pick<Look, 'healthyMarkets' | 'healthUnreadable'>;
}

export interface LookResult {
  /** The orders could be read and what they show was written. */
  readonly ok: boolean;
  readonly message: string;
  /** Purchases of unknown outcome after it. */
  readonly unknown: number;
  readonly changed: readonly Purchase[];
}

/** A failed look is tried again after this, then ever later. */
const RETRY_MS = 5_000;
const RETRY_MS_MAX = 60_000;

/** Asks the service what became of our purchases, and lets evidence settle what it can. One look at a time. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  #lastLookAt: number;
  #queue: Promise<unknown> = Promise.resolve();
  #wake = new AbortController();
  #failures = 0;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#lastLookAt = options.clock.now();
  }

  /** Looks at once, then as often as what is uncertain asks for, until the signal is aborted. */
  start(signal: AbortSignal): void {
    void this.#run(signal);
  }

  /** Something has become uncertain: the next look begins at once, or as soon as the one under way has ended. */
  soon(): void {
    this.#wake.abort();
  }

  /** One look now, after the one that may be under way. */
  once(signal?: AbortSignal): Promise<LookResult> {
    const result = this.#queue.then(() => this.#look(signal));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const beganAt = this.#options.clock.mono();
      const { ok } = await this.once(signal);
      this.#failures = ok ? 0 : this.#failures + 1;
      const rest = this.#dueMs(ok) - (this.#options.clock.mono() - beganAt);
      if (rest > 0) await sleep(this.#options.clock, rest, AbortSignal.any([signal, this.#wake.signal]));
    }
  }

  #dueMs(ok: boolean): number {
    const { clock, intervalMs } = this.#options;
    if (!ok) return Math.min(RETRY_MS * 2 ** (this.#failures - 1), RETRY_MS_MAX);
    return this.#guarded(() => nextLookMs(this.#open(), clock.now(), intervalMs)) ?? RETRY_MS;
  }

  async #look(signal: AbortSignal | undefined): Promise<LookResult> {
    const failed = (message: string): LookResult => ({
      ok: false,
      message,
      unknown: this.#guarded(() => this.#unknown()) ?? 0,
      changed: [],
    });
    const open = this.#guarded(() => this.#open());
    if (open === undefined) return failed('the ledger cannot be read');
    const { look, failure } = await this.#ask(open, signal);
    if (failure !== undefined) return failed(failure);
    const changed = this.#guarded(() => this.#apply(look));
    if (changed === undefined) return failed('the journal cannot be written');
    return { ok: true, message: 'the orders of the account were looked at', unknown: this.#unknown(), changed };
  }

  /** The balance is asked for last, so that it shows what the orders show. */
  async #ask(
    open: readonly Purchase[],
    signal: AbortSignal | undefined,
  ): Promise<{ readonly look: Look; readonly failure: string | undefined }> {
    const { clock, service, journal, health } = this.#options;
    const isUsed = (ids: readonly string[]): ReadonlySet<string> => journal.known([], ids, clock.now()).usedTransactions;
    const asking: Asking = { service, clock, signal, isUsed };
    const beganAt = clock.now();
    const { orders, failure } = await askOrders(asking);
    const transactions = failure === undefined ? await askTransactions(asking) : undefined;
    const doubtful = open.filter(({ state }) => state === 'unknown');
    const listings = failure === undefined ? await askListings(asking, doubtful) : new Map<never, never>();
    const balance = failure === undefined ? await askBalance(asking) : undefined;
    const look = { beganAt, endedAt: clock.now(), orders, transactions, balance, listings, ...health(this.#lastLookAt) };
    return { look, failure };
  }

  #apply(look: Look): readonly Purchase[] {
    const { journal, clock, policy, told, onBalance, onLook } = this.#options;
    const orderIds = look.orders?.rows.map((row) => row.orderId) ?? [];
    const transactionIds = look.transactions?.rows.map((row) => row.transactionId) ?? [];
    const now = clock.now();
    const findings = judge(look, journal.known(orderIds, transactionIds, now), now, policy);
    const changed = journal.apply(findings, now);
    this.#lastLookAt = look.beganAt;
    if (changed.length > 0) told.purchases(changed);
    this.#tell(findings, now);
    if (look.balance !== undefined) {
      const shown = journal.recordBalance(look.balance);
      if (shown.length > 0) told.purchases(shown);
      onBalance(look.balance);
    }
    told.journal(undefined);
    onLook(look, findings);
    return changed;
  }

  #tell(findings: readonly Finding[], now: number): void {
    const { told } = this.#options;
    for (const finding of findings) {
      if (finding.kind === 'alert') told.alert(finding.alert);
      if (finding.kind === 'halt') told.halted();
      if (finding.kind === 'order' && finding.as === 'adopted') {
        const { orderId, amount, itemName } = finding.order;
        told.adopted({ orderId, amount, marketHashName: itemName ?? '', firstSeen: now });
      }
    }
  }

  #open(): readonly Purchase[] {
    const { journal, clock } = this.#options;
    return journal.known([], [], clock.now()).purchases;
  }

  #unknown(): number {
    return this.#open().filter(({ state }) => state === 'unknown').length;
  }

  #guarded<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof JournalFailure)) throw error;
      this.#options.told.journal(error.message);
      return undefined;
    }
  }
}

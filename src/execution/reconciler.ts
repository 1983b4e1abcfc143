import { type Clock, type EpochMs, sleep } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { BalanceReading } from '../domain/readings.ts';
import type { Finding, Known, Look } from '../engine/evidence.ts';
import { type Journal, JournalFailure } from '../engine/journal.ts';
import type { Service } from '../engine/ports.ts';
import { isOnItsWay } from '../risk/usage.ts';
import { awaitedSince } from './awaited.ts';
import { LOOK_GAP_MS, nextLookAt } from './cadence.ts';
import { type Conclusion, type Wits, conclude, freshWits } from './conclude.ts';
import type { EvidencePolicy } from './evidence/policy.ts';
import { type Answers, ask, needsWholeLook } from './questions.ts';
import type { CrashPoint, Told } from './told.ts';

type JournalOfLooks = Pick<Journal, 'known' | 'waitedFor' | 'uncertain' | 'usedTransactions' | 'apply' | 'recordBalance'> & {
  /** The first account that is named has it for ever. */
  bindAccount(id: string): { readonly ok: true } | { readonly ok: false; readonly belongsTo: string };
};

export interface ReconcilerOptions {
  readonly service: Service;
  readonly journal: JournalOfLooks;
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
  readonly health: (since: EpochMs) => Pick<Look, 'healthyMarkets' | 'healthUnreadable'>;
  /** A look has shown another account than the journal's. Told once for each; such a look is never applied. */
  readonly onForeignFolder?: ((account: string, belongsTo: string) => void) | undefined;
  /** What no rule of ours allows for. Looking goes on; without it the error is thrown. */
  readonly onDefect?: ((error: unknown) => void) | undefined;
  readonly crashPoint?: CrashPoint | undefined;
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
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;

/** Asks the service what became of our purchases, and lets evidence settle what it can. One look at a time. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  #wits: Wits = freshWits;
  #lastBeganAt: EpochMs;
  /** When the look before began: only health since then counts. */
  #healthSince: EpochMs;
  #lastWholeAt: EpochMs | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #running: Promise<void> = Promise.resolve();
  #signal: AbortSignal | undefined;
  #wake = new AbortController();
  #failures = 0;
  readonly #foreign = new Set<string>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#lastBeganAt = options.clock.now();
    this.#healthSince = this.#lastBeganAt;
  }

  /** Looks at once, then as often as what is uncertain asks for, until the signal is aborted. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    this.#running = this.#run(signal);
  }

  /** Resolves when nothing of it is under way any more; to be awaited after the signal was aborted and before the journal is closed. */
  async finished(): Promise<void> {
    await this.#running;
    await this.#queue;
  }

  /** Something has become uncertain: the next look begins at once, or as soon as the one under way has ended. */
  soon(): void {
    this.#wake.abort();
  }

  /** One whole look now, after the one that may be under way. */
  once(signal?: AbortSignal): Promise<LookResult> {
    return this.#enqueue(true, signal ?? this.#signal);
  }

  #enqueue(whole: boolean, signal: AbortSignal | undefined): Promise<LookResult> {
    const result = this.#queue.then(() => this.#look(whole, signal));
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#wake.abort(), { once: true });
    while (!signal.aborted) {
      this.#wake = new AbortController();
      const { ok } = await this.#enqueue(false, signal);
      if (signal.aborted) return;
      this.#failures = ok ? 0 : this.#failures + 1;
      await this.#rest(signal);
    }
  }

  /** Until the next look is due. Being woken shortens the wait, but not below the gap between looks, nor below a second chance's. */
  async #rest(signal: AbortSignal): Promise<void> {
    const { clock, intervalMs } = this.#options;
    const backOff = this.#failures === 0 ? 0 : Math.min(RETRY_MS * 2 ** (this.#failures - 1), RETRY_MS_MAX);
    const againAt = clock.now() + backOff;
    const least = this.#lastBeganAt + Math.max(LOOK_GAP_MS, Math.min(backOff, RETRY_MS * 5));
    await sleep(clock, least - clock.now(), signal);
    const woken = this.#wake.signal;
    while (!woken.aborted) {
      const left = this.#dueAt(againAt) - clock.now();
      if (left <= 0) return;
      // What is bought meanwhile asks for the next look at that pace.
      const toPace = this.#lastBeganAt + intervalMs - clock.now();
      await sleep(clock, Math.min(left, toPace > 0 ? toPace : intervalMs), woken);
    }
  }

  /** When the next look is due: after a failure at the time that is given. */
  #dueAt(againAt: EpochMs): EpochMs {
    const open = this.#failures > 0 ? undefined : this.#guarded(() => this.#open());
    return open === undefined ? againAt : nextLookAt(open, this.#lastBeganAt, this.#options.intervalMs);
  }

  async #look(wholly: boolean, signal: AbortSignal | undefined): Promise<LookResult> {
    const open = this.#guarded(() => this.#open());
    if (open === undefined) return this.#result(false, 'the ledger cannot be read');
    const { clock, health } = this.#options;
    const beganAt = clock.now();
    this.#lastBeganAt = beganAt;
    const whole = wholly || needsWholeLook(open, this.#lastWholeAt, beganAt);
    const answers = await this.#ask(open, whole, signal);
    // The ledger may be closed by now; what was seen is seen again after the next start.
    if (signal?.aborted === true) return { ok: false, message: 'Magpie is being stopped', unknown: 0, changed: [] };
    if (answers === undefined) return this.#result(false, 'the orders could not be asked for: a defect in Magpie');
    const { seen, failure, account } = answers;
    const foreign = account === undefined ? undefined : this.#foreignness(account);
    if (foreign !== undefined) return this.#result(false, foreign);
    const look: Look = { beganAt, endedAt: clock.now(), ...seen, ...health(this.#healthSince) };
    const changed = this.#guarded(() => this.#apply(look));
    if (changed === undefined) return this.#result(false, 'the journal cannot be written');
    this.#healthSince = beganAt;
    if (whole && seen.balance !== undefined) this.#lastWholeAt = beganAt;
    return this.#result(failure === undefined, failure ?? 'the orders of the account were looked at', changed);
  }

  /** undefined: it failed for a defect, which was told. */
  async #ask(open: readonly Purchase[], whole: boolean, signal: AbortSignal | undefined): Promise<Answers | undefined> {
    const { clock, service, journal } = this.#options;
    const isUsed = (ids: readonly string[]): ReadonlySet<string> =>
      this.#guarded(() => journal.usedTransactions(ids)) ?? new Set();
    const since = this.#guarded(() => awaitedSince(journal.waitedFor(clock.now()), clock.now()));
    try {
      return await ask({ service, signal, isUsed, awaitedSince: since }, open, whole);
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  /** Why nothing of a look may be believed that was made with a key of this account; undefined where the account is ours. */
  #foreignness(account: string): string | undefined {
    const bound = this.#guarded(() => this.#options.journal.bindAccount(account));
    if (bound === undefined) return 'the journal cannot be written';
    if (bound.ok) return undefined;
    const { belongsTo } = bound;
    if (!this.#foreign.has(account)) this.#options.onForeignFolder?.(account, belongsTo);
    this.#foreign.add(account);
    if (belongsTo === account) return `this data folder is not that of account ${account}, to which the key belongs`;
    return `the data folder belongs to account ${belongsTo}, the key to account ${account}`;
  }

  /** From what is known to what is written without a pause in between, so that nothing comes between the two. */
  #apply(look: Look): readonly Purchase[] {
    const { journal, clock, policy, told, onBalance, onLook, crashPoint } = this.#options;
    const now = clock.now();
    const orderIds = look.orders?.rows.map((row) => row.orderId) ?? [];
    const transactionIds = look.transactions?.rows.map((row) => row.transactionId) ?? [];
    const known = journal.known(orderIds, transactionIds, now);
    const { findings, wits }: Conclusion = conclude(look, known, now, policy, this.#wits);
    crashPoint?.('look:apply');
    const changed = journal.apply(findings, now);
    crashPoint?.('look:applied');
    this.#wits = wits;
    if (changed.length > 0) told.purchases(changed);
    this.#tell(findings, known, now);
    if (look.balance !== undefined) {
      const shown = journal.recordBalance(look.balance);
      if (shown.length > 0) told.purchases(shown);
      onBalance(look.balance);
    }
    told.journal(undefined);
    if (look.orders !== undefined) onLook(look, findings);
    return changed;
  }

  #tell(findings: readonly Finding[], known: Known, now: EpochMs): void {
    const { told } = this.#options;
    for (const finding of findings) {
      if (finding.kind === 'alert') told.alert(finding.alert);
      if (finding.kind === 'halt') told.halted();
      if (finding.kind === 'order' && finding.as === 'ours' && known.orders.get(finding.order.orderId)?.as === 'adopted')
        told.explained(finding.order.orderId);
      if (finding.kind === 'order' && finding.as === 'adopted') {
        const { orderId, amount, itemName, statusCode } = finding.order;
        told.adopted({ orderId, amount, marketHashName: itemName ?? '', firstSeen: now, open: isOnItsWay(statusCode) });
      }
    }
  }

  #open(): readonly Purchase[] {
    return this.#options.journal.uncertain();
  }

  #result(ok: boolean, message: string, changed: readonly Purchase[] = []): LookResult {
    const open = this.#guarded(() => this.#open()) ?? [];
    return { ok, message, unknown: open.filter(({ state }) => state === 'unknown').length, changed };
  }

  /** A journal that fails is told and waited for; anything else is a defect of ours. */
  #guarded<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #failed(error: unknown): void {
    const { told, onDefect } = this.#options;
    if (error instanceof JournalFailure) told.journal(error.message);
    else if (onDefect === undefined) throw error;
    else onDefect(error);
  }
}

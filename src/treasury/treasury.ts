import { type Clock, type EpochMs, sleep } from '../domain/clock.ts';
import type { BalanceReader, BalanceReply, Mover, TransferReply } from './bank.ts';
import { type Child, ChildBalances } from './child-balances.ts';
import { clockFault } from './decide/clock.ts';
import { contradictionOfAnswer, contradictionOfBalances, isSameContradiction } from './decide/contradiction.ts';
import type { TreasuryPolicy } from './decide/policy.ts';
import { LAG_MS, READING_MAX_MS, type Reading, type Verdict, intendedOf, treasuryStep } from './decide/step.ts';
import type { TreasuryEvent } from './event.ts';
import { type KeptTransfer, type TreasuryJournal, recipientOf } from './journal.ts';
import { SleepWatch } from './sleep-watch.ts';

export interface TreasuryParts {
  readonly policy: TreasuryPolicy;
  readonly journal: TreasuryJournal;
  /** Of the top-level account. */
  readonly top: BalanceReader;
  /** By the name that the policy has. */
  readonly children: ReadonlyMap<string, Child>;
  /** undefined in dry-run: nothing is there that could send a transfer. */
  readonly mover: Mover | undefined;
  readonly clock: Clock;
  /** A new idempotency key, never the same twice. */
  readonly newKey: () => string;
  /** From one request to the next, milliseconds at least. */
  readonly gapMs: number;
  readonly tell: (event: TreasuryEvent) => void;
}

/** What one round found and did. */
export interface Round {
  readonly at: EpochMs;
  readonly top: Reading | undefined;
  readonly verdicts: readonly Verdict[];
  /** Nothing is asked before then: the service wants a pause. undefined: none. */
  readonly quietUntil: EpochMs | undefined;
}

/** After so many attempts an open transfer is sent again so much later. */
const REPEATS_MS = [5_000, 15_000, 60_000, 300_000, 900_000] as const;
/** The document does not say for how long the service knows a key: later than this a person settles. */
export const REPEAT_FOR_MS = 12 * 3_600_000;
/** Balances of before that a contradiction may need. */
const ROWS_MS = 2 * 86_400_000;

/** The key of another top-level account than the journal's. */
export class WrongAccount extends Error {
  override readonly name = 'WrongAccount';
}

/**
 * Keeps balances by its policy, a round at a time. Every transfer is on the disk before it is sent, and is sent again with the same key
 * until it is settled. It has nothing of what buys, and nothing that buys has it.
 */
export class Treasury {
  readonly #parts: TreasuryParts;
  readonly #children: ChildBalances;
  /** What children are called, by who gets their money. */
  readonly #names: ReadonlyMap<string, string>;
  /** Until when nothing is asked with the top-level key. */
  #quietUntil: EpochMs | undefined;
  #isKnown = false;
  #isClockWrong = false;
  #lastRequestAt = Number.NEGATIVE_INFINITY;

  constructor(parts: TreasuryParts) {
    this.#parts = parts;
    this.#children = new ChildBalances(parts);
    this.#names = new Map([...parts.children].map(([name, { to }]) => [recipientOf(to), name]));
  }

  /**
   * Settles what is open, looks at all balances, and sends what is due. Rejects where the journal fails, and with WrongAccount where the
   * journal is another account's; nothing more is sent then.
   */
  async round(signal?: AbortSignal): Promise<Round> {
    const { journal, clock } = this.#parts;
    this.#quietUntil = undefined;
    const awake = new SleepWatch(clock);
    if (this.#clockFault(undefined) !== undefined) this.#isClockWrong = true;
    // Nothing leaves with a key that has not shown whose it is.
    if (this.#isKnown || (await this.#readTop(signal)) !== undefined) {
      if (journal.halted() === undefined && !this.#isClockWrong) await this.#repeatOpen(signal);
    }
    const seen = await this.#readAll(signal);
    this.#holdAgainst(seen);
    const rows = journal.transfers(clock.now() - ROWS_MS).map((row) => this.#asCalledNow(row));
    const stops = { isHalted: journal.halted() !== undefined, isClockWrong: this.#isClockWrong };
    const verdicts = treasuryStep(this.#parts.policy, { ...seen, ...stops, rows }, clock.now());
    for (const { child, amount } of intendedOf(verdicts)) {
      if (this.#mustPause(signal)) break;
      const oldest = Math.min(seen.children.get(child)?.askedAt ?? 0, seen.top?.askedAt ?? 0);
      // Those before it may have waited for their answers for minutes: the next round looks again.
      if (clock.now() + awake.sleptMs - oldest > READING_MAX_MS)
        this.#parts.tell({ kind: 'not-written', child, why: 'its balance was read too long ago by now; it is read again' });
      else await this.#begin(child, amount);
    }
    return { at: clock.now(), top: seen.top, verdicts, quietUntil: this.#quietUntil };
  }

  /** By who gets the money, as the journal holds caps: a child that was called otherwise is the same. */
  #asCalledNow(row: KeptTransfer): KeptTransfer {
    const child = this.#names.get(recipientOf(row.to));
    return child === undefined ? row : { ...row, child };
  }

  #mustPause(signal: AbortSignal | undefined): boolean {
    return signal?.aborted === true || this.#quietUntil !== undefined || this.#parts.journal.halted() !== undefined;
  }

  async #repeatOpen(signal: AbortSignal | undefined): Promise<void> {
    const { journal, mover, clock } = this.#parts;
    for (const transfer of journal.open()) {
      // A key ages while the machine sleeps, too.
      const latest = Math.max(clock.now(), clock.wall());
      if (mover === undefined || clock.now() < transfer.nextAt || latest > transfer.createdAt + REPEAT_FOR_MS) continue;
      if (this.#mustPause(signal)) return;
      if (journal.attempting(transfer.id)) await this.#send(transfer.id, mover);
    }
  }

  async #begin(child: string, amount: Verdict['amount']): Promise<void> {
    const { journal, mover, clock, policy, children, newKey, tell } = this.#parts;
    const to = children.get(child)?.to;
    if (mover === undefined || to === undefined) return;
    const written = journal.write(policy, { child, amount }, to, newKey(), clock.now());
    if (written.ok) return this.#send(written.transfer.id, mover);
    tell({ kind: 'not-written', child, why: written.why });
  }

  /** The one place that sends: of a transfer that stands in the journal, with this attempt counted. */
  async #send(id: number, mover: Mover): Promise<void> {
    const { journal, clock } = this.#parts;
    await this.#paced();
    const transfer = journal.transfer(id);
    if (transfer?.state !== 'open') return;
    const halt = journal.halted();
    if (halt === undefined) {
      const reply = await mover.transfer(transfer);
      // The next run reads the machine's clock, which is ahead of this run's time where it has slept: nothing must count too short for it.
      return this.#heard(transfer, reply, Math.max(clock.now(), clock.wall()));
    }
    journal.note(id, { said: 'halted before it was sent', nextAt: transfer.nextAt, hasLeft: false });
    this.#parts.tell({ kind: 'kept-back', transfer, why: halt.reason });
  }

  #heard(transfer: KeptTransfer, reply: TransferReply, now: EpochMs): void {
    const { journal } = this.#parts;
    switch (reply.kind) {
      case 'made':
        return this.#made(transfer, reply, now);
      case 'refused':
        // Of a repeat it says nothing of the attempts before it.
        if (transfer.attempts > 1) return this.#stays(transfer, `a repeat was refused: ${reply.why}`, true);
        journal.settle(transfer.id, { state: 'refused', by: 'service', requestId: reply.requestId, said: reply.why }, now);
        return this.#parts.tell({ kind: 'refused', transfer, why: reply.why });
      case 'nothing':
        if (reply.retryAfterMs !== undefined) this.#quietUntil = this.#parts.clock.now() + reply.retryAfterMs;
        return this.#stays(transfer, reply.why, false);
      case 'unknown':
        return this.#stays(transfer, reply.why, true);
    }
  }

  #made(transfer: KeptTransfer, reply: Extract<TransferReply, { readonly kind: 'made' }>, now: EpochMs): void {
    const { journal, children } = this.#parts;
    const configured = children.get(transfer.child)?.to.keyId;
    const known = {
      partnerKeyId: journal.fact('partner'),
      childKeyId: transfer.to.keyId ?? configured ?? journal.fact(`child ${transfer.child}`),
    };
    const against = contradictionOfAnswer(transfer.amountCents, reply.told, known);
    if (against !== undefined) {
      this.#stays(transfer, against, true);
      return this.#halt(`transfer ${transfer.id} to ${transfer.child}: ${against}`);
    }
    if (!journal.settle(transfer.id, { state: 'made', by: 'service', requestId: reply.requestId }, now)) {
      const state = journal.transfer(transfer.id)?.state ?? 'gone';
      if (state === 'made') return;
      return this.#halt(
        `transfer ${transfer.id} to ${transfer.child} was settled as ${state} meanwhile, and the service has made it`,
      );
    }
    if (reply.told.partnerKeyId !== undefined) journal.learn('partner', reply.told.partnerKeyId);
    if (reply.told.childKeyId !== undefined) journal.learn(`child ${transfer.child}`, reply.told.childKeyId);
    this.#parts.tell({ kind: 'made', transfer, why: undefined });
  }

  #stays(transfer: KeptTransfer, why: string, hasLeft: boolean): void {
    const { journal, clock, tell } = this.#parts;
    const waitMs = REPEATS_MS[Math.min(transfer.attempts, REPEATS_MS.length) - 1] ?? REPEATS_MS[0];
    journal.note(transfer.id, { said: why, nextAt: clock.now() + waitMs, hasLeft });
    tell({ kind: 'open', transfer, why });
  }

  #halt(why: string): void {
    this.#parts.journal.halt(why, 'treasury', this.#parts.clock.now());
    this.#parts.tell({ kind: 'halted', why });
  }

  async #readAll(signal: AbortSignal | undefined): Promise<{ top: Reading | undefined; children: Map<string, Reading> }> {
    const children = await this.#children.all((reader) => this.#ask(reader, signal));
    // Last, so that it is the newest when something is sent.
    return { top: await this.#readTop(signal), children };
  }

  async #readTop(signal: AbortSignal | undefined): Promise<Reading | undefined> {
    const { journal, top, clock, tell } = this.#parts;
    const reply = await this.#ask(top, signal);
    if (reply === undefined) return undefined;
    if (!reply.ok) {
      if (reply.retryAfterMs !== undefined) this.#quietUntil = clock.now() + reply.retryAfterMs;
      tell({ kind: 'unread', who: 'the top-level account', why: reply.why });
      return undefined;
    }
    const known = journal.fact('account');
    if (known !== undefined && known !== reply.accountId)
      throw new WrongAccount(`the journal is that of the top-level account ${known}, and the key is that of ${reply.accountId}`);
    if (known === undefined) journal.learn('account', reply.accountId);
    this.#isKnown = true;
    const { serviceDate } = reply;
    const wrong = this.#clockFault(serviceDate);
    this.#isClockWrong = wrong !== undefined;
    if (wrong !== undefined) tell({ kind: 'clock-wrong', why: wrong });
    return reply.reading;
  }

  #clockFault(serviceDate: EpochMs | undefined): string | undefined {
    const { journal, clock } = this.#parts;
    return clockFault({ now: clock.now(), wall: clock.wall(), newestAt: journal.newestAt(), serviceDate });
  }

  /** undefined: nothing is asked any more in this round. */
  async #ask(reader: BalanceReader, signal: AbortSignal | undefined): Promise<BalanceReply | undefined> {
    if (signal?.aborted === true || this.#quietUntil !== undefined) return undefined;
    await this.#paced();
    return reader.balance();
  }

  #holdAgainst(seen: { readonly top: Reading | undefined; readonly children: ReadonlyMap<string, Reading> }): void {
    const { journal, policy, clock } = this.#parts;
    const topBefore = journal.topReading();
    const since = Math.min(clock.now() - ROWS_MS, (topBefore?.askedAt ?? clock.now()) - 2 * LAG_MS);
    const why = contradictionOfBalances(policy, { ...seen, topBefore, rows: journal.transfers(since) });
    // What contradicts is kept to be looked at: it does not become what the next one is held against.
    if (why !== undefined) {
      if (!journal.halts().some(({ reason, by }) => by !== 'person' && isSameContradiction(reason, why))) this.#halt(why);
      return;
    }
    if (seen.top !== undefined) journal.keepTopReading(seen.top);
  }

  async #paced(): Promise<void> {
    const { clock, gapMs } = this.#parts;
    const waitMs = this.#lastRequestAt + gapMs - clock.mono();
    if (waitMs > 0) await sleep(clock, waitMs);
    this.#lastRequestAt = clock.mono();
  }
}

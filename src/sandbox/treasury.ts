import type { EpochMs } from '../domain/clock.ts';
import { subtract, ZERO, type Micros } from '../domain/money.ts';
import type { Random } from '../domain/random.ts';
import { childAccount, hexText, type Account } from './accounts.ts';
import type { Books } from './books.ts';
import type { EventQueue } from './event-queue.ts';
import type { Changes, RecordStore } from './records.ts';

/** Money on its way to an account. Amounts in micro-dollars. Saved as it is. */
export interface Deposit {
  /** 24 hex characters. */
  readonly id: string;
  readonly account: string;
  readonly way: 'crypto' | 'onramp';
  readonly token: string;
  readonly network: string;
  /** In the coin or currency that was named. */
  readonly amount: number;
  readonly credit: Micros;
  readonly address: string;
  readonly status: 'pending' | 'confirmed' | 'cancelled';
  readonly createdAt: EpochMs;
  /** When it arrives, unless it is cancelled before. */
  readonly arrivesAt: EpochMs;
}

/** Money that has left an account; `fee` is part of `amount`. Amounts in micro-dollars. Saved as it is. */
export interface Withdrawal {
  readonly id: string;
  readonly account: string;
  readonly token: string;
  readonly network: string;
  readonly address: string;
  readonly amount: Micros;
  readonly fee: Micros;
  readonly status: 'pending' | 'completed';
  readonly createdAt: EpochMs;
  readonly arrivesAt: EpochMs;
}

/** What an idempotency key has moved. Saved as it is. */
export interface Transfer {
  /** The paying account and the idempotency key. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: Micros;
  readonly at: EpochMs;
}

/** How long money takes at pace 1, milliseconds. */
const WAY_MS = 10_000;

interface Parts {
  readonly books: Books;
  readonly changes: Changes;
  readonly queue: EventQueue;
  readonly random: Random;
  /** How many times faster than usual things go. */
  readonly pace: number;
}

/** Deposits, withdrawals, transfers and child accounts: every movement of a balance that no order is behind. */
export class Treasury {
  readonly #parts: Parts;
  readonly #deposits = new Map<string, Deposit>();
  readonly #withdrawals = new Map<string, Withdrawal>();
  readonly #transfers = new Map<string, Transfer>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes up what was under way. */
  load(store: RecordStore): void {
    for (const deposit of store.load('deposit') as Deposit[]) this.#enterDeposit(deposit);
    for (const withdrawal of store.load('withdrawal') as Withdrawal[]) this.#enterWithdrawal(withdrawal);
    for (const transfer of store.load('transfer') as Transfer[]) this.#transfers.set(transfer.id, transfer);
  }

  /** Newest first. */
  deposits(account: string): readonly Deposit[] {
    return newestFirst([...this.#deposits.values()].filter((deposit) => deposit.account === account));
  }

  /** Newest first. */
  withdrawals(account: string): readonly Withdrawal[] {
    return newestFirst([...this.#withdrawals.values()].filter((withdrawal) => withdrawal.account === account));
  }

  /** Opens a deposit, which is booked when it arrives. */
  deposit(asked: Pick<Deposit, 'account' | 'way' | 'token' | 'network' | 'amount' | 'credit'>, now: EpochMs): Deposit {
    const { random } = this.#parts;
    const [id, address] = [hexText(random, 24), `play-${hexText(random, 32)}`];
    const deposit: Deposit = { ...asked, id, address, status: 'pending', createdAt: now, arrivesAt: this.#arrival(now) };
    this.#enterDeposit(deposit);
    this.#parts.changes.put('deposit', id, deposit);
    return deposit;
  }

  /** undefined: the account has no such deposit. One that has arrived stays as it is. */
  cancel(account: string, id: string): Deposit | undefined {
    const deposit = this.#deposits.get(id);
    if (deposit?.account !== account || deposit.status !== 'pending') return deposit?.account === account ? deposit : undefined;
    return this.#putDeposit({ ...deposit, status: 'cancelled' });
  }

  /** Books at once what leaves; undefined: the balance does not cover it. */
  withdraw(
    asked: Pick<Withdrawal, 'account' | 'token' | 'network' | 'address' | 'amount' | 'fee'>,
    now: EpochMs,
  ): Withdrawal | undefined {
    const { books, random, changes } = this.#parts;
    if ((books.account(asked.account)?.balance ?? ZERO) < asked.amount) return undefined;
    const id = hexText(random, 24);
    const withdrawal: Withdrawal = { ...asked, id, status: 'pending', createdAt: now, arrivesAt: this.#arrival(now) };
    books.book(asked.account, 'withdrawal', subtract(ZERO, asked.amount), now, null);
    this.#enterWithdrawal(withdrawal);
    changes.put('withdrawal', id, withdrawal);
    return withdrawal;
  }

  /** Every one that was made, oldest first. */
  get transfers(): readonly Transfer[] {
    return [...this.#transfers.values()];
  }

  /** What an idempotency key of an account has moved already. */
  transferOf(from: string, idempotencyKey: string): Transfer | undefined {
    return this.#transfers.get(`${from}:${idempotencyKey}`);
  }

  /** Moves money between two accounts, once for each idempotency key; undefined: the balance does not cover it. */
  transfer(
    { from, to, amount, idempotencyKey }: Pick<Transfer, 'from' | 'to' | 'amount'> & { readonly idempotencyKey: string },
    now: EpochMs,
  ): Transfer | undefined {
    const known = this.transferOf(from, idempotencyKey);
    if (known) return known;
    const { books, changes } = this.#parts;
    if ((books.account(from)?.balance ?? ZERO) < amount) return undefined;
    const transfer: Transfer = { id: `${from}:${idempotencyKey}`, from, to, amount, at: now };
    books.book(from, 'transfer', subtract(ZERO, amount), now, null);
    books.book(to, 'transfer', amount, now, null);
    this.#transfers.set(transfer.id, transfer);
    changes.put('transfer', transfer.id, transfer);
    return transfer;
  }

  /** The child account of an address, made when there is none. */
  child(email: string, name: string): { readonly account: Account; readonly isNew: boolean } {
    const { books, random } = this.#parts;
    const known = this.childBy(email);
    if (known) return { account: known, isNew: false };
    const account = childAccount(random, email, name);
    books.admit(account);
    return { account, isNew: true };
  }

  /** By its address or its id, in any case; only children are found. */
  childBy(emailOrId: string): Account | undefined {
    const wanted = emailOrId.toLowerCase();
    return this.#parts.books.accounts.find(
      ({ kind, id, email }) => kind === 'child' && (id === wanted || email?.toLowerCase() === wanted),
    );
  }

  #arrival(now: EpochMs): EpochMs {
    const { random, pace } = this.#parts;
    return now + Math.max(1, Math.round((WAY_MS * (0.5 + random.next())) / pace));
  }

  #enterDeposit(deposit: Deposit): void {
    this.#deposits.set(deposit.id, deposit);
    if (deposit.status === 'pending') this.#parts.queue.add(deposit.arrivesAt, (at) => this.#arrived(deposit.id, at));
  }

  #arrived(id: string, at: EpochMs): void {
    const deposit = this.#deposits.get(id);
    if (deposit?.status !== 'pending') return;
    this.#putDeposit({ ...deposit, status: 'confirmed' });
    this.#parts.books.book(deposit.account, 'deposit', deposit.credit, at, null);
  }

  #putDeposit(deposit: Deposit): Deposit {
    this.#deposits.set(deposit.id, deposit);
    this.#parts.changes.put('deposit', deposit.id, deposit);
    return deposit;
  }

  #enterWithdrawal(withdrawal: Withdrawal): void {
    this.#withdrawals.set(withdrawal.id, withdrawal);
    if (withdrawal.status !== 'pending') return;
    this.#parts.queue.add(withdrawal.arrivesAt, () => {
      const completed: Withdrawal = { ...withdrawal, status: 'completed' };
      this.#withdrawals.set(withdrawal.id, completed);
      this.#parts.changes.put('withdrawal', withdrawal.id, completed);
    });
  }
}

function newestFirst<T extends { readonly createdAt: EpochMs }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => b.createdAt - a.createdAt);
}

import Database from 'better-sqlite3';
import { type Micros, micros, sum } from '../../src/domain/money.ts';
import { type Random, chance, pick, seededRandom, wholeBetween } from '../../src/domain/random.ts';
import type { SandboxAnswer } from '../../src/sandbox/sandbox-answer.ts';
import type { BalanceReply, TransferReply } from '../../src/treasury/bank.ts';
import type { TreasuryPolicy } from '../../src/treasury/decide/policy.ts';
import { type KeptTransfer, TreasuryJournal } from '../../src/treasury/journal.ts';
import { TREASURY_SCHEMA } from '../../src/treasury/schema.ts';
import { REPEAT_FOR_MS, Treasury } from '../../src/treasury/treasury.ts';
import { Bench, type Json, parsed } from '../sandbox/harness.ts';
import { dollars } from '../support/values.ts';
import { BY_HAND, type TreasuryLife, auditTreasury } from './life-audit.ts';

/** The process dies: nothing after this line of it is done. */
class Killed extends Error {}

const usual = ['answered', 'answered', 'answered', 'answered', 'answered', 'answered', 'answered', 'answered'] as const;
/** What befalls requests of a treasury within its assumptions, by the names under which it is counted. */
export const transferFaults = [
  ...(['lost before', 'lost after', 'executed later', 'twice', 'too many', 'refused'] as const),
  ...(['killed before', 'killed after', 'read lost'] as const),
] as const;
/** What breaks an assumption: reserve and targets cannot be kept by balances that are not true, and it may halt. */
export const beyondFaults = ['balance lies', 'moved by hand', 'withdrawn by hand'] as const;
export type SimFate = (typeof usual | typeof transferFaults | typeof beyondFaults)[number];

/** Of ten lives three are beyond the assumptions. */
export function isBeyond(seed: number): boolean {
  return seed % 10 >= 7;
}

/** What a life has seen, to tell that the faults struck. */
export interface LifeTold {
  readonly struck: Readonly<Partial<Record<SimFate, number>>>;
  readonly transfers: number;
  readonly rows: readonly KeptTransfer[];
  /** What it halted for. */
  readonly halts: readonly string[];
  readonly violations: readonly string[];
  readonly livedMs: number;
  /** Starts of the treasury beyond the first. */
  readonly restarts: number;
}

/** Rounds without faults at the end, in which everything must come to rest. */
const CALM_ROUNDS = 40;
const CHILDREN = 4;
const names = Array.from({ length: CHILDREN }, (_, index) => `child-${index}`);

function policyOf(random: Random): TreasuryPolicy {
  return {
    children: names.map((name) => {
      const floor = wholeBetween(random, 10, 80);
      return {
        name,
        floor: dollars(floor),
        target: dollars(floor + wholeBetween(random, 0, 150)),
        perDay: dollars(wholeBetween(random, 50, 600)),
      };
    }),
    reserve: dollars(wholeBetween(random, 0, 300)),
    perTransfer: dollars(wholeBetween(random, 20, 200)),
    hour: dollars(wholeBetween(random, 50, 500)),
    day: dollars(wholeBetween(random, 200, 2_000)),
    dedicated: true,
  };
}

/**
 * One life of a treasury before the real exchange on a virtual clock: merchants spend, the line loses, repeats and delays, the process dies
 * around its requests and starts again with nothing but its journal. Then a calm end, and the audit of the exchange's books.
 */
export class Life {
  readonly #random: Random;
  readonly #bench: Bench;
  readonly #policy: TreasuryPolicy;
  readonly #db: Database.Database;
  readonly #isBeyond: boolean;
  readonly #struck = new Map<SimFate, number>();
  readonly #halts: string[] = [];
  /** Requests that still stand in a queue somewhere. */
  readonly #late: { readonly at: number; readonly body: Json }[] = [];
  readonly #violations: string[] = [];
  readonly #start: Micros;
  #keys = 0;
  #starts = 0;
  #isCalm = false;
  #treasury: Treasury;

  constructor(seed: number) {
    this.#isBeyond = isBeyond(seed);
    this.#random = seededRandom(seed, 'treasury');
    this.#policy = policyOf(this.#random);
    const children = names.map(() => ({ kind: 'child' as const, balance: wholeBetween(this.#random, 0, 150) }));
    const top = { kind: 'top-level' as const, balance: wholeBetween(this.#random, 200, 3_000) };
    const faults = { balanceLag: this.#random.next() < 0.5 ? 0.5 : 0 };
    this.#bench = new Bench({ seed, listings: 5, accounts: [top, ...children], faults });
    // Balances that show late must not show what was before the first deposits.
    this.#bench.pass(60_000);
    this.#db = new Database(':memory:');
    this.#db.exec(TREASURY_SCHEMA);
    this.#start = sum(this.#bench.sandbox.books().accounts.map(({ balance }) => balance));
    this.#treasury = this.#started();
  }

  async live(rounds: number): Promise<LifeTold> {
    const beganAt = this.#bench.clock.now();
    for (let round = 0; round < rounds; round++) await this.#oneRound();
    this.#isCalm = true;
    for (let round = 0; round < CALM_ROUNDS; round++) await this.#oneRound();
    const journal = new TreasuryJournal(this.#db);
    this.#settleOld(journal);
    const rows = journal.transfers(0);
    const books = this.#bench.sandbox.books();
    this.#violations.push(...auditTreasury({ ...this.#told, books, rows }));
    const livedMs = this.#bench.clock.now() - beganAt;
    this.#db.close();
    this.#bench.sandbox.close();
    const { transfers } = books;
    const [halts, violations, struck] = [this.#halts, this.#violations, Object.fromEntries(this.#struck)];
    return { struck, transfers: transfers.length, rows, halts, violations, livedMs, restarts: this.#starts - 1 };
  }

  get #told(): Pick<TreasuryLife, 'policy' | 'names' | 'startTotal' | 'isBeyond'> {
    return { policy: this.#policy, names, startTotal: this.#start, isBeyond: this.#isBeyond };
  }

  async #oneRound(): Promise<void> {
    if (!this.#isCalm) {
      this.#merchantsSpend();
      if (this.#isBeyond) this.#otherClients();
    }
    try {
      await this.#treasury.round();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.#treasury = this.#started();
    }
    this.#lookIn();
    this.#pass(pick(this.#random, [1_000, 30_000, 90_000, 600_000, 2_400_000]));
    const open = new TreasuryJournal(this.#db).open().map(({ child }) => child);
    if (new Set(open).size < open.length) this.#violations.push('two open transfers of one child');
  }

  /** A person finds it halted, reads why, and lets it go on. */
  #lookIn(): void {
    const journal = new TreasuryJournal(this.#db);
    const halt = journal.halted();
    if (halt === undefined) return;
    this.#halts.push(halt.reason);
    journal.resume(this.#bench.clock.now());
  }

  /** What is too old to be sent again is looked up by a person, who finds the truth. */
  #settleOld(journal: TreasuryJournal): void {
    const now = this.#bench.clock.now();
    const made = new Set(this.#bench.sandbox.books().transfers.map(({ id }) => id.slice(id.indexOf(':') + 1)));
    for (const { id, createdAt, idempotencyKey } of journal.open()) {
      if (now - createdAt <= REPEAT_FOR_MS) continue;
      const state = made.has(idempotencyKey) ? 'made' : 'not-made';
      journal.settle(id, { state, by: 'person', requestId: undefined }, now);
    }
  }

  /** Somebody else has the top-level key, and moves money by hand. */
  #otherClients(): void {
    const { topLevelKey: key } = this.#bench.sandbox;
    if (chance(this.#random, 0.05)) {
      const body = { toEmail: 'child1@sandbox.example', amountCents: wholeBetween(this.#random, 100, 5_000) };
      this.#count('moved by hand');
      this.#bench.ask('POST', '/v1/partner/transfers', { key, body: { ...body, idempotencyKey: `${BY_HAND}${this.#keys++}` } });
    }
    if (!chance(this.#random, 0.05)) return;
    this.#count('withdrawn by hand');
    const body = { token: 'USDT', network: 'TRC20', address: 'T-by-hand', amount: wholeBetween(this.#random, 10, 60) };
    this.#bench.ask('POST', '/v1/user/wallet/withdraw', { key, body });
  }

  /** Time passes, and what stood in a queue is carried out in it. */
  #pass(ms: number): void {
    const until = this.#bench.clock.now() + ms;
    const due = this.#late.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
    for (const late of due) {
      this.#late.splice(this.#late.indexOf(late), 1);
      this.#bench.pass(Math.max(0, late.at - this.#bench.clock.now()));
      this.#post(late.body);
    }
    this.#bench.pass(until - this.#bench.clock.now());
  }

  #merchantsSpend(): void {
    for (const key of this.#bench.sandbox.childKeys) {
      if (!chance(this.#random, 0.3)) continue;
      const amount = wholeBetween(this.#random, 10, 60);
      this.#bench.ask('POST', '/v1/user/wallet/withdraw', {
        key,
        body: { token: 'USDT', network: 'TRC20', address: 'T-goods', amount },
      });
    }
  }

  #started(): Treasury {
    this.#starts += 1;
    const { childKeys, topLevelKey } = this.#bench.sandbox;
    const reader = (key: string) => ({ balance: async () => this.#balance(key) });
    return new Treasury({
      ...{ policy: this.#policy, journal: new TreasuryJournal(this.#db), clock: this.#bench.clock, gapMs: 0 },
      top: reader(topLevelKey),
      children: new Map(
        names.map((name, index) => [
          name,
          { to: { email: `child${index + 1}@sandbox.example` }, reader: reader(childKeys[index] ?? '') },
        ]),
      ),
      mover: { transfer: async (kept) => this.#transfer(kept) },
      newKey: () => `key-${this.#keys++}`,
      tell: () => undefined,
    });
  }

  #balance(key: string): BalanceReply {
    const askedAt = this.#bench.clock.now();
    const fate = this.#fate();
    if (fate === 'read lost') return { ok: false, why: 'lost', retryAfterMs: undefined };
    const profile = this.#bench.data('GET', '/v1/user', { key })['profile'] as { id: string; balance: number };
    const balance = dollars(fate === 'balance lies' ? Math.floor(profile.balance * 2 * this.#random.next()) : profile.balance);
    return { ok: true, accountId: profile.id, reading: { balance, askedAt } };
  }

  #transfer({ to, amountCents, idempotencyKey, id }: KeptTransfer): TransferReply {
    const written = new TreasuryJournal(this.#db).transfer(id);
    if (written?.state !== 'open' || written.attempts < 1)
      this.#violations.push(`transfer ${id} left without standing in the journal`);
    const body = { toEmail: to.email, amountCents, idempotencyKey };
    const lost: TransferReply = { kind: 'unknown', why: 'lost', requestId: undefined };
    switch (this.#fate()) {
      case 'lost before':
        return lost;
      case 'lost after':
        this.#post(body);
        return lost;
      case 'executed later':
        this.#late.push({ at: this.#bench.clock.now() + wholeBetween(this.#random, 1, 3_600_000), body });
        return lost;
      case 'twice':
        this.#post(body);
        return replyOf(this.#post(body));
      case 'refused':
        return { kind: 'refused', why: 'the service does not want it', requestId: undefined };
      case 'too many':
        return { kind: 'nothing', why: 'slow down', retryAfterMs: 30_000 };
      case 'killed before':
        throw new Killed();
      case 'killed after':
        this.#post(body);
        throw new Killed();
      default:
        return replyOf(this.#post(body));
    }
  }

  #fate(): SimFate {
    const fates = [...usual, ...transferFaults, ...(this.#isBeyond ? (['balance lies'] as const) : [])];
    const fate = this.#isCalm ? 'answered' : pick(this.#random, fates);
    this.#count(fate);
    return fate;
  }

  #count(fate: SimFate): void {
    this.#struck.set(fate, (this.#struck.get(fate) ?? 0) + 1);
  }

  #post(body: Json): SandboxAnswer {
    return this.#bench.ask('POST', '/v1/partner/transfers', { key: this.#bench.sandbox.topLevelKey, body });
  }
}

function replyOf(answer: SandboxAnswer): TransferReply {
  const { success, data, message } = parsed(answer) as { success: boolean; data: Json; message: string };
  const requestId = undefined;
  if (!success) return { kind: 'refused', why: message, requestId };
  const told = {
    amountCents: data['amountCents'] as number,
    partnerKeyId: data['partnerApiKeyId'] as string,
    childKeyId: data['userApiKeyId'] as string,
  };
  return { kind: 'made', told, requestId };
}

/** The amount of all rows in a state. */
export function amountIn(rows: readonly KeptTransfer[], state: KeptTransfer['state']): Micros {
  return micros(rows.filter((row) => row.state === state).reduce((total, { amount }) => total + amount, 0));
}

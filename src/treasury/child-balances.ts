import type { Clock, EpochMs } from '../domain/clock.ts';
import type { BalanceReader, BalanceReply } from './bank.ts';
import type { TreasuryPolicy } from './decide/policy.ts';
import { READING_MAX_MS, type Reading, neediestFirst } from './decide/step.ts';
import type { TreasuryEvent } from './event.ts';
import type { Recipient, TreasuryJournal } from './journal.ts';

/** A child as the treasury reaches it. */
export interface Child {
  readonly to: Recipient;
  /** With the child's own key, which asks for nothing else. */
  readonly reader: BalanceReader;
}

/** Asks when its turn is there; undefined: nothing is asked any more in this round. */
export type Ask = (reader: BalanceReader) => Promise<BalanceReply | undefined>;

export interface ChildBalancesParts {
  readonly policy: TreasuryPolicy;
  readonly journal: Pick<TreasuryJournal, 'fact' | 'learn'>;
  /** By the name that the policy has. */
  readonly children: ReadonlyMap<string, Child>;
  readonly clock: Pick<Clock, 'now'>;
  readonly tell: (event: TreasuryEvent) => void;
}

/** Reads the balances of children, each with its own key. One that may be somebody else's decides nothing. */
export class ChildBalances {
  readonly #parts: ChildBalancesParts;
  /** Until when a child's key is left alone, because the service wants that: other keys have nothing to do with it. */
  readonly #quietUntil = new Map<string, EpochMs>();

  constructor(parts: ChildBalancesParts) {
    this.#parts = parts;
  }

  /** Of all children; one that could not be read is not there. */
  async all(ask: Ask): Promise<Map<string, Reading>> {
    const seen = new Map<string, Reading>();
    const accounts = new Map<string, string>();
    for (const name of this.#parts.children.keys()) {
      const reply = await this.#read(name, ask);
      if (reply === undefined) continue;
      const why = this.#strangeAccount(name, reply.accountId, accounts);
      if (why === undefined) {
        seen.set(name, reply.reading);
        continue;
      }
      // Of two that show one account nobody knows which it is.
      seen.delete(accounts.get(reply.accountId) ?? name);
      this.#parts.tell({ kind: 'unread', who: name, why });
    }
    await this.#again(seen, ask);
    return seen;
  }

  /** Of many children the first are read long before the last: those that need money are read anew, for as long as that stays fresh. */
  async #again(seen: Map<string, Reading>, ask: Ask): Promise<void> {
    const { clock, policy, journal } = this.#parts;
    const [began, freshMs] = [clock.now(), READING_MAX_MS / 2];
    const old = policy.children.filter(({ name, floor }) => {
      const reading = seen.get(name);
      return reading !== undefined && reading.balance < floor && began - reading.askedAt > freshMs;
    });
    for (const { name } of neediestFirst(old, { children: seen })) {
      if (clock.now() - began > freshMs) return;
      const reply = await this.#read(name, ask);
      if (reply !== undefined && reply.accountId === journal.fact(`account of ${name}`)) seen.set(name, reply.reading);
      else seen.delete(name);
    }
  }

  async #read(name: string, ask: Ask): Promise<Extract<BalanceReply, { readonly ok: true }> | undefined> {
    const { children, clock, tell } = this.#parts;
    const reader = children.get(name)?.reader;
    if (reader === undefined || clock.now() < (this.#quietUntil.get(name) ?? 0)) return undefined;
    const reply = await ask(reader);
    if (reply === undefined || reply.ok) return reply;
    if (reply.retryAfterMs !== undefined) this.#quietUntil.set(name, clock.now() + reply.retryAfterMs);
    tell({ kind: 'unread', who: name, why: reply.why });
    return undefined;
  }

  /** A balance that may be somebody else's decides nothing: a key that stands at the wrong child, or one key at two. */
  #strangeAccount(name: string, accountId: string, others: Map<string, string>): string | undefined {
    const { journal } = this.#parts;
    const [fact, twin] = [`account of ${name}`, others.get(accountId)];
    if (twin === undefined) others.set(accountId, name);
    if (accountId === journal.fact('account')) return 'its key is that of the top-level account';
    if (twin !== undefined) return `its key shows the same account as that of ${twin}`;
    const known = journal.fact(fact);
    if (known === undefined) journal.learn(fact, accountId);
    return known === undefined || known === accountId
      ? undefined
      : `its key shows the account ${accountId}, and it was ${known} before`;
  }
}

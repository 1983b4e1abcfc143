import type { Seat } from '../../src/app/accounts/turn-desk.ts';
import type { ListingKey } from '../../src/domain/listing.ts';
import type { Event } from '../../src/engine/event.ts';
import { inOrder } from '../../src/engine/match.ts';
import { claim, freshTurns, nextTurn, release, type Turns } from '../../src/engine/turns.ts';
import { keepsFromOthers } from '../../src/risk/taken.ts';

/**
 * The table of accounts as one would write it first: before each turn everybody is told all that it cannot have, and asked what it wants.
 * Nothing is remembered but the claims. The desk in use must give the same turns.
 */
export class PlainDesk {
  readonly #turns: Turns;
  readonly #seats = new Map<string, Seat>();
  #isHeld = false;

  constructor(accounts: readonly string[]) {
    this.#turns = freshTurns(accounts);
  }

  join(account: string, here: Seat): void {
    this.#seats.set(account, here);
  }

  afterAll(work: () => void): void {
    this.#isHeld = true;
    work();
    this.#isHeld = false;
    this.#round();
  }

  stepped(account: string, event: Event): void {
    if (event.type === 'purchases')
      for (const { market, listingId } of event.purchases) this.#settle(account, `${market}:${listingId}`);
    queueMicrotask(() => this.#round());
  }

  #settle(account: string, key: ListingKey): void {
    if (this.#has(account, key)) claim(this.#turns, account, key);
    else if (release(this.#turns, account, key))
      for (const { state, post } of this.#seats.values())
        if (state().among?.elsewhere.has(key) === true) post({ type: 'elsewhere', key, taken: false });
  }

  #round(): void {
    if (this.#isHeld) return;
    for (;;) {
      this.#tellAll();
      const wanting = [...this.#seats].map(([account, { state }]) => ({
        account,
        mayBuy: state().permits > 0,
        wants: new Set(
          state()
            .waiting.map(({ match }) => match)
            .toSorted(inOrder)
            .map(({ key }) => key),
        ),
      }));
      const turn = nextTurn(this.#turns, wanting);
      if (turn === undefined) return;
      this.#seats.get(turn.account)?.post({ type: 'turn', key: turn.key });
      if (!this.#has(turn.account, turn.key)) release(this.#turns, turn.account, turn.key);
    }
  }

  /** Being told of one, an account may want another that is not free either. */
  #tellAll(): void {
    for (let told = true; told;) {
      told = false;
      for (const [account, { state, post }] of this.#seats)
        for (const [key, holder] of this.#turns.claims) {
          if (holder === account || state().among?.elsewhere.has(key) === true) continue;
          if (!state().standing.has(key) && !state().waiting.some(({ match }) => match.key === key)) continue;
          post({ type: 'elsewhere', key, taken: true });
          told = true;
        }
    }
  }

  #has(account: string, key: ListingKey): boolean {
    const live = this.#seats.get(account)?.state().lanes.live;
    return live !== undefined && (live.pending.has(key) || keepsFromOthers(live.taken.get(key)));
  }
}

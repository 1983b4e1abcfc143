import type { ListingKey } from '../../domain/listing.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { Event } from '../../engine/event.ts';
import type { Journal } from '../../engine/journal.ts';
import { inOrder } from '../../engine/match.ts';
import type { EngineState } from '../../engine/state.ts';
import { type Turns, type Wanting, claim, freshTurns, nextTurn, release, seat } from '../../engine/turns.ts';
import { claimedElsewhere, keepsFromOthers } from '../../risk/taken.ts';
import type { Posted } from '../engine-loop.ts';
import { OpenWants } from './open-wants.ts';

/** An account that sits at the table. */
export interface Seat {
  readonly state: () => Readonly<EngineState>;
  /** Works on the event before it returns. */
  readonly post: (event: Extract<Posted, { type: 'turn' | 'elsewhere' }>) => void;
  /** It is being ended: it gets no turn any more, while what it has on its way is still settled. */
  readonly isEnding?: (() => boolean) | undefined;
}

/**
 * Where the accounts of one process meet: who wants a listing is asked after each of them has heard of it, the turn is told by
 * `engine/turns.ts`, and the claim stands before the account may write its intent. No account learns more of another than that a listing
 * is not to be had.
 */
export class TurnDesk {
  readonly #turns: Turns;
  readonly #seats = new Map<string, Seat>();
  /** Accounts of which nobody knows yet what they have bought. */
  readonly #unread: Set<string>;
  /** What stood when the market was first seen, while there is such an account: it may have bought any of it. */
  #doubtful: ReadonlySet<ListingKey> = new Set();
  #seen = false;
  /** What each account wants that is free, as far as it has not been told anything since. */
  readonly #wants = new OpenWants();
  /** Listings that an account has got in a round that goes on. */
  readonly #untold = new Set<ListingKey>();
  #holding = 0;
  #due = false;

  constructor(accounts: readonly string[]) {
    this.#turns = freshTurns(accounts);
    this.#unread = new Set(accounts);
  }

  /**
   * An account has opened its ledger: what it has, in every state that keeps it from others, is claimed before anything is bought. What it
   * had a claim on before and has no row for was never sent: that is free again.
   */
  join(account: string, here: Seat): void {
    const { taken } = here.state().lanes.live;
    for (const [key, what] of taken) if (keepsFromOthers(what)) claim(this.#turns, account, key);
    this.#seats.set(account, here);
    const isFirst = this.#unread.delete(account);
    if (!isFirst) for (const [key, holder] of this.#turns.claims) if (holder === account) this.#settle(account, key);
    this.#touchAll();
    if (this.#unread.size === 0) this.#doubtful = new Set();
  }

  /** When an account last bought, epoch milliseconds: it goes before those that have bought since. */
  lastServed(account: string, at: number): void {
    seat(this.#turns, account, at);
  }

  /** An account has ended. What it has stays its own. */
  leave(account: string): void {
    this.#seats.delete(account);
    this.#wants.touched(account);
  }

  /** The market was seen for the first time. */
  firstSeen(keys: Iterable<ListingKey>): void {
    if (this.#seen) return;
    this.#seen = true;
    if (this.#unread.size === 0) return;
    this.#doubtful = new Set(keys);
    this.#touchAll();
  }

  /** While it works nobody gets a turn: all are to hear of a listing before one may have it. */
  afterAll(work: () => void): void {
    this.#holding += 1;
    try {
      work();
    } finally {
      this.#holding -= 1;
      this.#round();
    }
  }

  /** An account has worked on an event. */
  stepped(account: string, event: Event): void {
    this.#wants.touched(account);
    for (const key of touchedBy(event)) this.#settle(account, key);
    const state = this.#seats.get(account)?.state();
    if (state === undefined || state.permits === 0 || state.waiting.length === 0 || this.#due) return;
    this.#due = true;
    // Not from within its loop: an event that is posted there waits.
    queueMicrotask(() => this.#round());
  }

  /** The account's journal, which writes no intent for a listing that is another's, whatever the engine has said. */
  guarded(account: string, journal: Journal): Pick<Journal, 'commitIntent' | 'recordOutcome'> {
    return {
      commitIntent: (intent, limits, now) => {
        const { key } = intent.listing;
        if (intent.lane === 'live' && this.#turns.claims.get(key) !== account) return { ok: false, ...claimedElsewhere };
        return journal.commitIntent(intent, limits, now);
      },
      recordOutcome: (...outcome) => journal.recordOutcome(...outcome),
    };
  }

  /** Gives turns until nobody can use one; then the others are told what they cannot have any more. */
  #round(): void {
    if (this.#holding > 0) return;
    this.#due = false;
    for (let wanting = this.#wanting(); wanting.some(({ mayBuy }) => mayBuy); wanting = this.#wanting()) {
      const turn = nextTurn(this.#turns, wanting);
      if (turn === undefined) break;
      this.#give(turn.account, turn.key);
    }
    if (this.#untold.size > 0) this.#tellOthers();
  }

  #give(account: string, key: ListingKey): void {
    const given = this.#seats.get(account);
    if (given === undefined) return;
    // First what others have got before: in what order it hears of things hangs on no account that it does not contend with.
    this.#tell(account, given, this.#untold);
    const asked = given.state().waiting.find(({ match }) => match.key === key);
    this.#wants.touched(account);
    given.post({ type: 'turn', key });
    const state = given.state();
    if (has(state, key)) this.#taken(key);
    else release(this.#turns, account, key);
    // It neither buys nor says why not: it does not work any more, and must not be asked for ever.
    if (asked !== undefined && state.waiting.includes(asked)) this.leave(account);
  }

  /** Who wants it too is told at once, since it may want another instead; who only knows of it, when no purchase waits for the telling. */
  #taken(key: ListingKey): void {
    this.#untold.add(key);
    for (const other of this.#wants.drop(key)) {
      const here = this.#seats.get(other);
      if (here !== undefined) this.#tell(other, here, new Set([key]));
    }
  }

  /** Whoever knows of a listing that another has got in this round. */
  #tellOthers(): void {
    const keys = new Set(this.#untold);
    this.#untold.clear();
    for (const [account, here] of this.#seats) this.#tell(account, here, keys);
  }

  /** Tells an account which of some listings it cannot have any more, each once. */
  #tell(account: string, { state, post }: Seat, keys: ReadonlySet<ListingKey>): void {
    for (const key of knownAmong(state(), keys))
      if (this.#isTaken(account, key) && state().among?.elsewhere.has(key) !== true)
        post({ type: 'elsewhere', key, taken: true });
  }

  /** What each account wants that is free; those that want another's are told. */
  #wanting(): readonly Wanting[] {
    this.#wants.refresh((account) => this.#wantedBy(account));
    const all: Wanting[] = [];
    for (const [account, wants] of this.#wants.all) {
      const here = this.#seats.get(account);
      if (here !== undefined && here.isEnding?.() !== true) all.push({ account, mayBuy: here.state().permits > 0, wants });
    }
    return all;
  }

  /** Being told that one is another's, an account may want another instead. */
  #wantedBy(account: string): readonly ListingKey[] {
    for (;;) {
      const here = this.#seats.get(account);
      const waiting = here?.state().waiting.map(({ match }) => match) ?? [];
      const keys = waiting.toSorted(inOrder).map(({ key }) => key);
      const taken = new Set(keys.filter((key) => this.#isTaken(account, key)));
      if (taken.size === 0 || here === undefined) return keys;
      for (const key of taken) here.post({ type: 'elsewhere', key, taken: true });
      // Where it is being ended, nothing is heard any more.
      if (here.state().waiting.some(({ match }) => taken.has(match.key))) return keys.filter((key) => !taken.has(key));
    }
  }

  #isTaken(account: string, key: ListingKey): boolean {
    const holder = this.#turns.claims.get(key);
    return (holder !== undefined && holder !== account) || this.#doubtful.has(key);
  }

  /** What became of a listing in an account that has it. */
  #settle(account: string, key: ListingKey): void {
    const state = this.#seats.get(account)?.state();
    if (state === undefined) return;
    if (has(state, key)) {
      // Evidence that came late: what was let go of after a refusal is bought after all.
      if (!this.#turns.claims.has(key) && claim(this.#turns, account, key)) {
        this.#taken(key);
        this.#tellOthers();
      }
      return;
    }
    if (!release(this.#turns, account, key)) return;
    this.#untold.delete(key);
    this.#touchAll();
    for (const [other, here] of this.#seats)
      if (other !== account && here.state().among?.elsewhere.has(key) === true)
        here.post({ type: 'elsewhere', key, taken: false });
  }

  #touchAll(): void {
    for (const account of this.#seats.keys()) this.#wants.touched(account);
  }
}

/** An intent without a row, a purchase on its way, one that stands, or a refusal that does not free the listing. */
function has({ lanes: { live } }: Readonly<EngineState>, key: ListingKey): boolean {
  return live.pending.has(key) || keepsFromOthers(live.taken.get(key));
}

/** Those of some listings that an account has before it. */
function knownAmong({ standing, waiting }: Readonly<EngineState>, keys: ReadonlySet<ListingKey>): readonly ListingKey[] {
  const known =
    standing.size < keys.size
      ? [...standing.keys()].filter((key) => keys.has(key))
      : [...keys].filter((key) => standing.has(key));
  // What was asked for by hand waits without standing.
  for (const { match } of waiting) if (keys.has(match.key) && !standing.has(match.key)) known.push(match.key);
  return known;
}

/** Live listings whose purchase an event is about. */
function touchedBy(event: Event): readonly ListingKey[] {
  if (event.type === 'purchases') return event.purchases.filter(isLive).map(keyOf);
  if (event.type === 'outcome') return isLive(event.purchase) ? [keyOf(event.purchase)] : [];
  if (event.type === 'not-committed') return event.intent.lane === 'live' ? [event.intent.listing.key] : [];
  return [];
}

function isLive({ lane }: Purchase): boolean {
  return lane === 'live';
}

function keyOf({ market, listingId }: Purchase): ListingKey {
  return `${market}:${listingId}`;
}

import { type Random, pick, seededRandom } from '../../src/domain/random.ts';
import type { Plan, PersonAct } from './plan.ts';
import type { World } from './world.ts';

/** A halt that tripped by itself, as the person found it. */
export interface TrippedHalt {
  readonly at: number;
  readonly reason: string;
  readonly by: string;
}

/** How often the person looks in, and how long a halt stands before it is noticed. */
const LOOK_MS = 30_000;
const NOTICE_MS = 60_000;

/** A purchase is old enough for a verdict when nothing of it can be under way any more. */
const VERDICT_AGE_MS = 300_000;

interface HaltRow {
  readonly id: number;
  readonly reason: string;
  readonly by_whom: string;
}

/** The person beside the bot: halts and resumes, buys by hand, gives verdicts; all by commands on the same ledger. */
export class Person {
  readonly tripped: TrippedHalt[] = [];
  readonly #world: World;
  readonly #random: Random;
  readonly #noticed = new Map<number, number>();
  #haltedUntil = 0;

  constructor(world: World) {
    this.#world = world;
    this.#random = seededRandom(world.plan.seed, 'person');
  }

  begin(plan: Plan): void {
    for (const act of plan.acts) this.#world.time.after(act.at, () => this.#act(act));
    this.#lookIn();
  }

  /** Nothing new is bought after this. */
  haltForGood(): void {
    this.#haltedUntil = Number.POSITIVE_INFINITY;
    this.#world.storage.beside((ledger) => ledger.halt('the day is over', 'person', this.#world.wall));
  }

  resumeNow(): void {
    this.#haltedUntil = 0;
    if (this.#standing().length > 0) this.#resume();
  }

  #act(act: PersonAct): void {
    if (!this.#world.storage.exists || this.#world.mortality.healed) return;
    switch (act.do) {
      case 'halt':
        return this.#halt(act.forMs);
      case 'buy':
        return this.#buy();
      case 'reconcile':
        return void this.#world.storage.beside((ledger) => ledger.ask('reconcile', null, this.#world.wall));
      case 'resolve':
        return this.#resolve();
    }
  }

  #halt(forMs: number): void {
    const { storage, time, mortality } = this.#world;
    mortality.count('halt', 'by a person');
    this.#haltedUntil = Math.max(this.#haltedUntil, time.now + forMs);
    storage.beside((ledger) => ledger.halt('a person wants it', 'person', this.#world.wall));
    time.after(forMs, () => {
      if (time.now >= this.#haltedUntil && this.#standing().every(({ by_whom }) => by_whom === 'person')) this.#resume();
    });
  }

  #resume(): void {
    this.#world.storage.beside((ledger) => ledger.resume(this.#world.wall));
  }

  #buy(): void {
    const { storage, sandbox, plan, wall } = this.#world;
    const answer = sandbox.handle({
      method: 'GET',
      path: '/v2/partner/live/listings',
      query: {},
      headers: { 'x-api-key': sandbox.topLevelKey },
      body: undefined,
    });
    const cheap = affordable(answer.bodyText, plan.bot.limits.maxPrice);
    if (cheap.length === 0) return;
    const { id, market } = pick(this.#random, cheap);
    storage.beside((ledger) => ledger.ask('buy', { listingId: id, market }, wall));
  }

  /** The truth, as a person finds it at the service. */
  #resolve(): void {
    const { storage, sandbox, now } = this.#world;
    const [old] = this.#world.door.posts.filter(({ at }) => now - at > VERDICT_AGE_MS).length > 0 ? this.#unknown() : [];
    if (old === undefined) return;
    const order = sandbox.books().orders.find(({ market, listingId }) => market === old.market && listingId === old.listing_id);
    const as = order === undefined ? 'not-bought' : 'bought';
    storage.beside((ledger) => ledger.resolve(old.id, as, 'it was looked up at the service', this.#world.wall));
  }

  #unknown(): { id: number; market: string; listing_id: string }[] {
    const before = this.#world.now - VERDICT_AGE_MS;
    return this.#world.storage.rows(
      "SELECT id, market, listing_id FROM purchases WHERE state = 'unknown' AND created_at < ?",
      before,
    );
  }

  /** A halt that tripped by itself is noticed after a while, noted for the auditor, and ended. */
  #lookIn(): void {
    const { time, storage, plan } = this.#world;
    time.after(LOOK_MS * plan.pace, () => {
      this.#lookIn();
      if (!storage.exists || time.now < this.#haltedUntil) return;
      const standing = this.#standing();
      for (const { id } of standing) if (!this.#noticed.has(id)) this.#noticed.set(id, time.now);
      if (standing.length === 0 || standing.some(({ id }) => time.now - (this.#noticed.get(id) ?? 0) < NOTICE_MS * plan.pace))
        return;
      for (const { reason, by_whom } of standing) {
        if (by_whom !== 'person') this.tripped.push({ at: time.now, reason, by: by_whom });
      }
      this.#resume();
    });
  }

  #standing(): HaltRow[] {
    return this.#world.storage.rows<HaltRow>('SELECT id, reason, by_whom FROM halts WHERE resumed_at IS NULL');
  }
}

interface Offer {
  readonly id: string;
  readonly market: string;
  readonly priceWithFee: number;
}

/** Listings of an answer that cost at most so much; none of an answer that cannot be read. */
function affordable(text: string, most: number): Offer[] {
  try {
    const { data } = JSON.parse(text) as { data: { listings: Offer[] } };
    return data.listings.filter((offer) => typeof offer?.id === 'string' && offer.priceWithFee <= most);
  } catch {
    return [];
  }
}

import { type Random, pick, seededRandom } from '../../src/domain/random.ts';
import type { StrategyPlan } from './bot-plan.ts';
import type { Plan, PersonAct } from './plan.ts';
import type { Lived } from './lived.ts';

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

/** Dollars, or purchases: more than a life comes to. */
const AMPLE = 5_000;

/** What still buys, at whatever price, when all others are at their caps. */
const onceMore: StrategyPlan = { name: 'once-more', priority: 0, price: { max: AMPLE }, limits: { count: { total: 5 } } };

interface HaltRow {
  readonly id: number;
  readonly reason: string;
  readonly by_whom: string;
}

/** The person beside the bot: halts and resumes, buys by hand, gives verdicts; all by commands on the same ledger. */
export class Person {
  readonly tripped: TrippedHalt[] = [];
  readonly #lived: Lived;
  readonly #random: Random;
  readonly #noticed = new Map<number, number>();
  #haltedUntil = 0;

  constructor(lived: Lived) {
    this.#lived = lived;
    this.#random = seededRandom(lived.plan.seed, 'person');
  }

  begin(plan: Plan): void {
    for (const act of plan.acts) this.#lived.time.after(act.at, () => this.#act(act));
    this.#lookIn();
  }

  /** Nothing new is bought after this. */
  haltForGood(): void {
    this.#haltedUntil = Number.POSITIVE_INFINITY;
    this.#lived.storage.beside((ledger) => ledger.halt('the day is over', 'person', this.#lived.wall));
  }

  /** The files say again what they said in the beginning, under which something can be bought. */
  restoreRules(): void {
    const { plan, rules } = this.#lived;
    if (rules.saved !== plan.bot) this.#lived.saveRules(plan.bot);
  }

  /** The files allow a few purchases more, whatever the caps before were used up by. */
  giveRoom(): void {
    const { limits } = this.#lived.plan.bot;
    const wide = { ...limits, maxPrice: AMPLE, spend: {}, perItem: {}, openPurchases: AMPLE, perHour: AMPLE };
    this.#lived.saveRules({ limits: wide, strategies: [onceMore] });
  }

  resumeNow(): void {
    this.#haltedUntil = 0;
    if (this.#standing().length > 0) this.#resume();
  }

  #act(act: PersonAct): void {
    if (!this.#lived.storage.exists || this.#lived.mortality.healed) return;
    switch (act.do) {
      case 'halt':
        return this.#halt(act.forMs);
      case 'buy':
        return this.#buy();
      case 'reconcile':
        return void this.#lived.storage.beside((ledger) => ledger.ask('reconcile', null, this.#lived.wall));
      case 'resolve':
        return this.#resolve();
      case 'reload':
        this.#lived.mortality.count('reload', 'saved');
        return this.#lived.saveRules(act.rules);
    }
  }

  #halt(forMs: number): void {
    const { storage, time, mortality } = this.#lived;
    mortality.count('halt', 'by a person');
    this.#haltedUntil = Math.max(this.#haltedUntil, time.now + forMs);
    storage.beside((ledger) => ledger.halt('a person wants it', 'person', this.#lived.wall));
    time.after(forMs, () => {
      if (time.now >= this.#haltedUntil && this.#standing().every(({ by_whom }) => by_whom === 'person')) this.#resume();
    });
  }

  #resume(): void {
    this.#lived.storage.beside((ledger) => ledger.resume(this.#lived.wall));
  }

  #buy(): void {
    const { storage, sandbox, plan, wall } = this.#lived;
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
    const { storage, now } = this.#lived;
    const [old] = this.#lived.door.posts.filter(({ at }) => now - at > VERDICT_AGE_MS).length > 0 ? this.#unknown() : [];
    if (old === undefined) return;
    const order = this.#lived
      .books()
      .orders.find(({ market, listingId }) => market === old.market && listingId === old.listing_id);
    const as = order === undefined ? 'not-bought' : 'bought';
    storage.beside((ledger) => ledger.resolve(old.id, as, 'it was looked up at the service', this.#lived.wall));
  }

  #unknown(): { id: number; market: string; listing_id: string }[] {
    const before = this.#lived.now - VERDICT_AGE_MS;
    return this.#lived.storage.rows(
      "SELECT id, market, listing_id FROM purchases WHERE state = 'unknown' AND created_at < ?",
      before,
    );
  }

  /** A halt that tripped by itself is noticed after a while, noted for the auditor, and ended. */
  #lookIn(): void {
    const { time, storage, plan } = this.#lived;
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
    return this.#lived.storage.rows<HaltRow>('SELECT id, reason, by_whom FROM halts WHERE resumed_at IS NULL');
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

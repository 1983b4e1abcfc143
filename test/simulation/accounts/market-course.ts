import type { Clock } from '../../../src/domain/clock.ts';
import { type Sandbox, createSandbox } from '../../../src/sandbox/sandbox.ts';
import type { SimTime } from '../sim-time.ts';

type Wire = Readonly<Record<string, unknown>> & { readonly id: string; readonly market: string; readonly price: number };

interface CourseOptions {
  readonly seed: number;
  readonly listings: number;
  readonly speed: number;
  readonly feeRate: number;
}

/** How often the market that accounts meet follows its course, at the usual pace. */
const FOLLOW_MS = 2_500;

/**
 * The course of a market as it goes when nobody of ours buys: an exchange of its own, with its newcomers, rivals and prices, of which each
 * change is done to the exchange that the accounts meet. There a purchase takes its listing away and changes nothing else: what comes
 * next would otherwise be drawn by what stands, and one account's purchases would tell on all others.
 */
export class MarketCourse {
  readonly #course: Sandbox;
  readonly #met: Sandbox;
  readonly #time: SimTime;
  readonly #everyMs: number;
  /** By the key in the course: what stands there, and under which id where it is met. */
  readonly #known = new Map<string, { readonly wire: Wire; readonly id: string }>();

  constructor(met: Sandbox, clock: Clock, time: SimTime, options: CourseOptions, pace: number) {
    this.#met = met;
    this.#time = time;
    this.#everyMs = FOLLOW_MS * pace;
    const calm = { orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 };
    this.#course = createSandbox({ ...options, clock, control: true, faults: calm });
  }

  /** Everything that stands is put up now, and what comes is followed from then on. */
  begin(): void {
    this.#follow();
    this.#time.after(this.#everyMs, () => this.begin());
  }

  #follow(): void {
    const standing = new Map(this.#standing().map((wire) => [keyOf(wire), wire]));
    for (const [key, { wire, id }] of this.#known) {
      if (standing.has(key)) continue;
      this.#known.delete(key);
      this.#move('/sandbox/sell', { market: wire.market, id });
    }
    for (const [key, wire] of standing) {
      const known = this.#known.get(key);
      if (known === undefined) this.#putUp(key, wire);
      else if (known.wire.price !== wire.price) this.#reprice(key, known.id, wire);
    }
  }

  #putUp(key: string, wire: Wire): void {
    const { id: _id, itemId: _itemId, ...asked } = wire;
    const put = this.#move('/sandbox/listings', asked);
    if (put === undefined) throw new Error(`not put up: ${JSON.stringify(wire)}`);
    this.#known.set(key, { wire, id: put.id });
  }

  /** Where it was bought meanwhile nothing is there to be changed. */
  #reprice(key: string, id: string, wire: Wire): void {
    this.#known.set(key, { wire, id });
    const { market, price, priceWithFee } = wire;
    this.#move('/sandbox/price', { market, id, price, priceWithFee });
  }

  #standing(): readonly Wire[] {
    const answer = ask(this.#course, 'GET', '/sandbox/listings');
    return (JSON.parse(answer.bodyText) as { listings: Wire[] }).listings;
  }

  /** undefined: the exchange refuses. */
  #move(path: string, asked: unknown): Wire | undefined {
    const answer = ask(this.#met, 'POST', path, asked);
    return answer.status === 200 ? (JSON.parse(answer.bodyText) as Wire) : undefined;
  }
}

function ask(sandbox: Sandbox, method: string, path: string, body?: unknown): ReturnType<Sandbox['handle']> {
  const headers = { 'x-sandbox-control': sandbox.controlKey };
  return sandbox.handle({ method, path, query: {}, headers, body: body === undefined ? undefined : JSON.stringify(body) });
}

function keyOf({ market, id }: Wire): string {
  return `${market}:${id}`;
}

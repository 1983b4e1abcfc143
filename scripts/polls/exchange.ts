import type { EpochMs } from '../../src/domain/clock.ts';
import { type Random, chance, pick } from '../../src/domain/random.ts';
import type { SandboxRequest } from '../../src/sandbox/answer.ts';
import { type SandboxAnswer, cutOff, htmlPage, lost } from '../../src/sandbox/sandbox-answer.ts';
import { PollMarket } from './market.ts';

interface Order {
  readonly id: string;
  readonly itemId: string;
  readonly name: string;
  readonly amount: number;
  readonly at: EpochMs;
}

const ACCOUNT = 'a1b2c3d4e5f60718293a4b5c';
const BALANCE = 100_000;
/** From an order to its delivery. */
const DELIVERY_MS = 600_000;
/** Of the buys so many are refused. */
const REFUSED = 0.2;

/** A question is answered badly this often, in one of the ways below. */
const BAD = 0.03;

/**
 * A service that costs little and remembers little, for as many answers as anybody wants: a market that never stands still, an
 * account, the orders of what is bought. A share of what it says is bad, in every way that answers can be.
 */
export class PollExchange {
  readonly #random: Random;
  readonly #now: () => EpochMs;
  readonly #market: PollMarket;
  readonly #orders: Order[] = [];
  #requests = 0;
  /** How many answers were bad from the first byte on. */
  bad = 0;

  /** `replaced`: how many listings give way to others from one answer to the next. */
  constructor(random: Random, now: () => EpochMs, replaced: number) {
    this.#random = random;
    this.#now = now;
    this.#market = new PollMarket(random, replaced);
  }

  answer({ method, path, body }: SandboxRequest): SandboxAnswer {
    this.#requests++;
    if (path === '/v2/market/buy') return this.#buy(body ?? '');
    const good = this.#success(this.#dataOf(method, path, body));
    if (!chance(this.#random, BAD)) return good;
    this.bad++;
    return this.#badly(good);
  }

  #dataOf(method: string, path: string, body: string | undefined): unknown {
    const well = { status: 'ok', staleMs: 100 };
    switch (`${method} ${path}`) {
      case 'GET /v2/partner/live/listings':
        return this.#market.next();
      case 'GET /v1/partner/market-health':
        return { status: 'ok', ts: this.#now(), markets: { c5: well, ecosteam: well }, service: { c5: true, ecosteam: true } };
      case 'GET /v1/user':
        return { type: 'apiKey', message: 'profile', profile: { id: ACCOUNT, balance: this.#balance() } };
      case 'GET /v1/user/orders':
        return { total: this.#orders.length, returned: this.#orders.length, orders: this.#rows(), message: 'orders' };
      case 'GET /v1/user/transactions':
        return { total: 0, transactions: [], message: 'transactions' };
      case 'POST /v2/partner/listing-detail':
        return { items: this.#details(body ?? '') };
      default:
        return { items: [] };
    }
  }

  #details(body: string): unknown[] {
    const { items } = JSON.parse(body) as { readonly items: readonly { readonly listing: string }[] };
    return items.map(({ listing: id }) => this.#market.find(id) ?? { id, error: 'LISTING_NOT_FOUND' });
  }

  #balance(): number {
    return BALANCE - Math.round(100 * this.#orders.reduce((sum, { amount }) => sum + amount, 0)) / 100;
  }

  #rows(): unknown[] {
    return this.#orders
      .map(({ id, itemId, name, amount, at }) => {
        const code = this.#now() - at < DELIVERY_MS ? 'PENDING' : 'COMPLETED';
        const status = { code, label: code.toLowerCase() };
        const end = { cancelType: 0, cancelReason: '', settlementTime: null };
        return { id, item: name, itemId, amount, currency: 'USD', status, timestamp: Math.round(at), ...end };
      })
      .reverse();
  }

  #buy(body: string): SandboxAnswer {
    const { itemId: listing, price } = JSON.parse(body) as { itemId: string; price: number };
    const offered = this.#market.find(listing);
    if (offered !== undefined && offered['price'] !== price) return this.#failure(409, 'PRICE_CHANGED', 'the price has changed');
    if (offered === undefined || chance(this.#random, REFUSED))
      return this.#failure(410, 'LISTING_NOT_FOUND', 'the listing is not for sale');
    const id = `65f0${String(this.#orders.length).padStart(20, '0')}`;
    const { itemId, marketHashName: name, priceWithFee: amount } = offered;
    this.#orders.push({ id, itemId: String(itemId), name: String(name), amount: Number(amount), at: this.#now() });
    return this.#success({ order: { orderId: `up-${id}`, serviceOrderId: id, status: 'SUCCESS', message: null }, item: null });
  }

  #badly(good: SandboxAnswer): SandboxAnswer {
    const words = `trouble number ${this.#requests}`;
    const { bodyText } = good;
    return pick<() => SandboxAnswer>(this.#random, [
      () => htmlPage(this.#random),
      () => cutOff(good, this.#random),
      () => lost('after'),
      () => this.#failure(500, `CODE_${this.#requests}`, words),
      () => this.#failure(503, 'UNAVAILABLE', words),
      () => this.#failure(200, 'NOT_NOW', words),
      () => ({ ...good, bodyText: '' }),
      () => ({ ...good, bodyText: `${bodyText}${words}` }),
      () => ({ ...good, bodyText: bodyText.replaceAll(':', ';') }),
      () => ({ ...good, bodyText: JSON.stringify({ success: true, requestId: words, data: null }) }),
      () => ({ ...good, bodyText: JSON.stringify([words]) }),
      () => ({ ...good, headers: { ...good.headers, 'content-type': `text/x-${this.#requests}` } }),
      () => ({ ...good, headers: { ...good.headers, 'content-encoding': 'gzip' } }),
      () => ({ ...good, headers: { ...good.headers, age: String(100 + this.#requests) } }),
      () => ({ ...good, headers: { ...good.headers, date: new Date(this.#now() - 300_000).toUTCString() } }),
      () => ({ ...good, status: 302, headers: { location: `/elsewhere/${this.#requests}` } }),
    ])();
  }

  #success(data: unknown): SandboxAnswer {
    return this.#said(200, { requestId: `r-${this.#requests}`, success: true, data });
  }

  #failure(status: number, code: string, message: string): SandboxAnswer {
    return this.#said(status, { requestId: `r-${this.#requests}`, success: false, code, message });
  }

  #said(status: number, body: unknown): SandboxAnswer {
    const headers = { 'content-type': 'application/json', date: new Date(this.#now()).toUTCString() };
    return { status, headers, bodyText: JSON.stringify(body), delayMs: 0 };
  }
}

import { Pool } from 'undici';

interface Listing {
  readonly id: string;
  readonly market: string;
  readonly marketHashName: string;
  readonly price: number;
}

/** What buys as a good engineer writes it first: the whole body, JSON.parse, a Map of what was known, a POST over a warm pool. */
export class Floor {
  readonly #pool: Pool;
  #known = new Map<string, number>();

  constructor(baseUrl: string) {
    this.#pool = new Pool(baseUrl, { connections: 2 });
  }

  async poll(): Promise<void> {
    const first = this.#known.size === 0;
    const headers = { 'x-api-key': 'floor' };
    const { body } = await this.#pool.request({ method: 'GET', path: '/v2/partner/live/listings', headers });
    const { data } = JSON.parse(await body.text()) as { data: { listings: Listing[] } };
    const now = new Map<string, number>();
    const buys: Promise<unknown>[] = [];
    for (const listing of data.listings) {
      const key = `${listing.market}:${listing.id}`;
      if (!first && this.#known.get(key) !== listing.price && this.#wants(listing)) buys.push(this.#buy(listing));
      now.set(key, listing.price);
    }
    this.#known = now;
    await Promise.all(buys);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  #wants({ marketHashName, price }: Listing): boolean {
    return price <= 2 && marketHashName.startsWith('AK-47 | Redline');
  }

  async #buy({ id, market, price }: Listing): Promise<void> {
    const headers = { 'x-api-key': 'floor', 'content-type': 'application/json' };
    const body = JSON.stringify({ itemId: id, price, market, tradeUrl: 'https://example.invalid/' });
    const answer = await this.#pool.request({ method: 'POST', path: '/v2/market/buy', headers, body });
    await answer.body.dump();
  }
}

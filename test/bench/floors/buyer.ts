import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Wire } from '../market.ts';
import { PollFloor } from './poll.ts';

/** A strategy as simply as it can be said. */
export interface Wish {
  readonly name: string;
  readonly maxPriceWithFee: number;
}

export interface FloorOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tradeUrl: string;
  readonly intervalMs: number;
  readonly wishes: readonly Wish[];
  /** Of answers, as a request header; left out: answers come as they are. */
  readonly acceptEncoding?: string | undefined;
}

/**
 * The whole bot as a good engineer writes it first: an undici pool, `body.text()`, JSON.parse, a Map diff, a loop over what changed,
 * POST. It has no journal, no limiter, no caps, no log: it is fast by leaving them out. Started as a process of its own with its options
 * as JSON in the first argument, it runs until it is killed.
 */
export async function runFloor({ baseUrl, apiKey, tradeUrl, intervalMs, wishes, acceptEncoding }: FloorOptions): Promise<never> {
  const pool = new Pool(baseUrl, { connections: 2 });
  const headers = { 'x-api-key': apiKey, accept: 'application/json' };
  const reading = acceptEncoding === undefined ? headers : { ...headers, 'accept-encoding': acceptEncoding };
  const diff = new PollFloor();
  const buy = async (listing: Wire): Promise<void> => {
    const order = { itemId: listing['id'], price: listing['price'], market: listing['market'], tradeUrl };
    const answer = await pool.request({
      method: 'POST',
      path: '/v2/market/buy',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(order),
    });
    await answer.body.json();
  };
  for (;;) {
    const began = performance.now();
    const { body, headers: said } = await pool.request({ method: 'GET', path: '/v2/partner/live/listings', headers: reading });
    const text = await textOf(body, said['content-encoding']);
    const bought: Promise<void>[] = [];
    for (const listing of diff.poll(text).changed) {
      if (wishes.some((wish) => wants(wish, listing))) bought.push(buy(listing));
    }
    await Promise.all(bought);
    await sleep(Math.max(0, intervalMs - (performance.now() - began)));
  }
}

function wants({ name, maxPriceWithFee }: Wish, listing: Wire): boolean {
  return listing['marketHashName'] === name && Number(listing['priceWithFee']) <= maxPriceWithFee;
}

interface Body {
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

async function textOf(body: Body, encoding: string | string[] | undefined): Promise<string> {
  if (encoding === 'gzip') return (await promisify(gunzip)(await body.arrayBuffer())).toString();
  if (encoding === 'br') return (await promisify(brotliDecompress)(await body.arrayBuffer())).toString();
  return body.text();
}

import type { EpochMs } from '../domain/clock.ts';
import { Refused } from './answer.ts';
import type { Call } from './api.ts';
import type { BuyAsk, Exchange } from './exchange.ts';

/** POST /v2/market/buy: the trade URL is required, since every caller here uses a key. */
export function buy({ exchange, account, body, now }: Call<'buy'>): unknown {
  const ask = { account: account.id, market: body.market, listingId: body.itemId, price: body.price };
  return soldBy(exchange, ask, body.tradeUrl !== undefined, now);
}

interface Sold {
  readonly order: Readonly<Record<string, unknown>>;
  readonly item: Readonly<Record<string, unknown>>;
}

/** Sells and notes that a buy arrived, whatever its verdict; `item` lacks wear and seed, as documented. */
export function soldBy(exchange: Exchange, ask: BuyAsk, hasTradeUrl: boolean, now: EpochMs): Sold | Refused {
  const answer = hasTradeUrl ? exchange.buy(ask, now) : noTradeUrl;
  const verdict = answer.kind === 'accepted' ? 'accepted' : answer.code;
  exchange.books.note({ kind: 'post', ...ask, verdict }, now);
  if (answer.kind === 'refused') return new Refused(answer.status, answer.code, answer.message);
  const { wear: _wear, paintSeed: _seed, ...item } = answer.listing.wire;
  const { id, upstreamId } = answer.order;
  return { order: { orderId: upstreamId, serviceOrderId: id, status: 'SUCCESS', message: 'order accepted' }, item };
}

const noTradeUrl = {
  kind: 'refused',
  status: 400,
  code: 'TRADE_URL_REQUIRED',
  message: 'tradeUrl is required with an API key',
} as const;

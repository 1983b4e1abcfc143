import { Refused } from './answer.ts';
import type { Call } from './api.ts';

/** POST /v2/market/buy: the trade URL is required, since every caller here uses a key; `item` lacks wear and seed, as documented. */
export function buy({ exchange, account, body, now }: Call<'buy'>): unknown {
  const ask = { account: account.id, market: body.market, listingId: body.itemId, price: body.price };
  const answer = body.tradeUrl === undefined ? noTradeUrl : exchange.buy(ask, now);
  const verdict = answer.kind === 'accepted' ? 'accepted' : answer.code;
  exchange.books.note(
    { kind: 'post', account: account.id, market: body.market, listingId: body.itemId, price: body.price, verdict },
    now,
  );
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

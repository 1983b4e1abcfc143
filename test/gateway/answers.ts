import type { Headers, Whole } from '../../src/gateway/answer.ts';
import type { BuyOrder } from '../../src/engine/ports.ts';

export const order: BuyOrder = { listingId: '9007199254740993', itemId: '00f1e2d3c4b5a697', market: 'ecosteam', price: 12.34 };

export const NOW = Date.UTC(2026, 10, 28, 12);

/** An answer received whole, with the given text as its body. */
export function whole(status: number, text: string, headers: Headers = {}): Whole {
  return { kind: 'whole', status, headers, body: { text, bytes: Buffer.byteLength(text) } };
}

/** An answer with a JSON body. */
export function json(status: number, body: unknown, headers: Headers = {}): Whole {
  return whole(status, JSON.stringify(body), headers);
}

/** What the service answers to an accepted purchase. */
export function acceptance(orderFields: object = {}, item?: unknown): object {
  return {
    requestId: '3f0c7a52-6f1d-4b0a-9a53-0f6f1a2b3c4d',
    success: true,
    data: { order: { serviceOrderId: 'so-1', orderId: 'up-1', status: 'SUCCESS', ...orderFields }, item },
  };
}

/** The listing that was asked for, as the answer repeats it. */
export const sameItem = { id: order.listingId, itemId: order.itemId, market: order.market, price: order.price };

import type { BuyOrder } from '../../src/engine/ports.ts';
import type { Lived } from './lived.ts';
import { type Violation, violation } from './violation.ts';

const INTENDED = "SELECT price FROM purchases WHERE lane = 'live' AND state = 'intended' AND market = ? AND listing_id = ?";

/** A request is about to leave: held against the committed rows as they are in that very moment. */
export function ofPost({ storage, now }: Lived, order: BuyOrder): Violation[] {
  const about = { at: now, listing: `${order.market}:${order.listingId}` };
  const rows = storage.rows<{ price: number }>(INTENDED, order.market, order.listingId);
  const found: Violation[] = [];
  const fail = (check: string, detail: string): void => void found.push(violation(check, detail, about));
  if (rows.length !== 1) fail('intent-first', `${rows.length} committed intents for a request that leaves`);
  else if (rows[0]?.price !== order.price) fail('price', `the row says ${rows[0]?.price}, the request ${order.price}`);
  if (storage.atRisk) fail('intent-synced', 'a request leaves and its row is not synced');
  return found;
}

/** There is a connection, which may have taken a while, and nothing was written to it. */
export function ofLeaving({ storage, now }: Lived, { market, listingId }: BuyOrder): Violation[] {
  const [halt] = storage.rows<{ reason: string }>('SELECT reason FROM halts WHERE resumed_at IS NULL');
  if (halt === undefined) return [];
  const about = { at: now, listing: `${market}:${listingId}` };
  return [violation('halted', `a request leaves while halted: ${halt.reason}`, about)];
}

// A sandbox in a process of its own, to be killed by persistence.test.ts. It buys for as long as it lives and says on
// stdout what was answered, a line each.
import { writeSync } from 'node:fs';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const [, , dataFolder = ''] = process.argv;
const clock = new VirtualClock();
const faults = { orderFails: 0, orderReverts: 0, healthDegraded: 0, healthDown: 0 };
const sandbox = createSandbox({ seed: 7, listings: 300, clock, dataFolder, balance: 1_000_000, faults });
const headers = { 'x-api-key': sandbox.childKey };

for (;;) {
  clock.advanceSync(500);
  const feed = sandbox.handle({ method: 'GET', path: '/v2/partner/live/listings', query: {}, headers, body: undefined });
  const { listings } = (JSON.parse(feed.bodyText) as { data: { listings: { id: string; market: string; price: number }[] } })
    .data;
  const listing = listings[Math.floor(listings.length / 2)];
  if (!listing) continue;
  const body = JSON.stringify({ itemId: listing.id, market: listing.market, price: listing.price, tradeUrl: sandbox.tradeUrl });
  const answer = sandbox.handle({ method: 'POST', path: '/v2/market/buy', query: {}, headers, body });
  const order = (JSON.parse(answer.bodyText) as { data?: { order: { serviceOrderId: string } } }).data?.order;
  if (order) writeSync(1, `${order.serviceOrderId} ${listing.market}:${listing.id}\n`);
}

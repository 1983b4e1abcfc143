import { describe, expect, it } from 'vitest';
import { Bench, parsed, type Json } from './harness.ts';

const entry = {
  itemId: '10807006fab895f4',
  id: '800000037',
  marketHashName: 'StatTrak™ SG 553 | Aloha (Factory New)',
  type: 'rifle',
  price: 0.52,
  priceWithFee: 0.55,
  steamPrice: 0.73,
  delivery: 'normal',
  market: 'c5game',
  exterior: 'Factory New',
  wear: 0.06603795289993286,
  paintSeed: 735,
  rarity: 'Mil-Spec Grade',
  collection: null,
  stickers: [],
  charm: null,
  unheardOf: { kept: true },
};
const entries = [
  entry,
  { ...entry, id: '800000074', market: 'ecosteam', price: 0.2, priceWithFee: 0.21 },
  null,
  { ...entry, id: 7 },
  { ...entry, id: '800000099', price: -1 },
];
const text = JSON.stringify({ requestId: 'x', success: true, data: { listings: entries, listingsCount: entries.length } });

describe('a market taken from a saved answer', () => {
  it('serves exactly its entries, in their order, even the damaged ones', () => {
    const bench = new Bench({ snapshot: text });
    expect(bench.feed()).toEqual(entries);
    bench.pass(3_600_000);
    expect(bench.data('GET', '/v2/partner/live/listings')).toEqual({ listings: entries, listingsCount: entries.length });
  });

  it('sells what stands in it, at its price, once, and looks it up', () => {
    const bench = new Bench({ snapshot: text });
    const detail = { items: [{ item: entry.itemId, listing: entry.id, market: entry.market }] };
    expect(bench.data('POST', '/v2/partner/listing-detail', { body: detail })).toEqual({ items: [entry] });
    expect(bench.buy(entry).status).toBe(200);
    expect(parsed(bench.buy(entry))['code']).toBe('LISTING_NOT_FOUND');
    expect(bench.data('POST', '/v2/partner/listing-detail', { body: detail })).toEqual({
      items: [{ id: entry.id, error: 'LISTING_NOT_FOUND' }],
    });
    expect(bench.feed()).toHaveLength(entries.length - 1);
    expect(bench.balance()).toBe(999.45);
    expect(bench.orders()).toMatchObject([{ item: entry.marketHashName, itemId: entry.itemId, amount: 0.55 }]);
    expect((bench.data('GET', '/v2/market/search')['items'] as Json[]).length).toBeGreaterThan(0);
  });

  it('is left alone by rivals unless they are asked for, who then take the cheap first', () => {
    const bench = new Bench({ snapshot: text, rivals: true });
    const left = (): unknown[] => (bench.feed() as unknown[]).map((row) => (row as Json | null)?.['id']);
    for (let minutes = 0; minutes < 600 && left().includes(entry.id); minutes++) bench.pass(60_000);
    expect(left()).not.toContain('800000074');
    expect(left()).not.toContain(entry.id);
    expect(left()).toContain('800000099');
  });

  it('refuses what is no such answer', () => {
    expect(() => new Bench({ snapshot: '{"data":' })).toThrow('the saved answer is no JSON');
    expect(() => new Bench({ snapshot: '{"data":{"items":[]}}' })).toThrow('the saved answer holds no listings');
  });
});

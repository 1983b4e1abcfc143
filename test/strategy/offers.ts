import type { Listing } from '../../src/domain/listing.ts';
import { parseStrategy } from '../../src/strategy/parse.ts';
import { readListing } from '../../src/strategy/read-listing.ts';
import type { Strategy, Verdict } from '../../src/strategy/strategy.ts';

/** An entry of the feed as the service sends it. */
export function entry(given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    itemId: '10807006fab895f4',
    id: '800000037',
    marketHashName: 'AK-47 | Redline (Field-Tested)',
    type: 'rifle',
    iconUrl: 'https://img.example.invalid/1.png',
    price: 10,
    priceWithFee: 10.5,
    steamPrice: 20,
    delivery: 'normal',
    market: 'ecosteam',
    exterior: 'Field-Tested',
    wear: 0.2,
    paintSeed: 661,
    rarity: 'Classified',
    collection: 'The Phoenix Collection',
    color: '#d32ce6',
    stickers: [],
    charm: null,
    ...given,
  };
}

export function offer(given: Record<string, unknown> = {}): Listing {
  const read = readListing(entry(given));
  if (!read.ok) throw new Error(`a bad listing: ${read.bad.reason}`);
  return read.listing;
}

/** A strategy of these keys; a name and a price that takes in everything are added where they are not given. */
export function strategyOf(keys: Record<string, unknown>): Strategy {
  const parsed = parseStrategy({ name: 'tried', price: { max: 1_000_000 }, ...keys }, { text: '', hash: '' });
  if (!parsed.ok) throw new Error(parsed.faults.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  return parsed.strategy;
}

/** What a group of conditions says of an offer: whether it holds, and whether its opposite does, tell the three values apart. */
export function judged(when: Record<string, unknown>, listing: Listing): Verdict {
  const holds = strategyOf({ when }).matches(listing);
  const fails = strategyOf({ when: { not: when } }).matches(listing);
  if (holds && fails) throw new Error('both a condition and its opposite hold');
  if (holds) return 'true';
  return fails ? 'false' : 'absent';
}

/** What a price block says of an offer. */
export function priced(price: Record<string, unknown>, listing: Listing, keys: Record<string, unknown> = {}): boolean {
  return strategyOf({ ...keys, price }).matches(listing);
}

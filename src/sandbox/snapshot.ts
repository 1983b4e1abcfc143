import { listingKey } from '../domain/listing.ts';
import type { MarketListing } from './listing.ts';
import { SandboxError } from './sandbox-error.ts';
import { placeOf } from './spread.ts';

/**
 * The listings of a saved answer of live listings, to be served entry by entry as they are, in their order. What is no
 * object with an id, a market and a price is served too, but cannot be bought. Throws SandboxError when the text is no such
 * answer.
 */
export function readSnapshot(text: string): MarketListing[] {
  return entriesOf(text).map((entry, seq) => listingOf(entry, seq));
}

function entriesOf(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SandboxError('snapshot', `the saved answer is no JSON: ${String(error)}`);
  }
  const data = field(value, 'data') ?? value;
  const listings = Array.isArray(data) ? data : field(data, 'listings');
  if (!Array.isArray(listings))
    throw new SandboxError(
      'snapshot',
      'the saved answer holds no listings: expected data.listings, as GET /v2/partner/live/listings answers',
    );
  return listings;
}

function listingOf(entry: unknown, seq: number): MarketListing {
  const text = (name: string): string => {
    const value = field(entry, name);
    return typeof value === 'string' ? value : '';
  };
  const number = (name: string): number => {
    const value = field(entry, name);
    return typeof value === 'number' ? value : 0;
  };
  const [id, market, price, steam] = [text('id'), text('market'), number('price'), number('steamPrice')];
  const sound = id !== '' && market !== '' && price > 0;
  const key = sound ? listingKey(market, id) : `unbuyable:${seq}`;
  const place = sound && steam > 0 ? placeOf(price / steam) : undefined;
  const names = { itemId: text('itemId'), name: text('marketHashName') };
  return {
    key,
    market,
    id,
    ...names,
    price,
    priceWithFee: number('priceWithFee'),
    wire: entry as MarketListing['wire'],
    rank: seq,
    seq,
    place,
    next: undefined,
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

import type { Purchase } from '../domain/purchase.ts';

/** Listings that one question about details may name, as the document says. */
export const DETAILS_MAX = 10;

type Named = Pick<Purchase, 'market' | 'itemId' | 'listingId'>;
type Askable<T extends Named> = T & { readonly market: 'c5game' | 'ecosteam' };

/** What the service's answer says of one listing. */
export type Detail =
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'standing';
      /** Base price in dollars. */
      readonly price: number;
      /** undefined where the answer leaves it out. */
      readonly priceWithFee: number | undefined;
    };

/** What the endpoint's own rules would turn away would cost the other nine their answer. */
export function isAskable<T extends Named>(purchase: T): purchase is Askable<T> {
  const { market, itemId, listingId } = purchase;
  return (market === 'c5game' || market === 'ecosteam') && /^[0-9a-f]{16}$/.test(itemId) && /^\d+$/.test(listingId);
}

/** One question's body. */
export function detailsBody(asked: readonly Askable<Named>[]): {
  items: { item: string; listing: string; market: 'c5game' | 'ecosteam' }[];
} {
  return { items: asked.map(({ itemId, listingId, market }) => ({ item: itemId, listing: listingId, market })) };
}

/**
 * What the answer says of the listing that was asked for at that place; undefined: nothing. A listing is found by its own id and market;
 * an error by its place, where there are as many elements as questions, or by its id. The same id with another item on it is another
 * listing: ours is gone.
 */
export function detailOf(asked: Named, elements: readonly unknown[], index: number, count: number): Detail | undefined {
  const { listingId, itemId, market } = asked;
  const shown = elements.filter(isFields);
  const listing = shown.find((one) => one['error'] === undefined && one['id'] === listingId && one['market'] === market);
  if (listing !== undefined) {
    if (listing['itemId'] !== itemId) return { kind: 'gone' };
    const { price, priceWithFee } = listing;
    if (typeof price !== 'number') return undefined;
    return { kind: 'standing', price, priceWithFee: typeof priceWithFee === 'number' ? priceWithFee : undefined };
  }
  const placed = elements.length === count ? elements[index] : undefined;
  const error = isFields(placed) ? placed : shown.find((one) => one['error'] !== undefined && one['id'] === listingId);
  const isGone = error?.['error'] === 'LISTING_NOT_FOUND' || error?.['error'] === 'ITEM_NOT_FOUND';
  return isGone ? { kind: 'gone' } : undefined;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

import { foldCase } from '../domain/text.ts';
import { Prepared } from './answer.ts';
import type { Call } from './api.ts';
import type { CatalogueItem } from './catalogue.ts';
import { paged } from './paging.ts';

export function liveListings({ exchange }: Call<'liveListings'>): unknown {
  const { standing } = exchange.market;
  const { liveMax } = exchange.settings;
  if (liveMax !== undefined) {
    const shown = standing.inOrder().slice(0, liveMax);
    return { listings: shown.map(({ wire }) => wire), listingsCount: shown.length };
  }
  return new Prepared(standing.feedText(), () => ({
    listings: standing.inOrder().map(({ wire }) => wire),
    listingsCount: standing.size,
  }));
}

/** The `id` of an element that was not found is the listing id asked for (our assumption). */
export function listingDetail({ exchange, body }: Call<'listingDetail'>): unknown {
  const known = new Set(exchange.market.standing.inOrder().map(({ itemId }) => itemId));
  const items = body.items.map(({ item, listing, market }) => {
    if (!known.has(item) && !exchange.catalogue.byId(item)) return { id: listing, error: 'ITEM_NOT_FOUND' };
    const found = exchange.market.standing.byKey(`${market}:${listing}`);
    return found?.itemId === item ? found.wire : { id: listing, error: 'LISTING_NOT_FOUND' };
  });
  return { items };
}

export function listings({ exchange, query }: Call<'listings'>): unknown {
  const all = exchange.market.standing
    .inOrder()
    .filter(({ itemId, wire }) => itemId === query.item && (query.delivery === undefined || wire['delivery'] === query.delivery));
  const { page } = paged(
    all.toSorted((a, b) => a.price - b.price),
    { page: query.page },
  );
  return { listings: page.map(({ wire }) => wire), totalSellCount: all.length };
}

export function suggestions({ exchange, query }: Call<'suggestions'>): unknown {
  const q = foldCase(query.q);
  const found: CatalogueItem[] = [];
  for (const item of exchange.catalogue.items) {
    if (item.nameFolded.includes(q)) found.push(item);
    if (found.length === 10) break;
  }
  return {
    items: found.map((item) => ({
      id: item.itemId,
      marketHashName: item.name,
      iconUrl: null,
      rarity: item.rarity,
      color: item.color,
    })),
  };
}

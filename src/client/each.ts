import type { AnswerOf, CallRequest, Methods, Result } from './types.ts';

type PagedName = 'listings' | 'search' | 'transactions' | 'ledger';

type Element<T> = T extends readonly (infer E)[] ? E : never;

/** Elements of all pages, one after the other; each page is asked for when it is needed. Rejects with CallError. */
export interface Each {
  /** Listings of one item. */
  listings(request: CallRequest<'listings'>): AsyncGenerator<Element<AnswerOf<'listings'>['listings']>, void>;
  /** Items that a search finds. */
  search(request?: CallRequest<'search'>): AsyncGenerator<Element<AnswerOf<'search'>['items']>, void>;
  transactions(request?: CallRequest<'transactions'>): AsyncGenerator<Element<AnswerOf<'transactions'>['transactions']>, void>;
  /** Entries of the ledger; their fields are not documented. */
  ledger(request?: CallRequest<'ledger'>): AsyncGenerator<Element<AnswerOf<'ledger'>['items']>, void>;
}

/** How many items of a search are asked for at a time: the document's own default. */
const SEARCH_PAGE = 100;

/** Iterators over what the API gives by the page. */
export function eachOf(methods: Pick<Methods, PagedName>): Each {
  return {
    listings: (request) =>
      paged(
        request.query.page ?? 1,
        (page) => methods.listings({ ...request, query: { ...request.query, page } }),
        ({ listings, totalSellCount }) => ({ rows: listings, total: totalSellCount }),
      ),
    search: (request = {}) =>
      paged(
        1,
        (page) => {
          const first = (request.query?.start ?? 1) + (page - 1) * SEARCH_PAGE;
          const end = Math.min(request.query?.end ?? Number.MAX_SAFE_INTEGER, first + SEARCH_PAGE - 1);
          return end < first ? undefined : methods.search({ ...request, query: { ...request.query, start: first, end } });
        },
        ({ items, itemsCount }) => ({ rows: items, total: itemsCount - ((request.query?.start ?? 1) - 1) }),
      ),
    transactions: (request = {}) =>
      paged(
        request.query?.page ?? 1,
        (page) => methods.transactions({ ...request, query: { ...request.query, page } }),
        ({ transactions, total }) => ({ rows: transactions, total }),
      ),
    ledger: (request = {}) =>
      paged(
        request.query?.page ?? 1,
        (page) => methods.ledger({ ...request, query: { ...request.query, page } }),
        ({ items, total }) => ({ rows: items, total }),
      ),
  };
}

/**
 * Ends at an empty page, at the total where there is one, and at a page that is the one before again: a service that heeds no page would
 * never end.
 */
async function* paged<T, R>(
  first: number,
  ask: (page: number) => Promise<Result<T>> | undefined,
  read: (data: T) => { readonly rows: readonly R[]; readonly total: number | undefined },
): AsyncGenerator<R, void> {
  let before = '';
  let seen = 0;
  for (let page = first; ; page++) {
    const answer = ask(page);
    if (answer === undefined) return;
    const { rows, total } = read((await answer).data);
    const text = JSON.stringify(rows);
    if (rows.length === 0 || text === before) return;
    before = text;
    yield* rows;
    seen += rows.length;
    if (first === 1 && total !== undefined && seen >= total) return;
  }
}

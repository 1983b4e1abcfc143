import type { EndpointName } from '../../api/endpoints.ts';
import { printable } from '../../domain/text.ts';
import type { Asked, Asking } from './asking.ts';
import { agrees, differs, nameOf, refusalVerdict, skipped, successOf, type Case, type Verdict } from './case.ts';
import type { Offered } from './scene.ts';

type Data = Readonly<Record<string, unknown>>;
/** What is wrong with the data of an answer; undefined: nothing. */
type Look = (data: Data, offered: Offered) => string | undefined;

/** What the document says of the answers to reads, beyond their shape. */
export function readingCases(): readonly Case[] {
  return [...searching(), ...ofOneItem(), ...batches(), ...pages(), ...legacy()];
}

function searching(): readonly Case[] {
  const search = (what: string, query: Asked['query'], look: Look, rules: readonly string[] = []): Case =>
    reading('search', what, { query: { ...query } }, look, rules);
  const prices = (data: Data): number[] => rows(data, 'items').map(({ price }) => Number(price));
  const names = (data: Data): string[] => rows(data, 'items').map(({ marketHashName }) => String(marketHashName));
  return [
    search('at most 100 items by default (start 1, end 100)', {}, (data) => atMost(rows(data, 'items').length, 100), [
      'Limits 6',
    ]),
    search('start 1, end 3: at most three items', { start: 1, end: 3 }, (data) => atMost(rows(data, 'items').length, 3)),
    search('sort=priceAsc: prices rise', { sort: 'priceAsc', end: 50 }, (data) => inOrder(prices(data), (a, b) => a <= b)),
    search('sort=priceDesc: prices fall', { sort: 'priceDesc', end: 50 }, (data) => inOrder(prices(data), (a, b) => a >= b)),
    search('sort=abc: names in their order', { sort: 'abc', end: 50 }, (data) => alphabetical(names(data))),
    search('minPrice=5, maxPrice=20: prices within, fee included', { minPrice: 5, maxPrice: 20, end: 50 }, (data) => {
      const outside = prices(data).find((price) => price < 5 || price > 20);
      return outside === undefined ? undefined : `an item costs ${outside}`;
    }),
  ];
}

function ofOneItem(): readonly Case[] {
  const foreign: Look = (data, { itemId }) => {
    const other = rows(data, 'listings').find((listing) => listing['itemId'] !== itemId);
    return other && `a listing of another item: ${printable(String(other['itemId']))}`;
  };
  const ids = (data: Data): string =>
    rows(data, 'listings')
      .map(({ id }) => id)
      .join(', ');
  const about = (extra: Asked['query'], { itemId }: Offered): Asked => ({ query: { item: itemId, ...extra } });
  return [
    reading('listings', 'the listings are those of the item asked for', (offered) => about({}, offered), foreign),
    ...(['normal', 'auto'] as const).map((delivery) =>
      reading(
        'listings',
        `delivery=${delivery}: no other`,
        (offered) => about({ delivery }, offered),
        (data) => {
          const other = rows(data, 'listings').find((listing) => listing['delivery'] !== delivery);
          return other && `a listing with delivery ${printable(String(other['delivery']))}`;
        },
      ),
    ),
    twice('listings', 'page 1 is the default', 'Limits 7', (offered) => [about({}, offered), about({ page: 1 }, offered)], ids),
  ];
}

function batches(): readonly Case[] {
  const detail = (what: string, rules: readonly string[], items: (offered: Offered) => readonly unknown[], look: Look): Case =>
    reading('listingDetail', what, (offered) => ({ body: { items: items(offered) } }), look, rules);
  const known = ({ itemId, id, market }: Offered): Data => ({ item: itemId, listing: id, market });
  const error = (data: Data, at: number, word: string): string | undefined => {
    const found = rows(data, 'items')[at]?.['error'] ?? 'none';
    return found === word ? undefined : `the element has the error ${printable(JSON.stringify(found))}, not ${word}`;
  };
  const noListing = '999999999999999999';
  return [
    detail(
      'ten elements are taken, one answer each',
      ['Limits 1'],
      (offered) => Array.from({ length: 10 }, () => known(offered)),
      (data) => equal(rows(data, 'items').length, 10, 'elements'),
    ),
    detail(
      'an unknown listing is LISTING_NOT_FOUND in its place, and the answer a success',
      ['Errors 2', 'Batch detail error item'],
      (offered) => [known(offered), { ...known(offered), listing: noListing }],
      (data) => error(data, 1, 'LISTING_NOT_FOUND'),
    ),
    detail(
      'an unknown item is ITEM_NOT_FOUND in its place, and the answer a success',
      ['Errors 2', 'Batch detail error item'],
      (offered) => [{ ...known(offered), item: '0123456789abcdef', listing: noListing }],
      (data) => error(data, 0, 'ITEM_NOT_FOUND'),
    ),
    {
      endpoint: 'listingDetail',
      rules: [nameOf('listingDetail'), 'Versioning 4', 'Errors 3'],
      what: 'refused where broken: version 2 calls the market c5game, not c5',
      changes: false,
      judge: async (asking) => {
        const [offered] = asking.scene.listings;
        if (!offered) return nothingStands();
        return refusalVerdict(
          'listingDetail',
          await asking.ask('listingDetail', { body: { items: [{ ...known(offered), market: 'c5' }] } }),
        );
      },
    },
  ];
}

function pages(): readonly Case[] {
  const ledger = (what: string, query: Asked['query'], look: Look): Case =>
    reading('ledger', what, { query: { ...query } }, look, ['Limits 8', 'Ledger page']);
  const first: Look = (data) => equal(data['page'], 1, 'as page') ?? equal(data['limit'], 20, 'as limit');
  return [
    ledger('page 1 and limit 20 are the default', {}, first),
    ledger('limit=5: at most five entries', { limit: 5 }, (data) => atMost(rows(data, 'items').length, 5)),
    ...['credit', 'debit', 'neutral', 'credit,debit'].map((type) => ledger(`type=${type} is taken`, { type }, () => undefined)),
    reading(
      'orders',
      'returned is how many rows there are',
      {},
      (data) => equal(data['returned'], rows(data, 'orders').length, 'as returned'),
      ['Order row'],
    ),
    reading('liveListings', 'listingsCount is how many listings there are', {}, (data) =>
      equal(data['listingsCount'], rows(data, 'listings').length, 'as listingsCount'),
    ),
  ];
}

function legacy(): readonly Case[] {
  const on = (market: string, word: string): Case => ({
    endpoint: 'legacyListingDetail',
    rules: [nameOf('legacyListingDetail'), 'Versioning 4'],
    what: `market=${word} is taken`,
    changes: false,
    judge: async (asking) => {
      const listing = asking.scene.listings.find((each) => each.market === market);
      if (!listing) return skipped(`no listing of ${market} stands to ask about`);
      const query = { item: listing.itemId, listing: listing.id, market: word };
      const success = successOf('legacyListingDetail', await asking.ask('legacyListingDetail', { query }));
      return success.ok ? agrees : success.verdict;
    },
  });
  return [on('c5game', 'c5'), on('ecosteam', 'eco'), on('ecosteam', 'ecosteam')];
}

/** One question whose answer is looked at. */
function reading(
  name: EndpointName,
  what: string,
  asked: Asked | ((offered: Offered) => Asked),
  look: Look,
  rules: readonly string[] = [],
): Case {
  const judge = async (asking: Asking): Promise<Verdict> => {
    const [offered] = asking.scene.listings;
    if (!offered) return nothingStands();
    const success = successOf(name, await asking.ask(name, typeof asked === 'function' ? asked(offered) : asked));
    if (!success.ok) return success.verdict;
    const wrong = look((success.data ?? {}) as Data, offered);
    return wrong === undefined ? agrees : differs(wrong);
  };
  return { endpoint: name, rules: [nameOf(name), ...rules], what, changes: false, judge };
}

/** Two questions that mean the same, and are answered with the same rows unless those have moved meanwhile. */
function twice(
  name: EndpointName,
  what: string,
  rule: string,
  asked: (offered: Offered) => readonly [Asked, Asked],
  told: (data: Data) => string,
): Case {
  const judge = async (asking: Asking): Promise<Verdict> => {
    const [offered] = asking.scene.listings;
    if (!offered) return nothingStands();
    const [one, other] = asked(offered);
    // The first is asked again, since a market moves: only where both of it agree does the other say anything.
    const answers: string[] = [];
    for (const each of [one, other, one]) {
      const success = successOf(name, await asking.ask(name, each));
      if (!success.ok) return success.verdict;
      answers.push(told((success.data ?? {}) as Data));
    }
    if (answers[0] !== answers[2]) return skipped('what stands moved while it was asked');
    return answers[0] === answers[1] ? agrees : differs('other rows than without it');
  };
  return { endpoint: name, rules: [nameOf(name), rule], what, changes: false, judge };
}

export function nothingStands(): Verdict {
  return skipped('no sound listing stands to ask about');
}

/** The objects of a list in an answer; its shape is another case's. */
export function rows(data: Data, name: string): readonly Data[] {
  const list = data[name];
  return Array.isArray(list) ? list.filter((each): each is Data => typeof each === 'object' && each !== null) : [];
}

function atMost(count: number, most: number): string | undefined {
  return count <= most ? undefined : `${count} rows, not at most ${most}`;
}

function equal(found: unknown, expected: unknown, what: string): string | undefined {
  return found === expected ? undefined : `${printable(String(found))} ${what}, not ${String(expected)}`;
}

function inOrder<T>(values: readonly T[], keeps: (a: T, b: T) => boolean): string | undefined {
  const at = values.findIndex((value, index) => index > 0 && !keeps(values[index - 1] as T, value));
  return at === -1 ? undefined : `${String(values[at - 1])} stands before ${String(values[at])}`;
}

/** Which letters count as the same and what stands before them is not documented: either of two usual orders will do. */
function alphabetical(names: readonly string[]): string | undefined {
  const byCode = inOrder(names, (a, b) => a <= b);
  const byLetters = inOrder(names, (a, b) => a.localeCompare(b, 'en') <= 0);
  return byCode !== undefined && byLetters !== undefined ? printable(byLetters) : undefined;
}

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlobs } from '../../src/domain/glob.ts';
import { loadCatalogue } from '../../src/sandbox/catalogue.ts';
import { type ReadListing, readListing } from '../../src/strategy/read-listing.ts';
import { entry, offer } from './offers.ts';

const reason = (read: ReadListing): string => (read.ok ? 'sound' : read.bad.reason);
const reasonFor = (given: Record<string, unknown>): string => reason(readListing(entry(given)));

describe('an entry of the feed', () => {
  it('is read with its prices as received and exact', () => {
    expect(offer({ price: 0.575, priceWithFee: 0.6037501 })).toMatchInlineSnapshot(`
      {
        "charm": null,
        "collection": "The Phoenix Collection",
        "color": "#d32ce6",
        "cost": 603751,
        "delivery": "normal",
        "exterior": "Field-Tested",
        "id": "800000037",
        "itemId": "10807006fab895f4",
        "key": "ecosteam:800000037",
        "market": "ecosteam",
        "name": "AK-47 | Redline (Field-Tested)",
        "nameFolded": "ak-47 | redline (field-tested)",
        "paintSeed": 661,
        "price": 0.575,
        "priceMicros": 575000,
        "priceWithFee": 0.6037501,
        "rarity": "Classified",
        "steam": 20000000,
        "stickers": [],
        "type": "rifle",
        "wear": 0.2,
      }
    `);
  });

  it.each([
    ['no id', { id: undefined }],
    ['an id that is a number [N29 transport-8]', { id: 800000037 }],
    ['an id that is no digits', { id: '0x12ab' }],
    ['no item id', { itemId: undefined }],
    ['an item id that is a number', { itemId: 10807006 }],
    ['no name', { marketHashName: undefined }],
    ['an empty name', { marketHashName: '' }],
    ['a blank name', { marketHashName: ' \u00a0' }],
    ['control characters in the name', { marketHashName: 'AK-47\u001b[31m | Redline (Field-Tested)' }],
    ['a name that is turned around', { marketHashName: 'Souvenir AK-47\u202e' }],
    ['a zero-width space in the name', { marketHashName: 'Souvenir\u200b AK-47' }],
    ['a blank before the name', { marketHashName: ' Souvenir AWP | Dragon Lore (Factory New)' }],
    ['a blank after the name', { marketHashName: 'AK-47 | Redline (Field-Tested) ' }],
    ['a blank in the name that is no plain space', { marketHashName: 'Souvenir\u00a0AWP | Dragon Lore (Factory New)' }],
    ['a letter in the name that shows as nothing', { marketHashName: 'Souvenir\u3164 AWP | Dragon Lore (Factory New)' }],
    ['a name of a megabyte', { marketHashName: 'A'.repeat(1_000_000) }],
    ['no market', { market: undefined }],
    ['a price of 0', { price: 0 }],
    ['a negative price', { price: -1 }],
    ['a price as text', { price: '10' }],
    ['no price', { price: undefined }],
    ['a price of 1e400 [N23]', { price: JSON.parse('1e400') as number }],
    ['a price beyond reason', { price: 1e15, priceWithFee: 1e15 }],
    ['no priceWithFee', { priceWithFee: null }],
    ['priceWithFee below price [M10 money-24]', { priceWithFee: 9.99 }],
    ['wear 7 [M9]', { wear: 7 }],
    ['negative wear', { wear: -0.01 }],
  ])('with %s is bad [N25]', (_, given) => {
    expect(readListing(entry(given)).ok).toBe(false);
  });

  it('that is bad says why, in words', () => {
    expect(reasonFor({ id: 800000037 })).toMatchInlineSnapshot(`"id must be string"`);
    expect(reasonFor({ id: undefined })).toMatchInlineSnapshot(`"it must have required property 'id'"`);
    expect(reasonFor({ price: -1 })).toMatchInlineSnapshot(`"price must be > 0"`);
    expect(reasonFor({ priceWithFee: 9.99 })).toMatchInlineSnapshot(`"priceWithFee 9.99 is below price 10"`);
    expect(reasonFor({ price: 1e15, priceWithFee: 1e15 })).toMatchInlineSnapshot(
      `"a price of 1000000000000000 dollars is absurd"`,
    );
    expect(reasonFor({ marketHashName: 'AWP | Asiimov (Battle-Scarred) ' })).toMatchInlineSnapshot(
      `"marketHashName begins or ends with a blank"`,
    );
    expect(reasonFor({ marketHashName: 'Souvenir\u2003AWP' })).toMatchInlineSnapshot(
      `"marketHashName holds characters that cannot be seen"`,
    );
    expect(reasonFor({ wear: 7 })).toMatchInlineSnapshot(`"wear 7 is outside 0 to 1"`);
    expect(reason(readListing(null))).toMatchInlineSnapshot(`"it must be object"`);
    expect(reason(readListing({ id: '800000037', error: 'LISTING_NOT_FOUND' }))).toMatchInlineSnapshot(
      `"it must have required property 'itemId'"`,
    );
  });

  it('that is bad is kept by what is known of it, cut short', () => {
    const read = readListing(entry({ price: 'free', marketHashName: 'N'.repeat(400) }));
    expect(read).toEqual({
      ok: false,
      bad: { reason: 'price must be number', id: '800000037', market: 'ecosteam', name: 'N'.repeat(100) },
    });
    expect(readListing(7)).toEqual({
      ok: false,
      bad: { reason: 'it must be object', id: undefined, market: undefined, name: undefined },
    });
  });

  it('may have any name that an item has, blanks in a row included', () => {
    const faults = loadCatalogue().items.map(({ name }) => [name, reasonFor({ marketHashName: name })]);
    expect(faults.filter(([, fault]) => fault !== 'sound')).toEqual([]);
    expect(faults.some(([name]) => name?.includes('  '))).toBe(true);
  });

  it('is found by lists and limits that go by names, however many blanks stand in it', () => {
    const never = compileGlobs(['Souvenir AWP | *', 'Ground Rebel  | Elite Crew']);
    const names = ['Souvenir  AWP |  Dragon Lore (Factory New)', 'Ground Rebel | Elite Crew', 'Ground Rebel  | Elite Crew'];
    expect(names.map((marketHashName) => never(offer({ marketHashName }).nameFolded))).toEqual([true, true, true]);
  });

  it('may cost as much with the fee as without', () => {
    expect(reasonFor({ priceWithFee: 10 })).toBe('sound');
  });

  it.each([0, 1, 0.06603795289993286])('keeps a wear of %d with all its digits', (wear) => {
    expect(offer({ wear }).wear).toBe(wear);
  });

  it.each([null, undefined, 0, -3, 'free', '12.5', Infinity, 1e15, 0.0000001])(
    'has no reference price when steamPrice is %s [M7 money-21]',
    (steamPrice) => {
      expect(offer({ steamPrice }).steam).toBeUndefined();
    },
  );

  it('rounds a reference price down and a cost up [B4 money-18]', () => {
    const { steam, cost, priceMicros } = offer({ steamPrice: 0.9999999, price: 1.0000001, priceWithFee: 1.0000001 });
    expect({ steam, cost, priceMicros }).toEqual({ steam: 999_999, cost: 1_000_001, priceMicros: 1_000_001 });
  });

  it('has nothing where a value is of the wrong type [M9 M19]', () => {
    const { type, delivery, exterior, wear, paintSeed, rarity, collection, color, stickers, charm } = offer({
      type: 3,
      delivery: {},
      exterior: [],
      wear: '0.15',
      paintSeed: '661',
      rarity: false,
      collection: '',
      color: 'x'.repeat(1_000),
      stickers: { 0: {} },
      charm: 'Lil Ava',
    });
    expect(new Set([type, delivery, exterior, wear, paintSeed, rarity, collection, color, stickers, charm])).toEqual(
      new Set([undefined]),
    );
  });

  it.each([-1, 1.5, Infinity, 1e300])('has no paint seed when it is %d', (paintSeed) => {
    expect(offer({ paintSeed }).paintSeed).toBeUndefined();
  });

  it('keeps a paint seed of 0', () => {
    expect(offer({ paintSeed: 0 }).paintSeed).toBe(0);
  });

  it('names stickers by whichever field the upstream uses, and counts what is no object [M19]', () => {
    const stickers = [
      { name: 'A' },
      { enName: 'B', name: '' },
      { marketHashName: 'C' },
      { market_hash_name: 'D' },
      { slot: 4 },
      17,
      null,
    ];
    expect(offer({ stickers }).stickers?.map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D', undefined, undefined, undefined]);
  });

  it('does not believe a list of a thousand stickers [M19]', () => {
    expect(offer({ stickers: Array.from({ length: 1_000 }, () => ({})) }).stickers).toBeUndefined();
  });

  it.each([
    [null, null],
    [[], null],
    [{ name: 'Lil Ava' }, { name: 'Lil Ava', nameFolded: 'lil ava' }],
    [[{ enName: 'Lil Ava' }], { name: 'Lil Ava', nameFolded: 'lil ava' }],
    [{}, { name: undefined }],
    [undefined, undefined],
    [[{}, {}], undefined],
    [[null], undefined],
    [true, undefined],
  ])('reads a charm given as %j [M19]', (charm, expected) => {
    expect(offer({ charm }).charm).toEqual(expected);
  });

  it('is not taken in by __proto__ [S17]', () => {
    const read = readListing(
      JSON.parse('{"__proto__":{"id":"1","itemId":"a","marketHashName":"x","market":"c5game","price":1,"priceWithFee":1}}'),
    );
    expect(read.ok).toBe(false);
    const text = JSON.stringify(entry()).replace('"wear":0.2', '"__proto__":{"wear":0.9},"constructor":1');
    expect(readListing(JSON.parse(text))).toMatchObject({ ok: true, listing: { wear: undefined } });
    expect({}).not.toHaveProperty('wear');
  });

  it('is compared in NFC and without case [N28]', () => {
    expect(offer({ marketHashName: 'Desert Eagle | Jo\u0308rmungandr' }).nameFolded).toBe('desert eagle | j\u00f6rmungandr');
  });

  it('never makes the reader throw, whatever JSON it is', () => {
    const anything = fc.jsonValue({ maxDepth: 4 });
    const spoilt = fc
      .tuple(fc.constantFrom(...Object.keys(entry()), '__proto__'), anything)
      .map(([key, value]) => ({ ...entry(), [key]: value }));
    fc.assert(
      fc.property(fc.oneof(anything, spoilt), (raw) => {
        const read = readListing(raw);
        if (!read.ok) expect(read.bad.reason).not.toBe('');
        else expect(read.listing.cost).toBeGreaterThanOrEqual(read.listing.priceMicros);
      }),
      { numRuns: 2_000 },
    );
  });

  it('nested a hundred thousand deep is read like any other [N21]', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    expect(offer({ charm: deep, stickers: deep, exterior: deep }).charm).toBeUndefined();
  });
});

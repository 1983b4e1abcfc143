import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { SliceReader } from '../../../src/feed/slices/reader.ts';
import { entries, entry } from '../../support/feed-entries.ts';

const heldBack = (): void => undefined;

function body(listings: readonly unknown[], requestId = 'r-1'): Buffer {
  return Buffer.from(JSON.stringify({ requestId, success: true, data: { listings, listingsCount: listings.length } }));
}

/** Reads one answer after another in one piece each; undefined where one has to be read whole. */
class Reading {
  readonly prepared: unknown[] = [];
  readonly #reader = new SliceReader((one) => this.prepared.push(one));

  next(bytes: Buffer | string): readonly unknown[] | undefined {
    return this.#reader.read([Buffer.from(bytes)])?.listings;
  }
}

/** At which places the second list holds the very object that the first list holds somewhere. */
function again(first: readonly unknown[] | undefined, second: readonly unknown[] | undefined): number[] {
  return (second ?? []).flatMap((one, at) => (first?.includes(one) === true ? [at] : []));
}

const all = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe('a listing whose bytes are those of the answer before', () => {
  it('is the same object, whatever was edited, came or went around it', () => {
    const reading = new Reading();
    const market = entries(40);
    const first = reading.next(body(market));
    expect(again(first, reading.next(body(market, 'r-2')))).toEqual(all(40));
    const edited = market.map((one, at) => (at === 5 || at === 20 ? { ...one, price: 9 } : one));
    expect(again(first, reading.next(body(edited)))).toEqual(all(40).filter((at) => at !== 5 && at !== 20));
    const moved = [...market.slice(3, 10), ...entries(3, 900), ...market.slice(10)];
    expect(again(first, reading.next(body(moved)))).toEqual(
      all(40)
        .filter((at) => at < 7 || at > 9)
        .filter((at) => at !== 2 && at !== 20),
    );
  });

  it('is found again when the order is another one', () => {
    const reading = new Reading();
    const market = entries(60);
    const first = reading.next(body(market));
    // Those that are read anew before the order is known to be another one.
    expect(again(first, reading.next(body([...market].reverse()))).length).toBeGreaterThan(50);
  });

  it('is the same object at both places when it stands twice', () => {
    const reading = new Reading();
    const first = reading.next(body([entry(), entry({ id: '2' })]));
    const second = reading.next(body([entry(), entry(), entry({ id: '2' })]));
    expect(second).toEqual([entry(), entry(), entry({ id: '2' })]);
    expect(again(first, second)).toContain(2);
  });

  it('is another object when a byte of it is written in another way', () => {
    const reading = new Reading();
    const first = reading.next(body([entry({ price: 10 })]));
    const second = reading.next(
      body([entry({ price: 10 })])
        .toString()
        .replace('"price":10', '"price":10.0'),
    );
    expect(second).toEqual(first);
    expect(again(first, second)).toEqual([]);
  });
});

describe('what is handed on for the first time', () => {
  it('is prepared once, and stays as it was prepared', () => {
    const reader = new SliceReader((one) => Object.assign(one as object, { iconUrl: 'masked' }));
    const read = (bytes: Buffer): unknown[] => [...(reader.read([bytes])?.listings ?? [])];
    expect(read(body(entries(3)))).toEqual(entries(3).map((one) => ({ ...one, iconUrl: 'masked' })));
    expect(read(body(entries(4)))).toEqual(entries(4).map((one) => ({ ...one, iconUrl: 'masked' })));
  });

  it('is only what is new', () => {
    const reading = new Reading();
    reading.next(body(entries(10)));
    reading.prepared.length = 0;
    reading.next(body([...entries(5), entry({ id: '99' }), ...entries(5, 6)]));
    expect(reading.prepared).toEqual([entry({ id: '99' })]);
  });
});

describe('a new listing that ends elsewhere than it seems to', () => {
  const within = { itemId: '10807006fab895f4', id: '800000037', name: 'one' };
  /** Holds, in its list of stickers, what stands between two listings. */
  const misleading = (id: string) => entry({ id, stickers: [{ slot: 0 }, within, within], charm: within });
  /** Does not begin as the others do. */
  const turned = (id: string) => ({ id, itemId: '10807006fab895f4', ...entry({ id }) });

  it.each([
    ['one', [entry(), entry({ id: '2' }), misleading('3'), entry({ id: '4' })]],
    ['each', Array.from({ length: 50 }, (_, at) => misleading(String(at + 1)))],
    ['one that begins otherwise', [entry(), entry({ id: '2' }), turned('3'), turned('4'), entry({ id: '5' })]],
    ['each second', Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? turned : misleading)(String(at + 1)))],
    ['one beside another that makes up for it', [entry(), entry({ id: '2' }), misleading('3'), turned('4'), turned('5')]],
    ['one whose name looks like an end', [entry(), entry({ id: '2', marketHashName: '},{"itemId":"' }), entry({ id: '3' })]],
    ['one with other letters', [entry(), entry({ id: '2', marketHashName: '★ Karambit | 龍王 😀' }), entry({ id: '3' })]],
  ])('is cut where it ends: %s', (_, listings) => {
    const reading = new Reading();
    const first = reading.next(body(listings));
    expect(first).toEqual(listings);
    const edited = listings.map((one, at) => (at === 2 ? { ...one, stickers: [{ slot: 1 }, within] } : one));
    const second = reading.next(body(edited));
    expect(second).toEqual(edited);
    expect(again(first, second)).toEqual(all(listings.length).filter((at) => at !== 2));
  });

  it.each(['\n  ', '\t', ''])('is cut where it ends when blanks stand between: %j', (blank) => {
    const reading = new Reading();
    const listings = [...entries(4), misleading('7'), ...entries(4, 11)];
    const text = listings.map((one) => JSON.stringify(one, null, blank)).join(`,${blank}`);
    expect(reading.next(`{"data":{"listings":[${blank}${text}${blank}]}}`)).toEqual(listings);
  });
});

describe('an answer of another form', () => {
  it.each([
    ['cut off', body(entries(3)).subarray(0, -3)],
    ['with something behind it', `${body(entries(3)).toString()}x`],
    ['with a byte order mark', `\ufeff${body(entries(3)).toString()}`],
    ['with two lists', '{"success":true,"data":{"listings":[1],"listings":[2]}}'],
    ['with two kinds of data', '{"data":{"listings":[1]},"success":true,"data":{"listings":[2]}}'],
    ['with a name that is written with an escape', String.raw`{"success":true,"d\u0061ta":{"listings":[1]}}`],
    ['with a comma too many', '{"success":true,"data":{"listings":[1,]}}'],
    ['with a list in a list', '[{"data":{"listings":[1]}}]'],
    ['with no list', '{"success":true,"data":{"listings":{}}}'],
    ['with no data', '{"success":false,"message":"\\"data\\":{\\"listings\\":[1]}"}'],
    ['with an entry longer than any listing', body([entry({ iconUrl: 'x'.repeat(70_000) })])],
    ['that is not UTF-8', Buffer.concat([Buffer.from('{"data":{"listings":["'), Buffer.from([0xff]), Buffer.from('"]}}')])],
    ['that is empty', ''],
  ])('is left to be read whole: %s', (_, bytes) => {
    const reading = new Reading();
    const first = reading.next(body(entries(3)));
    expect(reading.next(bytes)).toBeUndefined();
    expect(again(first, reading.next(body(entries(3))))).toEqual([0, 1, 2]);
  });

  it.each([
    ['spaced', '{ "data" : { "listings" : [ 1 , {"id": "]"} ] , "listingsCount" : 2 } , "success" : true }\n', [1, { id: ']' }]],
    ['with the list last', '{"success":true,"data":{"message":"[","listingsCount":0,"listings":[]}}', []],
    [
      'with texts that look like its own',
      '{"requestId":"\\"data\\":{\\"listings\\":[9","data":{"listings":["],[",null]}}',
      ['],[', null],
    ],
  ])('is read by what is new in it when it is only %s', (_, text, listings) => {
    expect(new Reading().next(text)).toEqual(listings);
  });
});

/** Three listings in the form of the service, one of them hard to read. */
const few = [
  entry(),
  entry({ id: '2', marketHashName: '★ "},{\\', stickers: [{ itemId: '1', name: '😀' }] }),
  entry({ id: '3' }),
];

function parsed(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return (JSON.parse(text) as { data: { listings: unknown } }).data.listings;
  } catch {
    return undefined;
  }
}

describe('an answer after another', () => {
  it('is never read when it breaks off, wherever it does', () => {
    const reading = new Reading();
    reading.next(body(few));
    const second = body(few.map((one) => ({ ...one, price: 9 })));
    for (let length = 0; length < second.length; length++) expect(reading.next(second.subarray(0, length))).toBeUndefined();
    expect(reading.next(second)).toHaveLength(3);
  });

  it('is what JSON.parse makes of it when any one byte of it is another one', () => {
    const good = body(few);
    const reader = new SliceReader(heldBack);
    const wrong: unknown[] = [];
    for (const byte of Buffer.from('"\\{[,:]}0 e\u0000\u00ff', 'latin1')) {
      for (let at = 0; at < good.length; at++) {
        reader.read([good]);
        const damaged = Buffer.from(good);
        damaged[at] = byte;
        const read = reader.read([damaged.subarray(0, at), damaged.subarray(at)])?.listings;
        if (read !== undefined && !isDeepStrictEqual(read, parsed(damaged))) wrong.push({ at, byte, read });
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('an answer that arrives', () => {
  const answer = body(entries(3));
  const showing = (reader: SliceReader, length: number): readonly unknown[] | undefined => {
    const arrival = reader.arriving();
    arrival.push(answer.subarray(0, length));
    const shown = arrival.soFar()?.listings.slice();
    arrival.drop();
    return shown;
  };

  it('shows each listing with its last byte', () => {
    const reader = new SliceReader(heldBack);
    const ends = entries(3).map((one) => answer.indexOf(JSON.stringify(one)) + JSON.stringify(one).length);
    expect(ends.map((end) => showing(reader, end - 1)?.length)).toEqual([0, 1, 2]);
    expect(ends.map((end) => showing(reader, end))).toEqual([entries(1), entries(2), entries(3)]);
  });

  it('shows nothing before its list begins, nor anything that follows its list', () => {
    const reader = new SliceReader(heldBack);
    const begin = answer.indexOf('[') + 1;
    expect([0, 1, begin - 1, begin].map((length) => showing(reader, length))).toEqual([undefined, undefined, undefined, []]);
    expect(showing(reader, answer.length)).toHaveLength(3);
  });

  it('grows the same list, and comes as those very objects in the end', () => {
    const arrival = new SliceReader(heldBack).arriving();
    arrival.push(answer.subarray(0, answer.length / 2));
    const shown = arrival.soFar()?.listings;
    const early = [...(shown ?? [])];
    arrival.push(answer.subarray(answer.length / 2));
    expect(arrival.soFar()?.listings).toBe(shown);
    expect(early).toHaveLength(1);
    expect(arrival.end()?.listings[0]).toBe(early[0]);
  });

  it('is no answer before the next when it breaks off', () => {
    const reader = new SliceReader(heldBack);
    const first = reader.read([answer])?.listings;
    showing(reader, answer.length - 5);
    expect(again(first, reader.read([answer])?.listings)).toEqual([0, 1, 2]);
  });

  it('is left to be read whole when another one begins before it has ended', () => {
    const reader = new SliceReader(heldBack);
    const left = reader.arriving();
    left.push(answer);
    expect(reader.read([answer])?.listings).toHaveLength(3);
    expect([left.soFar(), left.end()]).toEqual([undefined, undefined]);
    expect(reader.read([answer])?.listings).toHaveLength(3);
  });

  it('shows nothing of a text that is no UTF-8 by then', () => {
    const arrival = new SliceReader(heldBack).arriving();
    const broken = Buffer.from(answer);
    broken[broken.indexOf('AK-47') + 1] = 0xff;
    arrival.push(broken);
    expect(arrival.soFar()).toBeUndefined();
    expect(arrival.end()).toBeUndefined();
  });
});

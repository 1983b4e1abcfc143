import fc from 'fast-check';
import { entry } from '../../support/feed-entries.ts';

/*
 * Answers of the live listings in the forms that a service, a proxy or an enemy could give them, one after another: most of each
 * is what stood in the one before.
 */

/** What becomes of one answer on its way. */
export interface Damage {
  readonly kind: 'none' | 'cut off' | 'changed' | 'added' | 'lost' | 'repeated';
  /** Where, as a share of its length. */
  readonly at: number;
  readonly byte: number;
}

export interface Move {
  readonly kind: 'insert' | 'remove' | 'replace' | 'edit' | 'swap' | 'double' | 'newcomers' | 'leave' | 'reverse' | 'replace all';
  readonly at: number;
  readonly count: number;
  readonly text: string;
}

export interface Step {
  readonly moves: readonly Move[];
  /** Index of the form in which the answer is written; most are as the last one was. */
  readonly form: number | undefined;
  readonly damage: Damage;
  /** Where the body is cut into pieces, as shares of its length. */
  readonly pieces: readonly number[];
  /** It is looked at as each piece comes. */
  readonly arriving: boolean;
}

const words = fc.oneof(
  fc.constantFrom(
    'id',
    '"id":"7"',
    '\\',
    '"',
    '},{"itemId":"',
    ']}',
    '[',
    '{',
    ',',
    ':',
    'listings',
    '"data":{"listings":[',
    '',
    ' ',
  ),
  fc.constantFrom(
    '★ Karambit | Fade',
    'StatTrak™',
    '龍王',
    '😀',
    '\u2028',
    '\u0000',
    '\ud800',
    '\udc00x',
    '\u00e9',
    '\ufeff',
    '__proto__',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

const numbers = fc.constantFrom(
  '0',
  '-0',
  '1',
  '12',
  '1.5',
  '10.50',
  '1e2',
  '1E-7',
  '1e400',
  '123456789012345678901',
  '0.1',
  '-1',
);

/** A text as JSON, some of its characters escaped though they need not be. */
const wordText = fc
  .tuple(words, fc.nat())
  .map(([word, bits]) =>
    JSON.stringify(word).replace(/[a-z{}[\],:]/g, (character, at: number) =>
      ((bits >> (at % 30)) & 1) === 1 && at > 0 && escapable(word) ? escaped(character) : character,
    ),
  );

function escapable(word: string): boolean {
  return !JSON.stringify(word).includes('\\');
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const space = fc.oneof(
  { weight: 9, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\n  ', '\t', '\r\n') },
);

const plainText = fc.oneof(wordText, numbers, fc.constantFrom('true', 'false', 'null', '[]', '{}'));

/** Members may repeat a name. */
function holder(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc
    .tuple(fc.oneof(wordText, fc.constantFrom('"id"', '"price"', '"name"')), space, inner)
    .map(([name, gap, value]) => `${name}${gap}:${value}`);
  return fc.oneof(
    fc.tuple(fc.array(member, { maxLength: 4 }), space).map(([members, gap]) => `{${members.join(`,${gap}`)}${gap}}`),
    fc.tuple(fc.array(inner, { maxLength: 3 }), space).map(([elements, gap]) => `[${gap}${elements.join(`${gap},`)}]`),
  );
}

const nested = holder(fc.oneof(plainText, holder(plainText)));

const sound = fc
  .record({
    id: fc.integer({ min: 1, max: 30 }).map(String),
    marketHashName: words,
    price: fc.constantFrom(1, 1.01, 12, 12.5),
    stickers: fc.array(fc.record({ itemId: words, id: words, name: words, slot: fc.nat(4) }), { maxLength: 3 }),
    charm: fc.constantFrom(null, { itemId: '7', name: '}' }),
  })
  .map((fields) => entry(fields));

const entryText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(sound, fc.constantFrom(undefined, undefined, undefined, 1))
      .map(([fields, indent]) => JSON.stringify(fields, null, indent)),
  },
  { weight: 2, arbitrary: nested },
  { weight: 1, arbitrary: plainText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{"id":"1","price":1,"price":2}',
      '{"__proto__":{"id":"1"}}',
      '{"itemId":"a"}',
      `["${'x'.repeat(70_000)}"]`,
    ),
  },
);

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('insert' as const, 'remove' as const, 'replace' as const, 'edit' as const) },
    { weight: 2, arbitrary: fc.constantFrom('newcomers' as const, 'leave' as const, 'swap' as const, 'double' as const) },
    { weight: 1, arbitrary: fc.constantFrom('reverse' as const, 'replace all' as const) },
  ),
  at: fc.nat(400),
  count: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 })),
  text: entryText,
});

// Not a double: those come out close to nothing most of the time.
const anywhere = fc.nat(1_000_000).map((share) => share / 1_000_000);

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('none' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('cut off' as const, 'changed' as const, 'added' as const, 'lost' as const, 'repeated' as const),
    },
  ),
  at: anywhere,
  byte: fc.oneof(
    fc.constantFrom(...Buffer.from('"\\{}[],: 019-.etfn\n')),
    fc.constantFrom(0x00, 0x1f, 0x7f, 0x80, 0xbf, 0xc3, 0xed, 0xef, 0xff),
    fc.integer({ min: 0, max: 255 }),
  ),
});

/** The list in an answer: what comes before it and after it. The first is how the service writes it. */
const forms: readonly (readonly [string, string])[] = [
  ['{"requestId":"a-1","success":true,"data":{"listings":[', '],"listingsCount":7}}'],
  ['{"success":true,"requestId":"a-2","data":{"listingsCount":7,"listings":[', ']}}\n'],
  ['{ "data": { "listings": [ ', ' ], "listingsCount": "7", "message": "ok ]}" }, "success": true, "requestId": "a\\"3" }'],
  [
    '\n{\n "requestId": "a-4",\n "success": true,\n "data": {\n  "meta": {"listings": [[], {"data": 1}]},\n  "listings": [\n',
    '\n]\n, "x": [1, {"listings": []}]}, "y": {"data": {}}}',
  ],
  ['{"success":false,"data":{"listings":[', ']},"message":"no"}'],
  ['{"data":{"listings":[{"id":"1"}]},"success":true,"data":{"listings":[', ']}}'],
  ['{"success":true,"data":{"listings":[', '],"listings":[]}}'],
  ['{"success":true,"data":{"listings":[', ']},"data":{"listings":[null]}}'],
  ['{"success":true,"data":{"listings":[', '],"\\u006cistings":[1]}}'],
  ['{"success":true,"d\\u0061ta":{"listings":[', ']}}'],
  ['{"success":true,"data":{"listings":null,"listings":[', ']}}'],
  ['{"__proto__":{"data":1},"success":true,"data":{"__proto__":[1],"listings":[', '],"constructor":2}}'],
  ['{"requestId":"a-1","success":true,"data":{"listings":[', ',],"listingsCount":7}}'],
  ['{"requestId":"a-1","success":true,"data":{"listings":[', '],"listingsCount":7}} trailing'],
  ['{"requestId":"a-1","success":true,"data":{"listings":[', '],"listingsCount":7,}}'],
  ['\ufeff{"success":true,"data":{"listings":[', ']}}'],
  ['{"data":{"listings":[', ']}'],
  ['{"data":{"listings":{"a":[', ']}}}'],
  ['{"data":[[', ']]}'],
  ['[{"data":{"listings":[', ']}}]'],
  ['', ''],
];

/** So many of the forms hold a list that is to be cut, however they are spaced and ordered. */
export const USUAL_FORMS = 5;

const step: fc.Arbitrary<Step> = fc.record({
  moves: fc.array(move, { maxLength: 4 }),
  form: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(forms.length - 1) }),
  damage,
  pieces: fc.oneof(
    { weight: 3, arbitrary: fc.array(anywhere, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(anywhere, { maxLength: 40 }) },
  ),
  arriving: fc.boolean(),
});

/** How many listings stand at first, and what becomes of them. */
export const series: fc.Arbitrary<{ readonly first: number; readonly steps: readonly Step[] }> = fc.record({
  first: fc.oneof(fc.nat(5), fc.nat(150)),
  steps: fc.array(step, { minLength: 1, maxLength: 7 }),
});

/** The texts of the entries on the market, and how its answers are written. */
export class TextMarket {
  form = 0;
  texts: string[];
  #nextId = 1_000;

  constructor(count: number) {
    this.texts = this.#newcomers(count);
  }

  take({ moves, form }: Step): void {
    for (const one of moves) this.#move(one);
    // An odd form is written once; the next answer is as the service writes it again.
    this.form = form ?? (this.form < USUAL_FORMS ? this.form : 0);
  }

  body(): Buffer {
    const [before, after] = forms[this.form]!;
    return Buffer.from(`${before}${this.texts.join(',')}${after}`);
  }

  #move({ kind, at, count, text }: Move): void {
    const { texts } = this;
    const place = texts.length === 0 ? 0 : at % texts.length;
    if (kind === 'insert') texts.splice(place, 0, text);
    else if (kind === 'remove') texts.splice(place, 1);
    else if (kind === 'replace') texts.splice(place, 1, text);
    else if (kind === 'edit')
      texts.splice(place, 1, ...texts.slice(place, place + 1).map((old) => old.replace(/"price":[\d.]+/, `"price":${count}`)));
    else if (kind === 'double') texts.splice((place + count) % (texts.length + 1), 0, ...texts.slice(place, place + 1));
    else if (kind === 'newcomers') texts.splice(place, 0, ...this.#newcomers(count));
    else if (kind === 'leave') texts.splice(place, count);
    else if (kind === 'swap') texts.push(...texts.splice(place, count));
    else if (kind === 'reverse') texts.reverse();
    else this.texts = this.#newcomers(count);
  }

  #newcomers(count: number): string[] {
    return Array.from({ length: count }, () => JSON.stringify(entry({ id: String(this.#nextId++) })));
  }
}

export function damaged(body: Buffer, { kind, at, byte }: Damage): Buffer {
  const place = Math.min(body.length, Math.floor(at * (body.length + 1)));
  const [before, after] = [body.subarray(0, place), body.subarray(place)];
  if (kind === 'cut off') return before;
  if (kind === 'changed') return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)]);
  if (kind === 'added') return Buffer.concat([before, Buffer.from([byte]), after]);
  if (kind === 'lost') return Buffer.concat([before, after.subarray(1)]);
  return kind === 'repeated' ? Buffer.concat([before, body.subarray(Math.max(0, place - byte), place), after]) : body;
}

export function inPieces(body: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((share) => Math.floor(share * body.length)).sort((a, b) => a - b), body.length];
  return places.slice(1).map((end, index) => Buffer.from(body.subarray(places[index], end)));
}

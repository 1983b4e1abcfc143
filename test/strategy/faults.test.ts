import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStrategy } from '../../src/strategy/parse.ts';

const source = { text: '', hash: '' };
const ordinary = { name: 'tried', when: { market: 'ecosteam' }, price: { max: 1 } };

/** What is said of a document, a line for each fault or warning. */
function said(document: unknown): string {
  const parsed = parseStrategy(document, source);
  return [...(parsed.ok ? [] : parsed.faults), ...parsed.warnings]
    .map(
      ({ severity, path, message, suggestion }) =>
        `${severity} ${path.join('.')}: ${message}${suggestion === undefined ? '' : ` → ${suggestion}`}`,
    )
    .join('\n');
}

const saidOf = (keys: Record<string, unknown>): string => said({ ...ordinary, ...keys });

describe('a strategy without fault', () => {
  it('is compiled without a word', () => {
    expect(said(ordinary)).toBe('');
    expect(
      saidOf({
        mode: 'dry-run',
        priority: 10,
        doppler: true,
        when: {
          name: [
            'AK-47 | Redline*',
            '★ *',
            '*StatTrak™*',
            'Sticker | Titan (Holo) | Katowice 2014',
            '★ Bayonet',
            "Cmdr. Mae 'Dead Cold' Jamison | SWAT",
          ],
          market: ['c5game', 'ecosteam'],
          delivery: 'auto',
          exterior: 'field-tested',
          rarity: ['Mil-Spec Grade', 'covert'],
          color: '#4B69FF',
          type: 'rifle',
          collection: '*',
          wear: { min: 0.15, below: 0.18 },
          paintSeed: { min: 0, max: 1000 },
          stickers: { min: 1, name: '*' },
          charm: true,
          steamPrice: { min: 1 },
          any: [{ charm: '*Ava' }, { not: { charm: ['a', 'b'] } }],
        },
        price: { max: 20, maxOfSteam: 1, minProfit: 0, steamFee: 0 },
        limits: { spend: { hour: 20, day: 22.5, total: 30 }, count: { day: 5 }, perItem: { total: 1 } },
      }),
    ).toBe('');
  });

  it('becomes what it says', () => {
    const parsed = parseStrategy(
      { ...ordinary, mode: 'dry-run', priority: 3, limits: { spend: { day: 0.1 }, count: { day: 5 } } },
      { text: 'text', hash: 'hash' },
    );
    expect(parsed).toMatchObject({
      ok: true,
      strategy: {
        name: 'tried',
        text: 'text',
        hash: 'hash',
        lane: 'paper',
        priority: 3,
        limits: { spend: { day: 100_000 }, count: { day: 5 }, perItem: {} },
      },
    });
    expect(parseStrategy(ordinary, source)).toMatchObject({ ok: true, strategy: { lane: 'live', priority: 0 } });
  });
});

describe('a price', () => {
  it('must be bounded by something', () => {
    expect(said({ name: 'a', when: { market: 'c5game' } })).toMatchInlineSnapshot(
      `"error price: is missing; it must be a block with at least one of max, maxOfSteam and minProfit: without one it would buy at any price"`,
    );
    expect(saidOf({ price: {} })).toMatchInlineSnapshot(
      `"error price: must be a block with at least one of max, maxOfSteam and minProfit: without one it would buy at any price; found an empty block"`,
    );
    expect(saidOf({ price: { steamFee: 0.1 } })).toMatchInlineSnapshot(
      `"error price: must be a block with at least one of max, maxOfSteam and minProfit: without one it would buy at any price; found a block of keys"`,
    );
    expect(saidOf({ price: null })).toMatchInlineSnapshot(
      `"error price: is empty; it must be a block with at least one of max, maxOfSteam and minProfit: without one it would buy at any price → write a value, or remove the key"`,
    );
    expect(saidOf({ price: 20 })).toMatchInlineSnapshot(
      `"error price: must be a block with at least one of max, maxOfSteam and minProfit: without one it would buy at any price; found the number 20"`,
    );
  });

  it('is a number, and a share is no percentage', () => {
    expect(saidOf({ price: { max: '$20', maxOfSteam: 70, minProfit: '1,50', steamFee: 15 } })).toMatchInlineSnapshot(`
      "error price.max: must be an amount in dollars above 0, such as 12.50; found the text "$20" → write 20
      error price.maxOfSteam: must be a share of at most 10, such as 0.7 for 70 %; found the number 70 → write 0.7 for 70 %
      error price.minProfit: must be a number from -1000000000 to 1000000000; found the text "1,50" → write 1.50
      error price.steamFee: must be a share from 0 to less than 1, such as 0.15 for 15 %; found the number 15 → write 0.15 for 15 %"
    `);
    expect(saidOf({ price: { max: '20', maxOfSteam: '70%' } })).toMatchInlineSnapshot(`
      "error price.max: must be an amount in dollars above 0, such as 12.50; found the text "20" → write 20, without quotes
      error price.maxOfSteam: must be a share above 0, such as 0.7 for 70 %; found the text "70%" → write 0.7"
    `);
    expect(saidOf({ price: { max: Infinity, maxOfSteam: Number.NaN, minProfit: -Infinity } })).toMatchInlineSnapshot(`
      "error price.max: must be an amount in dollars above 0, such as 12.50; found the number Infinity
      error price.maxOfSteam: must be a share above 0, such as 0.7 for 70 %; found the number NaN
      error price.minProfit: must be a number from -1000000000 to 1000000000; found the number -Infinity"
    `);
    expect(saidOf({ price: { max: 0 } })).toMatchInlineSnapshot(
      `"error price.max: must be an amount in dollars above 0, such as 12.50; found the number 0"`,
    );
    expect(saidOf({ price: { max: null } })).toMatchInlineSnapshot(
      `"error price.max: is empty; it must be an amount in dollars above 0, such as 12.50 → write a value, or remove the key"`,
    );
  });

  it('that is legal and hardly meant is pointed out', () => {
    expect(saidOf({ price: { maxOfSteam: 1.2, minProfit: -1 } })).toMatchInlineSnapshot(`
      "warning price.maxOfSteam: is 1.2: it allows more than the price on Steam → write 0.7 for 70 %
      warning price.minProfit: is -1: it allows a loss"
    `);
    expect(saidOf({ price: { max: 1, steamFee: 0.15 } })).toMatchInlineSnapshot(
      `"warning price.steamFee: changes nothing without minProfit → remove it, or add minProfit"`,
    );
    expect(saidOf({ when: { name: ['★ Karambit | Doppler*', 'AK-47 | *'] }, price: { maxOfSteam: 0.7 } })).toMatchInlineSnapshot(
      `"warning price.maxOfSteam: never holds for "★ Karambit | Doppler*": the steamPrice of a Doppler blends all phases → use price.max, or write \`doppler: true\` at the top of the file"`,
    );
    expect(saidOf({ when: { name: '★ Karambit | Doppler*' }, price: { maxOfSteam: 0.7 }, doppler: true })).toBe('');
    expect(saidOf({ when: { name: '★ Karambit | Doppler*' } })).toBe('');
  });
});

describe('a key', () => {
  it('that is mistyped is no key, and the nearest is named [C1 configuration-1]', () => {
    expect(saidOf({ when: { wera: 1, paintseed: [1] } })).toMatchInlineSnapshot(`
      "error when.wera: no such key here; allowed: name, market, type, delivery, exterior, rarity, collection, color, wear, paintSeed, fade, stickers, charm, steamPrice, reference, all, any, not → write wear
      error when.paintseed: no such key here; allowed: name, market, type, delivery, exterior, rarity, collection, color, wear, paintSeed, fade, stickers, charm, steamPrice, reference, all, any, not → write paintSeed"
    `);
    expect(saidOf({ limits: { spend: { daily: 5 } } })).toMatchInlineSnapshot(
      `"error limits.spend.daily: no such key here; allowed: hour, day, total → write day"`,
    );
    expect(saidOf({ when: { any: [{ stickers: { nme: 'x' } }, { not: { charms: true } }] } })).toMatchInlineSnapshot(`
      "error when.any.0.stickers.nme: no such key here; allowed: min, max, name → write name
      error when.any.1.not.charms: no such key here; allowed: name, market, type, delivery, exterior, rarity, collection, color, wear, paintSeed, fade, stickers, charm, steamPrice, reference, all, any, not → write charm"
    `);
  });

  it('that has another name in the trade, or another place in the file, is pointed to [configuration-3]', () => {
    expect(saidOf({ when: { float: { max: 0.1 }, pattern: 420, maxOfSteam: 0.6 }, maxPrice: 5 })).toMatchInlineSnapshot(`
      "error when.float: no such key here; allowed: name, market, type, delivery, exterior, rarity, collection, color, wear, paintSeed, fade, stickers, charm, steamPrice, reference, all, any, not → write wear
      error when.pattern: no such key here; allowed: name, market, type, delivery, exterior, rarity, collection, color, wear, paintSeed, fade, stickers, charm, steamPrice, reference, all, any, not → write paintSeed
      error when.maxOfSteam: no such key here; allowed: name, market, type, delivery, exterior, rarity, collection, color, wear, paintSeed, fade, stickers, charm, steamPrice, reference, all, any, not → it belongs at price.maxOfSteam
      error maxPrice: no such key here; allowed: name, mode, priority, doppler, watch, when, price, limits → it belongs at price.max"
    `);
    expect(saidOf({ wear: { max: 0.1 } })).toMatchInlineSnapshot(
      `"error wear: no such key here; allowed: name, mode, priority, doppler, watch, when, price, limits → it belongs at when.wear"`,
    );
  });

  it('is never one of every object [C10]', () => {
    const hostile = JSON.parse('{"__proto__":{"max":1},"constructor":1,"toString":2}') as Record<string, unknown>;
    expect(said({ ...ordinary, price: hostile })).toMatchInlineSnapshot(`
      "error price.__proto__: no such key here; allowed: max, maxOfSteam, minProfit, steamFee, maxOfMedian, belowFloor
      error price.constructor: no such key here; allowed: max, maxOfSteam, minProfit, steamFee, maxOfMedian, belowFloor
      error price.toString: no such key here; allowed: max, maxOfSteam, minProfit, steamFee, maxOfMedian, belowFloor"
    `);
    expect(saidOf({ when: { exterior: 'constructor', market: '__proto__' } })).toMatchInlineSnapshot(`
      "warning when.exterior: "constructor" is no exterior that is known here; known: Factory New, Minimal Wear, Field-Tested, Well-Worn, Battle-Scarred
      warning when.market: "__proto__" is no market that is known here; known: c5game, ecosteam"
    `);
  });
});

describe('a value', () => {
  it('of the wrong kind is explained, with quotes or brackets where they are meant [configuration-3]', () => {
    expect(saidOf({ when: { exterior: 420, name: true, market: ['c5game', 3] } })).toMatchInlineSnapshot(`
      "error when.name: must be a text in which * and ? stand for anything, or a list of such texts; found true → put it in quotes: "true"
      error when.market.1: must be a text; found the number 3 → put it in quotes: "3"
      error when.exterior: must be a text, or a list of such texts; found the number 420 → put it in quotes: "420""
    `);
    expect(saidOf({ when: { name: 'AK-47 | Case Hardened*', paintSeed: 661 } })).toMatchInlineSnapshot(
      `"error when.paintSeed: must be a list of paint seeds from 0 to 1000, such as [661, 670], or a range, such as { min: 1, max: 20 }; found the number 661 → put it in brackets: [661]"`,
    );
    expect(saidOf({ when: { wear: 0.1, stickers: 2, not: [], any: { charm: true } } })).toMatchInlineSnapshot(`
      "error when.wear: must be a block with at least one of min, max, above and below; found the number 0.1
      error when.stickers: must be a block with at least one of min, max and name; found the number 2
      error when.any: must be a list of blocks of conditions, such as [{ market: ecosteam }, { delivery: auto }]; found a block of keys
      error when.not: must be a block of conditions, such as { market: ecosteam }; found an empty list"
    `);
    expect(saidOf({ mode: 'dryrun', priority: '1', doppler: 'yes', name: 'Red Line!' })).toMatchInlineSnapshot(`
      "error name: must be a name of a-z, 0-9 and -, at most 64 characters; found the text "Red Line!" → write red-line
      error mode: must be live or dry-run; found the text "dryrun" → write dry-run
      error priority: must be a whole number from -1000000 to 1000000; found the text "1" → write 1, without quotes
      error doppler: must be true or false; found the text "yes" → write true, without quotes"
    `);
    expect(saidOf({ when: { charm: 'false' } })).toMatchInlineSnapshot(
      `"error when.charm: must be true, false or a glob; found the text "false" → write false, without quotes"`,
    );
  });

  it('that is empty is no way of saying `no limit` [C6 configuration-2]', () => {
    expect(saidOf({ limits: { spend: { day: null } } })).toMatchInlineSnapshot(
      `"error limits.spend.day: is empty; it must be an amount in dollars above 0, such as 12.50 → write a value, or remove the key"`,
    );
    expect(saidOf({ limits: null })).toMatchInlineSnapshot(
      `"error limits: is empty; it must be a block with at least one of spend, count and perItem → write a value, or remove the key"`,
    );
    expect(saidOf({ when: null })).toMatchInlineSnapshot(
      `"error when: is empty; it must be a block of conditions, such as { market: ecosteam } → write a value, or remove the key"`,
    );
    expect(saidOf({ when: { name: [], market: '', wear: {}, all: [], not: {} } })).toMatchInlineSnapshot(`
      "error when.name: must be a list of texts; found an empty list
      error when.market: must be a text; found the text ""
      error when.wear: must be a block with at least one of min, max, above and below; found an empty block
      error when.all: must be a list of blocks of conditions, such as [{ market: ecosteam }, { delivery: auto }]; found an empty list"
    `);
    expect(saidOf({ when: { any: [{ market: 'c5game' }, {}], not: {} } })).toMatchInlineSnapshot(`
      "error when.any.1: must be a block of conditions; found an empty block
      error when.not: must be a block of conditions; found an empty block"
    `);
    expect(saidOf({ limits: { count: { day: 0 }, spend: {} } })).toMatchInlineSnapshot(`
      "error limits.spend: must be a block with at least one of hour, day and total; found an empty block
      error limits.count.day: must be a whole number from 1 to 1000000; found the number 0"
    `);
  });

  it('outside what can be is refused', () => {
    expect(saidOf({ when: { name: 'x', wear: { max: 1.2 }, paintSeed: [0, 1000, 1001, -1, 1.5], fade: { min: 101 } } }))
      .toMatchInlineSnapshot(`
      "error when.wear.max: must be a number from 0 to 1; found the number 1.2
      error when.paintSeed.2: must be a whole number from 0 to 1000; found the number 1001
      error when.paintSeed.3: must be a whole number from 0 to 1000; found the number -1
      error when.paintSeed.4: must be a whole number from 0 to 1000; found the number 1.5
      error when.fade.min: must be a number from 0 to 100; found the number 101"
    `);
    expect(saidOf({ name: 'a'.repeat(65) })).toMatchInlineSnapshot(
      `"error name: must be a name of a-z, 0-9 and -, at most 64 characters; found the text "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…" → write aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`,
    );
    expect(saidOf({ when: { name: 'x'.repeat(201) } })).toMatchInlineSnapshot(
      `"error when.name: must be a text in which * and ? stand for anything, at most 200 characters; found the text "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…""`,
    );
  });
});

describe('a document', () => {
  it('that is no block of keys is refused', () => {
    expect([null, [], 'text', 7, undefined].map(said)).toMatchInlineSnapshot(`
      [
        "error : is empty; it must be a block with name, mode, priority, doppler, watch, when, price and limits → write a value, or remove the key",
        "error : must be a block with name, mode, priority, doppler, watch, when, price and limits; found an empty list",
        "error : must be a block with name, mode, priority, doppler, watch, when, price and limits; found the text "text"",
        "error : must be a block with name, mode, priority, doppler, watch, when, price and limits; found the number 7",
        "error : is missing; it must be a block with name, mode, priority, doppler, watch, when, price and limits",
      ]
    `);
  });

  it('nested or filled beyond reason is refused without looking further', () => {
    let deep: unknown = { market: 'c5game' };
    for (let depth = 0; depth < 100_000; depth++) deep = { not: deep };
    expect(saidOf({ when: deep })).toMatchInlineSnapshot(`"error : is nested more than 20 deep"`);
    expect(saidOf({ when: { name: Array.from({ length: 30_000 }, () => 'x') } })).toMatchInlineSnapshot(
      `"error : holds more than 20000 values"`,
    );
  });

  it('never makes the reader throw', () => {
    const keys = [
      'name',
      'when',
      'price',
      'limits',
      'any',
      'not',
      'wear',
      'stickers',
      'max',
      'spend',
      'day',
      'charm',
      '__proto__',
    ];
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.double(),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('any'), { maxKeys: 5 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, fc.constantFrom(...keys), (any, key) => {
        expect(() => said({ ...ordinary, [key]: any })).not.toThrow();
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a range in which nothing lies', () => {
  it('is refused', () => {
    expect(saidOf({ when: { wear: { min: 0.2, max: 0.1 } } })).toMatchInlineSnapshot(
      `"error when.wear: must leave something between its bounds; found min 0.2 and max 0.1 → swap the bounds, or remove one"`,
    );
    expect(saidOf({ when: { wear: { min: 0.2, below: 0.2 } } })).toMatchInlineSnapshot(
      `"error when.wear: must leave something between its bounds; found min 0.2 and below 0.2 → swap the bounds, or remove one"`,
    );
    expect(saidOf({ when: { any: [{ stickers: { min: 3, max: 2 } }, { name: 'x', paintSeed: { above: 5, max: 5 } }] } }))
      .toMatchInlineSnapshot(`
      "error when.any.0.stickers: must leave something between its bounds; found min 3 and max 2 → swap the bounds, or remove one
      error when.any.1.paintSeed: must leave something between its bounds; found above 5 and max 5 → swap the bounds, or remove one"
    `);
    expect(saidOf({ when: { wear: { min: 0.2, max: 0.2 }, stickers: { max: 0 } } })).toBe('');
  });
});

describe('a name', () => {
  const about = (name: string): string => saidOf({ when: { name } });

  it('that cannot be a name is corrected only by suggestion', () => {
    expect(about('StatTrak AK-47 | Redline*')).toMatchInlineSnapshot(
      `"warning when.name: lacks the ™ that names have after StatTrak → write "StatTrak™ AK-47 | Redline*""`,
    );
    expect(about('Karambit | Fade*')).toMatchInlineSnapshot(
      `"warning when.name: lacks the ★ that names of knives and gloves begin with → write "★ Karambit | Fade*""`,
    );
    expect(about('StatTrak™ ★ Karambit | Fade*')).toMatchInlineSnapshot(
      `"warning when.name: has its ★ in another place than names have → write "★ StatTrak™ Karambit | Fade*""`,
    );
    expect(about('Sport Gloves*')).toMatchInlineSnapshot(
      `"warning when.name: lacks the ★ that names of knives and gloves begin with → write "★ Sport Gloves*""`,
    );
    expect(about('AK-47 | Redline')).toMatchInlineSnapshot(
      `"warning when.name: is compared with whole names, which go on with the exterior: (Field-Tested) and so on → write "AK-47 | Redline*""`,
    );
    expect(about('AK47 | Redline (FT)')).toMatchInlineSnapshot(
      `"warning when.name: names are spelled AK-47; names are spelled (Field-Tested) → write "AK-47 | Redline (Field-Tested)""`,
    );
    expect(about('M4A1S | Printstream (field tested)')).toMatchInlineSnapshot(
      `"warning when.name: names are spelled M4A1-S; names are spelled (Field-Tested) → write "M4A1-S | Printstream (Field-Tested)""`,
    );
    expect(about(' AK-47 | *')).toMatchInlineSnapshot(
      `"warning when.name: begins or ends with a blank, as no name does → write "AK-47 | *""`,
    );
    expect(about('^AK-47.*Redline$')).toMatchInlineSnapshot(
      `"warning when.name: looks like a regular expression; only * and ? mean anything → write "AK-47*Redline""`,
    );
    for (const [written, instead] of [
      ['/AK-47.*/', 'AK-47*'],
      ['/AK-47*/', 'AK-47*'],
      ['/^AK-47 .*$/i', 'AK-47 *'],
      ['/Redline/', '*Redline*'],
    ] as const)
      expect(about(written)).toBe(
        `warning when.name: looks like a regular expression; only * and ? mean anything → write "${instead}"`,
      );
  });

  it('with signs or without blanks that no name is written with is pointed out', () => {
    expect(about('AWP|Asiimov*')).toMatchInlineSnapshot(
      `"warning when.name: lacks the blanks that names have on both sides of | → write "AWP | Asiimov*""`,
    );
    expect(about('“AK-47 | Redline*”')).toMatchInlineSnapshot(
      `"warning when.name: holds typographic quotes, as no name does → write "AK-47 | Redline*""`,
    );
    expect(about('Cmdr. Mae ‘Dead Cold’ Jamison | SWAT')).toMatchInlineSnapshot(
      `"warning when.name: holds typographic quotes, as no name does → write "Cmdr. Mae 'Dead Cold' Jamison | SWAT""`,
    );
    expect(about('${WHAT} | Redline*')).toMatchInlineSnapshot(
      `"warning when.name: holds \${WHAT}, which is replaced in configurations only and stands for itself here"`,
    );
    expect(about('AWP*|*Asiimov*')).toBe('');
    expect(saidOf({ when: { stickers: { name: '”Titan*' }, charm: '${CHARM}' } })).toMatchInlineSnapshot(`
      "warning when.charm: holds \${CHARM}, which is replaced in configurations only and stands for itself here
      warning when.stickers.name: holds typographic quotes, as no name does → write ""Titan*""
    `);
  });

  it('cut at a # by YAML is suspected [configuration-4]', () => {
    expect(about('M4A4 |')).toMatchInlineSnapshot(
      `"warning when.name: ends with |; YAML cuts a text at a blank and # → put the whole name in quotes: "M4A4 | …""`,
    );
  });

  it('in `not` is looked at as well: an exclusion that excludes nothing costs money', () => {
    expect(saidOf({ when: { not: { name: ['Souvenir *', 'Karambit*'] } } })).toMatchInlineSnapshot(
      `"warning when.not.name.1: lacks the ★ that names of knives and gloves begin with → write "★ Karambit*""`,
    );
  });
});

describe('a word that no upstream is known to use', () => {
  it('is allowed, and pointed out with the nearest that is known', () => {
    expect(saidOf({ when: { exterior: ['FT', 'Field Tested', 'Fresh'] } })).toMatchInlineSnapshot(`
      "warning when.exterior.0: "FT" is no exterior that is known here; known: Factory New, Minimal Wear, Field-Tested, Well-Worn, Battle-Scarred → write "Field-Tested"
      warning when.exterior.1: "Field Tested" is no exterior that is known here; known: Factory New, Minimal Wear, Field-Tested, Well-Worn, Battle-Scarred → write "Field-Tested"
      warning when.exterior.2: "Fresh" is no exterior that is known here; known: Factory New, Minimal Wear, Field-Tested, Well-Worn, Battle-Scarred"
    `);
    expect(saidOf({ when: { rarity: ['mil spec', 'Covrt', 'Ancient'] } })).toMatchInlineSnapshot(`
      "warning when.rarity.0: "mil spec" is no rarity that is known here; known: Consumer Grade, Consumer, Base Grade, Industrial Grade, Industrial, Mil-Spec Grade, Mil-Spec, High Grade, Distinguished, Restricted, Remarkable, Exceptional, Classified, Exotic, Superior, Covert, Extraordinary, Master, Contraband → write "Mil-Spec"
      warning when.rarity.1: "Covrt" is no rarity that is known here; known: Consumer Grade, Consumer, Base Grade, Industrial Grade, Industrial, Mil-Spec Grade, Mil-Spec, High Grade, Distinguished, Restricted, Remarkable, Exceptional, Classified, Exotic, Superior, Covert, Extraordinary, Master, Contraband → write "Covert"
      warning when.rarity.2: "Ancient" is no rarity that is known here; known: Consumer Grade, Consumer, Base Grade, Industrial Grade, Industrial, Mil-Spec Grade, Mil-Spec, High Grade, Distinguished, Restricted, Remarkable, Exceptional, Classified, Exotic, Superior, Covert, Extraordinary, Master, Contraband"
    `);
    expect(saidOf({ when: { market: 'c5', delivery: 'automatic' } })).toMatchInlineSnapshot(`
      "warning when.market: "c5" is no market that is known here; known: c5game, ecosteam → write "c5game"
      warning when.delivery: "automatic" is no delivery that is known here; known: normal, auto → write "auto""
    `);
    expect(saidOf({ when: { color: ['blue', '4b69ff', 'covert', '#ffffff'] } })).toMatchInlineSnapshot(`
      "warning when.color.0: "blue" is no color that is known here; known: #b0c3d9, #5e98d9, #4b69ff, #8847ff, #d32ce6, #eb4b4b, #e4ae39 → write "#4b69ff"
      warning when.color.1: "4b69ff" is no color that is known here; known: #b0c3d9, #5e98d9, #4b69ff, #8847ff, #d32ce6, #eb4b4b, #e4ae39 → write "#4b69ff"
      warning when.color.2: "covert" is no color that is known here; known: #b0c3d9, #5e98d9, #4b69ff, #8847ff, #d32ce6, #eb4b4b, #e4ae39 → write "#eb4b4b"
      warning when.color.3: "#ffffff" is no color that is known here; known: #b0c3d9, #5e98d9, #4b69ff, #8847ff, #d32ce6, #eb4b4b, #e4ae39"
    `);
  });
});

describe('conditions that leave nothing', () => {
  it('are an exterior and a wear that it does not have', () => {
    expect(saidOf({ when: { exterior: 'factory new', wear: { min: 0.15 } } })).toMatchInlineSnapshot(
      `"warning when.exterior: never holds together with wear min 0.15: factory new is from 0 to 0.07 → change one of the two"`,
    );
    expect(
      saidOf({ when: { name: ['AK-47 | Redline (Field-Tested)', '*(Minimal Wear)'], wear: { below: 0.15 } } }),
    ).toMatchInlineSnapshot(
      `"warning when.name.0: never holds together with wear below 0.15: Field-Tested is from 0.15 to 0.38 → change one of the two"`,
    );
    expect(saidOf({ when: { name: '*(Minimal Wear)', exterior: ['Field-Tested', 'Well-Worn'] } })).toMatchInlineSnapshot(
      `"warning when.name: never holds together with exterior "Field-Tested", "Well-Worn" → change one of the two"`,
    );
    for (const [exterior, wear] of [
      ['Factory New', { below: 0.01 }],
      ['Minimal Wear', { min: 0.07, max: 0.08 }],
      ['Field-Tested', { max: 0.15 }],
      ['Battle-Scarred', { min: 1 }],
    ] as const)
      expect(saidOf({ when: { exterior, wear } })).toBe('');
  });

  it('are more stickers than anything carries', () => {
    expect(saidOf({ when: { stickers: { min: 6 } } })).toMatchInlineSnapshot(
      `"warning when.stickers.min: is 6, so it never holds: nothing carries more than 5 stickers"`,
    );
    expect(saidOf({ when: { stickers: { min: 5 } } })).toBe('');
  });
});

describe('limits of which one makes another idle', () => {
  it('are pointed out', () => {
    expect(saidOf({ limits: { spend: { hour: 50, day: 20 }, count: { day: 5, total: 2 }, perItem: { hour: 2, total: 1 } } }))
      .toMatchInlineSnapshot(`
        "warning limits.spend.hour: is 50, more than day (20), so it never counts
        warning limits.count.day: is 5, more than total (2), so it never counts
        warning limits.perItem.hour: is 2, more than total (1), so it never counts"
      `);
    expect(saidOf({ price: { max: 30 }, limits: { spend: { hour: 20, day: 25 } } })).toMatchInlineSnapshot(
      `"warning price.max: is 30, but limits.spend.hour lets nothing cost more than 20"`,
    );
  });
});

describe('a wish to be watched', () => {
  it('needs items that are named whole', () => {
    expect(saidOf({ watch: true, when: { market: 'c5game' } })).toMatchInlineSnapshot(
      `"error watch: needs the items that it is about → name them whole in \`when.name\`: "AWP | Asiimov (Field-Tested)""`,
    );
    expect(saidOf({ watch: true, when: { name: ['AWP | Asiimov (Field-Tested)', 'AWP | *'] } })).toMatchInlineSnapshot(
      `"error when.name.1: "AWP | *" may be many items, and with \`watch: true\` each must be named whole → write whole names such as "AWP | Asiimov (Field-Tested)", or leave \`watch\` out"`,
    );
    expect(saidOf({ watch: true, when: { name: 'AWP | Asiimov (Field-Tested)' } })).toBe('');
    expect(saidOf({ watch: false, when: { name: 'AWP | *' } })).toBe('');
  });
});

describe('a pattern', () => {
  it('is pointed out where it means nothing', () => {
    expect(saidOf({ when: { paintSeed: [661] } })).toMatchInlineSnapshot(
      `"warning when.paintSeed: stands without a name, but a seed means something only for one weapon and finish → add a name"`,
    );
    expect(saidOf({ when: { paintSeed: { max: 10 } } })).toBe('');
    expect(saidOf({ when: { name: 'AK-47 | Case Hardened*', any: [{ paintSeed: [661] }, { charm: true }] } })).toBe('');
    expect(saidOf({ when: { name: '★ Karambit | Doppler*', fade: { min: 90 } } })).toMatchInlineSnapshot(
      `"warning when.fade: never holds: the name asks for another finish than Fade, Amber Fade and Acid Fade"`,
    );
    expect(saidOf({ when: { name: ['★ Karambit | Fade*', 'AWP | *', '*Fade*'], fade: { min: 90 } } })).toBe('');
    expect(saidOf({ when: { fade: { min: 90 } } })).toBe('');
  });
});

import * as fc from 'fast-check';
import { dollarsFromMicros, micros } from '../../src/domain/money.ts';
import { DAY_MS, type ReferenceRecord } from '../../src/domain/reference.ts';
import { foldCase } from '../../src/domain/text.ts';
import type { Conditions, PriceRules, Range, StrategyDocument } from '../../src/strategy/schema.ts';
import { netOfSteam } from '../../src/strategy/steam-fee.ts';
import type { Surroundings } from '../../src/strategy/surroundings.ts';
import { dollars } from '../support/values.ts';

/** Every part of the language, of values that meet those of `entries` often. A condition that is added to it has to be added here. */
type Parts<T> = { readonly [K in keyof T]-?: fc.Arbitrary<NonNullable<T[K]>> };

const names = [
  ...['AK-47 | Redline (Field-Tested)', 'ak-47 | REDLINE (field-tested)', 'AK-47 | Case Hardened (Minimal Wear)'],
  ...['★ Karambit | Doppler (Factory New)', 'Glock-18 | Gamma Doppler (Factory New)', '★ Karambit | Fade (Factory New)'],
  ...['Glock-18 | Fade (Factory New)', 'Sticker | Faded (Holo)', 'Caf\u00e9 | K\u00f6ln', 'Cafe\u0301 | Ko\u0308ln', 'x'],
];
const globs = [
  '*',
  'AK-47 | *',
  '* (field-tested)',
  '*Doppler*',
  '★ *',
  '*fade*',
  '* | Fade (*',
  'CAF\u00c9*',
  'X',
  '?',
  'no such item',
];
const types = ['rifle', 'Rifle', 'knife', 'pistol', 'sticker'];
const exteriors = ['Field-Tested', 'field-tested', 'Minimal Wear', 'Factory New'];
const rarities = ['Classified', 'classified', 'Mil-Spec', 'Mil-Spec Grade', 'Covert'];
const collections = ['The Phoenix Collection', 'THE PHOENIX COLLECTION', 'The Chroma Collection'];
const colors = ['#d32ce6', '#D32CE6', '#eb4b4b'];
const markets = ['ecosteam', 'c5game'];
const deliveries = ['normal', 'auto'];
const stickers = ['Titan | Katowice 2014', 'Crown (Foil)'];
const steamPrices = [1, 3, 10, 20, 100, 0.22, 0.000001, 1_000_000_000];
const shares = [0.5, 0.575, 0.7, 0.333333333333, 1, 10, 0.000000001];
const profits = [0, 0.01, 1.5, -2, -1_000_000_000, 1_000_000_000];
const fees = [0, 0.1, 0.15, 0.999999999999998];

const oneOrMore = (words: readonly string[]) =>
  fc.oneof(fc.constantFrom(...words), fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }));

function range(values: readonly number[]): fc.Arbitrary<Range> {
  const between = fc
    .uniqueArray(fc.constantFrom(...values), { minLength: 2, maxLength: 2 })
    .map((pair) => pair.toSorted((a, b) => a - b));
  return fc
    .tuple(between, fc.constantFrom('min', 'above', ''), fc.constantFrom('max', 'below', ''))
    .map(([[low, high], from, to]) => ({
      ...(from === '' && to === '' ? { min: low } : {}),
      ...(from === '' ? {} : { [from]: low }),
      ...(to === '' ? {} : { [to]: high }),
    }));
}

/** One to three of these parts, so that all of them often hold at once. */
function some<T extends object>(parts: Parts<T>): fc.Arbitrary<T> {
  const each = Object.entries<fc.Arbitrary<unknown>>(parts).map(([key, part]) => part.map((value) => ({ [key]: value })));
  return fc.array(fc.oneof(...each), { minLength: 1, maxLength: 3 }).map((drawn) => Object.assign({}, ...drawn) as T);
}

/** Conditions of every kind, groups nested so many times. */
function conditions(depth: number): fc.Arbitrary<Conditions> {
  const inner = depth === 0 ? some(leaves) : conditions(depth - 1);
  const groups = fc.array(inner, { minLength: 1, maxLength: 3 });
  const parts: Parts<Conditions> = { ...leaves, all: groups, any: groups, not: inner };
  return depth === 0 ? inner : some(parts);
}

const leaves: Parts<Omit<Conditions, 'all' | 'any' | 'not'>> = {
  name: oneOrMore(globs),
  market: oneOrMore(markets),
  type: oneOrMore(types),
  delivery: oneOrMore(deliveries),
  exterior: oneOrMore(exteriors),
  rarity: oneOrMore(rarities),
  collection: oneOrMore([...collections, '*phoenix*']),
  color: oneOrMore(colors),
  wear: range([0, 0.07, 0.2, 0.38, 1]),
  paintSeed: fc.oneof(range([0, 7, 661, 1000]), fc.uniqueArray(fc.constantFrom(0, 7, 661), { minLength: 1, maxLength: 2 })),
  fade: range([80, 90, 95, 100]),
  stickers: some({ min: fc.constantFrom(0, 1), max: fc.constantFrom(1, 4), name: oneOrMore(['*Katowice*', '*(Foil)']) }),
  charm: fc.oneof(fc.boolean(), oneOrMore(['*', 'Hot*'])),
  steamPrice: range([0, ...steamPrices]),
  reference: some({
    minSamples: fc.constantFrom(1, 3, 90),
    maxAge: fc.constantFrom('12h', '1d', '3d'),
    maxJump: fc.constantFrom(0, 0.5, 1, 1000),
  }),
};

const price: fc.Arbitrary<PriceRules> = some<PriceRules>({
  max: fc.constantFrom(0.01, 0.5, 7, 57.5, 1_000_000_000),
  maxOfSteam: fc.constantFrom(...shares),
  minProfit: fc.constantFrom(...profits),
  steamFee: fc.constantFrom(...fees),
  maxOfMedian: fc.constantFrom(...shares),
  belowFloor: fc.oneof(
    fc.constantFrom(0.05, 0.5),
    some({ share: fc.constantFrom(0.05, 0.5), dollars: fc.constantFrom(0.01, 1.5) }),
  ),
}).filter(({ steamFee: _, maxOfMedian: __, belowFloor: ___, ...rules }) => Object.keys(rules).length > 0);

export const strategyDocuments: fc.Arbitrary<StrategyDocument> = fc.record(
  { name: fc.constant('tried'), when: conditions(2), doppler: fc.boolean(), price },
  { requiredKeys: ['name', 'price'] },
);

/** Costs that stand at a limit that a rule sets with a reference, or a micro-dollar beside it. */
const costs = fc
  .record({
    steam: fc.constantFrom(...steamPrices).map(dollars),
    share: fc.constantFrom(0, ...shares, 0.85),
    profit: fc.constantFrom(0, 0.01, 1.5, -2).map(dollars),
    beside: fc.constantFrom(-1, 0, 0, 1),
  })
  .map(({ steam, share, profit, beside }) => {
    const left = share === 0 ? netOfSteam(steam) : Math.round(steam * share);
    return dollarsFromMicros(micros(Math.min(Math.max(left - profit + beside, 1), 1e15)));
  });

/** What may be around a listing, by its name: records near what listings bear, floors near what they cost, and none of either. */
export const surroundings: fc.Arbitrary<Surroundings> = fc
  .record({
    records: fc.array(fc.option(records(), { nil: undefined }), { minLength: names.length, maxLength: names.length }),
    floors: fc.array(fc.option(costs, { nil: undefined }), { minLength: names.length, maxLength: names.length }),
    at: fc.constantFrom(10 * DAY_MS, 10 * DAY_MS + 12 * 3_600_000, 12 * DAY_MS),
  })
  .map(({ records: known, floors, at }) => {
    const slot = new Map(names.map((name, index) => [foldCase(name), index]));
    return {
      at,
      recordOf: (name) => known[slot.get(name) ?? -1],
      floorBeside: ({ nameFolded }) => {
        const floor = floors[slot.get(nameFolded) ?? -1];
        return floor === undefined ? undefined : dollars(floor);
      },
    };
  });

function records(): fc.Arbitrary<ReferenceRecord> {
  return fc
    .record({ median: fc.constantFrom(...steamPrices).map(dollars), samples: fc.constantFrom(1, 2, 3, 14) })
    .map(({ median, samples }) => ({ median, samples, low: median, high: median, newestAt: 10 * DAY_MS }));
}

const missing = (values: readonly unknown[]) => fc.constantFrom(...values, ...values, null);

/** Entries of the feed, some with values that are missing or absurd. */
export const entries: fc.Arbitrary<Record<string, unknown>> = fc.record({
  marketHashName: fc.constantFrom(...names),
  market: fc.constantFrom(...markets),
  price: fc.constant(0.000001),
  priceWithFee: fc.oneof(costs, fc.constantFrom(0.01, 0.07, 0.5, 7, 57.5)),
  steamPrice: fc.constantFrom<unknown>(...steamPrices, ...steamPrices, null, 0, -1, '20', 1e300),
  type: missing(types),
  delivery: missing(deliveries),
  exterior: missing(exteriors),
  rarity: missing(rarities),
  collection: missing(collections),
  color: missing(colors),
  wear: missing([0, 0.07, 0.2, 0.3799, 1]),
  paintSeed: missing([0, 7, 661, 1000]),
  stickers: fc.oneof(
    missing([[]]),
    fc.array(fc.constantFrom<unknown>(...stickers.map((name) => ({ name })), {}), { maxLength: 3 }),
  ),
  charm: missing([{ name: 'Hot Sauce' }, {}, []]),
});

import type { Listing } from '../../../src/domain/listing.ts';
import { MICROS_PER_DOLLAR } from '../../../src/domain/money.ts';
import { foldCase } from '../../../src/domain/text.ts';
import { fadePercentage } from '../../../src/strategy/fade.ts';
import type { Conditions, PriceRules } from '../../../src/strategy/schema.ts';
import { netOfSteam } from '../../../src/strategy/steam-fee.ts';

type Test = (listing: Listing) => boolean;

/** Cheap tests first: numbers, then words, then names, then what has to be looked through. */
type Cost = 0 | 1 | 2 | 3;
type Costed = readonly [Cost, Test];

/**
 * A strategy as a good engineer compiles it first: a closure for each condition, those on numbers before the others, true or false and
 * nothing in between. It knows the conditions that the drawn strategies have; another one throws TypeError.
 */
export function matchingFloor(when: Conditions, price: PriceRules): Test {
  return all([...testsOf(when), ...priceTests(price)]);
}

function all(costed: readonly Costed[]): Test {
  const tests = costed.toSorted(([a], [b]) => a - b).map(([, test]) => test);
  return (listing) => {
    for (const test of tests) if (!test(listing)) return false;
    return true;
  };
}

function testsOf(when: Conditions): Costed[] {
  return Object.entries(when).map(([key, wanted]): Costed => {
    const compile = (compilers as Readonly<Record<string, ((wanted: never) => Costed) | undefined>>)[key];
    if (compile === undefined) throw new TypeError(`the floor knows no condition ${key}`);
    return compile(wanted as never);
  });
}

type Compilers = { readonly [K in keyof Conditions]?: (wanted: NonNullable<Conditions[K]>) => Costed };

const compilers: Compilers = {
  name: (wanted) => {
    const matches = nameTest(wanted);
    return [2, (listing) => matches(listing.nameFolded)];
  },
  market: (wanted) => [1, word(wanted, (listing) => listing.market)],
  type: (wanted) => [1, word(wanted, (listing) => listing.type)],
  delivery: (wanted) => [1, word(wanted, (listing) => listing.delivery)],
  exterior: (wanted) => [1, word(wanted, (listing) => listing.exterior)],
  rarity: (wanted) => [1, word(wanted, (listing) => listing.rarity)],
  collection: (wanted) => [1, word(wanted, (listing) => listing.collection)],
  wear: (range) => [0, within(range, (listing) => listing.wear)],
  steamPrice: (range) => [0, within(range, ({ steam }) => (steam === undefined ? undefined : steam / MICROS_PER_DOLLAR))],
  paintSeed: (wanted) => {
    if (!Array.isArray(wanted)) return [0, within(wanted, (listing) => listing.paintSeed)];
    const seeds = new Set<number | undefined>(wanted);
    return [0, (listing) => seeds.has(listing.paintSeed)];
  },
  fade: (range) => [3, within(range, fadePercentage)],
  stickers: ({ min = 1, name = '*' }) => {
    const matches = nameTest(name);
    const fits = ({ name: own }: { readonly name: string | undefined }): boolean => own !== undefined && matches(foldCase(own));
    return [3, ({ stickers }) => stickers !== undefined && stickers.filter(fits).length >= min];
  },
  any: (groups) => {
    const tests = groups.map((group) => all(testsOf(group)));
    return [2, (listing) => tests.some((test) => test(listing))];
  },
  not: (group) => {
    const test = all(testsOf(group));
    return [2, (listing) => !test(listing)];
  },
};

function priceTests({ max, maxOfSteam, minProfit }: PriceRules): Costed[] {
  const tests: Costed[] = [];
  if (max !== undefined) {
    const most = max * MICROS_PER_DOLLAR;
    tests.push([0, ({ cost }) => cost <= most]);
  }
  if (maxOfSteam !== undefined) tests.push([0, ({ cost, steam }) => steam !== undefined && cost <= steam * maxOfSteam]);
  if (minProfit !== undefined) {
    const least = minProfit * MICROS_PER_DOLLAR;
    tests.push([0, ({ cost, steam }) => steam !== undefined && netOfSteam(steam) - cost >= least]);
  }
  return tests;
}

function word(wanted: string | readonly string[], read: (listing: Listing) => string | undefined): Test {
  const words = new Set<string | undefined>(typeof wanted === 'string' ? [wanted] : wanted);
  return (listing) => words.has(read(listing));
}

interface Range {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly above?: number | undefined;
  readonly below?: number | undefined;
}

function within(
  { min = -Infinity, max = Infinity, above = -Infinity, below = Infinity }: Range,
  read: (listing: Listing) => number | undefined,
): Test {
  return (listing) => {
    const value = read(listing);
    return value !== undefined && value >= min && value <= max && value > above && value < below;
  };
}

/** Whole names in a set; the others as regular expressions. */
function nameTest(wanted: string | readonly string[]): (folded: string) => boolean {
  const folded = (typeof wanted === 'string' ? [wanted] : wanted).map(foldCase);
  const whole = new Set(folded.filter((name) => !/[*?]/.test(name)));
  const patterns = folded.filter((name) => /[*?]/.test(name)).map(patternOf);
  return (name) => whole.has(name) || patterns.some((pattern) => pattern.test(name));
}

function patternOf(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su');
}

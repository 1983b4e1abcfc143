import * as fadeCalculators from 'csgo-fade-percentage-calculator';
import type { Listing } from '../domain/listing.ts';
import { foldCase } from '../domain/text.ts';
import type { Item } from './item.ts';
import { baseOf, finishOf } from './item-name.ts';

/** What is used of the package, whose own types do not resolve under Node's rules. */
interface Calculator {
  getSupportedWeapons(): readonly string[];
  getFadePercentages(weapon: string): readonly { readonly percentage: number }[];
}

const { FadeCalculator, AmberFadeCalculator, AcidFadeCalculator } = fadeCalculators as unknown as Readonly<
  Record<'FadeCalculator' | 'AmberFadeCalculator' | 'AcidFadeCalculator', Calculator>
>;

const calculators: Readonly<Record<string, Calculator>> = {
  fade: FadeCalculator,
  'amber fade': AmberFadeCalculator,
  'acid fade': AcidFadeCalculator,
};

export const fadeFinishes: readonly string[] = Object.keys(calculators);

/**
 * How far the fade of this weapon and paint seed reaches, in per cent (80 to 100); undefined for another finish, a weapon
 * without a known pattern, and a seed that the weapon does not have.
 */
export function fadePercentage(listing: Listing): number | undefined {
  if (listing.paintSeed === undefined) return undefined;
  const finish = fadingFinishOf(listing);
  return finish === undefined ? undefined : percentagesOf(finish, baseOf(listing.nameFolded))?.[listing.paintSeed];
}

/** Whether listings of an item can have a fade at all. */
export function mayFade(item: Item): boolean {
  return fadingFinishOf(item) !== undefined;
}

function fadingFinishOf({ nameFolded }: Item): string | undefined {
  if (!nameFolded.includes('fade')) return undefined;
  const finish = finishOf(nameFolded);
  return finish !== undefined && Object.hasOwn(calculators, finish) ? finish : undefined;
}

// The package works out all seeds of a weapon on each call, which takes milliseconds.
const known = new Map<string, readonly number[]>();

function percentagesOf(finish: string, base: string): readonly number[] | undefined {
  const key = `${finish} ${base}`;
  const before = known.get(key);
  if (before) return before;
  const calculator = calculators[finish];
  const weapon = calculator?.getSupportedWeapons().find((supported) => foldCase(supported) === base);
  if (!calculator || weapon === undefined) return undefined;
  const percentages = calculator.getFadePercentages(weapon).map(({ percentage }) => percentage);
  known.set(key, percentages);
  return percentages;
}

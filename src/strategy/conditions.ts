import { charmCondition, stickersCondition } from './attachments.ts';
import { type Condition, allGroup, anyGroup, comparison, effort, notGroup } from './condition.ts';
import { fadePercentage, mayFade } from './fade.ts';
import { rarityForm } from './known-words.ts';
import { type Foresee, open, settledAs } from './outlook.ts';
import { moneyRangeConditions, rangeConditions } from './ranges.ts';
import { referenceConditions } from './reference-rules.ts';
import type { Conditions } from './schema.ts';
import { globCondition, nameCondition, wordCondition } from './words.ts';

type Key = keyof Conditions;
type Wanted = { readonly [K in Key]-?: NonNullable<Conditions[K]> };
type Compilers = { readonly [K in Key]: (wanted: Wanted[K], path: string) => readonly Condition[] };

/** What each key of a group of conditions means. */
const compilers: Compilers = {
  name: (wanted, path) => [nameCondition(wanted, path)],
  market: (wanted, path) => [wordCondition(wanted, { path, read: (listing) => listing.market })],
  type: (wanted, path) => [wordCondition(wanted, { path, ofItem: (item) => item.type })],
  delivery: (wanted, path) => [wordCondition(wanted, { path, read: (listing) => listing.delivery })],
  exterior: (wanted, path) => [wordCondition(wanted, { path, ofItem: (item) => item.exterior })],
  rarity: (wanted, path) => [wordCondition(wanted, { path, ofItem: (item) => item.rarity }, rarityForm)],
  collection: (wanted, path) => [globCondition(wanted, { path, ofItem: (item) => item.collection })],
  color: (wanted, path) => [wordCondition(wanted, { path, ofItem: (item) => item.color })],
  wear: (range, path) => rangeConditions(range, { path, effort: effort.number, read: (listing) => listing.wear }),
  paintSeed: (wanted, path) => paintSeedConditions(wanted, path),
  fade: (range, path) => rangeConditions(range, { path, effort: effort.computed, read: fadePercentage, foresee: foreseeFade }),
  stickers: (wanted, path) => [stickersCondition(wanted, path)],
  charm: (wanted, path) => [charmCondition(wanted, path)],
  steamPrice: (range, path) => moneyRangeConditions(range, { path, effort: effort.number, read: (listing) => listing.steam }),
  reference: (wanted, path) => referenceConditions(wanted, path),
  all: (groups, path) => [allGroup(path, members(groups, path))],
  any: (groups, path) => [anyGroup(path, members(groups, path))],
  not: (group, path) => [notGroup(path, groupCondition(group, path))],
};

/** The conditions of one group, in the order of the file; all must hold. */
export function conditionsOf(group: Conditions, path: string): readonly Condition[] {
  const isKey = (key: string): key is Key => Object.hasOwn(compilers, key);
  return Object.keys(group)
    .filter(isKey)
    .flatMap((key) => compiled(key, group[key], `${path}.${key}`));
}

function compiled<K extends Key>(key: K, wanted: Wanted[K] | undefined, path: string): readonly Condition[] {
  return wanted === undefined ? [] : compilers[key](wanted, path);
}

function members(groups: readonly Conditions[], path: string): readonly Condition[] {
  return groups.map((group, index) => groupCondition(group, `${path}[${index}]`));
}

function groupCondition(group: Conditions, path: string): Condition {
  return allGroup(path, conditionsOf(group, path));
}

/** An item of another finish has no fade, whatever its paint seed. */
const foreseeFade: Foresee = (item) => (mayFade(item) ? open : settledAs('absent'));

function paintSeedConditions(wanted: NonNullable<Conditions['paintSeed']>, path: string): readonly Condition[] {
  const measure = { path, effort: effort.number, read: (listing: { paintSeed: number | undefined }) => listing.paintSeed };
  if (!Array.isArray(wanted)) return rangeConditions(wanted, measure);
  const seeds = new Set(wanted);
  const shown = wanted.length > 12 ? `${wanted.slice(0, 12).join(', ')} and ${wanted.length - 12} more` : wanted.join(', ');
  return [
    comparison({
      ...measure,
      wants: wanted.length === 1 ? shown : `one of ${shown}`,
      holds: (seed) => seeds.has(seed),
      shown: String,
    }),
  ];
}

import { type Glob, compileGlobs } from '../domain/glob.ts';
import type { Sticker } from '../domain/listing.ts';
import { type Condition, comparison, effort, leaf } from './condition.ts';
import type { Conditions } from './schema.ts';
import { verdictOf } from './verdict.ts';
import { type OneOrMore, asList, listed, quoted } from './words.ts';

type Stickers = NonNullable<Conditions['stickers']>;
type Charm = NonNullable<Conditions['charm']>;

/**
 * How many applied stickers match. One of unknown name may or may not match a wanted name: where that would decide, the
 * verdict is absent.
 */
export function stickersCondition({ min, max, name }: Stickers, path: string): Condition {
  const matches = name === undefined ? undefined : compileGlobs(typeof name === 'string' ? [name] : name);
  // A name alone asks for one sticker; a name with `max: 0` for none.
  const least = min ?? (name === undefined || max === 0 ? 0 : 1);
  const most = max ?? Infinity;
  return leaf({
    path,
    effort: effort.list,
    wants: stickersWanted(least, most, name),
    judge: ({ stickers }) => {
      if (stickers === undefined) return 'absent';
      const { sure, possible } = countMatching(stickers, matches);
      if (possible < least || sure > most) return 'false';
      return sure >= least && possible <= most ? 'true' : 'absent';
    },
    has: ({ stickers }) => (stickers === undefined ? 'absent' : stickersShown(stickers, matches) + scriptHint(stickers, name)),
  });
}

function countMatching(stickers: readonly Sticker[], matches: Glob | undefined): { sure: number; possible: number } {
  if (!matches) return { sure: stickers.length, possible: stickers.length };
  let sure = 0;
  let unknown = 0;
  for (const { nameFolded } of stickers) {
    if (nameFolded === undefined) unknown++;
    else if (matches(nameFolded)) sure++;
  }
  return { sure, possible: sure + unknown };
}

function stickersWanted(least: number, most: number, name: OneOrMore | undefined): string {
  const much = most === Infinity ? `at least ${least}` : least === most ? `exactly ${least}` : `${least} to ${most}`;
  return name === undefined ? much : `${much} named ${listed(name)}`;
}

const HAN = /\p{Script=Han}/u;

/** Names that none of the wanted ones can match, being in another script. */
function scriptHint(stickers: readonly Sticker[], name: OneOrMore | undefined): string {
  const isForeign = name !== undefined && !asList(name).some((glob) => HAN.test(glob));
  if (!isForeign || !stickers.some((sticker) => HAN.test(sticker.name ?? ''))) return '';
  return ' (names are in Chinese here: list that form too)';
}

function stickersShown(stickers: readonly Sticker[], matches: Glob | undefined): string {
  const { sure } = countMatching(stickers, matches);
  const count = matches ? `${sure} of ${stickers.length}` : String(stickers.length);
  const names = stickers.slice(0, SHOWN_MAX).map(shownName).join(', ');
  return stickers.length === 0 ? '0' : `${count}: ${names}${stickers.length > SHOWN_MAX ? ', …' : ''}`;
}

const SHOWN_MAX = 5;

function shownName({ name }: Sticker): string {
  return name === undefined ? 'one of unknown name' : quoted(name);
}

/** Whether there is a charm, or what it is called. */
export function charmCondition(wanted: Charm, path: string): Condition {
  if (typeof wanted === 'boolean') {
    return comparison({
      path,
      effort: effort.number,
      wants: wanted ? 'a charm' : 'no charm',
      read: ({ charm }) => charm,
      holds: (charm) => (charm !== null) === wanted,
      shown: shownCharm,
    });
  }
  const matches = compileGlobs(typeof wanted === 'string' ? [wanted] : wanted);
  return leaf({
    path,
    effort: effort.list,
    wants: `a charm named ${listed(wanted)}`,
    judge: ({ charm }) => {
      if (charm === undefined) return 'absent';
      if (charm === null) return 'false';
      return charm.nameFolded === undefined ? 'absent' : verdictOf(matches(charm.nameFolded));
    },
    has: ({ charm }) => (charm === undefined ? 'absent' : shownCharm(charm)),
  });
}

function shownCharm(charm: Sticker | null): string {
  return charm === null ? 'none' : shownName(charm);
}

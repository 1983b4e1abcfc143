import type { Listing } from '../domain/listing.ts';
import type { SnapshotTrouble } from '../engine/snapshot.ts';
import { type Sightings, goodCount } from './sightings.ts';

/** Listings followed at most. The feed is popularity-ordered, so what lies beyond is what nobody looks at. */
export const LISTINGS_MAX = 100_000;

/** Fewer listings than this may all vanish, or all be repriced, within one poll without anything being odd. */
const TOO_FEW_TO_TELL = 20;

/** A list shorter than a tenth of the one before it is believed when it has come this many times in a row. */
const SHRUNK_BELIEVED_AFTER = 5;

/** A price that moves by more than this factor within one poll changed its unit or lost its decimal point. */
const JUMP_FACTOR = 5;

/** More bad entries than this share, and the form of the answers has probably changed. */
const BAD_SHARE = 0.2;

/** The service's own count: a number, digits as text, or nothing that can be held against the list. */
export function countContradiction(claimed: unknown, length: number): SnapshotTrouble | undefined {
  if (claimed === undefined || claimed === null || Number(claimed) === length) return undefined;
  const shown =
    typeof claimed === 'number' ? String(claimed) : typeof claimed === 'string' ? claimed.slice(0, 20) : typeof claimed;
  return { kind: 'count', message: `the answer counts ${shown} listings but holds ${length}` };
}

/** Remembers how long the last believed list was, and says when one is far too short to be the whole market. */
export class LengthMemory {
  #believed = 0;
  #shortInARow = 0;

  judge(length: number): SnapshotTrouble | undefined {
    const short = this.#believed >= TOO_FEW_TO_TELL && length * 10 <= this.#believed;
    this.#shortInARow = short ? this.#shortInARow + 1 : 0;
    if (!short || this.#shortInARow >= SHRUNK_BELIEVED_AFTER) return undefined;
    return { kind: 'shrunk', message: `only ${length} listings after ${this.#believed} in the answer before` };
  }

  /** This many listings were the whole market. */
  believe(length: number): void {
    this.#believed = length;
  }
}

/** Most of the listings known before cost more than five times as much, or less than a fifth, from one poll to the next. */
export function pricesJumped(seen: Sightings): SnapshotTrouble | undefined {
  let common = goodCount(seen);
  let jumped = 0;
  for (const { listing, before } of seen.different.values()) {
    if (before === undefined) common--;
    else if (isJump(listing, before)) jumped++;
  }
  if (common < TOO_FEW_TO_TELL || jumped * 2 <= common) return undefined;
  return {
    kind: 'prices',
    message: `${jumped} of ${common} known prices moved more than ${JUMP_FACTOR} times at once: nothing is judged while this lasts`,
  };
}

export function isJump(listing: Listing, before: Listing): boolean {
  return listing.cost > before.cost * JUMP_FACTOR || listing.cost * JUMP_FACTOR < before.cost;
}

/**
 * Whether `pricesJumped` has nothing to say any more, whatever the rest of an answer shows, when so many of the `known` listings have
 * been seen to cost about what they did: the others are fewer than these, and it takes more of them to make it speak.
 */
export function pricesCannotJump(steady: number, known: number): boolean {
  return known < TOO_FEW_TO_TELL || steady * 2 >= known;
}

export function manyBad(bad: number, length: number): SnapshotTrouble | undefined {
  if (bad <= length * BAD_SHARE) return undefined;
  return { kind: 'many-bad', message: `${bad} of ${length} listings cannot be judged: the form of the feed may have changed` };
}

export function tooMany(length: number): SnapshotTrouble | undefined {
  if (length <= LISTINGS_MAX) return undefined;
  return { kind: 'too-many', message: `${length} listings in one answer: only the first ${LISTINGS_MAX} are followed` };
}

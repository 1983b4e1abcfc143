import type { EpochMs } from '../domain/clock.ts';
import { counted, printable } from '../domain/text.ts';
import type { WatchedItem } from '../domain/watched-item.ts';
import type { Voice } from './io.ts';
import { ago } from './time.ts';

/** Items of which a line is shown each; those that are in trouble come first. */
const SHOWN_MAX = 12;

/** What is watched beside the live listings, one line an item, with what keeps one from being looked at. None where nothing is watched. */
export function watchedWords(items: readonly WatchedItem[], now: EpochMs, { palette }: Voice): readonly string[] {
  const isTroubled = ({ problem, fault }: WatchedItem): boolean => problem !== undefined || fault !== undefined;
  const inOrder = [...items.filter(isTroubled), ...items.filter((item) => !isTroubled(item))];
  const lines = inOrder.slice(0, SHOWN_MAX).map((item) => {
    const words = `${printable(item.asked, 80)}: ${lookWords(item, now)}`;
    return isTroubled(item) ? palette.warn(words) : words;
  });
  const more = items.length - lines.length;
  return more > 0 ? [...lines, `and ${counted(more, 'item')} more (\`magpie status --json\`)`] : lines;
}

/** `last looked at 3 s ago: 24 listings`. */
function lookWords({ itemId, problem, near, lookedAt, listings, complete, fault }: WatchedItem, now: EpochMs): string {
  if (problem !== undefined) {
    const meant = near.length === 0 ? '' : ` → ${near.map((each) => `"${printable(each, 80)}"`).join(' or ')}?`;
    return `not watched: ${problem}${meant}`;
  }
  const failed = fault === undefined ? '' : `; then it failed: ${printable(fault, 120)}`;
  if (itemId === undefined)
    return fault === undefined ? 'its name is looked up next' : `its name could not be looked up: ${printable(fault, 120)}`;
  if (lookedAt === undefined) return `not looked at yet${failed}`;
  return `looked at ${ago(lookedAt, now)}: ${counted(listings, 'listing')}${complete ? '' : ', not all that there are'}${failed}`;
}

/** The same for programs; null where nothing is watched, or no daemon has said so. */
export function watchedJson(items: readonly WatchedItem[] | undefined): unknown {
  if (items === undefined) return null;
  return items.map(({ asked, itemId, problem, near, lookedAt, listings, complete, fault }) => ({
    item: asked,
    itemId: itemId ?? null,
    problem: problem ?? null,
    near,
    lookedAt: lookedAt === undefined ? null : new Date(lookedAt).toISOString(),
    listings,
    complete,
    fault: fault ?? null,
  }));
}

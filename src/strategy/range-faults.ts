import { type DocumentFault, type DocumentPath, error, warning } from './document-fault.ts';
import type { Conditions, Range } from './schema.ts';

/** Ranges in which nothing can lie. */
export function rangeFaults({ wear, fade, steamPrice, paintSeed, stickers }: Conditions, path: DocumentPath): DocumentFault[] {
  return [
    ...emptyRange(wear, [...path, 'wear']),
    ...emptyRange(fade, [...path, 'fade']),
    ...emptyRange(steamPrice, [...path, 'steamPrice']),
    ...(Array.isArray(paintSeed) ? [] : emptyRange(paintSeed, [...path, 'paintSeed'])),
    ...tooManyStickers(stickers, [...path, 'stickers', 'min']),
    ...emptyRange(stickers && { min: stickers.min, max: stickers.max }, [...path, 'stickers']),
  ];
}

/** Charms count apart. */
const STICKERS_MAX = 5;

function tooManyStickers(stickers: Conditions['stickers'], path: DocumentPath): DocumentFault[] {
  if (stickers?.min === undefined || stickers.min <= STICKERS_MAX) return [];
  return [warning(path, `is ${stickers.min}, so it never holds: nothing carries more than ${STICKERS_MAX} stickers`)];
}

function emptyRange(range: Range | undefined, path: DocumentPath): DocumentFault[] {
  if (!range) return [];
  const { min, above, max, below } = range;
  const low = Math.max(min ?? -Infinity, above ?? -Infinity);
  const high = Math.min(max ?? Infinity, below ?? Infinity);
  const touches = low === high && above !== low && below !== high;
  if (low < high || touches) return [];
  const bounds = Object.entries(range).flatMap(([bound, value]) => (value === undefined ? [] : [`${bound} ${value}`]));
  return [
    error(path, `must leave something between its bounds; found ${bounds.join(' and ')}`, 'swap the bounds, or remove one'),
  ];
}

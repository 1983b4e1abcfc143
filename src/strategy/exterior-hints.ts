import { exteriorWear } from '../domain/exterior.ts';
import { foldCase } from '../domain/text.ts';
import { type DocumentFault, type DocumentPath, warning } from './document-fault.ts';
import { exteriors } from './known-words.ts';
import type { Conditions, Range } from './schema.ts';
import { asList, quoted } from './words.ts';

const wearOf: ReadonlyMap<string, readonly [from: number, to: number]> = new Map(
  exteriorWear.map(([name, from, to]) => [foldCase(name), [from, to]]),
);

/** An exterior, by itself or at the end of a name, that the other conditions of its group leave no wear for. */
export function exteriorFaults({ name, exterior, wear }: Conditions, path: DocumentPath): DocumentFault[] {
  const faults: DocumentFault[] = [];
  const wanted = exterior === undefined ? undefined : asList(exterior);
  const check = (word: string, place: DocumentPath): void => {
    const bounds = wearOf.get(foldCase(word));
    if (bounds === undefined || wear === undefined || meets(wear, bounds)) return;
    const message = `never holds together with wear ${rangeWords(wear)}: ${word} is from ${bounds[0]} to ${bounds[1]}`;
    faults.push(warning(place, message, 'change one of the two'));
  };
  placed(exterior, [...path, 'exterior']).forEach(([word, place]) => check(word, place));
  for (const [glob, place] of placed(name, [...path, 'name'])) {
    const word = /\(([^()*?]+)\)$/.exec(glob)?.[1];
    const known = exteriors.find((each) => foldCase(each) === foldCase(word ?? ''));
    if (known === undefined) continue;
    check(known, place);
    if (wanted === undefined || wanted.some((other) => foldCase(other) === foldCase(known))) continue;
    faults.push(warning(place, `never holds together with exterior ${wanted.map(quoted).join(', ')}`, 'change one of the two'));
  }
  return faults;
}

function placed(value: Conditions['name'], path: DocumentPath): [string, DocumentPath][] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [[value, path]] : value.map((each, index) => [each, [...path, index]]);
}

/** Whether a wear can lie within both. A wear of 1 is Battle-Scarred. */
function meets({ min, above, max, below }: Range, [from, to]: readonly [number, number]): boolean {
  const least = Math.max(min ?? 0, above ?? 0);
  const most = Math.min(max ?? 1, below ?? 1);
  const beginsInTime = to === 1 ? least <= to : least < to;
  return beginsInTime && (below === undefined || below > from) && most >= from;
}

function rangeWords(range: Range): string {
  return Object.entries(range)
    .flatMap(([bound, value]) => (value === undefined ? [] : [`${bound} ${value}`]))
    .join(' and ');
}

import { type DocumentFault, type DocumentPath, error, warning } from './document-fault.ts';
import { fadeFinishes } from './fade.ts';
import { exteriorFaults } from './exterior-hints.ts';
import type { KnownNames } from './known-names.ts';
import { limitFaults } from './limit-hints.ts';
import { excludesFinishes, nameHint, namesFinish } from './name-hints.ts';
import { priceFaults } from './price-faults.ts';
import { rangeFaults } from './range-faults.ts';
import { quoteHint, referenceHint } from './text-hints.ts';
import type { Conditions, StrategyDocument } from './schema.ts';
import { wordHint, wordKeys } from './word-hints.ts';
import { type OneOrMore, asList, quoted } from './words.ts';

/** What a document of the right shape gets wrong or hardly means. */
export function meaningFaults(document: StrategyDocument): readonly DocumentFault[] {
  const { when } = document;
  const inWhen =
    when === undefined
      ? [warning(['when'], 'is missing, so this strategy wants every listing within its price')]
      : groupFaults(when, ['when'], []);
  return [...inWhen, ...watchFaults(document), ...priceFaults(document), ...limitFaults(document)];
}

/** Only an item that is named whole can be looked for. */
function watchFaults({ watch, when }: StrategyDocument): DocumentFault[] {
  if (watch !== true) return [];
  const names = placed(when?.name, ['when', 'name']);
  if (names.length === 0) {
    return [
      error(['watch'], 'needs the items that it is about', 'name them whole in `when.name`: "AWP | Asiimov (Field-Tested)"'),
    ];
  }
  return names
    .filter(([glob]) => /[*?]/.test(glob))
    .map(([glob, place]) =>
      error(
        place,
        `${quoted(glob)} may be many items, and with \`watch: true\` each must be named whole`,
        'write whole names such as "AWP | Asiimov (Field-Tested)", or leave `watch` out',
      ),
    );
}

/** Globs on names that match no known item, where one that is near to them does. */
export function doubtfulNames({ when }: StrategyDocument, known: KnownNames): readonly DocumentFault[] {
  const inGroup = (group: Conditions, path: DocumentPath): DocumentFault[] => [
    ...placed(group.name, [...path, 'name']).flatMap(([glob, place]) => {
      const doubt = nameHint(glob) === undefined ? known.doubt(glob) : undefined;
      return doubt === undefined ? [] : [warning(place, doubt.problem, `did you mean ${quoted(doubt.instead)}?`)];
    }),
    ...innerGroups(group).flatMap(([inner, place]) => inGroup(inner, [...path, ...place])),
  ];
  return when === undefined ? [] : inGroup(when, ['when']);
}

/** `outer`: the names that the groups around this one ask for. */
function groupFaults(group: Conditions, path: DocumentPath, outer: readonly string[]): DocumentFault[] {
  if (Object.keys(group).length === 0) return [error(path, 'must be a block of conditions; found an empty block')];
  const names = [...outer, ...asList(group.name ?? [])];
  return [
    ...nameFaults(group.name, [...path, 'name']),
    ...wordFaults(group, path),
    ...rangeFaults(group, path),
    ...exteriorFaults(group, path),
    ...textFaults(group, path),
    ...charmFaults(group.charm, [...path, 'charm']),
    ...patternFaults(group, path, names),
    ...innerGroups(group).flatMap(([inner, place]) => groupFaults(inner, [...path, ...place], names)),
  ];
}

function innerGroups({ all = [], any = [], not }: Conditions): [Conditions, DocumentPath][] {
  return [
    ...all.map((group, index): [Conditions, DocumentPath] => [group, ['all', index]]),
    ...any.map((group, index): [Conditions, DocumentPath] => [group, ['any', index]]),
    ...(not ? [[not, ['not']] satisfies [Conditions, DocumentPath]] : []),
  ];
}

/** The place of each of one or more values. */
function placed(value: OneOrMore | undefined, path: DocumentPath): [string, DocumentPath][] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [[value, path]] : value.map((each, index) => [each, [...path, index]]);
}

function nameFaults(name: OneOrMore | undefined, path: DocumentPath): DocumentFault[] {
  return placed(name, path).flatMap(([glob, place]) => {
    if (/\|\s*$/.test(glob))
      return [
        warning(
          place,
          'ends with |; YAML cuts a text at a blank and #',
          `put the whole name in quotes: ${quoted(`${glob.trim()} …`)}`,
        ),
      ];
    const hint = nameHint(glob);
    return hint ? [warning(place, hint.problems.join('; '), `write ${quoted(hint.instead)}`)] : [];
  });
}

function wordFaults(group: Conditions, path: DocumentPath): DocumentFault[] {
  return wordKeys.flatMap((key) =>
    placed(group[key], [...path, key]).flatMap(([word, place]) => {
      const hint = wordHint(key, word);
      if (!hint) return [];
      const message = `${quoted(word)} is no ${key} that is known here; known: ${hint.known.join(', ')}`;
      return [warning(place, message, hint.meant === undefined ? undefined : `write ${quoted(hint.meant)}`)];
    }),
  );
}

function charmFaults(charm: Conditions['charm'], path: DocumentPath): DocumentFault[] {
  if (typeof charm !== 'string' || !/^(?:true|false|yes|no)$/i.test(charm)) return [];
  const meant = /^(?:true|yes)$/i.test(charm);
  return [error(path, `must be true, false or a glob; found the text "${charm}"`, `write ${meant}, without quotes`)];
}

/** Texts that are compared as they stand. What is odd about names is said with all the rest about them. */
function textFaults({ name, collection, stickers, charm }: Conditions, path: DocumentPath): DocumentFault[] {
  const others = [
    ...placed(collection, [...path, 'collection']),
    ...placed(stickers?.name, [...path, 'stickers', 'name']),
    ...(typeof charm === 'boolean' ? [] : placed(charm, [...path, 'charm'])),
  ];
  const told = (hint: ReturnType<typeof quoteHint>, place: DocumentPath): DocumentFault[] =>
    hint === undefined
      ? []
      : [warning(place, hint.problem, hint.instead === undefined ? undefined : `write ${quoted(hint.instead)}`)];
  return [
    ...[...placed(name, [...path, 'name']), ...others].flatMap(([text, place]) => told(referenceHint(text), place)),
    ...others.flatMap(([text, place]) => told(quoteHint(text), place)),
  ];
}

/** Pattern and fade mean something only for certain weapons and finishes. */
function patternFaults(group: Conditions, path: DocumentPath, names: readonly string[]): DocumentFault[] {
  const faults: DocumentFault[] = [];
  if (Array.isArray(group.paintSeed) && names.length === 0) {
    faults.push(
      warning(
        [...path, 'paintSeed'],
        'stands without a name, but a seed means something only for one weapon and finish',
        'add a name',
      ),
    );
  }
  const isNoFade = (glob: string): boolean => excludesFinishes(glob, fadeFinishes);
  if (group.fade && names.length > 0 && names.every(isNoFade) && !names.some((glob) => namesFinish(glob, fadeFinishes))) {
    faults.push(warning([...path, 'fade'], 'never holds: the name asks for another finish than Fade, Amber Fade and Acid Fade'));
  }
  return faults;
}

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DocumentFault } from '../strategy/document-fault.ts';
import type { KnownNames } from '../strategy/known-names.ts';
import { parseStrategy } from '../strategy/parse.ts';
import type { Strategy } from '../strategy/strategy.ts';
import type { FileFault, Place } from './file-fault.ts';
import { FAULTS_MAX, follows, inReadingOrder } from './file-fault.ts';
import { cutShort, readTextFile, whyUnreadable } from './text-file.ts';
import type { YamlDocument } from './yaml-document.ts';
import { readYaml } from './yaml-document.ts';

/** Far more than anybody keeps by hand; a folder with more of them is another folder. */
const FILES_MAX = 10_000;
/** What purchases made by `magpie buy` carry as their strategy. */
const RESERVED_NAME = 'by-hand';

export type LoadedStrategies =
  | { readonly ok: true; readonly strategies: readonly Strategy[]; readonly warnings: readonly FileFault[] }
  | {
      readonly ok: false;
      readonly faults: readonly FileFault[];
      readonly warnings: readonly FileFault[];
      /** How many files were read. */
      readonly files: number;
    };

/** What the configuration says of the account that the strategies are for. */
export interface AccountFrame {
  /** US dollars. */
  readonly maxPrice: number | undefined;
  /** It is live on a real service. */
  readonly realMoney: boolean;
}

/** One strategy file read and checked. `strategy` is there only when nothing is wrong with it. */
export interface StrategyReading {
  readonly strategy: Strategy | undefined;
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileFault[];
  /** A fault of the strategy's name, at its place. */
  nameFault(message: string, suggestion: string): FileFault;
}

/**
 * All strategies of a folder: its *.yaml files, in the order of their names; links are followed, names that begin with a dot and
 * everything else are left alone. One faulty file, two strategies of one name, or no file at all make the whole folder a fault,
 * so that what runs is always what the folder says. `shown` is the folder as a person should see it.
 */
export function loadStrategies(
  folder: string,
  shown: string = folder,
  account?: AccountFrame,
  known?: KnownNames,
): LoadedStrategies {
  const reading = fileByFile(folder, shown, account, known);
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
  }
}

/**
 * The same for a process that has other things to do: `breathe` is waited for after each file. One whose text is that of a strategy that
 * `counts` is not parsed again: it is that strategy, and nothing was wrong with it.
 */
export async function loadStrategiesBetween(
  breathe: () => Promise<void>,
  folder: string,
  shown: string,
  counts: readonly Strategy[] = [],
): Promise<LoadedStrategies> {
  const reading = fileByFile(folder, shown, undefined, undefined, new Map(counts.map((strategy) => [strategy.text, strategy])));
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
    await breathe();
  }
}

function* fileByFile(
  folder: string,
  shown: string,
  account?: AccountFrame,
  known?: KnownNames,
  counting: ReadonlyMap<string, Strategy> = new Map(),
): Generator<undefined, LoadedStrategies> {
  const listed = strategyFiles(folder, shown);
  if (!listed.ok) return { ok: false, faults: [listed.fault], warnings: [], files: 0 };
  const faults: FileFault[] = [];
  const warnings: FileFault[] = [...listed.warnings];
  const byName = new Map<string, { strategy: Strategy; file: string }>();
  for (const name of listed.names) {
    yield;
    const file = join(shown, name);
    const reading = readStrategy(join(folder, name), file, account, known, counting);
    faults.push(...reading.faults);
    warnings.push(...reading.warnings);
    if (!reading.strategy) continue;
    const other = byName.get(reading.strategy.name);
    if (other) faults.push(reading.nameFault(`is the name of ${other.file} too`, 'give each strategy a name of its own'));
    else byName.set(reading.strategy.name, { strategy: reading.strategy, file });
  }
  if (account?.realMoney === true) warnings.push(...exampleWarnings([...byName.values()], shown));
  warnings.sort(inReadingOrder);
  if (faults.length > 0) return { ok: false, faults: faults.sort(inReadingOrder), warnings, files: listed.names.length };
  return { ok: true, strategies: [...byName.values()].map(({ strategy }) => strategy), warnings };
}

/** Examples are to be copied from; nobody has looked whether a reader wants what they buy. */
function exampleWarnings(loaded: readonly { readonly strategy: Strategy }[], shown: string): FileFault[] {
  const examples = exampleHashes();
  const names = loaded.flatMap(({ strategy: { name, hash, lane } }) => (lane === 'live' && examples.has(hash) ? [name] : []));
  if (names.length === 0) return [];
  const are =
    names.length === 1 ? 'is an example that comes with Magpie, unchanged' : 'are examples that come with Magpie, unchanged';
  return [
    faultOf(
      shown,
      `${names.join(', ')} ${are}: live, with your money`,
      'keep those that you want, as your own: with your prices and limits',
    ),
  ];
}

/** Of the examples, read once: they come with the program. */
let examples: ReadonlySet<string> | undefined;

function exampleHashes(): ReadonlySet<string> {
  examples ??= hashesOfExamples();
  return examples;
}

function hashesOfExamples(): ReadonlySet<string> {
  try {
    const files = readdirSync(packagedStrategies).filter((name) => name.endsWith('.yaml'));
    return new Set(files.map((name) => hashOf(readFileSync(join(packagedStrategies, name), 'utf8'))));
  } catch {
    return new Set();
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A folder that cannot be used at all has its fault where it was named: nobody finds a place in what is not there. */
export function namedAt(loaded: LoadedStrategies, shown: string, named: () => Place): readonly FileFault[] {
  if (loaded.ok) return [];
  if (loaded.files > 0) return loaded.faults;
  const place = named();
  return loaded.faults.map(({ message, suggestion }) => ({
    ...place,
    message: `${shown}: ${message}`,
    suggestion: place.file.startsWith('--') ? suggestion?.replace('the key `strategies`', place.file) : suggestion,
  }));
}

/** Reads one strategy file. `counting`: strategies by their text, which need no second look. */
export function readStrategy(
  path: string,
  shown: string,
  account?: AccountFrame,
  known?: KnownNames,
  counting?: ReadonlyMap<string, Strategy>,
): StrategyReading {
  const wholeFile = (message: string, suggestion?: string): FileFault => faultOf(shown, message, suggestion);
  const read = readTextFile(path, shown);
  if (!read.ok) return { strategy: undefined, faults: [read.fault], warnings: [], nameFault: wholeFile };
  const strategy = counting?.get(read.text);
  if (strategy !== undefined)
    return { strategy, faults: [], warnings: [], nameFault: (...words) => nameFaultIn(read.text, shown, ...words) };
  const { document, faults, spoiled } = readYaml(read.text, shown, { references: false });
  if (!document) return { strategy: undefined, faults, warnings: [], nameFault: wholeFile };
  const nameFault = (message: string, suggestion: string): FileFault => document.fault(['name'], message, suggestion);
  const hash = hashOf(read.text);
  const parsed = parseStrategy(document.value, { text: read.text, hash }, known);
  const placed = (found: readonly DocumentFault[]): FileFault[] =>
    found
      .filter(({ path: at }) => !follows(at, spoiled))
      .slice(0, FAULTS_MAX)
      .map(({ path: at, at: part, message, suggestion }) => document.fault(at, message, suggestion, part));
  const warnings = [...cutShort(read.text, shown), ...placed(parsed.warnings), ...dearer(document, account)];
  const problems = [...faults, ...(parsed.ok ? [] : placed(parsed.faults))];
  if (document.value['name'] === RESERVED_NAME) problems.push(nameFault('is kept for purchases by hand', 'choose another name'));
  return { strategy: parsed.ok && problems.length === 0 ? parsed.strategy : undefined, faults: problems, warnings, nameFault };
}

/** A fault of the name in a text that was not parsed, since it was good before. */
function nameFaultIn(text: string, shown: string, message: string, suggestion: string): FileFault {
  const { document } = readYaml(text, shown, { references: false });
  return document?.fault(['name'], message, suggestion) ?? faultOf(shown, message, suggestion);
}

/** A price that the account's own cap never lets through. */
function dearer(document: YamlDocument, account: AccountFrame | undefined): FileFault[] {
  const { price } = document.value as { readonly price?: { readonly max?: unknown } | null };
  const max = price?.max;
  const cap = account?.maxPrice;
  if (typeof max !== 'number' || cap === undefined || max <= cap) return [];
  return [
    document.fault(
      ['price', 'max'],
      `is ${max}, but limits.maxPrice of the configuration lets nothing cost more than ${cap}`,
      `write ${cap} or less, or raise limits.maxPrice`,
    ),
  ];
}

/** A strategy from its wording, for one that was good when it was kept; undefined where it is not any more. */
export function strategyOfText(text: string, hash: string): Strategy | undefined {
  const { document } = readYaml(text, 'kept', { references: false });
  const parsed = document === undefined ? undefined : parseStrategy(document.value, { text, hash });
  return parsed?.ok === true ? parsed.strategy : undefined;
}

/** The examples that come with Magpie; two folders up from here in src as in dist. */
export const packagedStrategies = fileURLToPath(new URL('../../strategies', import.meta.url));

const ownFolder = `put your strategies there, or name another folder by the key \`strategies\`; examples to copy from: ${packagedStrategies}`;

type Listed =
  | { readonly ok: true; readonly names: readonly string[]; readonly warnings: readonly FileFault[] }
  | { readonly ok: false; readonly fault: FileFault };

function strategyFiles(folder: string, shown: string): Listed {
  let all: string[];
  try {
    all = readdirSync(folder);
  } catch (error) {
    const why = whyUnreadable(error, 'folder');
    return { ok: false, fault: faultOf(shown, why.message, why.suggestion ?? ownFolder) };
  }
  const visible = all.filter((name) => !name.startsWith('.'));
  const names = visible.filter((name) => name.endsWith('.yaml')).sort();
  if (names.length === 0) {
    return {
      ok: false,
      fault: faultOf(shown, 'holds no *.yaml file: without a strategy nothing is ever bought', 'put a strategy there'),
    };
  }
  if (names.length > FILES_MAX) return { ok: false, fault: faultOf(shown, `holds more than ${FILES_MAX} *.yaml files`) };
  const misnamed = visible.filter((name) => /\.ya?ml$/i.test(name) && !name.endsWith('.yaml'));
  const warnings = misnamed.map((name) =>
    faultOf(join(shown, name), 'is not read: names of strategy files end in .yaml', 'rename it'),
  );
  return { ok: true, names, warnings };
}

function faultOf(file: string, message: string, suggestion?: string): FileFault {
  return { file, line: 1, column: 1, path: '', message, suggestion };
}

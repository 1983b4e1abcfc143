import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { seededRandom } from '../domain/random.ts';
import { printable } from '../domain/text.ts';
import type { DocumentFault } from '../strategy/document-fault.ts';
import { parseStrategy } from '../strategy/parse.ts';
import type { Strategy } from '../strategy/strategy.ts';
import { type Axis, type Setting, draws, grid, gridSize, valueAt, varied } from '../strategy/vary.ts';
import { explainIssue } from './explain.ts';
import { FAULTS_MAX, type FileFault, type Path } from './file-fault.ts';
import { readStrategy } from './strategies.ts';
import { axesOf, pathOf } from './sweep-axes.ts';
import { type SweepDocument, sweepKeys, sweepSchema } from './sweep-schema.ts';
import { readTextFile, shownPath } from './text-file.ts';
import { type YamlDocument, readYaml } from './yaml-document.ts';

/** One way to write the strategy. */
export interface Variant {
  /** What stands on each axis; undefined: nothing. */
  readonly setting: Setting;
  readonly document: Document;
  /** Its text is the document as JSON. */
  readonly strategy: Strategy;
}

/** What is to be tried. */
export interface SweepPlan {
  /** The file of the strategy, as shown. */
  readonly file: string;
  readonly axes: readonly Axis[];
  /** Drawn by chance; undefined: every value with every other. */
  readonly drawn: { readonly samples: number; readonly seed: number } | undefined;
  /** The share of the time on which one is chosen, 0 to 1; undefined: not said. */
  readonly train: number | undefined;
  /** The strategy as it stands in its file. */
  readonly base: Variant;
  /** Those that are tried, in their order; that of the file may be among them. */
  readonly variants: readonly Variant[];
}

export type SweepReading =
  | { readonly ok: true; readonly plan: SweepPlan }
  | { readonly ok: false; readonly faults: readonly FileFault[] };

/** No more variants are tried unless more are asked for. */
export const VARIANTS_MAX = 10_000;

export interface SweepRequest {
  /** Absolute. */
  readonly cwd: string;
  /** No more variants than this. */
  readonly max: number;
}

/** What is given on a command line in place of a file, or beside it. */
export interface SweepWords {
  readonly strategy?: string | undefined;
  /** `price.maxOfSteam=0.6,0.65`, each. */
  readonly vary?: readonly string[] | undefined;
  readonly samples?: number | undefined;
  readonly seed?: number | undefined;
}

/** Reads a sweep file. Paths in it are relative to it. */
export function readSweepFile(path: string, words: Pick<SweepWords, 'samples' | 'seed'>, request: SweepRequest): SweepReading {
  const shown = shownPath(path, request.cwd);
  const read = readTextFile(path, shown);
  if (!read.ok) return { ok: false, faults: [read.fault] };
  return planOf(read.text, shown, dirname(path), words, request);
}

/** The same from a command line; faults stand at the option that they are of, counted from 1. */
export function readSweepWords({ strategy = '', vary = [], ...words }: SweepWords, request: SweepRequest): SweepReading {
  const unvaried = vary.flatMap((text, index) => (/=\s*[^\s]/.test(text) ? [] : [withoutValues(text, index + 1)]));
  if (unvaried.length > 0) return { ok: false, faults: unvaried };
  const entries = vary.map((text) => {
    const [name = '', ...rest] = text.replace(/[\r\n]/g, ' ').split('=');
    const value = rest.join('=').trim();
    return `  ${name.trim()}: ${/^[[{]/.test(value) ? value : `[${value}]`}`;
  });
  const text = ['vary:', ...entries, `strategy: ${JSON.stringify(strategy)}`, ''].join('\n');
  const read = planOf(text, '--vary', request.cwd, words, request);
  if (read.ok) return read;
  const placed = ({ file, line, column, ...fault }: FileFault): FileFault =>
    file === '--vary'
      ? { file, line: Math.max(1, line - 1), column: Math.max(1, column - 2), ...fault }
      : { file, line, column, ...fault };
  return { ok: false, faults: read.faults.map(placed) };
}

function withoutValues(text: string, line: number): FileFault {
  const name = text.replace(/=.*/s, '').trim();
  const path = pathOf(name) === undefined ? 'price.maxOfSteam' : name;
  const [message, suggestion] = ['names no values to try', `write ${path}=0.6,0.7`];
  return { file: '--vary', line, column: 1, path: printable(name, 100), message, suggestion };
}

function planOf(
  text: string,
  shown: string,
  folder: string,
  words: Pick<SweepWords, 'samples' | 'seed'>,
  request: SweepRequest,
): SweepReading {
  const { document, faults: unread } = readYaml(text, shown, { references: false });
  if (document === undefined || unread.length > 0) return { ok: false, faults: unread };
  const result = sweepSchema.safeParse(document.value);
  if (!result.success) return { ok: false, faults: result.error.issues.flatMap((issue) => explained(issue, document)) };
  const written = { ...result.data, ...defined(words) };
  const path = resolve(folder, written.strategy);
  const file = shownPath(path, request.cwd);
  const { strategy, faults } = readStrategy(path, file);
  if (strategy === undefined) return { ok: false, faults };
  const own = readYaml(strategy.text, file, { references: false }).document?.value ?? {};
  return withVariants(document, written, { file, document: own }, request);
}

function explained(issue: Parameters<typeof explainIssue>[0], document: YamlDocument): FileFault[] {
  const about = { document, value: document.value, allowedKeys: () => sweepKeys, origin: () => undefined, isSecret: () => false };
  return explainIssue(issue, about).map(({ fault }) => fault);
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function withVariants(
  document: YamlDocument,
  { vary, samples, seed = 1, train }: SweepDocument,
  strategy: { readonly file: string; readonly document: Document },
  { max }: SweepRequest,
): SweepReading {
  const { axes, faults } = axesOf(document, vary, strategy.document);
  if (faults.length > 0) return { ok: false, faults };
  const refused = (message: string, suggestion: string): SweepReading => ({
    ok: false,
    faults: [document.fault(['vary'], message, suggestion)],
  });
  const size = gridSize(axes);
  if (samples === undefined && size === Infinity)
    return refused('is drawn by chance, and how many are is not said', 'add `samples: 100`, or --samples 100');
  const count = Math.min(samples ?? size, size);
  if (count > max)
    return refused(
      `makes ${count} variants, more than ${max}`,
      `vary less, draw some of them (samples: ${max}), or --max ${count}`,
    );
  const settings = samples === undefined ? grid(axes) : draws(axes, samples, seededRandom(seed, 'variants'));
  const made = variantsOf(document, axes, strategy.document, settings);
  if (made.faults.length > 0) return { ok: false, faults: made.faults };
  const { variant: base, faults: odd } = variantOf(
    strategy.document,
    axes.map(({ path }) => valueAt(strategy.document, path)),
  );
  if (base === undefined) throw new Error(`${strategy.file} was sound and is not any more: ${odd[0]?.message ?? ''}`);
  const drawn = samples === undefined ? undefined : { samples, seed };
  return { ok: true, plan: { file: strategy.file, axes, drawn, train, base, variants: made.variants } };
}

type Document = Readonly<Record<string, unknown>>;

function variantOf(
  document: Document,
  setting: Setting,
): { readonly variant: Variant | undefined; readonly faults: readonly DocumentFault[] } {
  const text = JSON.stringify(document);
  const parsed = parseStrategy(document, { text, hash: createHash('sha256').update(text).digest('hex') });
  if (!parsed.ok) return { variant: undefined, faults: parsed.faults };
  return { variant: { setting, document, strategy: parsed.strategy }, faults: [] };
}

/** Each checked by the language itself; what it has against one is told at the value that it is about. */
function variantsOf(
  document: YamlDocument,
  axes: readonly Axis[],
  base: Document,
  settings: readonly Setting[],
): { readonly variants: readonly Variant[]; readonly faults: readonly FileFault[] } {
  const variants: Variant[] = [];
  const faults = new Map<string, FileFault>();
  for (const setting of settings) {
    const { variant, faults: found } = variantOf(varied(base, axes, setting), setting);
    if (variant !== undefined) variants.push(variant);
    for (const fault of found) {
      const placed = placedFault(document, axes, setting, fault);
      const id = `${placed.line}:${placed.column} ${fault.path.join('.')} ${fault.message}`;
      if (faults.size < FAULTS_MAX && !faults.has(id)) faults.set(id, placed);
    }
  }
  return { variants, faults: [...faults.values()] };
}

function placedFault(document: YamlDocument, axes: readonly Axis[], setting: Setting, fault: DocumentFault): FileFault {
  const numbered = axes.map((axis, index) => ({ ...axis, value: setting[index] }));
  const touched = numbered.filter(({ path }) => path.every((part, at) => at >= fault.path.length || fault.path[at] === part));
  const about = touched.length > 0 ? touched : numbered;
  const { name, choice, value } = about[0] as (typeof numbered)[number];
  const isList = Array.isArray(valueAt(document.value, ['vary', name]));
  const at: Path = isList && choice.kind === 'values' ? ['vary', name, choice.values.indexOf(value)] : ['vary', name];
  const values = about.map((each) => `${each.name} ${JSON.stringify(each.value)}`).join(' and ');
  return document.fault(at, `with ${values}, ${fault.path.join('.')} ${fault.message}`, fault.suggestion);
}

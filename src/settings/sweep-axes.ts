import { nearest } from '../domain/nearest.ts';
import { keysAt } from '../strategy/document-keys.ts';
import { type Axis, type Choice, decimalsBetween, stepped, valueAt } from '../strategy/vary.ts';
import { type Explained, explainIssue } from './explain.ts';
import type { FileFault, Path } from './file-fault.ts';
import { SAMPLES_MAX, type Written, choiceSchema } from './sweep-schema.ts';
import type { YamlDocument } from './yaml-document.ts';

/** The axes of the block `vary` of a document, or what is wrong with them. `strategy`: the document of the strategy that is varied. */
export function axesOf(
  document: YamlDocument,
  vary: Readonly<Record<string, unknown>>,
  strategy: unknown,
): { readonly axes: readonly Axis[]; readonly faults: readonly FileFault[] } {
  const axes: Axis[] = [];
  const faults: FileFault[] = [];
  for (const [name, value] of Object.entries(vary)) {
    const fault = (message: string, suggestion?: string): void =>
      void faults.push(document.fault(['vary', name], message, suggestion, 'key'));
    const path = pathOf(name);
    if (path === undefined) fault('is no place in a strategy', 'write it as `price.maxOfSteam` or `when.any[0].name`');
    else {
      const wrong = wrongPlace(path, strategy) ?? overlap(path, axes);
      if (wrong !== undefined) fault(wrong.message, wrong.suggestion);
      const read = choiceOf(document, name, value);
      faults.push(...read.faults);
      if (wrong === undefined && read.choice !== undefined) axes.push({ path, name, choice: read.choice });
    }
  }
  return { axes, faults };
}

/** `when.any[0].name` as keys and indexes; undefined where it is not written so. */
export function pathOf(name: string): Path | undefined {
  const parts = name.replace(/\[(\d{1,3})\]/g, '.$1').split('.');
  if (!parts.every((part) => /^(?:[A-Za-z][\w-]{0,63}|\d{1,3})$/.test(part)) || /^\d/.test(name)) return undefined;
  return parts.map((part) => (/^\d/.test(part) ? Number(part) : part));
}

interface Wrong {
  readonly message: string;
  readonly suggestion: string | undefined;
}

/** Why nothing can stand there in a strategy; undefined where something can. */
function wrongPlace(path: Path, strategy: unknown): Wrong | undefined {
  if (path[0] === 'name') return { message: 'a strategy keeps its name whatever is varied', suggestion: 'vary something else' };
  for (const [index, part] of path.entries()) {
    const above = path.slice(0, index);
    if (typeof part === 'number') {
      const list = valueAt(strategy, above);
      const length = Array.isArray(list) ? list.length : 0;
      if (part >= length)
        return { message: `the strategy has ${length} entries there, and the first is [0]`, suggestion: undefined };
      continue;
    }
    const allowed = keysAt(above);
    if (allowed.includes(part)) continue;
    const near = nearest(part, allowed);
    const where = index === 0 ? 'a strategy' : `${above.join('.')} of a strategy`;
    return {
      message: `there is no ${part} in ${where}${allowed.length === 0 ? '' : `; allowed: ${allowed.join(', ')}`}`,
      suggestion: near === undefined ? undefined : `write ${[...above, near].join('.')}`,
    };
  }
  return undefined;
}

function overlap(path: Path, axes: readonly Axis[]): Wrong | undefined {
  const other = axes.find((axis) => begins(axis.path, path) || begins(path, axis.path));
  return other && { message: `stands inside ${other.name}, or around it: which should count?`, suggestion: 'vary one of them' };
}

function begins(path: Path, start: Path): boolean {
  return start.every((part, index) => path[index] === part);
}

interface ChoiceRead {
  readonly choice: Choice | undefined;
  readonly faults: readonly FileFault[];
}

function choiceOf(document: YamlDocument, name: string, value: unknown): ChoiceRead {
  const at: Path = ['vary', name];
  const result = choiceSchema(value).safeParse(value);
  if (result.success) return madeOf(result.data, (message, suggestion) => document.fault(at, message, suggestion));
  const about = {
    document,
    value: document.value,
    allowedKeys: ({ length }: Path) => (length > 2 || !isByChance(value) ? ['from', 'to', 'step'] : ['random']),
    origin: () => undefined,
    isSecret: () => false,
  };
  const explained = result.error.issues.flatMap((issue): readonly Explained[] =>
    explainIssue({ ...issue, path: [...at, ...issue.path] }, about),
  );
  return { choice: undefined, faults: explained.map(({ fault }) => fault) };
}

function isByChance(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'random' in value;
}

function madeOf(written: Written, fault: (message: string, suggestion?: string) => FileFault): ChoiceRead {
  const bad = (message: string, suggestion: string): ChoiceRead => ({ choice: undefined, faults: [fault(message, suggestion)] });
  if (Array.isArray(written)) {
    const values = new Map(written.map((each) => [JSON.stringify(each), each]));
    if (values.size < written.length) return bad('names one value twice', 'leave one of them out');
    return { choice: { kind: 'values', values: written }, faults: [] };
  }
  const { from, to, step } = 'random' in written ? written.random : written;
  if (to <= from) return bad(`goes from ${from} to ${to}`, 'let `to` be more than `from`');
  if (step === undefined) return { choice: { kind: 'between', from, to, decimals: decimalsBetween(from, to) }, faults: [] };
  if ((to - from) / step > SAMPLES_MAX) return bad(`makes more than ${SAMPLES_MAX} values`, 'choose a larger step');
  return { choice: { kind: 'values', values: stepped(from, to, step) }, faults: [] };
}

import type { Filled } from './environment.ts';
import { fillFromEnvironment } from './environment.ts';
import type { Explained } from './explain.ts';
import { explainIssue, valueAt } from './explain.ts';
import type { FileFault, Path } from './file-fault.ts';
import { follows, pathText } from './file-fault.ts';
import type { Finding } from './finding.ts';
import { configJsonSchema, keysAt } from './json-schema.ts';
import type { Environment } from './references.ts';
import { checkTogether } from './rules.ts';
import type { Config } from './schema.ts';
import { configSchema } from './schema.ts';
import { cutShort, readTextFile } from './text-file.ts';
import type { YamlDocument } from './yaml-document.ts';
import { readYaml } from './yaml-document.ts';

/** A configuration file read and checked. `config` is there only when nothing is wrong with it. */
export interface ConfigurationReading {
  readonly config: Config | undefined;
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileFault[];
  readonly notices: readonly string[];
  /** The folder of the strategies as written, known even where something else is wrong; undefined when it cannot be told. */
  readonly strategies: string | undefined;
  /** The data folder as written, known as the strategies' is. */
  readonly data: string | undefined;
  /** Whether the data folder was named by the environment and not by the file. */
  readonly dataFromEnvironment: boolean;
}

export interface ConfigurationRequest {
  /** Absolute. */
  readonly file: string;
  /** The same as a person should see it. */
  readonly shown: string;
  readonly env: Environment;
  /** Makes it dry-run whatever the file says; there is no way to the other side. */
  readonly dryRun: boolean;
  /** For a command that sends nothing: the way to the service and its keys may be missing. */
  readonly local?: boolean;
}

const secretPaths: ReadonlySet<string> = new Set(['account.apiKey', 'account.partnerKey', 'account.tradeUrl', 'web.token']);
const isSecret = (path: Path): boolean => secretPaths.has(pathText(path));

/** Reads one configuration file: its text, its YAML, the environment's part, each key by itself, and all of them together. */
export function readConfiguration({ file, shown, env, dryRun, local = false }: ConfigurationRequest): ConfigurationReading {
  const nothing = {
    config: undefined,
    warnings: [],
    notices: [],
    strategies: undefined,
    data: undefined,
    dataFromEnvironment: false,
  };
  const read = readTextFile(file, shown);
  if (!read.ok) return { ...nothing, faults: [read.fault] };
  const { document, faults, spoiled } = readYaml(read.text, shown, { references: true, isSecret });
  if (!document) return { ...nothing, faults };
  const filled = fillFromEnvironment(document, env, local);
  const checked = checkKeys(document, filled);
  const blind = [...spoiled, ...filled.spoiled];
  const problems = [...faults, ...filled.faults];
  for (const { path, fault } of checked.problems) if (!follows(path, blind)) problems.push(fault);
  const warnings = [...cutShort(read.text, shown), ...openKeys(document, filled, read.mode)];
  const config = checked.config && dryRun ? { ...checked.config, mode: 'dry-run' as const } : checked.config;
  for (const finding of config && !local ? checkTogether(config) : []) {
    if (!follows(finding.path, blind)) (finding.severity === 'fault' ? problems : warnings).push(placed(finding, document));
  }
  return {
    config: problems.length === 0 ? config : undefined,
    faults: problems,
    warnings,
    notices: filled.notices,
    strategies: follows(['strategies'], blind) ? undefined : folderOf(filled.value, 'strategies'),
    data: follows(['data'], blind) ? undefined : folderOf(filled.value, 'data'),
    dataFromEnvironment: filled.origin(['data']) === 'MAGPIE_DATA',
  };
}

function placed({ path, message, suggestion, because = [] }: Finding, document: YamlDocument): FileFault {
  const stands = Object.hasOwn(document.value, path[0] ?? '');
  return { ...document.fault(stands ? path : because, message, suggestion), path: pathText(path) };
}

function folderOf(value: unknown, key: 'strategies' | 'data'): string | undefined {
  const { success, data } = configSchema.shape[key].safeParse(valueAt(value, [key]));
  return success ? data : undefined;
}

interface Checked {
  readonly config: Config | undefined;
  readonly problems: readonly Explained[];
}

function checkKeys(document: YamlDocument, filled: Filled): Checked {
  const value = withTypedReferences(filled);
  const result = configSchema.safeParse(value);
  if (result.success) return { config: result.data, problems: [] };
  const about = {
    document,
    value,
    allowedKeys: (path: Path) => keysAt(configJsonSchema(), path),
    origin: filled.origin,
    isSecret,
  };
  return { config: undefined, problems: result.error.issues.flatMap((issue) => explainIssue(issue, about)) };
}

/** The environment holds only texts: where a number or true/false is wanted, a text from there that is one counts as one. */
function withTypedReferences({ value, origin }: Filled): unknown {
  const result = configSchema.safeParse(value);
  for (const issue of result.success ? [] : result.error.issues) {
    const path = issue.path as Path;
    const text = valueAt(value, path);
    if (issue.code !== 'invalid_type' || typeof text !== 'string' || origin(path) === undefined) continue;
    const parent = valueAt(value, path.slice(0, -1)) as Record<string | number, unknown>;
    const key = path.at(-1) ?? '';
    if (issue.expected === 'number' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) parent[key] = Number(text);
    if (issue.expected === 'boolean' && /^(?:true|false)$/.test(text)) parent[key] = text === 'true';
  }
  return value;
}

/** Keys that stand in the file itself while others on this machine may read it. */
function openKeys(document: YamlDocument, filled: Filled, mode: number): FileFault[] {
  if ((mode & 0o044) === 0) return [];
  return [...secretPaths].flatMap((text) => {
    const path = text.split('.');
    if (typeof valueAt(filled.value, path) !== 'string' || filled.origin(path) !== undefined) return [];
    const suggestion = `chmod 600 ${document.file}, or take it from the environment: \${NAME}`;
    return [document.fault(path, 'stands in a file that other users of this machine may read', suggestion)];
  });
}

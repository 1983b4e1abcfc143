import type { z } from 'zod';
import { isAccountName } from './accounts-schema.ts';
import type { Filled } from './environment.ts';
import { accountSecrets, anyAccount, fillFromEnvironment } from './environment.ts';
import { accountsRules, configsOfAccounts, isOfAccount, placeInAccount } from './accounts.ts';
import type { Explained } from './explain.ts';
import { explainIssue, valueAt } from './explain.ts';
import type { FileFault, Path, Place } from './file-fault.ts';
import { follows, pathText } from './file-fault.ts';
import type { Finding } from './finding.ts';
import { configJsonSchema, keysAt } from './json-schema.ts';
import type { Environment } from './references.ts';
import { monitoringSecrets } from './monitoring-schema.ts';
import { isTreasurySecret } from './treasury-schema.ts';
import { webhookSecrets } from './webhooks-schema.ts';
import { notifySecrets } from './notify-schema.ts';
import { checkAccount, checkTogether } from './rules.ts';
import type { Config } from './schema.ts';
import { configSchema } from './schema.ts';
import { cutShort, readTextFile } from './text-file.ts';
import type { YamlDocument } from './yaml-document.ts';
import { readYaml } from './yaml-document.ts';

/** A configuration file read and checked. `config` is there only when nothing is wrong with it. */
export interface ConfigurationReading {
  readonly config: Config | undefined;
  /** Each of its accounts as if it stood alone, by name; empty where the configuration is for one. */
  readonly accounts: ReadonlyMap<string, Config>;
  /** Their names as written, known even where something is wrong with them: a halt must find their folders. */
  readonly accountNames: readonly string[];
  readonly faults: readonly FileFault[];
  readonly warnings: readonly FileFault[];
  readonly notices: readonly string[];
  /** Where the folder of the strategies is named: for that account where it has one of its own, else for all. */
  placeOfStrategies(account: string | undefined): Place;
  /** The folder of the strategies as written, known even where something else is wrong; undefined when it cannot be told. */
  readonly strategies: string | undefined;
  /** It has a treasury and names nothing that a buyer needs: no strategies, limits or accounts. */
  readonly isTreasuryAlone: boolean;
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

const secretPaths: ReadonlySet<string> = new Set([
  ...['account.apiKey', 'account.partnerKey', 'account.tradeUrl', 'web.token'],
  ...accountSecrets,
  ...notifySecrets,
  ...monitoringSecrets,
  ...webhookSecrets,
]);
const isSecret = (path: Path): boolean => secretPaths.has(anyAccount(path)) || isTreasurySecret(pathText(path));

/** Reads one configuration file: its text, its YAML, the environment's part, each key by itself, and all of them together. */
export function readConfiguration({ file, shown, env, dryRun, local = false }: ConfigurationRequest): ConfigurationReading {
  const nothing = {
    config: undefined,
    accounts: new Map<string, Config>(),
    accountNames: [],
    warnings: [],
    notices: [],
    placeOfStrategies: () => ({ file: shown, line: 1, column: 1, path: 'strategies' }),
    strategies: undefined,
    isTreasuryAlone: false,
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
  const { config, accounts } = dryRun ? onPaper(checked) : checked;
  for (const finding of config && !local ? findings(config, accounts, filled.value) : []) {
    if (!follows(finding.path, blind)) (finding.severity === 'fault' ? problems : warnings).push(placed(finding, document));
  }
  return {
    config: problems.length === 0 ? config : undefined,
    accounts,
    accountNames: [...new Set([...namesIn(filled.value), ...namesAmong(blind)])],
    faults: problems,
    warnings,
    notices: filled.notices,
    placeOfStrategies: (account) => placeOfStrategies(document, account),
    strategies: follows(['strategies'], blind) ? undefined : folderOf(filled.value, 'strategies'),
    isTreasuryAlone: isTreasuryAlone(filled.value),
    data: follows(['data'], blind) ? undefined : folderOf(filled.value, 'data'),
    dataFromEnvironment: filled.origin(['data']) === 'MAGPIE_DATA',
  };
}

function placeOfStrategies(document: YamlDocument, account: string | undefined): Place {
  const own: Path = ['accounts', account ?? '', 'strategies'];
  const { file, line, column, path } = document.fault(valueAt(document.value, own) === undefined ? ['strategies'] : own, '');
  return { file, line, column, path };
}

function isTreasuryAlone(value: unknown): boolean {
  const isThere = (key: string): boolean => valueAt(value, [key]) !== undefined;
  return isThere('treasury') && !['strategies', 'limits', 'accounts'].some(isThere);
}

/** Only names that a folder may have. */
function namesIn(value: unknown): string[] {
  const accounts = valueAt(value, ['accounts']);
  return typeof accounts === 'object' && accounts !== null ? Object.keys(accounts).filter(isAccountName) : [];
}

/** Names whose whole block was left out for a fault: the account may be at work all the same. */
function namesAmong(spoiled: readonly Path[]): string[] {
  return spoiled.flatMap(([block, name]) =>
    block === 'accounts' && typeof name === 'string' && isAccountName(name) ? [name] : [],
  );
}

/** Of the whole and of each account; what an account has from the top is said once, of the top. */
function findings(config: Config, accounts: ReadonlyMap<string, Config>, value: unknown): Finding[] {
  if (config.accounts === undefined) return checkTogether(config);
  const own = [...accounts].flatMap(([name, account]) =>
    checkAccount(account)
      .filter((finding) => finding.severity === 'fault' || isOfAccount(finding, value, name))
      .map((finding) => inAccount(name, finding)),
  );
  return [...checkTogether(config), ...accountsRules(config, accounts), ...own];
}

/** Where the words of one account say what to write below `account`, each of several has a place and a variable of its own. */
function inAccount(name: string, finding: Finding): Finding {
  const variables = `${name.toUpperCase().replaceAll('-', '_')}_`;
  const suggestion = finding.suggestion
    ?.replace('below account', `below accounts.${name}`)
    .replace(/\bMAGPIE_(?=API_KEY|TRADE_URL)/, variables);
  return { ...finding, suggestion, path: placeInAccount(name, finding.path), because: ['accounts', name] };
}

function onPaper({ config, accounts }: Checked): Checked {
  const paper = (each: Config): Config => ({ ...each, mode: 'dry-run' });
  return {
    config: config && paper(config),
    accounts: new Map([...accounts].map(([name, each]) => [name, paper(each)])),
    problems: [],
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
  readonly accounts: ReadonlyMap<string, Config>;
  readonly problems: readonly Explained[];
}

function checkKeys(document: YamlDocument, filled: Filled): Checked {
  const value = withTypedReferences(filled);
  const result = configSchema.safeParse(value);
  if (result.success) return { config: result.data, accounts: configsOfAccounts(value), problems: [] };
  const about = {
    document,
    value,
    allowedKeys: (path: Path) => keysAt(configJsonSchema(), path),
    origin: filled.origin,
    isSecret,
  };
  const issues = result.error.issues.filter((issue, _, all) => !isOfWrongKey(issue, all));
  return { config: undefined, accounts: new Map(), problems: issues.flatMap((issue) => explainIssue(issue, about)) };
}

type Issue = z.core.$ZodIssue;

/** A block that lacks what it needs because one of its keys is misspelled: the key tells it, with what was meant. */
function isOfWrongKey({ code, path, message }: Issue, all: readonly Issue[]): boolean {
  const at = pathText(path as Path);
  return (
    code === 'custom' &&
    message.startsWith('a block with at least one of ') &&
    all.some((other) => other.code === 'unrecognized_keys' && pathText(other.path as Path) === at)
  );
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
  const children = valueAt(filled.value, ['treasury', 'children']);
  const ofChildren = Array.isArray(children) ? children.map((_, index): Path => ['treasury', 'children', index, 'key']) : [];
  const names = namesIn(filled.value);
  const ofAccounts = [...secretPaths].flatMap((text): Path[] => {
    const path = text.split('.');
    return path[1] === '*' ? names.map((name) => path.with(1, name)) : [path];
  });
  const paths: readonly Path[] = [...ofAccounts, ['treasury', 'key'], ...ofChildren];
  return paths.flatMap((path) => {
    if (typeof valueAt(filled.value, path) !== 'string' || filled.origin(path) !== undefined) return [];
    const suggestion = `chmod 600 ${document.file}, or take it from the environment: \${NAME}`;
    return [document.fault(path, 'stands in a file that other users of this machine may read', suggestion)];
  });
}

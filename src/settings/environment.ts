import type { FileFault, Path } from './file-fault.ts';
import { pathText } from './file-fault.ts';
import { monitoringSecrets } from './monitoring-schema.ts';
import { isTreasurySecret } from './treasury-schema.ts';
import { webhookSecrets } from './webhooks-schema.ts';
import { notifyNeeds } from './notify-schema.ts';
import type { Environment } from './references.ts';
import { substitute } from './references.ts';
import type { YamlDocument } from './yaml-document.ts';

/** Variables that take the place of what the file says, and where. */
const overrides = [
  { name: 'MAGPIE_BASE_URL', path: ['service', 'baseUrl'], realAccount: true },
  { name: 'MAGPIE_API_KEY', path: ['account', 'apiKey'], realAccount: true },
  { name: 'MAGPIE_PARTNER_KEY', path: ['account', 'partnerKey'], realAccount: true },
  { name: 'MAGPIE_TRADE_URL', path: ['account', 'tradeUrl'], realAccount: true },
  { name: 'MAGPIE_DATA', path: ['data'], realAccount: false },
] as const;

/** A path with the name of an account in it as the same path for any account. */
export function anyAccount(path: Path): string {
  return pathText(path[0] === 'accounts' && path.length > 2 ? ['accounts', '*', ...path.slice(2)] : path).replace('["*"]', '.*');
}

/** Of each account, what belongs to a real one. */
export const accountSecrets = ['accounts.*.apiKey', 'accounts.*.tradeUrl'] as const;

/** Keys that may come out empty, which then means left out. Anywhere else an empty value would read as "no limit". */
const namedEmpty: ReadonlySet<string> = new Set([
  ...['service.baseUrl', 'account.apiKey', 'account.partnerKey', 'account.tradeUrl', 'web.token'],
  ...accountSecrets,
  ...notifyNeeds,
  ...monitoringSecrets,
  ...webhookSecrets,
]);

const mayBeEmpty = (path: string): boolean => namedEmpty.has(path) || isTreasurySecret(path);

type Values = Record<string, unknown>;

export interface Filled {
  /** The file's values with references replaced and overrides put in. */
  readonly value: unknown;
  readonly faults: readonly FileFault[];
  /** Paths of the values that were left out because of those faults. */
  readonly spoiled: readonly Path[];
  /** What the start must say. */
  readonly notices: readonly string[];
  /** The variables that a value was made from; undefined when it stands in the file. */
  origin(path: Path): string | undefined;
}

/**
 * Replaces `${NAME}` in the values and lets the MAGPIE_… variables override them. With the embedded exchange whatever belongs to
 * a real account, in the environment and in the file, is not even read: play money never touches it. With `local` keys and the
 * address of the service may be missing: who sends nothing needs none.
 */
export function fillFromEnvironment(document: YamlDocument, env: Environment, local = false): Filled {
  const origins = new Map<string, string>();
  const faults: FileFault[] = [];
  const spoiled: Path[] = [];
  const notices: string[] = [];
  const broken = (path: Path, message: string, suggestion: string | undefined): undefined => {
    spoiled.push(path);
    faults.push(document.fault(path, message, suggestion));
  };
  const value = copyOf(document.value) as Values;
  const onSandbox = isMap(value['service']) && Object.hasOwn(value['service'], 'sandbox');
  if (onSandbox) dropRealAccount(value, env, notices);
  for (const { name, path, realAccount } of overrides) {
    const text = env[name];
    if (text === undefined || text === '' || (onSandbox && realAccount)) continue;
    if (put(value, path, text)) origins.set(pathText(path), name);
  }
  const fill = (text: string, path: Path): string | undefined => {
    if (origins.has(pathText(path)) || !text.includes('${')) return text;
    const filled = substitute(text, env);
    if (!filled.ok && filled.unset && local && mayBeEmpty(anyAccount(path))) return undefined;
    if (!filled.ok) return broken(path, filled.message, filled.suggestion);
    const names = filled.names.join(', ');
    if (filled.names.length > 0) origins.set(pathText(path), names);
    if (filled.text !== '') return filled.text;
    return mayBeEmpty(anyAccount(path))
      ? undefined
      : broken(path, `is empty, since ${names} is not set`, 'set it, or remove the key');
  };
  return { value: mapTexts(value, [], fill), faults, spoiled, notices, origin: (path) => origins.get(pathText(path)) };
}

function dropRealAccount(value: Values, env: Environment, notices: string[]): void {
  const ignored: string[] = overrides
    .filter(({ name, realAccount }) => realAccount && (env[name] ?? '') !== '')
    .map(({ name }) => name);
  for (const { path, realAccount } of overrides) {
    const [block, key] = path;
    const values = value[block];
    if (!realAccount || key === undefined || block === 'service' || !isMap(values) || !Object.hasOwn(values, key)) continue;
    delete values[key];
    ignored.push(pathText(path));
  }
  for (const [name, account] of Object.entries(isMap(value['accounts']) ? value['accounts'] : {})) {
    for (const key of ['apiKey', 'tradeUrl']) {
      if (!isMap(account) || !Object.hasOwn(account, key)) continue;
      delete account[key];
      ignored.push(pathText(['accounts', name, key]));
    }
  }
  if (ignored.length > 0) notices.push(`service.sandbox buys with play money, so these are ignored: ${ignored.join(', ')}`);
}

/** Puts a text at a path, making the block around it where there is none. False when something else stands there. */
function put(value: Values, path: readonly [string, string?], text: string): boolean {
  const [first, second] = path;
  if (second === undefined) {
    value[first] = text;
    return true;
  }
  value[first] ??= Object.create(null) as Values;
  const block = value[first];
  if (!isMap(block)) return false;
  block[second] = text;
  return true;
}

/** Every text of a tree replaced; a key whose text becomes undefined is left out. */
function mapTexts(value: unknown, path: Path, replace: (text: string, path: Path) => string | undefined): unknown {
  if (typeof value === 'string') return replace(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, [...path, index], replace));
  if (!isMap(value)) return value;
  const copy = Object.create(null) as Values;
  for (const [key, item] of Object.entries(value)) {
    const mapped = mapTexts(item, [...path, key], replace);
    if (mapped !== undefined) copy[key] = mapped;
  }
  return copy;
}

function copyOf(value: unknown): unknown {
  return mapTexts(value, [], (text) => text);
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

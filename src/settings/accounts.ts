import { ACCOUNTS_MAX } from './accounts-schema.ts';
import { valueAt } from './explain.ts';
import type { Path } from './file-fault.ts';
import { type Finding, fault, warning } from './finding.ts';
import { type Config, configSchema } from './schema.ts';

type Values = Readonly<Record<string, unknown>>;

/** Keys of an account that stand in the block `account` of a configuration for one. */
const ofAccount = ['apiKey', 'tradeUrl', 'dedicated'] as const;

/**
 * The configuration of each account as if it stood alone: what the file says of it, and for the rest what the top says. Blocks are joined
 * key by key; a list takes the place of the top's. `value` is the file's, references replaced, and has passed the schema.
 */
export function configsOfAccounts(value: unknown): ReadonlyMap<string, Config> {
  const { accounts, account, ...top } = value as Values;
  const shared = isMap(account) ? without(account, ['apiKey', 'tradeUrl']) : {};
  return new Map(
    Object.entries(isMap(accounts) ? accounts : {}).map(([name, given]) => {
      const own = isMap(given) ? given : {};
      const block = Object.fromEntries(ofAccount.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])));
      const whole = joined(top, without(own, ofAccount));
      return [name, configSchema.parse({ ...whole, account: joined(shared, block) })];
    }),
  );
}

/** Where the file says, or could say, what a path of an account's own configuration means. */
export function placeInAccount(name: string, path: Path): Path {
  const [block, key, ...rest] = path;
  return block === 'account' && key !== undefined ? ['accounts', name, key, ...rest] : ['accounts', name, ...path];
}

/** Whether a finding about one account is its own, and not about what it has from the top and shares with all. */
export function isOfAccount({ path }: Finding, value: unknown, name: string): boolean {
  const [block, key] = path;
  if (block === 'account' && key !== 'partnerKey') return true;
  return ['limits', 'rate'].includes(String(block)) && valueAt(value, ['accounts', name, String(block)]) !== undefined;
}

/** What the accounts of a configuration get wrong together: a key belongs to one merchant, and the top has none that buys. */
export function accountsRules(config: Config, each: ReadonlyMap<string, Config>): Finding[] {
  if (config.accounts === undefined) return [];
  return [...topRules(config, each.size), ...sameKeys(config, each), ...sameTradeUrls(each)];
}

function topRules({ service, account }: Config, count: number): Finding[] {
  const found: Finding[] = [];
  for (const key of ['apiKey', 'tradeUrl'] as const) {
    if (account?.[key] === undefined) continue;
    const next = `move it below the account that it belongs to${key === 'apiKey' ? ', or unset MAGPIE_API_KEY' : ', or unset MAGPIE_TRADE_URL'}`;
    found.push(fault(['account', key], 'cannot stand beside `accounts`, each of which has its own', next, ['accounts']));
  }
  if (service?.baseUrl !== undefined && account?.partnerKey === undefined) {
    const message =
      'is missing: with `accounts` the live listings and market health are read for all of them with a top-level key';
    found.push(
      fault(['account', 'partnerKey'], message, 'write `partnerKey: ${MAGPIE_PARTNER_KEY}` below account', ['accounts']),
    );
  }
  const most = service?.sandbox === undefined ? ACCOUNTS_MAX : SANDBOX_CHILDREN_MAX;
  if (count > most) found.push(fault(['accounts'], `holds ${count} accounts; the embedded exchange has at most ${most}`));
  return found;
}

/** What the embedded exchange can have. */
const SANDBOX_CHILDREN_MAX = 100;

/** No message repeats a key. */
function sameKeys({ account }: Config, each: ReadonlyMap<string, Config>): Finding[] {
  const owners = new Map<string, string>();
  if (account?.partnerKey !== undefined) owners.set(account.partnerKey, 'account.partnerKey');
  return [...each].flatMap(([name, { account: own }]) => {
    if (own?.apiKey === undefined) return [];
    const owner = owners.get(own.apiKey);
    if (owner === undefined) {
      owners.set(own.apiKey, `accounts.${name}.apiKey`);
      return [];
    }
    const message = `is the same key as ${owner}: a key belongs to one account`;
    return [fault(['accounts', name, 'apiKey'], message, 'give each account the child key of its own merchant')];
  });
}

function sameTradeUrls(each: ReadonlyMap<string, Config>): Finding[] {
  const owners = new Map<string, string>();
  return [...each].flatMap(([name, { account }]) => {
    if (account?.tradeUrl === undefined) return [];
    const owner = owners.get(account.tradeUrl);
    if (owner === undefined) owners.set(account.tradeUrl, name);
    if (owner === undefined) return [];
    const message = `is the same trade URL as that of accounts.${owner}: items of both go to one inventory`;
    return [warning(['accounts', name, 'tradeUrl'], message, 'give each merchant its own, unless that is meant')];
  });
}

/** Blocks are joined at every depth; anything else of the second takes the place of the first's. */
function joined(first: Values, second: Values): Values {
  const all: Record<string, unknown> = Object.assign(Object.create(null), first) as Record<string, unknown>;
  for (const [key, value] of Object.entries(second)) {
    const before = all[key];
    all[key] = isMap(before) && isMap(value) ? joined(before, value) : value;
  }
  return all;
}

function without(values: Values, keys: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { microsFromDollars } from '../domain/money.ts';
import type { Account } from './accounts.ts';
import { SandboxError } from './sandbox-error.ts';

/** An account that whoever starts the exchange wants; what is left out is the seed's. */
export interface GivenAccount {
  readonly kind?: 'top-level' | 'child';
  readonly key?: string;
  readonly name?: string;
  readonly email?: string;
  readonly tradeUrl?: string;
  /** First balance in dollars. */
  readonly balance?: number;
}

const fields: ReadonlySet<string> = new Set(['kind', 'key', 'name', 'email', 'tradeUrl', 'balance']);

/** Accounts from the JSON of a list of them. Throws SandboxError that says which is wrong and how. */
export function readGivenAccounts(text: string): readonly GivenAccount[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw wrong(`they are no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(list) || list.length === 0 || list.length > 100) throw wrong('a list of 1 to 100 accounts is needed');
  return (list as unknown[]).map((entry, at) => given(entry, `account ${at + 1}`));
}

function given(entry: unknown, which: string): GivenAccount {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw wrong(`${which} is no object`);
  const account = entry as Readonly<Record<string, unknown>>;
  const stranger = Object.keys(account).find((name) => !fields.has(name));
  if (stranger !== undefined) throw wrong(`${which} has "${stranger.slice(0, 40)}", and there are: ${[...fields].join(', ')}`);
  const { kind, balance, key } = account;
  if (kind !== undefined && kind !== 'top-level' && kind !== 'child') throw wrong(`${which}: kind is top-level or child`);
  if (key !== undefined && !(typeof key === 'string' && /^[\x21-\x7e]{8,128}$/.test(key)))
    throw wrong(`${which}: key must be 8 to 128 characters without blanks`);
  if (balance !== undefined && !(typeof balance === 'number' && balance >= 0 && balance <= 1e9))
    throw wrong(`${which}: balance must be dollars, from 0 on`);
  for (const name of ['name', 'email', 'tradeUrl'])
    if (account[name] !== undefined && typeof account[name] !== 'string') throw wrong(`${which}: ${name} must be text`);
  return entry;
}

/** The seed's accounts with what is given for each in its place: the top-level one first, a child where none is given. */
export function withGiven(
  seeds: (children: number) => readonly Account[],
  accounts: readonly GivenAccount[] | undefined,
  children: number,
): readonly Account[] {
  if (accounts === undefined) return seeds(children);
  const [top = {}, second] = accounts.filter(({ kind }) => kind === 'top-level');
  if (second) throw wrong('one top-level account is all there can be');
  const others = accounts.filter(({ kind }) => kind !== 'top-level');
  const all = [top, ...(others.length === 0 ? [{}] : others)];
  const made = seeds(all.length - 1).map((own, at) => merged(own, all[at] ?? {}));
  if (new Set(made.map(({ key }) => key)).size < made.length) throw wrong('two of them have the same key');
  return made;
}

function merged(own: Account, { balance, kind: _, ...rest }: GivenAccount): Account {
  const dollars = balance === undefined ? undefined : microsFromDollars(balance, 'down');
  return { ...own, ...rest, ...(dollars === undefined ? {} : { balance: dollars }) };
}

function wrong(message: string): SandboxError {
  return new SandboxError('option', `accounts: ${message}`);
}

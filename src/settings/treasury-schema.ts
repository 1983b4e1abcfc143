import { z } from 'zod';
import { type Micros, microsFromDollars } from '../domain/money.ts';
import { Secret } from '../domain/secret.ts';
import type { Path } from './file-fault.ts';
import { type Finding, fault, warning } from './finding.ts';
import { treasuryMetrics } from './monitoring-schema.ts';
import { block, dollars, duration, key, oneOf, text, yesOrNo } from './shapes.ts';
import { durationMs } from './units.ts';

const CHILDREN_MAX = 10_000;

const child = block({
  name: text('a name of a-z, 0-9 and -', /^[a-z0-9-]{1,60}$/).describe(
    'What the child is called here; never change it once transfers were made.',
  ),
  email: text('an e-mail address', /^[^\s@]{1,200}@[^\s@.]{1,200}(?:\.[^\s@.]{1,63}){1,10}$/)
    .optional()
    .describe('The address that its key was made for. Exactly one of this and `keyId` says where transfers go.'),
  keyId: text('24 hex characters', /^[0-9a-fA-F]{24}$/)
    .optional()
    .describe('The id of its key (`apiKeyId`).'),
  key: key()
    .optional()
    .describe(
      "The child's own key: its balance is read with it, and nothing else is asked. Needed, but for a child that is called as one of `accounts`: it has the key of that account.",
    ),
  floor: dollars().optional().describe('In place of `treasury.floor`.'),
  target: dollars().optional().describe('In place of `treasury.target`.'),
  perDay: dollars().optional().describe('In place of `treasury.limits.childDay`.'),
});

const needsList = { error: 'a list of children, such as [{ name: shop, email: shop@example.com, key: ${SHOP_KEY} }]' };

export const treasury = block({
  mode: oneOf(['dry-run', 'live'])
    .default('dry-run')
    .describe(
      'dry-run reads balances and says what it would move; live moves it. It is the treasury’s own: `mode` above is that of buying.',
    ),
  key: key().optional().describe('The top-level key; left out, `account.partnerKey` is used.'),
  interval: duration('5s', '24h').default('1m').describe('From one look at the balances to the next.'),
  floor: dollars().default(0).describe('A child with less than this is filled up.'),
  target: dollars().default(0).describe('As far as this, and never beyond.'),
  reserve: dollars().default(0).describe('Balance of the top-level account that is never gone under.'),
  dedicated: yesOrNo()
    .default(false)
    .describe(
      'true: nobody else takes money from the top-level account, so a fall that no transfer explains halts the treasury.',
    ),
  limits: block({
    perTransfer: dollars().optional().describe('Of one transfer. Needed in live mode.'),
    childDay: dollars().optional().describe('To one child in any 24 hours. Needed in live mode.'),
    hour: dollars().optional().describe('To all children in any 60 minutes; left out: as much as `day`.'),
    day: dollars().optional().describe('To all children in any 24 hours. Needed in live mode.'),
  })
    .prefault({})
    .describe('Caps. A transfer of unknown outcome counts in full until it is settled.'),
  metrics: treasuryMetrics
    .optional()
    .describe(
      'Metrics of the treasury for Prometheus, at an address of its own: `/metrics`, `/healthz` and `/readyz`. Leave it out, and nothing listens.',
    ),
  children: z.array(child, needsList).max(CHILDREN_MAX, needsList).default([]).describe('Whose balances are kept.'),
});

type Written = z.output<typeof treasury>;

/** `accounts` of the same configuration: a child that is called as one of them is that merchant. */
type Accounts = Readonly<Record<string, { readonly apiKey?: string | undefined }>> | undefined;

/** Where transfers to a child go, and what it is kept at. */
export interface TreasuryChildSettings {
  readonly name: string;
  readonly email: string | undefined;
  readonly keyId: string | undefined;
  /** undefined only for commands that send nothing. */
  readonly key: Secret | undefined;
  readonly floor: Micros;
  readonly target: Micros;
  readonly perDay: Micros;
}

export interface TreasurySettings {
  readonly mode: 'dry-run' | 'live';
  /** undefined: the configuration's partner key. */
  readonly key: Secret | undefined;
  readonly intervalMs: number;
  readonly reserve: Micros;
  readonly perTransfer: Micros;
  readonly hour: Micros;
  readonly day: Micros;
  readonly dedicated: boolean;
  /** Where its metrics are told; undefined: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  readonly children: readonly TreasuryChildSettings[];
}

/** Whether a path is that of a key of the treasury, the children's among them. */
export function isTreasurySecret(path: string): boolean {
  return path === 'treasury.key' || /^treasury\.children\[\d{1,9}\]\.key$/.test(path);
}

/** The treasury as it is taken, and what of it may appear in no output. Amounts that are left out in dry-run bound nothing. */
export function resolveTreasury(
  written: Written | undefined,
  accounts: Accounts,
): {
  readonly treasury: TreasurySettings | undefined;
  readonly secrets: readonly Secret[];
} {
  if (written === undefined) return { treasury: undefined, secrets: [] };
  const { limits, mode, dedicated } = written;
  const key = secretOf(written.key);
  const day = cap(limits.day);
  const children = written.children.map(({ name, email, keyId, ...own }): TreasuryChildSettings => ({
    ...{ name, email, keyId, key: secretOf(own.key ?? keyOfAccount(name, accounts)) },
    floor: exact(own.floor ?? written.floor, 'down'),
    target: exact(own.target ?? written.target, 'down'),
    perDay: cap(own.perDay ?? limits.childDay),
  }));
  return {
    treasury: {
      ...{ mode, key, dedicated, children, day, metrics: written.metrics },
      intervalMs: durationMs(written.interval) ?? 60_000,
      reserve: exact(written.reserve, 'up'),
      perTransfer: cap(limits.perTransfer),
      hour: limits.hour === undefined ? day : cap(limits.hour),
    },
    secrets: [key, ...children.map((each) => each.key)].filter((secret) => secret !== undefined),
  };
}

/** What its keys get wrong or make odd together. */
export function treasuryRules(written: Written | undefined, accounts: Accounts): Finding[] {
  if (written === undefined) return [];
  const children = written.children.map((child) => ({ ...child, key: child.key ?? keyOfAccount(child.name, accounts) }));
  const whole = { ...written, children };
  return [
    ...limitRules(whole),
    ...whole.children.flatMap((_, index) => childRules(whole, index)),
    ...written.children.flatMap((child, index) => accountRules(child, index, accounts)),
  ];
}

function keyOfAccount(name: string, accounts: Accounts): string | undefined {
  return accounts !== undefined && Object.hasOwn(accounts, name) ? accounts[name]?.apiKey : undefined;
}

/** One name is one merchant, and a key stands in one place. No message repeats it. */
function accountRules({ name, key: own }: Written['children'][number], index: number, accounts: Accounts): Finding[] {
  const key = keyOfAccount(name, accounts);
  if (own === undefined || key === undefined || own === key) return [];
  const message = `is another key than accounts.${name}.apiKey: a child that is called as an account is that account`;
  return [
    fault(['treasury', 'children', index, 'key'], message, 'leave it out, or give the child another name', ['accounts', name]),
  ];
}

function limitRules({ mode, limits, children }: Written): Finding[] {
  const found: Finding[] = [];
  const at = (name: string): Path => ['treasury', 'limits', name];
  for (const name of ['perTransfer', 'childDay', 'day'] as const)
    if (mode === 'live' && limits[name] === undefined)
      found.push(
        fault(at(name), 'is missing: a live treasury needs it', `write \`${name}: 500\` below limits`, ['treasury', 'mode']),
      );
  if (children.length === 0)
    found.push(warning(['treasury', 'children'], 'is empty: nothing is ever moved', 'name a child, or remove the block'));
  if (limits.hour !== undefined && limits.day !== undefined && limits.hour > limits.day)
    found.push(warning(at('hour'), `is ${limits.hour}, more than day lets go in 24 hours (${limits.day}), so it bounds nothing`));
  return found;
}

function childRules(written: Written, index: number): Finding[] {
  const own = written.children[index];
  if (own === undefined) return [];
  const found: Finding[] = [];
  const at = (name: string): Path => ['treasury', 'children', index, name];
  const { name, email, keyId } = own;
  if ((email === undefined) === (keyId === undefined))
    found.push(
      fault(
        ['treasury', 'children', index],
        `${name} needs exactly one of email and keyId`,
        'write the address that its key was made for',
      ),
    );
  if (own.key === undefined)
    found.push(
      fault(
        at('key'),
        `is missing: only its own key shows the balance of ${name}`,
        'write `key: ${NAME_OF_ITS_KEY}`, or call it as its account among `accounts`',
      ),
    );
  const [floor, target] = [own.floor ?? written.floor, own.target ?? written.target];
  if (target < floor)
    found.push(
      fault(at('target'), `is ${target}, below the floor of ${floor}`, `write ${floor} or more`, ['treasury', 'target']),
    );
  if (floor === 0) found.push(warning(at('floor'), `is 0: ${name} is never filled up`, 'write the least that it should have'));
  const before = written.children.slice(0, index);
  for (const field of ['name', 'email', 'keyId', 'key'] as const) {
    const twin =
      own[field] === undefined ? undefined : before.find((each) => each[field]?.toLowerCase() === own[field]?.toLowerCase());
    if (twin !== undefined) found.push(fault(at(field), `is that of ${twin.name} as well`, 'give each child its own'));
  }
  return found;
}

/** A cap written with more than six decimals is never rounded to more than was written; one that is left out bounds nothing. */
function cap(amount: number | undefined): Micros {
  return exact(amount ?? 1_000_000_000, 'down');
}

function exact(amount: number, rounding: 'up' | 'down'): Micros {
  const found = microsFromDollars(amount, rounding);
  if (found === undefined) throw new RangeError(`an amount that passed its check is none: ${amount}`);
  return found;
}

function secretOf(written: string | undefined): Secret | undefined {
  return written === undefined ? undefined : new Secret(written);
}

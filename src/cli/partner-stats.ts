import type { Command } from 'commander';
import { type Micros, ZERO, add, dollarsFromMicros, microsFromDollars, subtract } from '../domain/money.ts';
import { printable } from '../domain/text.ts';
import type { Hand, HandReply } from '../gateway/hand.ts';
import type { TreasuryChildSettings } from '../settings/treasury-schema.ts';
import { shown } from './account-pages.ts';
import { type AddCommand, type SharedOptions, examples } from './command.ts';
import { CommandFailure, type ExitCode, exits } from './exit.ts';
import type { Io } from './io.ts';
import { withService } from './service.ts';
import { type Sheet, type SheetOptions, rowsIn, showSheet } from './sheet.ts';

interface StatsOptions extends SharedOptions, SheetOptions {
  readonly byMerchant?: boolean;
}

/** `magpie partner stats`: figures of all children, or of each. */
export const addPartnerStats: AddCommand = (partner, { io, run }) => {
  partner
    .command('stats')
    .summary('show orders, volume and revenue of all child accounts, or of each')
    .description(
      'Shows orders, volume and revenue of all child accounts, as the service answers, in dollars. By merchant: what each child of `treasury.children` has spent and got back, read with its own key, since the API tells a partner of all children together only.',
    )
    .option('--by-merchant', 'spend, refunds and balance of each child that the configuration has a key of')
    .option('--json', "print one JSON document: the service's answer and its requestId")
    .option('--csv', 'comma-separated values, safe in spreadsheets')
    .addHelpText(
      'after',
      examples('magpie partner stats --config live.yaml', 'magpie partner stats --by-merchant --csv --config treasury.yaml'),
    )
    .action((_: unknown, command: Command) =>
      run(() => {
        const options = command.optsWithGlobals<StatsOptions>();
        return options.byMerchant === true ? byMerchant(io, options) : shown(io, options, 'partnerStats', {}, statsSheet);
      }),
    );
};

function statsSheet(data: Readonly<Record<string, unknown>>): Sheet {
  const rows = Object.entries(statFields).map(([field, what]) => ({
    what,
    completed: data[field],
    pending: data[pendingOf(field)],
  }));
  return {
    columns: [{ field: 'what', grows: true }, { field: 'completed' }, { field: 'pending' }],
    rows,
    none: 'There are no figures.',
  };
}

/** Each has one that is pending beside it. */
const statFields = { orderAmount: 'orders', volume: 'volume', partnerRevenue: 'partner revenue' } as const;

function pendingOf(field: string): string {
  return `pending${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}

/** What one merchant has spent and got back, in dollars; null where it could not be read, with why. */
interface MerchantFigures {
  readonly merchant: string;
  readonly purchases: number | null;
  readonly spent: number | null;
  readonly refunds: number | null;
  readonly refunded: number | null;
  readonly net: number | null;
  readonly balance: number | null;
  readonly fault: string | null;
}

async function byMerchant(io: Io, options: StatsOptions): Promise<ExitCode> {
  return withService(io, options, async ({ settings, handFor }) => {
    const children = settings.treasury?.children ?? [];
    if (children.length === 0)
      throw new CommandFailure(
        exits.wrong,
        'The configuration names no children. → list them with their keys below treasury.children',
      );
    const merchants: MerchantFigures[] = [];
    for (const child of children) merchants.push(await figuresOf(child, child.key && handFor(child.key)));
    showSheet(io, options, merchantSheet(merchants), { merchants });
    const faulty = merchants.filter(({ fault }) => fault !== null);
    for (const { merchant, fault } of faulty)
      io.err.line(io.err.palette.bad(`${printable(merchant)} could not be read: ${fault ?? ''}`));
    return faulty.length === 0 ? exits.done : exits.failed;
  });
}

function merchantSheet(merchants: readonly MerchantFigures[]): Sheet {
  const money = new Set(['spent', 'refunded', 'net', 'balance']);
  const columns = ['merchant', 'purchases', 'spent', 'refunds', 'refunded', 'net', 'balance'].map((field) => ({
    field,
    ...(money.has(field) && { as: 'dollars' as const }),
    grows: field === 'merchant',
  }));
  return { columns, rows: merchants.map((each) => ({ ...each })), none: 'There are no merchants.' };
}

async function figuresOf({ name }: TreasuryChildSettings, hand: Hand | undefined): Promise<MerchantFigures> {
  const nothing = { merchant: name, purchases: null, spent: null, refunds: null, refunded: null, net: null, balance: null };
  if (hand === undefined) return { ...nothing, fault: 'its key is missing' };
  const profile = await hand.call('user', { key: 'account' });
  const moves = profile.ok && profile.odd === undefined ? await movesOf(hand) : undefined;
  if (moves === undefined || typeof moves === 'string') return { ...nothing, fault: moves ?? faultOf(profile) };
  const { balance } = ((profile as Answered).data as { readonly profile: { readonly balance: number } }).profile;
  const [bought, back] = [moves.filter(({ type }) => type === 'purchase'), moves.filter(({ type }) => type === 'refund')];
  const [spent, refunded] = [totalOf(bought), totalOf(back)];
  return {
    ...{ merchant: name, purchases: bought.length, spent: dollarsFromMicros(spent) },
    ...{ refunds: back.length, refunded: dollarsFromMicros(refunded), net: dollarsFromMicros(subtract(spent, refunded)) },
    ...{ balance, fault: null },
  };
}

type Answered = Extract<HandReply, { readonly ok: true }>;

interface Move {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
}

/** More pages than any merchant has: a service that heeds no page would never end. */
const PAGES_MAX = 10_000;

/** Every purchase and refund of an account, each once however its pages shift meanwhile; or in words why they cannot be told. */
async function movesOf(hand: Hand): Promise<readonly Move[] | string> {
  const found = new Map<string, Move>();
  for (let page = 1; page <= PAGES_MAX; page++) {
    const reply = await hand.call('transactions', { query: { page, limit: 100 }, key: 'account' });
    if (!reply.ok || reply.odd !== undefined) return faultOf(reply);
    const { transactions, total } = reply.data as { readonly transactions: unknown; readonly total: number };
    const before = found.size;
    for (const row of rowsIn(transactions) as unknown as readonly Move[]) found.set(row.id, row);
    if (found.size >= total) return [...found.values()];
    if (found.size === before) break;
  }
  return 'its transactions come to fewer than their total, so no sum of them would be right';
}

function faultOf(reply: HandReply): string {
  return printable(reply.ok ? `the answer is not as documented: ${reply.odd ?? ''}` : reply.fault.message);
}

function totalOf(moves: readonly Move[]): Micros {
  return moves.reduce<Micros>((total, { amount }) => add(total, microsFromDollars(Math.abs(amount), 'up') ?? ZERO), ZERO);
}

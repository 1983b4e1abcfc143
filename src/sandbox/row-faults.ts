import { chance, wholeBetween, type Random } from '../domain/random.ts';
import { marketOfHealthName } from '../domain/readings.ts';
import type { FaultPlan } from './fault-plan.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where the listing id and base price of an order come from. */
export interface RowSource {
  readonly listingId: string;
  /** Dollars. */
  readonly price: number;
}

interface RowContext {
  readonly plan: FaultPlan;
  /** The order that a row of orders or transactions is about. */
  readonly sourceOf: (rowId: string) => RowSource | undefined;
}

/** Orders as the faults have them: other forms of their fields, rows missing, rows twice. */
export function faultyOrders(data: Fields, { plan, sourceOf }: RowContext): Fields {
  const rows = (data['orders'] as readonly Fields[]).map((row) => {
    const source = sourceOf(String(row['id']));
    const base = source && plan.strikesFor('ordersBaseAmount', String(row['id'])) ? { amount: source.price } : {};
    return { ...otherForms(row, source, plan), ...base };
  });
  const stated = plan.strikes('ordersOddStatus') ? oddlyStated(rows, plan.random('ordersOddStatus')) : rows;
  const shown = doubled(plan.strikes('ordersPartial') ? partial(stated, plan.random('ordersPartial')) : stated, plan);
  return { ...data, returned: shown.length, orders: shown };
}

export function faultyTransactions(data: Fields, { plan, sourceOf }: RowContext): Fields {
  const rows = (data['transactions'] as readonly Fields[]).map((row) => otherForms(row, sourceOf(String(row['id'])), plan));
  return { ...data, transactions: doubled(rows, plan) };
}

function otherForms(row: Fields, source: RowSource | undefined, plan: FaultPlan): Fields {
  const id = String(row['id']);
  const itemId = source && plan.strikesFor('ordersOtherItemId', id) ? source.listingId : row['itemId'];
  const timestamp = plan.strikesFor('ordersTimestampSeconds', id)
    ? Math.floor(Number(row['timestamp']) / 1000)
    : row['timestamp'];
  return { ...row, itemId, timestamp };
}

/** The newest order and some others: back at the start, or in a state of no name. */
function oddlyStated(rows: readonly Fields[], random: Random): readonly Fields[] {
  return rows.map((row, at) => {
    if (at > 0 && !chance(random, 0.3)) return row;
    return {
      ...row,
      status: chance(random, 0.5) ? { code: 'INITIATED', label: 'Order placed' } : { code: 'ARCHIVED', label: 'Archived' },
    };
  });
}

/** Half the time the newest rows are missing, else some anywhere; at least one. */
function partial(rows: readonly Fields[], random: Random): readonly Fields[] {
  if (chance(random, 0.5)) return rows.slice(Math.min(rows.length, wholeBetween(random, 1, 3)));
  const gone = wholeBetween(random, 0, Math.max(0, rows.length - 1));
  return rows.filter((_, at) => at !== gone && !chance(random, 0.3));
}

function doubled(rows: readonly Fields[], plan: FaultPlan): readonly Fields[] {
  if (!plan.strikes('ordersDuplicates')) return rows;
  const random = plan.random('ordersDuplicates');
  return rows.flatMap((row, at) => (at === 0 || chance(random, 0.3) ? [row, row] : [row]));
}

/** A profile with a balance that cannot be right. */
export function faultyProfile(data: Fields, plan: FaultPlan): Fields {
  if (!plan.strikes('balanceOdd')) return data;
  const profile = data['profile'] as Fields;
  const forms = [-1, null, Number(profile['balance']) * 100];
  return { ...data, profile: { ...profile, balance: forms[wholeBetween(plan.random('balanceOdd'), 0, 2)] } };
}

/** Health that is not to be believed. */
export function faultyHealth(data: Fields, plan: FaultPlan): Fields {
  if (!plan.strikes('healthLying')) return data;
  const random = plan.random('healthLying');
  const markets = data['markets'] as Readonly<Record<string, Fields>>;
  const each = (change: Fields): Fields =>
    Object.fromEntries(Object.entries(markets).map(([name, entry]) => [name, { ...entry, ...change }]));
  const [first = 'c5'] = Object.keys(marketOfHealthName);
  const { [first]: _, ...others } = markets;
  const lies: readonly Fields[] = [
    { status: 'ok', markets: each({ status: 'ok', staleMs: 100 }) },
    { status: 'maintenance', markets: each({ status: 'maintenance' }) },
    { service: Object.fromEntries(Object.keys(markets).map((name) => [name, false])) },
    { markets: each({ staleMs: -5 }) },
    { markets: each({ staleMs: 9e15 }) },
    { markets: others },
    { ts: Math.floor(Number(data['ts']) / 1000), status: 'down' },
  ];
  return { ...data, ...lies[wholeBetween(random, 0, lies.length - 1)] };
}

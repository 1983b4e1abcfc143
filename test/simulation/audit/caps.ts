import type { RulesPlan, StrategyPlan } from '../bot-plan.ts';
import { type Violation, violation } from '../violation.ts';
import { type Standing, claims, replay } from './history.ts';
import { type PurchaseRow, type Rows, keyOf } from './rows.ts';
import type { TrueOrder, Truth } from './truth.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DOLLAR = 1_000_000;

/** How far the exchange keeps to our assumptions. */
export interface Trust {
  /** An order that a refusal hides may for so long be in no list that the looks see; 0: each refusal that looks confirm was one. */
  readonly hiddenMs: number;
  /** It debits what was agreed. Else what was agreed is what counts: nobody can keep a cap against more. */
  readonly asAgreed: boolean;
  /** It sells once for each buy, and to nobody else: what was really sold to whom can be told. */
  readonly singly: boolean;
}

export const everything: Trust = { hiddenMs: 0, asAgreed: true, singly: true };

/** The rules under which a purchase may have been made; more than one while a change of them may not have been taken yet. */
export type RulesOf = (row: PurchaseRow) => readonly RulesPlan[];

interface Counted {
  readonly at: number;
  /** undefined: it was bought by others, which narrows the account's caps but is no purchase of ours. */
  readonly strategy: string | undefined;
  /** undefined: no list has named it. */
  readonly item: string | undefined;
  readonly amount: number;
  /** What came back of it, for the caps over all time. */
  readonly back: number;
}

/**
 * Every cap at every purchase, twice: by what the journal itself knew then (all that is settled or in doubt), and by what the
 * exchange really sold us, whatever we knew.
 */
export function capViolations(rows: Rows, truth: Truth, rulesOf: RulesOf, trust: Trust): Violation[] {
  const found: Violation[] = [];
  const last = replay(rows, (row, before) => {
    const known = [...before.values()].filter(claims).map((one) => counted(one.row, one.paid ?? one.row.cost, one.refunded));
    const others = boughtByOthers(rows, row);
    const strangers = boughtByOthers({ ...rows, orders: rows.orders.filter(({ order_id }) => !isOurs(truth, order_id)) }, row);
    const real = [...before.values()].flatMap((one) => reallyBought(one, truth, trust));
    const sold = truth.sold.get(row.id);
    // Where one set of rules may not have been taken yet, the one before it may have been kept instead.
    const passed = (by: (rules: RulesPlan) => Violation[]): Violation[] => {
      const each = rulesOf(row).map(by);
      return each.some((violations) => violations.length === 0) ? [] : (each[0] ?? []);
    };
    found.push(...passed((rules) => over([...known, ...others, counted(row, row.cost)], row, rules, 'known')));
    if (sold !== undefined && trust.singly) {
      const amount = reallyPaid(row, sold, trust);
      found.push(...passed((rules) => over([...real, ...strangers, counted(row, amount)], row, rules, 'real')));
    }
    found.push(...passed((rules) => paused(before, row, rules)));
    found.push(...passed((rules) => unwanted(row, rules)));
  });
  return trust.singly ? [...found, ...freedWrongly(rows, last, truth, trust)] : found;
}

function counted(row: PurchaseRow, amount: number, back = 0): Counted {
  return { at: row.created_at, strategy: row.strategy, item: itemOf(row.market_hash_name), amount, back };
}

/** Orders of others that were adopted before a purchase was written, by their place among the rows: the clock may have been set back. */
function boughtByOthers({ orders }: Rows, { base_seq }: PurchaseRow): Counted[] {
  return orders
    .filter(({ known_as, seq }) => known_as === 'adopted' && seq <= base_seq)
    .map(({ first_seen, name, amount }) => ({ at: first_seen, strategy: undefined, item: itemOf(name), amount, back: 0 }));
}

/** Whose name differs in case or blanks only is the same item. */
function itemOf(name: string): string | undefined {
  return (
    name
      .split(/\s+/)
      .filter((word) => word !== '')
      .join(' ')
      .toLowerCase() || undefined
  );
}

/** A proof that something was never bought must never be contradicted by what was sold. */
function freedWrongly(rows: Rows, standings: ReadonlyMap<number, Standing>, truth: Truth, trust: Trust): Violation[] {
  return [...standings.values()].flatMap((one) => {
    const { row, freedAt } = one;
    const sold = truth.sold.get(row.id);
    if (freedAt === undefined || sold === undefined || isHidden(one, sold, trust)) return [];
    if (isTwins(rows, row, sold.order.id, truth) || (!trust.asAgreed && isAdopted(rows, sold.order.id))) return [];
    const about = { at: row.created_at, listing: keyOf(row), purchaseId: row.id };
    return [violation('freed-wrongly', `its money was given back, and order ${sold.order.id} had been made`, about)];
  });
}

/** At another amount than was agreed it is no purchase's of ours for all that anybody can tell, and counts as somebody else's. */
function isAdopted({ orders }: Rows, orderId: string): boolean {
  return orders.some(({ order_id, known_as }) => order_id === orderId && known_as === 'adopted');
}

/** The order is counted, for one of the same item without a wear at the same price that was not sold: nothing tells the two apart. */
function isTwins({ orders, purchases }: Rows, row: PurchaseRow, orderId: string, truth: Truth): boolean {
  const owner = orders.find(({ order_id }) => order_id === orderId)?.purchase_id;
  const twin = purchases.find(({ id }) => id === owner && id !== row.id);
  if (twin === undefined || truth.sold.has(twin.id) || twin.wear !== null || row.wear !== null) return false;
  return itemOf(twin.market_hash_name) === itemOf(row.market_hash_name) && twin.cost === row.cost;
}

/** Its money was given back while the exchange hid its order, behind a refusal and from its lists: no look could know. */
function isHidden({ row, freedAt }: Standing, { order }: TrueOrder, { hiddenMs }: Trust): boolean {
  return hiddenMs > 0 && row.refusal_cause !== null && freedAt !== undefined && freedAt - order.createdAt <= hiddenMs;
}

/** What freed its money and turned out bought after all may pass a cap only where its order was hidden when it did. */
function reallyBought(one: Standing, truth: Truth, trust: Trust): Counted[] {
  const sold = truth.sold.get(one.row.id);
  if (sold === undefined || one.state === 'expired') return [];
  if (one.state === 'rejected' && isHidden(one, sold, trust)) return [];
  return [counted(one.row, reallyPaid(one.row, sold, trust), one.refunded)];
}

function reallyPaid({ cost }: PurchaseRow, { debited }: TrueOrder, { asAgreed }: Trust): number {
  return asAgreed ? debited : Math.min(debited, cost);
}

function isOurs({ byId }: Truth, orderId: string): boolean {
  return byId.get(orderId)?.order.origin === 'ours';
}

function over(all: readonly Counted[], row: PurchaseRow, bot: RulesPlan, by: string): Violation[] {
  const found: Violation[] = [];
  const strategy = bot.strategies.find(({ name }) => name === row.strategy);
  const ours = all.filter((one) => one.strategy !== undefined);
  const ofStrategy = ours.filter((one) => one.strategy === row.strategy);
  const sameItem = ({ item }: Counted): boolean => item === undefined || item === itemOf(row.market_hash_name);
  const { limits } = bot;
  const check = (name: string, used: number, cap: number | undefined): void => {
    if (cap === undefined || used <= cap) return;
    const about = { at: row.created_at, listing: keyOf(row), purchaseId: row.id };
    found.push(violation('cap', `${name} (${by}): ${used} of ${cap}`, about));
  };
  check('maxPrice', row.cost, limits.maxPrice * DOLLAR);
  for (const window of ['hour', 'day', 'total'] as const) {
    const within = (some: readonly Counted[]): readonly Counted[] => some.filter((one) => isWithin(one, row, window));
    const spent = (some: readonly Counted[]): number =>
      within(some).reduce((sum, one) => sum + one.amount - (window === 'total' ? Math.min(one.back, one.amount) : 0), 0);
    const count = (some: readonly Counted[]): number =>
      within(some).filter((one) => window !== 'total' || one.back < one.amount).length;
    check(`spend ${window}`, spent(all), dollars(limits.spend[window]));
    check(`perItem ${window}`, count(all.filter(sameItem)), limits.perItem[window]);
    const own: NonNullable<StrategyPlan['limits']> = strategy?.limits ?? {};
    check(`${row.strategy} spend ${window}`, spent(ofStrategy), dollars(own.spend?.[window]));
    check(`${row.strategy} count ${window}`, count(ofStrategy), own.count?.[window]);
    check(`${row.strategy} perItem ${window}`, count(ofStrategy.filter(sameItem)), own.perItem?.[window]);
    if (window === 'hour') check('perHour', count(ours), limits.perHour);
  }
  return found;
}

function isWithin(one: Counted, row: PurchaseRow, window: 'hour' | 'day' | 'total'): boolean {
  if (window === 'total') return true;
  return row.created_at - one.at < (window === 'hour' ? HOUR : DAY);
}

function dollars(amount: number | undefined): number | undefined {
  return amount === undefined ? undefined : Math.floor(amount * DOLLAR + 1e-6);
}

/** A person asked for it, or a strategy that was in force, and live. */
function unwanted(row: PurchaseRow, { strategies }: RulesPlan): Violation[] {
  if (row.strategy === 'by-hand' || strategies.some(({ name, mode }) => name === row.strategy && mode === undefined)) return [];
  const about = { at: row.created_at, listing: keyOf(row), purchaseId: row.id };
  return [violation('strategy', `bought for ${row.strategy}, which is no live strategy`, about)];
}

function paused(before: ReadonlyMap<number, Standing>, row: PurchaseRow, bot: RulesPlan): Violation[] {
  const about = { at: row.created_at, listing: keyOf(row), purchaseId: row.id };
  const found: Violation[] = [];
  const unknown = [...before.values()].filter(({ state }) => state === 'unknown').length;
  if (unknown >= bot.limits.unknown) found.push(violation('unknown-pause', `bought while ${unknown} are unknown`, about));
  const open = [...before.values()].filter(({ state }) => ['intended', 'unknown', 'bought'].includes(state)).length;
  if (open >= bot.limits.openPurchases)
    found.push(violation('cap', `openPurchases: ${open + 1} of ${bot.limits.openPurchases}`, about));
  return found;
}

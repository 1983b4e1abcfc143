import { type PerWindow, type Window, windowMs, windows } from '../../src/domain/limits.ts';
import { formatDollars, micros } from '../../src/domain/money.ts';
import type { BooksView } from '../../src/sandbox/audit.ts';
import type { Said } from './comparison.ts';
import { type PurchaseJson, exact, keyOf } from './purchase-json.ts';

type EventOf<K extends BooksView['events'][number]['kind']> = Extract<BooksView['events'][number], { kind: K }>;
type Accepted = EventOf<'accepted'>;

/** Caps in dollars and purchases, as a configuration and its strategies give them. */
export interface Caps {
  readonly maxPrice: number;
  readonly spend: PerWindow<number>;
  readonly perItem: PerWindow<number>;
  /** Balance that is never spent; left out where the exchange debits what nobody asked for. */
  readonly reserve?: number;
  readonly strategies: Readonly<
    Record<
      string,
      { readonly spend?: PerWindow<number>; readonly count?: PerWindow<number>; readonly perItem?: PerWindow<number> }
    >
  >;
}

/** Two processes of one machine read the time of day apart. */
const CLOCKS_APART_MS = 250;

/**
 * What was promised about money, held against the exchange's own log: returns the promises that were broken, in words. It believes
 * nothing that Magpie says of itself except which strategy wanted what and which price was listed.
 */
export function brokenPromises(
  books: BooksView,
  caps: Caps,
  { purchases, turnedOut, unconfirmed }: Pick<Said, 'purchases' | 'turnedOut' | 'unconfirmed'>,
): string[] {
  const posts = books.events.filter((event): event is EventOf<'post'> => event.kind === 'post');
  const accepted = books.events.filter((event): event is Accepted => event.kind === 'accepted' && event.origin === 'ours');
  const late = purchases.filter(({ id }) => turnedOut.has(id));
  const cleared = new Set(late.map(({ serviceOrderId }) => serviceOrderId));
  const counted = accepted.filter(({ orderId }) => !cleared.has(orderId));
  return [
    ...boughtTwice(accepted),
    ...triedAgain(posts, new Set(late.map(keyOf))),
    ...withoutIntent(posts, purchases),
    ...lost(accepted, purchases, unconfirmed),
    ...atAnotherPrice(books, purchases),
    ...overCaps(counted, books, caps, purchases),
    ...underReserve(accepted, books, caps),
  ];
}

function boughtTwice(accepted: readonly Accepted[]): string[] {
  return [...grouped(accepted, keyOf)].flatMap(([key, orders]) =>
    orders.length > 1
      ? [`listing ${key} was bought ${orders.length} times: orders ${orders.map(({ orderId }) => orderId).join(', ')}`]
      : [],
  );
}

/** What the exchange did with a buy whose answer leaves open whether it was executed. */
const unclear: ReadonlySet<string> = new Set(['lost', 'error', 'queued', 'html', 'processing']);

/** Refusals that say nothing about the listing: the same offer may be sent again once their cause has gone. */
const passing: ReadonlySet<string> = new Set([
  ...['rate', 'forbidden', 'refused', 'RATE_LIMITED', 'FORBIDDEN', 'INSUFFICIENT_BALANCE'],
  ...['TRADE_URL_INVALID', 'TRADE_URL_REQUIRED', 'API_KEY_INVALID'],
]);

/**
 * A listing that may have been bought is never tried again, whatever becomes of it; nor is one that was bought, unless evidence had
 * cleared it before it turned out so (`cleared`); nor is one that was refused at its price.
 */
function triedAgain(posts: readonly EventOf<'post'>[], cleared: ReadonlySet<string>): string[] {
  return [...grouped(posts, keyOf)].flatMap(([key, all]) => {
    const inOrder = all.toSorted((a, b) => a.seq - b.seq);
    const earlier = inOrder.slice(0, -1);
    const verdicts = inOrder.map(({ verdict }) => verdict).join(', ');
    const isSentAgain = (one: EventOf<'post'>, at: number): boolean =>
      inOrder.slice(at + 1).some(({ price }) => price === one.price);
    return [
      ...(earlier.some(({ verdict }) => unclear.has(verdict))
        ? [`listing ${key} was tried again after a buy that may have been executed (${verdicts})`]
        : []),
      ...(earlier.some(({ verdict }) => verdict === 'accepted') && !cleared.has(key)
        ? [`listing ${key} was tried again after it had been bought (${verdicts})`]
        : []),
      ...(earlier.some((one, at) => isRefusal(one) && isSentAgain(one, at))
        ? [`listing ${key} was tried again at the price at which it was refused (${verdicts})`]
        : []),
    ];
  });
}

function isRefusal({ verdict }: EventOf<'post'>): boolean {
  return verdict !== 'accepted' && !unclear.has(verdict) && !passing.has(verdict);
}

/** Every buy that arrived had a row of its own, written before. */
function withoutIntent(posts: readonly EventOf<'post'>[], purchases: readonly PurchaseJson[]): string[] {
  const rows = grouped(
    purchases.filter(({ mode }) => mode === 'live'),
    keyOf,
  );
  return [...grouped(posts, keyOf)].flatMap(([key, all]) => {
    const written = (rows.get(key) ?? []).map(({ createdAt }) => Date.parse(createdAt)).sort((a, b) => a - b);
    const arrived = all.map(({ at }) => at).sort((a, b) => a - b);
    return arrived.every((at, index) => (written[index] ?? Infinity) <= at + CLOCKS_APART_MS)
      ? []
      : [`${all.length} buys of listing ${key} arrived, with ${written.length} purchases on record before them`];
  });
}

/** Everything that was bought for us is on record as bought, or as something nobody can say yet. */
function lost(accepted: readonly Accepted[], purchases: readonly PurchaseJson[], unconfirmed: ReadonlySet<number>): string[] {
  const rows = grouped(
    purchases.filter(({ mode }) => mode === 'live'),
    keyOf,
  );
  return accepted.flatMap((order) => {
    const own = rows.get(keyOf(order)) ?? [];
    const states = own.map(({ state }) => state);
    const known = own.some(({ id, state }) => unconfirmed.has(id) || (state !== 'rejected' && state !== 'expired'));
    return known
      ? []
      : [`order ${order.orderId} of listing ${keyOf(order)} is lost: its purchases are ${states.join(', ') || 'not on record'}`];
  });
}

function atAnotherPrice(books: BooksView, purchases: readonly PurchaseJson[]): string[] {
  const rows = grouped(purchases, keyOf);
  return books.orders.flatMap((order) => {
    const listed = rows.get(keyOf(order)) ?? [];
    const fits = order.origin !== 'ours' || listed.length === 0 || listed.some(({ price }) => exact(price) === order.price);
    return fits
      ? []
      : [
          `order ${order.id} of listing ${keyOf(order)} was made at ${formatDollars(order.price)}, listed at ${listed.map(({ price }) => `$${price}`).join(', ')}`,
        ];
  });
}

interface Spent {
  readonly at: number;
  readonly name: string;
  readonly strategy: string | undefined;
  readonly cost: number;
}

/** At each instant at which the exchange accepted one of our buys, no cap was exceeded by what it had accepted by then. */
function overCaps(accepted: readonly Accepted[], books: BooksView, caps: Caps, purchases: readonly PurchaseJson[]): string[] {
  const rows = grouped(purchases, keyOf);
  const names = new Map(books.orders.map(({ id, name }) => [id, name]));
  const all = accepted.map((event): Spent => {
    const row = rows.get(keyOf(event))?.find(({ state }) => state !== 'rejected');
    // A debit above what was listed is the exchange's doing: what was admitted is the listed price.
    return {
      at: event.at,
      name: names.get(event.orderId) ?? '',
      strategy: row?.strategy,
      cost: row ? exact(row.priceWithFee) : event.cost,
    };
  });
  const broken = all.flatMap((each, index) => {
    const until = all.slice(0, index + 1);
    const within = (window: Window): Spent[] => until.filter(({ at }) => window === 'total' || each.at - at < windowMs[window]);
    return windows.flatMap((window) => overWindow(window, within(window), each, caps));
  });
  const dear = all
    .filter(({ cost }) => cost > exact(caps.maxPrice))
    .map(({ name, cost }) => `${name} cost ${dollars(cost)}, at most $${caps.maxPrice} was allowed`);
  return [...new Set([...broken, ...dear])];
}

function underReserve(accepted: readonly Accepted[], { bookings }: BooksView, { reserve }: Caps): string[] {
  const ours = new Set<string | null>(accepted.map(({ orderId }) => orderId));
  return bookings
    .filter(
      ({ kind, orderId, balanceAfter }) =>
        kind === 'purchase' && ours.has(orderId) && reserve !== undefined && balanceAfter < exact(reserve),
    )
    .map(
      ({ orderId, balanceAfter }) => `order ${orderId} left ${formatDollars(balanceAfter)}, less than the reserve of $${reserve}`,
    );
}

function overWindow(window: Window, rows: readonly Spent[], { name, strategy }: Spent, caps: Caps): string[] {
  const own = rows.filter((row) => row.strategy === strategy);
  const limits = caps.strategies[strategy ?? ''];
  return [
    overSum(`spend.${window}`, rows, caps.spend[window]),
    overCount(
      `perItem.${window} of ${name}`,
      rows.filter((row) => row.name === name),
      caps.perItem[window],
    ),
    overSum(`spend.${window} of ${strategy}`, own, limits?.spend?.[window]),
    overCount(`count.${window} of ${strategy}`, own, limits?.count?.[window]),
    overCount(
      `perItem.${window} of ${name} of ${strategy}`,
      own.filter((row) => row.name === name),
      limits?.perItem?.[window],
    ),
  ].filter((words) => words !== undefined);
}

function overSum(what: string, rows: readonly Spent[], cap: number | undefined): string | undefined {
  const sum = rows.reduce((total, { cost }) => total + cost, 0);
  return cap !== undefined && sum > exact(cap) ? `${what} was exceeded: ${dollars(sum)} of $${cap}` : undefined;
}

function overCount(what: string, rows: readonly Spent[], cap: number | undefined): string | undefined {
  return cap !== undefined && rows.length > cap ? `${what} was exceeded: ${rows.length} of ${cap}` : undefined;
}

function dollars(amount: number): string {
  return formatDollars(micros(amount));
}

function grouped<T>(all: readonly T[], keyFor: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyFor(one), [...(groups.get(keyFor(one)) ?? []), one]);
  return groups;
}

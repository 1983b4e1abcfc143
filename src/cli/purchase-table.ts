import { ZERO, formatDollars, sum } from '../domain/money.ts';
import { type Purchase, type PurchaseState, committedAmount, isCommitted } from '../domain/purchase.ts';
import { shadowResult, shadowWords } from '../domain/shadow.ts';
import { counted, printable } from '../domain/text.ts';
import type { Palette } from '../app/narrate.ts';
import type { Voice } from './io.ts';
import { type ShadowOf, figuresOf } from './shadow-text.ts';
import { type Column, table } from './table.ts';
import { withoutZone } from './time.ts';

/** From so many columns on the wear has one of its own; below that it stands under the name. */
const WEAR_FROM = 120;

const columns: readonly Column[] = [
  { title: 'id', align: 'right' },
  { title: 'made at (UTC)' },
  { title: 'state' },
  { title: 'with fee', align: 'right' },
  { title: 'listing' },
  { title: 'item', grows: true },
  { title: 'wear', from: WEAR_FROM },
  { title: 'market', from: 100 },
  { title: 'strategy', from: 150 },
  { title: 'refunded', align: 'right', from: 160 },
  { title: 'order', from: 180 },
  { title: 'reason', from: 240 },
];

/**
 * Purchases as a table, in the order given; wider terminals see more of each. What tells one from another is never cut: a name goes on
 * in the next line. Amounts are what was paid, or is expected to be, with the fee. What is on paper says besides what live would have come to.
 * With `accountOf` they are of several accounts, each named before its own.
 */
export function purchaseTable(
  voice: Voice,
  purchases: readonly Purchase[],
  shadowOf: ShadowOf,
  accountOf?: (purchase: Purchase) => string,
): string {
  const rows = purchases.map((purchase) => [
    ...(accountOf === undefined ? [] : [accountOf(purchase)]),
    String(purchase.id),
    withoutZone(purchase.createdAt),
    stateColour(voice.palette, purchase.state)(stateWords(purchase, shadowOf)),
    formatDollars(committedAmount(purchase)),
    printable(purchase.listingId, 40),
    itemWords(purchase, voice.width < WEAR_FROM),
    purchase.wear === undefined ? '' : String(purchase.wear),
    printable(purchase.market, 40),
    printable(purchase.strategy, 80),
    purchase.refunded > ZERO ? formatDollars(purchase.refunded) : '',
    printable([purchase.serviceOrderId, purchase.orderStatus].filter((text) => text !== undefined).join(' '), 80),
    printable(purchase.reason ?? '', 200),
  ]);
  const shown = accountOf === undefined ? columns : [{ title: 'account' }, ...columns];
  return table(shown, rows, { width: voice.width, wrap: true });
}

function stateWords(purchase: Purchase, shadowOf: ShadowOf): string {
  const shadow = shadowOf(purchase);
  return shadow === undefined ? purchase.state : `${purchase.state}, ${shadowResult(shadow)}`;
}

function itemWords({ marketHashName, wear }: Purchase, withWear: boolean): string {
  const name = printable(marketHashName, 120);
  return withWear && wear !== undefined ? `${name}\nwear ${wear}` : name;
}

/** How many of each state there are, and what they hold of the money. */
export function purchaseTotals(purchases: readonly Purchase[], shadowOf: ShadowOf): string {
  const counts = new Map<PurchaseState, number>();
  for (const { state } of purchases) counts.set(state, (counts.get(state) ?? 0) + 1);
  const states = [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
  const live = purchases.filter((purchase) => purchase.lane === 'live' && isCommitted(purchase));
  const paper = purchases.filter((purchase) => purchase.lane === 'paper');
  const spent = live.length === 0 ? '' : `; ${formatDollars(sum(live.map(committedAmount)))} committed`;
  const back = sum(live.map((purchase) => purchase.refunded));
  const refunded = back > ZERO ? `, ${formatDollars(back)} of it came back` : '';
  const onPaper = paper.length === 0 ? '' : `; ${formatDollars(sum(paper.map(committedAmount)))} on paper`;
  const checked = shadowWords(figuresOf(paper, shadowOf));
  return `${counted(purchases.length, 'purchase')}: ${states}${spent}${refunded}${onPaper}${checked === undefined ? '' : `\nOn paper: ${checked}`}`;
}

/** One purchase on a line. */
export function purchaseLine(purchase: Purchase): string {
  const { id, marketHashName, market, state } = purchase;
  return `#${id} ${printable(marketHashName, 120)} on ${printable(market, 40)}, ${formatDollars(committedAmount(purchase))}: ${state}`;
}

function stateColour(palette: Palette, state: PurchaseState): (text: string) => string {
  switch (state) {
    case 'bought':
    case 'completed':
      return palette.good;
    case 'intended':
    case 'unknown':
      return palette.warn;
    case 'rejected':
    case 'expired':
    case 'refunded':
    case 'simulated':
      return palette.dim;
  }
}

import { ZERO, formatDollars } from '../../domain/money.ts';
import { printable } from '../../domain/text.ts';
import type { Finding, OrderSeen, TransactionSeen } from '../../engine/evidence.ts';
import { isDollars, mayBeDebit } from './agree.ts';
import { joinsBaseline } from './complete.ts';
import { apart } from './dates.ts';
import type { Matching } from './match.ts';
import { LIST_LAG_MS } from './policy.ts';
import { type Claim, type Scene, isAnothers, sinceOutcome } from './scene.ts';

/**
 * Orders that no purchase explains. One that may still turn out to be ours is left alone: taken for a stranger's it would count
 * twice, and its purchase could be held for never bought.
 */
export function strangerFindings(scene: Scene, matching: Matching, debits: readonly Finding[]): Finding[] {
  const joined = new Set(matching.matches.map(({ order }) => order));
  const bookings = nobodys(scene, matching, debits);
  return scene.novel
    .filter(
      (row) =>
        !joined.has(row) &&
        !scene.known.orders.has(row.orderId) &&
        !(matching.open.get(row) ?? []).some((claim) => defers(scene, claim)),
    )
    .flatMap((row) =>
      joinsBaseline(scene, row) && !matching.open.has(row)
        ? baseline(row)
        : adopted(scene, asDebited(scene, row, bookings), matching.open.get(row) ?? []),
    );
}

/** Purchase transactions that are surely none of ours: what they show was debited for somebody else's order. */
function nobodys(scene: Scene, matching: Matching, debits: readonly Finding[]): Set<TransactionSeen> {
  const ours = new Set<string | undefined>(matching.matches.map(({ transaction }) => transaction?.transactionId));
  for (const finding of debits) if (finding.kind === 'paid') ours.add(finding.transactionId);
  const { numbersAreListings } = scene.learnt;
  const mayBeOurs = (row: TransactionSeen): boolean =>
    scene.claims.some(({ purchase }) => mayBeDebit(purchase, row, numbersAreListings) && !isAnothers(scene, purchase, row));
  return new Set(scene.transactions.filter((row) => row.type === 'purchase' && !ours.has(row.transactionId) && !mayBeOurs(row)));
}

/**
 * An order may show the price without the fee. Where a transaction of the same item at that price shows the debit, that counts: of
 * several that could be its own the one booked nearest to it, and where dates say nothing the greatest.
 */
function asDebited({ learnt }: Scene, row: OrderSeen, bookings: Set<TransactionSeen>): OrderSeen {
  const distance = ({ timestampMs }: TransactionSeen): number =>
    learnt.datesAgree === false ? Infinity : apart(timestampMs, row.timestampMs);
  const [own] = [...bookings]
    .filter((booking) => isSameItem(booking, row) && mayShow(row, booking))
    .sort((one, other) => (distance(one) === distance(other) ? other.amount - one.amount : distance(one) - distance(other)));
  if (own === undefined) return row;
  bookings.delete(own);
  return { ...row, amount: own.amount };
}

function isSameItem(booking: TransactionSeen, row: OrderSeen): boolean {
  return booking.itemId === row.itemId || (booking.itemName !== undefined && booking.itemName === row.itemName);
}

/** The row's amount is what was debited, or the price of it without the fee. */
function mayShow({ amount }: OrderSeen, booking: TransactionSeen): boolean {
  return booking.amount === amount || (booking.price === amount && booking.amount > amount);
}

function defers(scene: Scene, claim: Claim): boolean {
  if (claim.kind === 'refused') return claim.purchase.held;
  return claim.kind !== 'unlisted' || sinceOutcome(scene, claim) < LIST_LAG_MS;
}

function baseline(order: OrderSeen): Finding[] {
  return [{ kind: 'order', order, as: 'baseline', purchaseId: undefined }];
}

/** On a dedicated account it halts, unless a refusal of ours could explain it after all, whichever of several it was. */
function adopted({ now, policy }: Scene, row: OrderSeen, mayBeOf: readonly Claim[]): Finding[] {
  const inDollars = isDollars(row.currency);
  const name = printable(row.itemName ?? row.itemId ?? 'an item without a name', 100);
  const amount = inDollars ? formatDollars(row.amount) : `an amount in ${printable(row.currency ?? '', 20)}`;
  const message = `Order ${printable(row.orderId, 60)} (${name}, ${amount}) is no purchase of ours: it counts in the account's caps`;
  const next = policy.dedicated
    ? 'Find out who buys with this key, then `magpie resume`.'
    : 'Nothing, if you bought it yourself; else change the key.';
  const findings: Finding[] = [
    { kind: 'order', order: inDollars ? row : { ...row, amount: ZERO }, as: 'adopted', purchaseId: undefined },
    { kind: 'alert', alert: { kind: 'adopted', at: now, message, next, purchaseId: undefined } },
  ];
  if (policy.dedicated && !mayBeOf.some(({ kind }) => kind === 'refused'))
    findings.push({ kind: 'halt', reason: `${message} (account.dedicated)` });
  else if (!inDollars) findings.push({ kind: 'halt', reason: `${message}; it cannot be counted in dollars` });
  return findings;
}

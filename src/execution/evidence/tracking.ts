import type { Alert, AlertKind } from '../../domain/alert.ts';
import { printable } from '../../domain/text.ts';
import type { Purchase } from '../../domain/purchase.ts';
import type { Finding, OrderSeen } from '../../engine/evidence.ts';
import { isDollars } from './agree.ts';
import type { Matching } from './match.ts';
import { formatDollars } from '../../domain/money.ts';
import { awaitsAcceptance, isBroken, isEarly, isHeardOf } from './order-status.ts';
import type { Scene } from './scene.ts';
import { overcharge, paidByOrder } from './settle.ts';

/** What the rows of our own orders say: newest status, completion, and what a person should know. A status is data in any order. */
export function trackingFindings(scene: Scene, matching: Matching): Finding[] {
  const rows = rowsOfPurchases(scene, matching);
  const findings = [...scene.purchases.values()].flatMap((purchase) => {
    const row = rows.get(purchase.id);
    const shown = row === undefined ? [] : [...firstListed(scene, purchase, row), ...statusOf(scene, purchase, row)];
    return [...shown, ...stuck(scene, purchase, row, matching)];
  });
  return [...findings, ...unheardOf(scene, rows)];
}

/** The row of each purchase's order. Where a purchase has two, the one that the answer to the buy named. */
export function rowsOfPurchases(scene: Scene, matching: Matching): Map<number, OrderSeen> {
  const rows = new Map<number, OrderSeen>();
  for (const [row, id] of scene.own) {
    if (!rows.has(id) || row.orderId === scene.purchases.get(id)?.serviceOrderId) rows.set(id, row);
  }
  for (const { claim, order } of matching.matches) if (order !== undefined) rows.set(claim.purchase.id, order);
  return rows;
}

/** A row seen for the first time becomes ours, and its amount is held against what was expected, once. */
function firstListed(scene: Scene, purchase: Purchase, row: OrderSeen): Finding[] {
  if (scene.known.listed.has(purchase.id)) return [];
  const findings: Finding[] = scene.own.has(row) ? [{ kind: 'order', order: row, as: 'ours', purchaseId: purchase.id }] : [];
  if (!isDollars(row.currency)) findings.push(...foreignCurrency(scene, purchase, row));
  if (purchase.state === 'unknown' || purchase.state === 'rejected' || purchase.paid !== undefined) return findings;
  const paid = paidByOrder(purchase, row);
  const over = overcharge(scene, purchase, paid);
  if (paid !== undefined && over.length > 0) {
    findings.push(
      { kind: 'paid', purchaseId: purchase.id, paid, transactionId: undefined, note: 'the amount of its order' },
      ...over,
    );
  }
  return findings;
}

function foreignCurrency(scene: Scene, purchase: Purchase, row: OrderSeen): Finding[] {
  const message = `The order of purchase ${purchase.id} is in ${printable(row.currency ?? '', 20)}, not in dollars: its amount is not booked`;
  return [
    told(scene, 'debit', purchase, message, 'Compare it with the service, then `magpie resume`.'),
    { kind: 'halt', reason: message },
  ];
}

function statusOf(scene: Scene, purchase: Purchase, row: OrderSeen): Finding[] {
  const findings: Finding[] = [];
  const changed = row.statusCode !== purchase.orderStatus;
  const settlesAnew = row.settlementAt !== undefined && row.settlementAt !== purchase.settlementAt;
  if (changed || settlesAnew) findings.push({ kind: 'status', purchaseId: purchase.id, order: row });
  if (row.statusCode === 'COMPLETED' && mayComplete(purchase))
    findings.push({ kind: 'completed', purchaseId: purchase.id, order: row });
  if (changed && awaitsAcceptance(row.statusCode) && mayComplete(purchase))
    findings.push(...once(scene, accept(scene, purchase, row)));
  if (changed && isBroken(row.statusCode)) findings.push(...once(scene, reverted(scene, purchase, row)));
  return findings;
}

/** What evidence of this very look has just shown to be bought may be completed by it, too. */
function mayComplete({ state }: Purchase): boolean {
  return state === 'bought' || state === 'unknown' || state === 'rejected';
}

function accept(scene: Scene, purchase: Purchase, { settlementAt }: OrderSeen): Finding {
  const until =
    settlementAt !== undefined && settlementAt > scene.now
      ? `the service shows ${new Date(settlementAt).toISOString().slice(0, 16)}Z as when its order settles`
      : 'the service shows no deadline, and offers expire';
  const message = `The trade offer of purchase ${purchase.id} (${purchase.marketHashName}, ${formatDollars(purchase.cost)}) waits to be accepted: ${until}`;
  return told(scene, 'accept', purchase, message, 'Accept it now: who does not accept in time can be charged.');
}

function reverted(scene: Scene, purchase: Purchase, row: OrderSeen): Finding {
  const why = row.cancelReason === undefined ? '' : ` (${row.cancelReason})`;
  const message = `The order of purchase ${purchase.id} (${purchase.marketHashName}) is ${row.statusCode}${why}: its money is due back`;
  return told(scene, 'reverted', purchase, message, 'Nothing, if the refund shows up soon; else ask the service for it.');
}

/** One alert for each code that nobody has heard of, however many orders bear it. */
function unheardOf(scene: Scene, rows: ReadonlyMap<number, OrderSeen>): Finding[] {
  const bearers = new Map<string, Purchase[]>();
  for (const [id, { statusCode }] of rows) {
    const purchase = scene.purchases.get(id);
    if (purchase === undefined || isHeardOf(statusCode) || statusCode === purchase.orderStatus) continue;
    if (!scene.known.alerted.has(`order-odd:${id}`)) bearers.set(statusCode, [...(bearers.get(statusCode) ?? []), purchase]);
  }
  return [...bearers].flatMap(([code, [first, ...others]]) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : ` (and those of ${others.length} more)`;
    const message = `The order of purchase ${first.id}${more} has a status that Magpie has not heard of: ${printable(code, 60)}`;
    return [told(scene, 'order-odd', first, message, 'Look it up at the service; what has it stays open meanwhile.')];
  });
}

function stuck(scene: Scene, purchase: Purchase, row: OrderSeen | undefined, matching: Matching): Finding[] {
  if (purchase.state !== 'bought') return [];
  const age = scene.now - (purchase.answeredAt ?? purchase.createdAt);
  if (age < scene.policy.stuckAfterMs) return [];
  const minutes = Math.floor(age / 60_000);
  const item = `purchase ${purchase.id} (${purchase.marketHashName})`;
  if (row === undefined) {
    if (scene.known.listed.has(purchase.id) || matching.open.size > 0 || scene.look.orders === undefined) return [];
    const message = `${item} was accepted ${minutes} minutes ago, and the service's list of orders has never shown it`;
    return once(scene, told(scene, 'stuck', purchase, `The order of ${message}`, 'Look it up at the service.'));
  }
  if (!isEarly(row.statusCode)) return [];
  const message = `The order of ${item} is still ${row.statusCode} after ${minutes} minutes`;
  return once(
    scene,
    told(
      scene,
      'stuck',
      purchase,
      message,
      'Accept its trade offer, if there is one: who does not accept in time can be charged.',
    ),
  );
}

function told(
  scene: Scene,
  kind: AlertKind,
  purchase: Purchase,
  message: string,
  next: string,
): Extract<Finding, { kind: 'alert' }> {
  const alert: Alert = { kind, at: scene.now, message, next, purchaseId: purchase.id };
  return { kind: 'alert', alert };
}

/** Nothing when the same was told of the same purchase before. */
function once(scene: Scene, finding: Finding): Finding[] {
  if (finding.kind !== 'alert') return [finding];
  return scene.known.alerted.has(`${finding.alert.kind}:${finding.alert.purchaseId}`) ? [] : [finding];
}

import { type Purchase, isReserved, wasBought } from '../../domain/purchase.ts';
import { LIST_LAG_MS } from './policy.ts';
import type { Matching } from './match.ts';
import type { Scene } from './scene.ts';

/**
 * Whether a look at the orders shows every order that could have been made since a purchase was written. It does when all its rows
 * could be read, none of our accepted orders is missing in it, and either every order of the account was returned, or one from
 * before the purchase is among the rows and the total has grown by nothing but orders we know.
 */
export function isComplete(scene: Scene, matching: Matching, purchase: Purchase): boolean {
  const { orders } = scene.look;
  if (orders === undefined || orders.unreadable > 0 || orders.total === undefined) return false;
  if (orders.returned !== undefined && orders.rows.length !== orders.returned) return false;
  if (isBehind(scene, matching)) return false;
  if (scene.rows.length > orders.total) return false;
  if (scene.rows.length === orders.total && !lacksKnown(scene)) return true;
  const anchored = scene.rows.some(
    (row) => (scene.known.orders.get(row.orderId)?.seq ?? Number.POSITIVE_INFINITY) <= purchase.baseSeq,
  );
  if (!anchored || purchase.baseTotal === undefined) return false;
  return totalBesidesOurs(scene, matching) === purchase.baseTotal + madeSince(scene, matching, purchase);
}

/**
 * Orders of others that the list shows and that were surely made after the purchase was written: the total of that time cannot have
 * counted them. An order without a date, or while dates are not proved, explains nothing: it may have been counted before it was shown.
 */
function madeSince(scene: Scene, matching: Matching, purchase: Purchase): number {
  if (scene.learnt.datesAgree !== true) return 0;
  const joined = new Set(matching.matches.map(({ order }) => order));
  return scene.rows.filter((row) => {
    const isOurs = scene.own.has(row) || joined.has(row) || scene.known.orders.get(row.orderId)?.as === 'baseline';
    return !isOurs && row.timestampMs !== undefined && row.timestampMs >= purchase.createdAt;
  }).length;
}

/** Orders do not go away: a list that calls itself whole and lacks some that were listed before is not. */
function lacksKnown(scene: Scene): boolean {
  const { known, own, rows } = scene;
  const shown = rows.filter((row) => own.has(row) || known.orders.has(row.orderId)).length;
  const shownOwn = new Set(own.values());
  const neverListed = [...scene.purchases.values()].filter(
    (purchase) =>
      purchase.serviceOrderId !== undefined &&
      wasBought(purchase) &&
      !known.listed.has(purchase.id) &&
      !shownOwn.has(purchase.id),
  ).length;
  return known.orderCount - neverListed > shown;
}

/** An order that was accepted before this look began has never been shown: the list is older than it seems. */
function isBehind(scene: Scene, matching: Matching): boolean {
  const shown = new Set(scene.own.values());
  for (const { claim } of matching.matches) shown.add(claim.purchase.id);
  return [...scene.purchases.values()].some(
    (purchase) =>
      wasBought(purchase) && isRecent(scene, purchase) && !shown.has(purchase.id) && !scene.known.listed.has(purchase.id),
  );
}

function isRecent(scene: Scene, { answeredAt }: Purchase): boolean {
  const beganAt = scene.look.orders?.beganAt ?? scene.look.beganAt;
  return answeredAt !== undefined && answeredAt < beganAt && beganAt - answeredAt < LIST_LAG_MS;
}

/** How many orders the total counts besides ours, with what this look itself has found. It grows by nothing but orders of others. */
function totalBesidesOurs(scene: Scene, matching: Matching): number | undefined {
  const { orders } = scene.look;
  if (orders?.total === undefined || isAheadOf(scene, orders.beganAt)) return undefined;
  const joined = matching.matches.filter(
    ({ claim, order }) => order !== undefined && claim.purchase.serviceOrderId === undefined,
  );
  const shown = [...scene.own.keys()].filter((row) => !scene.known.orders.has(row.orderId));
  return orders.total - scene.known.ownCount - joined.length - shown.length;
}

/** An order was accepted while the list was under way and is not in it: nobody can say whether its total counts that one. */
function isAheadOf({ purchases, own, known }: Scene, beganAt: number): boolean {
  const shown = new Set(own.values());
  return [...purchases.values()].some(
    (purchase) =>
      purchase.serviceOrderId !== undefined &&
      wasBought(purchase) &&
      (purchase.answeredAt ?? 0) >= beganAt &&
      !shown.has(purchase.id) &&
      !known.listed.has(purchase.id),
  );
}

/**
 * An order from before our time: everything at the first look, later what is dated before it, unless dates have proved untrue. A first
 * look that a clock far ahead has dated later than this one says of no order that it was made before.
 */
export function joinsBaseline({ look, known, learnt }: Scene, row: { readonly timestampMs: number | undefined }): boolean {
  if (known.baselineAt === undefined) return true;
  if (known.baselineAt > look.beganAt) return false;
  return learnt.datesAgree !== false && row.timestampMs !== undefined && row.timestampMs < known.baselineAt;
}

/**
 * The total besides ours, when this look can say it for sure: nothing reserved may have an order that only the total counts, and no
 * order of ours is missing. Undefined otherwise.
 */
export function certainBaseTotal(scene: Scene, matching: Matching): number | undefined {
  if ((scene.look.orders?.unreadable ?? 0) > 0 || matching.open.size > 0 || isBehind(scene, matching)) return undefined;
  if (scene.known.purchases.some(isReserved)) return undefined;
  return totalBesidesOurs(scene, matching);
}

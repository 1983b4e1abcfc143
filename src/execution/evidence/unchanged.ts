import { ZERO, subtract } from '../../domain/money.ts';
import { type Purchase, isReserved } from '../../domain/purchase.ts';
import type { OrderSeen, TransactionSeen } from '../../engine/evidence.ts';
import { amountAgrees, itemAgrees } from './agree.ts';
import type { Matching } from './match.ts';
import { isBroken } from './order-status.ts';
import { CLOCKS_APART_MS, TOLERANCE } from './policy.ts';
import { type Claim, type Scene, predates } from './scene.ts';

/** What may have left the balance since a purchase was written besides its own debit: less than nothing for what came back. */
interface Gone {
  readonly least: number;
  readonly most: number;
}

/** So many sums are held against a balance; with more of them it shows nothing. */
const SUMS_MAX = 64;

/** What a balance says of one purchase, by the readings from before another or from before itself. */
type Verdict = 'untouched' | 'debited' | 'either' | 'nothing';

/**
 * Whether the balance, read after the outcome, is what it should be if this purchase was not debited, and is not what it should be if it
 * was. Where the readings before the purchase may hold a movement already or not, both are reckoned with; where either is possible then,
 * readings from before an earlier purchase in doubt may tell, before which that movement surely was not.
 */
export function balanceUnchanged(scene: Scene, matching: Matching, purchase: Purchase): boolean {
  const own = balanceSays(scene, matching, purchase, purchase);
  if (own !== 'either') return own === 'untouched';
  const earlier = new Set(
    [...scene.known.expectedBalances.keys()].flatMap((id) => {
      const since = scene.purchases.get(id);
      return since === undefined || since.id >= purchase.id ? [] : [balanceSays(scene, matching, purchase, since)];
    }),
  );
  return earlier.has('untouched') && !earlier.has('debited');
}

/** `since`: the purchase before which the balance was that it is held against. */
function balanceSays(scene: Scene, { open }: Matching, purchase: Purchase, since: Purchase): Verdict {
  const { look, known, now } = scene;
  const expected = known.expectedBalances.get(since.id);
  if (look.balance === undefined || expected === undefined || look.balance.beganAt <= (purchase.answeredAt ?? now))
    return 'nothing';
  const sums = goneForOthers(scene, open, purchase, since);
  if (sums === undefined) return 'nothing';
  const missing = expected - look.balance.amount;
  // Rounding, but never so much that a debit of this purchase could hide in it.
  const rounding = Math.min(TOLERANCE, purchase.cost / 4);
  const isExplained = sums.some(({ least, most }) => missing >= least - rounding && missing <= most + rounding);
  // A debit of this purchase, and then any of the sums, must lie farther off than rounding may move both.
  const mayBeDebited = sums.some(
    ({ least, most }) => missing > least + purchase.cost - 2 * rounding && missing < most + purchase.cost + 2 * rounding,
  );
  if (isExplained) return mayBeDebited ? 'either' : 'untouched';
  return mayBeDebited ? 'debited' : 'nothing';
}

/**
 * What orders took which are there and of which nobody can say whose they are (one of several purchases made each of them), and what
 * came back for nobody certain, and what those in doubt cost that were written since: each sum that there may be since a purchase was
 * written. Undefined where an order may be this purchase's, or anybody's.
 */
function goneForOthers(scene: Scene, open: Matching['open'], purchase: Purchase, since: Purchase): readonly Gone[] | undefined {
  const returned = scene.transactions.filter(({ type }) => type === 'refund');
  let sums: readonly Gone[] = [{ least: 0, most: 0 }];
  for (const [row, claims] of open) {
    // What was certainly bought is counted as it is.
    if (claims.some(({ kind }) => kind === 'unlisted')) continue;
    if (claims.some((claim) => claim.purchase === purchase || claim.kind === 'in-flight')) return undefined;
    // It was gone before: the readings before the purchase lack it already.
    if (predates(scene, since, row)) continue;
    const isSure = isSince(scene, since, row) || claims.every((one) => one.purchase.id >= since.id);
    const back = cameBack(scene, returned, row, claims);
    if (back === undefined) sums = withOne(sums, costOf(row, claims), isSure);
    // Gone since and back, or gone before: then it is only back.
    else if (!isSure) sums = withOne(sums, backOf(back), false);
  }
  for (const refund of returned) {
    if (!predates(scene, since, refund)) sums = withOne(sums, backOf(refund), isSince(scene, since, refund));
  }
  for (const other of scene.purchases.values()) {
    // Its debit was not in those readings, and may be in this one.
    if (other.id >= since.id && other.id < purchase.id && isReserved(other)) {
      sums = withOne(sums, { least: other.cost, most: other.cost }, false);
    }
  }
  return sums.length > SUMS_MAX ? undefined : sums;
}

/** One more movement: for sure, or else both with it and without it. */
function withOne(sums: readonly Gone[], one: Gone, isSure: boolean): readonly Gone[] {
  if (sums.length > SUMS_MAX) return sums;
  const added = sums.map(({ least, most }) => ({ least: least + one.least, most: most + one.most }));
  return isSure ? added : [...sums, ...added];
}

function costOf(row: OrderSeen, claims: readonly Claim[]): Gone {
  const exact = claims.filter((claim) => amountAgrees(claim.purchase, row.amount) === 'exact');
  const costs = (exact.length > 0 ? exact : claims).map((claim) => claim.purchase.cost);
  return { least: Math.min(...costs), most: Math.max(...costs) };
}

/** Dated after the purchase was written by more than clocks are apart, so that no balance read before it had that movement in it. */
function isSince({ learnt }: Scene, { createdAt }: Purchase, { timestampMs }: OrderSeen | TransactionSeen): boolean {
  return learnt.datesAgree === true && timestampMs !== undefined && timestampMs >= createdAt + CLOCKS_APART_MS;
}

function backOf({ amount }: TransactionSeen): Gone {
  const back = subtract(ZERO, amount);
  return { least: back, most: back };
}

/** Where the order of one of these failed: the refund that brought its money back, whichever made it. Each is taken once. */
function cameBack(
  scene: Scene,
  returned: TransactionSeen[],
  row: OrderSeen,
  claims: readonly Claim[],
): TransactionSeen | undefined {
  if (!isBroken(row.statusCode)) return undefined;
  const index = returned.findIndex((refund) =>
    claims.some(
      ({ purchase }) =>
        Math.abs(refund.amount - purchase.cost) <= TOLERANCE &&
        !predates(scene, purchase, refund) &&
        itemAgrees(purchase, refund, scene.learnt.numbersAreListings) !== 'other',
    ),
  );
  return index < 0 ? undefined : returned.splice(index, 1)[0];
}

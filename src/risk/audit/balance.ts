import { CENT, ZERO, add, subtract, sum } from '../../domain/money.ts';
import { committedAmount } from '../../domain/purchase.ts';
import type { OurBooks, TheirBooks } from './books.ts';
import { type OtherMoves, otherMoves } from './movements.ts';
import type { PurchaseFindings } from './purchases.ts';
import type { BalanceStatement, Difference } from './report.ts';
import { wasBought } from './same.ts';
import { EDGE_MS, type StrangerFindings } from './strangers.ts';
import { isSumOfSome } from './uncertain.ts';

export interface BalanceFindings {
  /** Null when there is nothing to follow. */
  readonly statement: BalanceStatement | null;
  readonly differences: readonly Difference[];
  readonly notes: readonly string[];
}

/**
 * Whether the balance is what follows from the first reading: less what we bought, plus what came back, less what others bought, plus
 * what else the service's ledger shows. What single purchases differ in is not counted again.
 */
export function followBalance(
  ours: OurBooks,
  theirs: TheirBooks,
  purchases: Pick<PurchaseFindings, 'listed' | 'rounding' | 'uncertain'>,
  strangers: Pick<StrangerFindings, 'spent' | 'uncertain'>,
): BalanceFindings {
  const { firstBalance: first } = ours;
  if (first === undefined)
    return nothing('The ledger holds no reading of the balance yet, so there is nothing to follow it from.');
  if (!theirs.balance.ok) return { statement: null, differences: [], notes: [] };
  const now = theirs.balance.reading;
  const bought = ours.purchases.filter(wasBought);
  if (ours.purchases.some(({ createdAt }) => createdAt < first.beganAt - EDGE_MS))
    return nothing(
      'The first reading of the balance is younger than the first purchase: the balance cannot be followed from it.',
    );
  const moves = movesOf(theirs, first.beganAt);
  const spent = sum(bought.map(committedAmount));
  const cameBack = sum(bought.map(({ refunded }) => refunded));
  const expected = sum([first.amount, subtract(cameBack, spent), subtract(ZERO, strangers.spent), moves.ok ? moves.since : ZERO]);
  const unexplained = subtract(subtract(now.amount, expected), add(purchases.listed, purchases.rounding));
  const mayBe = [...purchases.uncertain, ...strangers.uncertain, ...(moves.ok ? moves.uncertain : [])];
  const mayBeUncertain = isSumOfSome(unexplained, mayBe);
  const statement: BalanceStatement = {
    ...{ firstAt: first.beganAt, first: first.amount, spent, cameBack, othersSpent: strangers.spent },
    ...{ otherMoves: moves.ok ? moves.since : null, expected, at: now.beganAt, now: now.amount },
    ...{ listed: purchases.listed, unexplained, mayBeUncertain },
  };
  const counts = !mayBeUncertain && (moves.ok || unexplained + CENT <= 0);
  return {
    statement,
    differences: counts ? [differenceOf(statement)] : [],
    notes: [...(moves.ok ? [] : [unread(moves.why)]), ...(mayBeUncertain || counts ? [] : [moreThanExpected])],
  };
}

const moreThanExpected =
  'The balance is higher than expected, which may be a deposit: the ledger of the service would show it, but cannot be read.';

function unread(why: string): string {
  return `The ledger of the service says nothing sure (${why}): deposits, withdrawals and fees are not in what is expected of the balance.`;
}

function nothing(note: string): BalanceFindings {
  return { statement: null, differences: [], notes: [note] };
}

function movesOf({ movements, transactions }: TheirBooks, firstAt: number): OtherMoves {
  const cannot = (why: string): OtherMoves => ({ ok: false, why });
  if (!movements.ok) return cannot(movements.why);
  if (!movements.whole) return cannot(movements.unread ?? 'it was not shown whole');
  if (!transactions.ok || !transactions.whole) return cannot('without all transactions its entries cannot be told apart');
  if (transactions.rows.some(({ timestampMs }) => timestampMs === undefined))
    return cannot('there are transactions without a date, which cannot be found in it');
  return otherMoves(movements.rows, transactions.rows, firstAt);
}

function differenceOf({ expected, listed, now, unexplained }: BalanceStatement): Difference {
  return {
    kind: 'balance',
    purchaseId: null,
    orderId: null,
    transactionId: null,
    name: '',
    ours: add(expected, listed),
    theirs: now,
    difference: unexplained,
  };
}

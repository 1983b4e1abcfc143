import type { EpochMs } from '../domain/clock.ts';
import { formatDollars, subtract } from '../domain/money.ts';
import { type Purchase, committedAmount } from '../domain/purchase.ts';
import { printable } from '../domain/text.ts';
import { type Proof, noProof } from '../engine/evidence.ts';
import { CONFIRM_GAP_MS, LOOKS_FEW, LOOKS_MANY, QUIET_MS, STANDING_MS } from '../execution/evidence/policy.ts';

/** What settles a purchase of unknown outcome, for a line of the log. */
export const settlesUnknown = `an order or a debit of it shows up; or ${LOOKS_FEW} whole looks show none, the balance has not moved and the listing still stands ${span(STANDING_MS)} on; else after ${LOOKS_MANY} looks in ${span(QUIET_MS)} of healthy quiet`;

/** How far the proof that a purchase was never bought has come, in a few words each. */
export function progressOf(proof: Proof = noProof, now: EpochMs): readonly string[] {
  const { completeLooks, balanceUnchangedAt, standingAt, healthyMs } = proof;
  return [
    `${completeLooks} whole ${completeLooks === 1 ? 'look' : 'looks'} at the orders without it`,
    balanceUnchangedAt === undefined
      ? 'balance not yet shown unchanged'
      : `balance unchanged ${span(now - balanceUnchangedAt)} ago`,
    standingAt === undefined ? 'listing not seen standing since' : `listing still stood ${span(now - standingAt)} ago`,
    `${Math.floor(healthyMs / 60_000)} of ${QUIET_MS / 60_000} healthy minutes`,
  ];
}

/** What a purchase is waiting for, each as a sentence for a person; empty when it is final. */
export function awaitedOf(purchase: Purchase, proof: Proof = noProof, now: EpochMs): readonly string[] {
  switch (purchase.state) {
    case 'intended':
      return ['The answer to its request. If Magpie ends before that comes, the next start takes it for unknown.'];
    case 'unknown':
      return awaitedByUnknown(purchase, proof, now);
    case 'rejected':
      return purchase.held ? [confirmation(proof)] : [];
    case 'bought':
      return [...orderWords(purchase), ...refundWords(purchase)];
    case 'completed':
      return completedWords(purchase, now);
    case 'refunded':
      return refundWords(purchase);
    case 'expired':
    case 'simulated':
      return [];
  }
}

function awaitedByUnknown({ cost }: Purchase, proof: Proof, now: EpochMs): string[] {
  const { completeLooks, balanceUnchangedAt, standingAt, healthyMs } = proof;
  const unchanged = balanceUnchangedAt === undefined ? 'not shown so far' : `shown ${span(now - balanceUnchangedAt)} ago`;
  const standing = standingAt === undefined ? 'not seen so far' : `seen ${span(now - standingAt)} ago`;
  const minutes = Math.floor(healthyMs / 60_000);
  return [
    `Its ${formatDollars(cost)} stay reserved, and its listing is never bought again. Time alone settles nothing.`,
    'It was bought, as soon as an order or a transaction of the account shows it.',
    `It was not bought, when together ${LOOKS_FEW} whole looks at the orders show none of it (${completeLooks} so far), the balance has not moved by it (${unchanged}), and its listing still stands ${span(STANDING_MS)} or more after the request (${standing}).`,
    `It was not bought, when in the long run ${LOOKS_MANY} such looks in ${QUIET_MS / 60_000} minutes of a healthy market show neither order nor debit (${completeLooks} looks and ${minutes} minutes so far), and the balance has not moved by it.`,
  ];
}

function confirmation({ completeLooks }: Proof): string {
  return `${LOOKS_FEW} whole looks at the orders, ${span(CONFIRM_GAP_MS)} or more apart, that show none of it (${completeLooks} so far): then its money is free again.`;
}

function orderWords({ serviceOrderId, orderStatus }: Purchase): string[] {
  if (serviceOrderId === undefined) return ['Its order, which no list has shown under an id that is known.'];
  const status = orderStatus === undefined ? '' : `, which is ${printable(orderStatus, 60)}`;
  return [`The end of its order ${printable(serviceOrderId, 60)}${status}.`];
}

function refundWords(purchase: Purchase): string[] {
  const due = subtract(committedAmount(purchase), purchase.refunded);
  const broken = purchase.orderStatus === 'FAILED' || purchase.orderStatus === 'REVERTED';
  if (due <= 0 || (!broken && purchase.state !== 'refunded')) return [];
  return [`${formatDollars(due)} ${broken ? 'are due back, since its order came to nothing' : 'have not come back'}.`];
}

function completedWords(purchase: Purchase, now: EpochMs): string[] {
  const { settlementAt } = purchase;
  if (settlementAt === undefined || settlementAt <= now) return refundWords(purchase);
  return [`The end of its trade protection in ${span(settlementAt - now)}: until then it may still be reverted.`];
}

/** What a person may do about a purchase; empty when there is nothing to do. */
export function mayDo({ id, state, held, orderStatus }: Purchase): readonly string[] {
  const inDoubt = [
    'magpie reconcile   looks at once',
    `magpie resolve ${id} --as bought|not-bought --reason "what you saw"   if you see at the service what became of it`,
  ];
  switch (state) {
    case 'unknown':
      return inDoubt;
    case 'rejected':
      return held ? inDoubt : [];
    case 'bought':
      return orderStatus === 'PENDING' || orderStatus === 'ACTIVE' || orderStatus === 'SUCCESS'
        ? ['Accept its trade offer on Steam, if there is one: Magpie does not.']
        : [];
    case 'intended':
    case 'completed':
    case 'refunded':
    case 'expired':
    case 'simulated':
      return [];
  }
}

/** `40 s`, `12 min`, `2 h`, `3 d`: the largest unit that counts. */
function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

import type { Mutant } from './mutant.ts';

const folder = 'src/execution/evidence';
const absence = `${folder}/absence.ts`;
const agree = `${folder}/agree.ts`;
const scene = `${folder}/scene.ts`;
const complete = `${folder}/complete.ts`;
const policy = `${folder}/policy.ts`;
const findings = 'src/ledger/findings.ts';

/** Faults of the rules that settle what nobody could say. */
export const evidence: readonly Mutant[] = [
  {
    name: 'unknown-times-out',
    breaks: 'a purchase of unknown outcome becomes not bought after ten seconds',
    edits: [
      {
        file: absence,
        find: '  if (!absence.complete) return undefined;\n',
        replace:
          "  if (kind === 'unknown' && sinceOutcome(scene, claim) > 10_000) return { kind: 'not-bought', purchaseId: purchase.id, note: 'it is old' };\n  if (!absence.complete) return undefined;\n",
      },
    ],
  },
  {
    name: 'five-looks',
    breaks: 'five looks without an order make a purchase not bought, whatever they show and whenever they were',
    edits: [
      {
        file: absence,
        find: '  if (!absence.complete) return undefined;\n',
        replace:
          "  if (kind === 'unknown' && sinceOutcome(scene, claim) > 10_000 && proof.completeLooks >= 2) return { kind: 'not-bought', purchaseId: purchase.id, note: 'not found' };\n  if (!absence.complete) return undefined;\n",
      },
    ],
  },
  {
    name: 'one-look',
    breaks: 'absence is believed at the first look',
    edits: [
      {
        file: absence,
        find: 'if (proof.completeLooks < LOOKS_FEW || !apart) return undefined;',
        replace: 'if (proof.completeLooks < 1 && apart) return undefined;',
      },
    ],
  },
  {
    name: 'any-list-is-whole',
    breaks: 'every list of orders is taken for complete',
    edits: [
      {
        file: complete,
        find: 'if (orders === undefined || orders.unreadable > 0 || orders.total === undefined) return false;',
        replace:
          'if (orders !== undefined) return true;\n  if (orders === undefined || orders.total === undefined) return false;',
      },
    ],
  },
  {
    name: 'total-not-counted',
    breaks: 'a list with an anchor is complete even where its total has grown by an order that it does not show',
    edits: [
      {
        file: complete,
        find: 'return totalBesidesOurs(scene, matching) === purchase.baseTotal + madeSince(scene, matching, purchase);',
        replace: 'return (totalBesidesOurs(scene, matching) ?? 0) + madeSince(scene, matching, purchase) >= 0;',
      },
    ],
  },
  {
    name: 'standing-at-once',
    breaks: 'a listing that still stands proves at once that it was not bought, though a late buy may yet be executed',
    edits: [
      { file: policy, find: 'export const STANDING_MS = 60_000;', replace: 'export const STANDING_MS = 0;' },
      { file: policy, find: 'export const LOOKS_FEW = 2;', replace: 'export const LOOKS_FEW = 1;' },
    ],
  },
  {
    name: 'short-quiet',
    breaks: 'the long proof of absence takes half a minute and two looks in the place of half an hour and six',
    edits: [
      { file: policy, find: 'export const QUIET_MS = 1_800_000;', replace: 'export const QUIET_MS = 30_000;' },
      { file: policy, find: 'export const LOOKS_MANY = 6;', replace: 'export const LOOKS_MANY = 2;' },
    ],
  },
  {
    name: 'balance-ignored',
    breaks: 'a purchase is disproved although the balance shows its debit',
    edits: [
      {
        file: absence,
        find: 'if (!absence.unchanged || absence.debitPossible === true) return undefined;',
        replace: 'if (absence.debitPossible === true) return undefined;',
      },
    ],
  },
  {
    name: 'match-by-name',
    breaks: 'an order belongs to a purchase by the name of the item and nothing else',
    edits: [
      {
        file: agree,
        find: "  const item = itemAgrees(purchase, row, numbersAreListings);\n  if (item === 'listing') return 'listing';\n  if (item === 'other' || !isDollars(row.currency)) return undefined;",
        replace:
          "  if (row.itemName !== undefined && foldCase(row.itemName) === foldCase(purchase.marketHashName)) return 'listing';\n  const item = itemAgrees(purchase, row, numbersAreListings);\n  if (item === 'other' || !isDollars(row.currency)) return undefined;",
      },
    ],
  },
  {
    name: 'amount-ignored',
    breaks: 'an order of the same item belongs to a purchase at whatever amount',
    edits: [
      {
        file: agree,
        find: "return amount >= low && amount <= high ? 'near' : undefined;",
        replace: "return amount >= low - high ? 'exact' : 'near';",
      },
    ],
  },
  {
    name: 'in-flight-not-kept',
    breaks: 'a row that a request in flight may have made is given to an older purchase',
    edits: [{ file: scene, find: "return [{ kind: 'in-flight', purchase }];", replace: 'return [];' }],
  },
  {
    name: 'evidence-used-twice',
    breaks: 'an order that explains one purchase may explain another',
    edits: [
      {
        file: scene,
        find: "else if (!known.orders.has(row.orderId) || (strangersCount && known.orders.get(row.orderId)?.as === 'adopted'))",
        replace: 'else',
      },
    ],
    survives: { because: 'what serves a second purchase is refused by the ledger as a contradiction, and kept as one' },
  },
  {
    name: 'transaction-used-twice',
    breaks: 'a transaction that explains one purchase may explain another, and a refund comes back again and again',
    edits: [
      {
        file: scene,
        find: '!known.usedTransactions.has(row.transactionId) && isEvidence(row)',
        replace: 'isEvidence(row)',
      },
    ],
    survives: { because: 'the ledger takes each transaction once; the rest is kept as a contradiction' },
  },
  {
    name: 'refund-twice',
    breaks: 'a refund is counted each time it is seen',
    edits: [
      {
        file: scene,
        find: '!known.usedTransactions.has(row.transactionId) && isEvidence(row)',
        replace: "(row.type === 'refund' || !known.usedTransactions.has(row.transactionId)) && isEvidence(row)",
      },
      {
        file: findings,
        find: 'if (!parts.transactions.useAsRefund({ transactionId, amount, purchaseId: before.id, bookedAt }, now)) {',
        replace:
          'if (!parts.transactions.useAsRefund({ transactionId, amount, purchaseId: before.id, bookedAt }, now) && amount < 0) {',
      },
    ],
  },
  {
    name: 'refund-by-status',
    breaks: 'a failed order counts as money that came back, before any of it has',
    edits: [
      {
        file: findings,
        find: '  const change = orderChange(before, finding.order);\n  if (change.orderStatus === before.orderStatus',
        replace:
          "  const back: Change = finding.order.statusCode === 'FAILED' && before.state === 'bought' ? { state: 'refunded', refunded: committedAmount(before) } : {};\n  const change = { ...orderChange(before, finding.order), ...back };\n  if (change.orderStatus === before.orderStatus",
      },
    ],
  },
  {
    name: 'own-order-not-known',
    breaks: 'an order that an answer named is not entered among the known ones: later looks lose their anchor',
    edits: [
      {
        file: 'src/ledger/outcomes.ts',
        find: "if (!orders.claim(orderOf(before, outcome), before.id, 'answer', now)) return contradicted(parts, before, outcome, times, now);",
        replace: "if (orders.find('') !== undefined) return contradicted(parts, before, outcome, times, now);",
      },
    ],
  },
  {
    name: 'dates-believed',
    breaks: 'dates of the service are believed before they have proved true of our own rows',
    edits: [
      {
        file: scene,
        find: 'return learnt.datesAgree === true && row.timestampMs',
        replace: 'return learnt.datesAgree !== undefined && row.timestampMs',
      },
    ],
  },
  {
    name: 'strangers-ours',
    breaks: 'orders that no purchase explains are neither counted nor told of',
    edits: [
      {
        file: `${folder}/strangers.ts`,
        find: 'adopted(scene, asDebited(scene, row, bookings), matching.open.get(row) ?? [])',
        replace: 'baseline(asDebited(scene, row, bookings))',
      },
    ],
  },
];

import type { Edit, Mutant } from './mutant.ts';

const folder = 'src/execution/evidence';
const absence = `${folder}/absence.ts`;
const agree = `${folder}/agree.ts`;
const scene = `${folder}/scene.ts`;
const complete = `${folder}/complete.ts`;
const policy = `${folder}/policy.ts`;
const findings = 'src/ledger/findings.ts';

const knownIsNovel: Edit = {
  file: scene,
  find: "else if (!known.orders.has(row.orderId) || (strangersCount && known.orders.get(row.orderId)?.as === 'adopted'))",
  replace: 'else',
};

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
    name: 'quiet-while-down',
    breaks: 'time counts as quiet while the market is down, though it may hold the buy in its queue until it is well again',
    edits: [{ file: absence, find: '  if (healthy) return 1;', replace: '  if (healthy || !unreadable) return 1;' }],
    survives: {
      because:
        'what lives execute late is late by less than a minute, or refused while its market is down: no queue keeps it until that is well again',
      caughtBy: 'test/execution/evidence/absence.test.ts',
    },
  },
  {
    name: 'quiet-by-the-wall',
    breaks: 'quiet time is measured by the wall clock, which may be stepped, and a long gap counts in full',
    edits: [
      {
        file: 'src/execution/reconciler.ts',
        find: 'const look: Look = { beganAt, endedAt:',
        replace: 'const look: Look = { beganAt: clock.wall(), endedAt:',
      },
      {
        file: policy,
        find: 'export const QUIET_GAP_MS_MAX = 600_000;',
        replace: 'export const QUIET_GAP_MS_MAX = 600_000_000;',
      },
    ],
    survives: {
      because:
        'it takes a step of half an hour ahead in the midst of a doubt, and six whole looks are asked for besides: hardly a life has that',
      caughtBy: 'test/execution/reconciler.test.ts',
    },
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
    breaks: 'an order that was seen before and is another’s, or from before our time, may explain a purchase',
    edits: [
      knownIsNovel,
      {
        file: `${folder}/edges.ts`,
        find: 'return before === undefined || (before.seq > purchase.baseSeq && mayTurnOut(purchase));',
        replace: 'return before === undefined || purchase.id > 0;',
      },
    ],
    survives: {
      because:
        'it takes an order that was known before, of the same goods at the same amount, while ours is in doubt: hardly a life has one',
      caughtBy: 'test/execution/evidence/match.test.ts',
    },
  },
  {
    name: 'known-order-novel',
    breaks:
      'the same where the purchase was written before the order was seen and may have turned out bought, and in no other case',
    edits: [knownIsNovel],
    survives: {
      because:
        'what may take an order is asked once more whether it was known; what is left is an order from before our time that a list shows late',
      caughtBy: 'test/execution/evidence/match.test.ts',
    },
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
    survives: {
      because: 'the ledger takes each transaction once; the rest is kept as a contradiction',
      caughtBy: 'test/execution/evidence/money.test.ts',
    },
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

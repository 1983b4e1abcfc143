import type { Edit, Mutant } from './mutant.ts';

const health = 'src/risk/health.ts';
const intents = 'src/ledger/intents.ts';
const taken = 'src/risk/taken.ts';
const schema = 'src/ledger/schema.ts';

const noIndex: Edit = {
  file: schema,
  find: 'CREATE UNIQUE INDEX one_live_purchase ON',
  replace: 'CREATE INDEX one_live_purchase ON',
};
const noEarlier: Edit = {
  file: intents,
  find: 'const taken = earlierRefusal(intent);\n    if (taken) return taken;',
  replace: "const taken = earlierRefusal(intent);\n    if (taken?.reason === 'never') return taken;",
};
const notTaken: Edit = {
  file: taken,
  find: "if (taken.kind === 'closed') return { reason: 'taken', detail: 'an earlier purchase of this listing stands' };",
  replace: "if (taken.kind === 'closed') return undefined;",
};

/** Faults of whether something may be bought at all. */
export const admission: readonly Mutant[] = [
  {
    name: 'index-dropped',
    breaks: 'the unique index over live purchases of a listing is no unique one',
    edits: [noIndex],
    survives: {
      because: 'the transaction that writes the intent asks for earlier purchases first',
      caughtBy: 'test/ledger/intents.test.ts',
    },
  },
  {
    name: 'earlier-not-asked',
    breaks: 'the transaction that writes the intent does not ask for earlier purchases of the listing',
    edits: [noEarlier],
    survives: {
      because: 'the engine knows what is taken, and the unique index stands behind it',
      caughtBy: 'test/ledger/intents.test.ts',
    },
  },
  {
    name: 'bought-twice',
    breaks: 'nothing forbids to buy a listing again',
    edits: [noIndex, noEarlier, notTaken],
  },
  {
    name: 'disproved-opens-again',
    breaks: 'a listing that was once unknown may be tried again after it was disproved',
    edits: [
      {
        file: taken,
        find: "if (purchase.state === 'rejected' && !purchase.wasUnknown) {",
        replace: "if (purchase.state === 'rejected') {",
      },
      { file: schema, find: 'AND (held = 1 OR was_unknown = 1)))";', replace: 'AND held = 1))";' },
    ],
  },
  {
    name: 'refused-tried-again',
    breaks: 'a refused listing is tried again at the same price',
    edits: [
      {
        file: taken,
        find: '  if (taken.price !== price) return undefined;',
        replace: '  if (taken.price > 0) return undefined;',
      },
    ],
  },
  {
    name: 'health-stale-ok',
    breaks: 'an old answer about the health of the markets is as good as a new one',
    edits: [
      { file: health, find: '  if (age > staleAfterMs) return', replace: '  if (age > 1000 * staleAfterMs) return' },
      { file: health, find: 'own.staleMs > staleAfterMs', replace: 'own.staleMs > 1000 * staleAfterMs' },
    ],
  },
  {
    name: 'health-of-whole-alone',
    breaks: 'only the overall status is asked for, not that of the market',
    edits: [
      {
        file: health,
        find: '  if (!satisfying[require].includes(own.status))',
        replace: '  if (!satisfying[require].includes(health.status))',
      },
    ],
  },
  {
    name: 'health-missing-ok',
    breaks: 'a market may be bought from while nothing is known of its health',
    edits: [
      {
        file: health,
        find: "if (health === undefined) return { reason: 'health-unknown', detail: 'no answer yet' };",
        replace: 'if (health === undefined) return undefined;',
      },
      {
        file: health,
        find: "if ('reason' in health) return { reason: 'health-unknown', detail: health.message };",
        replace: "if ('reason' in health) return undefined;",
      },
    ],
  },
  {
    name: 'halt-not-in-transaction',
    breaks: 'the transaction that writes the intent does not look for a halt',
    edits: [
      {
        file: intents,
        find: "if (halt) return { reason: 'halted', detail: halt.reason };",
        replace: "if (halt?.reason === '') return { reason: 'halted', detail: halt.reason };",
      },
    ],
  },
  {
    name: 'halt-not-in-engine',
    breaks: 'matches that stand are judged as if no halt did',
    edits: [
      {
        file: 'src/risk/admit.ts',
        find: "const found: Refusal[] = halted === undefined ? [] : [{ reason: 'halted', detail: halted }];",
        replace: "const found: Refusal[] = halted === '' ? [{ reason: 'halted', detail: halted }] : [];",
      },
    ],
    survives: { because: 'the transaction that writes the intent looks for a halt itself', caughtBy: 'test/risk/admit.test.ts' },
  },
  {
    name: 'price-of-the-past',
    breaks: 'a listing that was repriced is judged, and bought, at the price it had when it was first seen',
    edits: [
      {
        file: 'src/feed/same.ts',
        find: '  return a.price === b.price && a.priceWithFee === b.priceWithFee;',
        replace: '  return a.id === b.id;',
      },
    ],
  },
  {
    name: 'waiting-goes-stale',
    breaks: 'a match that waits is not dropped when a newer snapshot shows it changed or gone, or has waited for too long',
    edits: [
      { file: 'src/engine/market.ts', find: "left.has(match.key), 'a newer", replace: "left.has(`${match.key} `), 'a newer" },
      {
        file: 'src/engine/market.ts',
        find: "other.has(match.key), 'a newer",
        replace: "other.has(`${match.key} `), 'a newer",
      },
      {
        file: 'src/engine/dispatch.ts',
        find: 'at - waiting.since > state.rules.patienceMs',
        replace: 'at - waiting.since > 1000 * state.rules.patienceMs',
      },
    ],
  },
  {
    name: 'paper-buys',
    breaks: 'a strategy that was set to dry-run buys',
    edits: [
      {
        file: 'src/engine/match.ts',
        find: "(strategy.lane === 'live' ? live : paper).push(strategy)",
        replace: "(strategy.text === '' ? paper : live).push(strategy)",
      },
    ],
  },
  {
    name: 'start-unlooked',
    breaks: 'buying opens before what was open was held against the orders of the account',
    edits: [
      {
        file: 'src/app/start-gate.ts',
        find: 'if (this.#unseen !== undefined) return this.missing(this.#unseen);',
        replace: 'if (this.#unseen !== undefined) this.missing(this.#unseen);',
      },
    ],
    survives: {
      because:
        'what is open keeps its money and its listing whether it was looked at or not; what an old backup has forgotten does not: the test begins with one',
      caughtBy: 'test/app/first-look.test.ts',
    },
  },
  {
    name: 'resume-unheard',
    breaks: 'a process that runs never obeys a resume: nothing is bought again before its next start',
    edits: [
      {
        file: 'src/app/outside.ts',
        find: 'halt === undefined && known !== undefined && resumed && !haltWaits()',
        replace: 'halt === undefined && known !== undefined && resumed && haltWaits()',
      },
    ],
  },
  {
    name: 'debit-above-ignored',
    breaks: 'a debit above what was expected is neither told nor halts',
    edits: [
      {
        file: 'src/execution/evidence/settle.ts',
        find: 'if (paid === undefined || paid <= purchase.cost + TOLERANCE) return [];',
        replace: 'if (paid === undefined || paid <= 1000 * purchase.cost + TOLERANCE) return [];',
      },
    ],
  },
  {
    name: 'wrong-goods-ignored',
    breaks: 'an answer that names other goods than asked for halts nothing',
    edits: [
      {
        file: 'src/execution/buyer.ts',
        find: 'const halt = tripOf(purchase, outcome);',
        replace: "const halt = outcome.kind === 'bought' ? undefined : tripOf(purchase, outcome);",
      },
    ],
  },
];

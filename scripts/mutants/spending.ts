import type { Edit, Mutant } from './mutant.ts';

const caps = 'src/risk/caps.ts';
const usage = 'src/risk/usage.ts';
const rows = 'src/ledger/usage.ts';
const domain = 'src/domain/purchase.ts';
const balances = 'src/ledger/balances.ts';

const notInFlight = (state: string): string => `${state} !== 'intended' && ${state} !== 'unknown'`;
const inMemory: Edit = {
  file: usage,
  find: '    if (row.at <= dayAgo) continue;',
  replace: `    if (row.at <= dayAgo || !(${notInFlight('row.state')})) continue;`,
};
const inRows: Edit = {
  file: rows,
  find: 'FROM purchases WHERE committed = 1 AND lane = ? AND created_at > ? AND created_at <= ?',
  replace:
    "FROM purchases WHERE committed = 1 AND state NOT IN ('intended', 'unknown') AND lane = ? AND created_at > ? AND created_at <= ?",
};
const holdsInMemory: Edit = {
  file: 'src/risk/balance.ts',
  find: 'return subtract(reading.amount, sum([...holds].map((hold) => hold.amount)));',
  replace: 'return subtract(reading.amount, sum([...holds].map((hold) => subtract(hold.amount, hold.amount))));',
};
const holdsInRows: Edit = {
  file: balances,
  find: 'return { amount: reading.amount, expected, available: subtract(expected, micros(reserved)) };',
  replace: 'return { amount: reading.amount, expected, available: micros(reading.amount + 0 * reserved) };',
};

/** Faults of what may be spent. */
export const spending: readonly Mutant[] = [
  {
    name: 'caps-without-in-flight',
    breaks: 'the windows of the caps count neither what is in flight nor what is unknown',
    edits: [inMemory, inRows],
  },
  {
    name: 'caps-without-in-flight-in-memory',
    breaks: 'the windows of the caps count neither what is in flight nor what is unknown, in the engine alone',
    edits: [inMemory],
    survives: {
      because: 'the transaction that writes the intent counts again, from rows',
      caughtBy: 'test/engine/exposure.test.ts',
    },
  },
  {
    name: 'caps-without-in-flight-in-rows',
    breaks: 'the windows of the caps count neither what is in flight nor what is unknown, in the ledger alone',
    edits: [inRows],
    survives: { because: 'the engine has counted before', caughtBy: 'test/ledger/laws.test.ts' },
  },
  {
    name: 'cap-without-fee',
    breaks: 'the caps count the base price, not what is debited',
    edits: [{ file: caps, find: '  const { cost } = intent.listing;', replace: '  const cost = intent.listing.priceMicros;' }],
  },
  {
    name: 'max-price-ignored',
    breaks: 'limits.maxPrice is read by nobody',
    edits: [
      {
        file: caps,
        find: 'if (limits.maxPrice !== undefined && cost > limits.maxPrice) {',
        replace: 'if (limits.maxPrice !== undefined && cost > 1000 * limits.maxPrice) {',
      },
    ],
  },
  {
    name: 'reserve-ignored',
    breaks: 'the reserve is spent',
    edits: [{ file: caps, find: 'if (left >= limits.reserve) return undefined;', replace: 'if (left >= 0) return undefined;' }],
  },
  {
    name: 'balance-debits-ignored',
    breaks: 'what is in flight, unknown or not yet debited is not taken from the balance that was read',
    edits: [holdsInMemory, holdsInRows],
  },
  {
    name: 'balance-lag-ignored',
    breaks: 'a purchase is taken for debited at the first reading after its answer',
    edits: [
      { file: 'src/risk/balance.ts', find: 'export const BALANCE_LAG_MS = 60_000;', replace: 'export const BALANCE_LAG_MS = 0;' },
    ],
  },
  {
    name: 'refund-refills-window',
    breaks: 'money that came back refills the caps of the hour and the day',
    edits: [
      { file: rows, find: '  SELECT coalesce(sum(amount), 0) AS spend,', replace: '  SELECT coalesce(sum(net), 0) AS spend,' },
      {
        file: 'src/engine/exposure.ts',
        find: '          at: purchase.createdAt,\n          amount,\n',
        replace: '          at: purchase.createdAt,\n          amount: net,\n',
      },
    ],
  },
  {
    name: 'short-hour',
    breaks: 'the hour of the caps is half an hour',
    edits: [{ file: 'src/domain/limits.ts', find: 'hour: 3_600_000', replace: 'hour: 1_800_000' }],
  },
  {
    name: 'day-from-midnight',
    breaks: 'the day of the caps begins at midnight',
    edits: [
      {
        file: usage,
        find: '    if (row.at <= dayAgo) continue;',
        replace: '    if (row.at < now - (now % windowMs.day)) continue;',
      },
      {
        file: rows,
        find: 'dayAgo: windowStart(now - windowMs.day, slow) }',
        replace: 'dayAgo: now - (now % windowMs.day) }',
      },
    ],
    survives: {
      because:
        'it takes a cap of the day that fills before midnight and is reached anew after it, within a day: of the lives that pass midnight hardly one does that',
      caughtBy: 'test/risk/caps.test.ts',
    },
  },
  {
    name: 'open-not-counted',
    breaks: 'limits.openPurchases is read by nobody',
    edits: [
      {
        file: caps,
        find: 'if (usage.open >= limits.openPurchases) {',
        replace: 'if (usage.open >= 1000 * limits.openPurchases) {',
      },
    ],
  },
  {
    name: 'unknown-does-not-pause',
    breaks: 'buying goes on while purchases are unknown',
    edits: [
      { file: caps, find: 'if (usage.unknown >= limits.unknown) {', replace: 'if (usage.unknown >= 1000 * limits.unknown) {' },
    ],
  },
  {
    name: 'breaker-per-hour-ignored',
    breaks: 'limits.breaker.perHour is read by nobody',
    edits: [
      {
        file: caps,
        find: 'if (usage.committedInHour >= limits.breaker.perHour) {',
        replace: 'if (usage.committedInHour >= 1000 * limits.breaker.perHour) {',
      },
    ],
  },
  {
    name: 'item-off-by-one',
    breaks: 'one more of an item is bought than limits.perItem allows',
    edits: [
      {
        file: caps,
        find: 'if (cap !== undefined && used[window] >= cap) {',
        replace: 'if (cap !== undefined && used[window] > cap) {',
      },
    ],
  },
  {
    name: 'item-by-listing',
    breaks: 'perItem counts an item anew for each strategy',
    edits: [
      {
        file: caps,
        find: "countRefusal('item', limits.perItem, usage.item)",
        replace: "countRefusal('item', limits.perItem, usage.strategyItem)",
      },
    ],
  },
  {
    name: 'strategy-caps-ignored',
    breaks: 'the spend of a strategy is not held to its own limits',
    edits: [
      {
        file: caps,
        find: "spendRefusals('strategy-spend', cost, intent.limits.spend, usage.strategySpend)",
        replace: "spendRefusals('strategy-spend', cost, limits.spend, usage.strategySpend)",
      },
    ],
  },
  {
    name: 'refusal-not-held',
    breaks: 'a refusal that is not confirmed claims no money',
    edits: [
      {
        file: domain,
        find: "  return purchase.state !== 'rejected' || purchase.held;\n}\n\n/** Money",
        replace: "  return purchase.state !== 'rejected';\n}\n\n/** Money",
      },
    ],
    survives: {
      because: 'the transaction that writes the intent counts from rows, where the rule stands in SQL',
      caughtBy: 'test/ledger/laws.test.ts',
    },
  },
];

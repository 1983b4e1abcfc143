import { type PurchaseState, mayMove, purchaseStates } from '../domain/purchase.ts';
import type { Connection } from './connection.ts';
import { closesListing } from './schema.ts';

/**
 * What `totals` must hold, by the rows; what is nothing may be left out: an order of somebody else that was explained leaves such a row
 * where nothing else is of its item.
 */
const totalsOfRows = `
  SELECT lane, strategy, item, sum(spend) AS spend, sum(count) AS count FROM (
    SELECT lane, '' AS strategy, '' AS item, net AS spend, counted AS count FROM purchases
    UNION ALL SELECT lane, '', item, net, counted FROM purchases
    UNION ALL SELECT lane, strategy, '', net, counted FROM purchases
    UNION ALL SELECT lane, strategy, item, net, counted FROM purchases
    UNION ALL SELECT 'live', '', '', amount, 1 FROM orders WHERE known_as = 'adopted'
    UNION ALL SELECT 'live', '', item, amount, 1 FROM orders WHERE known_as = 'adopted' AND item <> ''
  ) GROUP BY lane, strategy, item`;

const states = Object.keys(purchaseStates) as PurchaseState[];

const legalMoves = states.flatMap((from) => states.filter((to) => mayMove(from, to)).map((to) => `'${from} ${to}'`));

/** What was agreed on when the intent was written; id, market and price travel as one immutable value. */
const fixedColumns =
  'account, lane, strategy, strategy_hash, market, listing_id, item_id, market_hash_name, item, wear, paint_seed, price, price_micros, ' +
  'price_with_fee, cost, steam, base_seq, base_total, base_balance, seen_at, decided_at, created_at';

function forbid(when: string, words: string, condition = ''): string {
  return `BEFORE ${when}${condition} BEGIN SELECT RAISE(ABORT, '${words}'); END`;
}

/**
 * What no code may do to the rows of money, by name of the trigger. They are code rather than data: made anew at each start from
 * the table of legal moves in the domain, so that the two cannot differ.
 */
const rules: Readonly<Record<string, string>> = {
  rule_first_state: forbid(
    'INSERT ON purchases',
    'a purchase begins as intended or simulated',
    " WHEN NEW.state NOT IN ('intended', 'simulated') OR NEW.surplus = 1",
  ),
  rule_one_listing_one_purchase: forbid(
    'INSERT ON purchases',
    'this listing was bought, or may have been',
    // The plus keeps SQLite from looking through all live purchases instead of those of the listing.
    ` WHEN NEW.lane = 'live' AND EXISTS (SELECT 1 FROM purchases WHERE market = NEW.market AND listing_id = NEW.listing_id
      AND account = NEW.account AND +lane = 'live' AND ${closesListing})`,
  ),
  rule_surplus: forbid(
    'UPDATE OF surplus ON purchases',
    'only what was bought after all can be more than one purchase of a listing',
    " WHEN OLD.surplus <> NEW.surplus AND (NEW.surplus = 0 OR OLD.state <> 'rejected' OR NEW.state <> 'bought')",
  ),
  rule_legal_moves: forbid(
    'UPDATE OF state ON purchases',
    'this move between states is not legal',
    ` WHEN OLD.state <> NEW.state AND OLD.state || ' ' || NEW.state NOT IN (${legalMoves.join(', ')})`,
  ),
  rule_once_unknown: forbid(
    'UPDATE OF was_unknown ON purchases',
    'a purchase that was unknown stays marked',
    ' WHEN OLD.was_unknown = 1 AND NEW.was_unknown = 0',
  ),
  rule_fixed_offer: forbid(`UPDATE OF ${fixedColumns} ON purchases`, 'what was agreed on does not change'),
  rule_purchases_stay: forbid('DELETE ON purchases', 'purchases are kept'),
  rule_evidence_stays: forbid('DELETE ON evidence', 'evidence is kept'),
  rule_evidence_is_final: forbid('UPDATE ON evidence', 'evidence does not change'),
  // The sums count an order of somebody else when its row is made, and take it out when it is explained: no other way may lead there.
  rule_adopted_from_the_first: forbid(
    'UPDATE OF known_as ON orders',
    'an order is counted as somebody else’s from the first, or never',
    " WHEN NEW.known_as = 'adopted' AND OLD.known_as <> 'adopted'",
  ),
  rule_order_counts_as_seen: forbid(
    'UPDATE OF account, order_id, amount, item ON orders',
    'what an order counts as does not change',
  ),
  rule_orders_stay: forbid('DELETE ON orders', 'orders are kept'),
  rule_transactions_stay: forbid('DELETE ON transactions_used', 'used transactions are kept'),
};

/** Puts the rules into the database where they differ from what stands there. Call it inside a transaction. */
export function enforceRules(db: Connection): void {
  const standing = new Map(
    db
      .prepare<[], { name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'rule!_%' ESCAPE '!'",
      )
      .all()
      .map(({ name, sql }) => [name, sql]),
  );
  for (const [name, rule] of Object.entries(rules)) {
    const sql = `CREATE TRIGGER ${name} ${rule}`;
    if (standing.get(name) !== sql) db.exec(`DROP TRIGGER IF EXISTS ${name}; ${sql};`);
    standing.delete(name);
  }
  for (const name of standing.keys()) db.exec(`DROP TRIGGER ${quoted(name)}`);
}

/** A name as SQL, whatever somebody called a trigger in a database that is not only ours. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Holds the kept sums to the rows, and makes them anew from the rows where they differ. Returns whether they did. */
export function recountTotals(db: Connection): boolean {
  const differ = db.prepare<[], number>(
    `WITH kept AS (SELECT lane, strategy, item, spend, count FROM totals WHERE spend <> 0 OR count <> 0),
      counted AS (SELECT * FROM (${totalsOfRows}) WHERE spend <> 0 OR count <> 0)
    SELECT EXISTS (SELECT * FROM counted EXCEPT SELECT * FROM kept) OR EXISTS (SELECT * FROM kept EXCEPT SELECT * FROM counted)`,
  );
  if (differ.pluck().get() === 0) return false;
  db.exec(`DELETE FROM totals; INSERT INTO totals (lane, strategy, item, spend, count) ${totalsOfRows}`);
  return true;
}

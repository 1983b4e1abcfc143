/** What `itemKey` of the domain makes of any name that an item has; SQLite knows no case but that of ASCII, and no true name has another. */
function itemOf(name: string): string {
  return `lower(trim(replace(replace(${name}, '  ', ' '), '  ', ' ')))`;
}

/**
 * Readings of the balance say which evidence was there before them: their times alone say little where the clock was set back. A
 * refund says when the service booked it, which may be long before it is seen. Purchases and orders of one item count together however
 * its name was written: `item` is what `itemKey` of the domain makes of it, and sums are kept by that. `committed_at` is when the row of
 * an intent was on the disk, kept with its outcome: a transaction cannot know its own end. Like any step it stays as it was released,
 * also where later code asks otherwise.
 */
export const schemaV2 = `
ALTER TABLE balances ADD COLUMN after_seq INTEGER;
ALTER TABLE transactions_used ADD COLUMN booked_at REAL;

ALTER TABLE purchases ADD COLUMN committed_at REAL;
CREATE INDEX purchases_sent ON purchases (id) WHERE sent_at IS NOT NULL;
ALTER TABLE purchases ADD COLUMN item TEXT NOT NULL DEFAULT '';
UPDATE purchases SET item = ${itemOf('market_hash_name')};
DROP INDEX purchases_recent;
CREATE INDEX purchases_recent ON purchases (lane, committed, created_at, amount, strategy, item, market_hash_name, state);
ALTER TABLE orders ADD COLUMN item TEXT NOT NULL DEFAULT '';
UPDATE orders SET item = ${itemOf('name')};
DROP INDEX orders_adopted;
CREATE INDEX orders_adopted ON orders (first_seen, status_code, item) WHERE known_as = 'adopted';
CREATE INDEX orders_nameless ON orders (seq) WHERE known_as = 'adopted' AND item = '';
CREATE INDEX orders_of_item ON orders (item_id) WHERE item_id IS NOT NULL;

DROP TRIGGER totals_of_new_purchase;
CREATE TRIGGER totals_of_new_purchase AFTER INSERT ON purchases BEGIN
  INSERT INTO totals (lane, strategy, item, spend, count) VALUES
    (NEW.lane, '', '', NEW.net, NEW.counted),
    (NEW.lane, '', NEW.item, NEW.net, NEW.counted),
    (NEW.lane, NEW.strategy, '', NEW.net, NEW.counted),
    (NEW.lane, NEW.strategy, NEW.item, NEW.net, NEW.counted)
  ON CONFLICT DO UPDATE SET spend = spend + excluded.spend, count = count + excluded.count;
END;
DROP TRIGGER totals_of_changed_purchase;
CREATE TRIGGER totals_of_changed_purchase AFTER UPDATE ON purchases WHEN NEW.net <> OLD.net OR NEW.counted <> OLD.counted BEGIN
  UPDATE totals SET spend = spend + NEW.net - OLD.net, count = count + NEW.counted - OLD.counted
  WHERE lane = NEW.lane AND strategy IN ('', NEW.strategy) AND item IN ('', NEW.item);
END;
DROP TRIGGER totals_of_new_order;
CREATE TRIGGER totals_of_new_order AFTER INSERT ON orders WHEN NEW.known_as = 'adopted' BEGIN
  INSERT INTO totals (lane, strategy, item, spend, count)
  SELECT 'live', '', item, NEW.amount, 1 FROM (SELECT '' AS item UNION SELECT NEW.item) WHERE true
  ON CONFLICT DO UPDATE SET spend = spend + excluded.spend, count = count + excluded.count;
END;
DROP TRIGGER totals_of_explained_order;
CREATE TRIGGER totals_of_explained_order AFTER UPDATE OF known_as ON orders
  WHEN OLD.known_as = 'adopted' AND NEW.known_as <> 'adopted' BEGIN
  UPDATE totals SET spend = spend - OLD.amount, count = count - 1
  WHERE lane = 'live' AND strategy = '' AND item IN ('', OLD.item);
END;
DELETE FROM totals;
INSERT INTO totals (lane, strategy, item, spend, count)
  SELECT lane, strategy, item, sum(spend), sum(count) FROM (
    SELECT lane, '' AS strategy, '' AS item, net AS spend, counted AS count FROM purchases
    UNION ALL SELECT lane, '', item, net, counted FROM purchases
    UNION ALL SELECT lane, strategy, '', net, counted FROM purchases
    UNION ALL SELECT lane, strategy, item, net, counted FROM purchases
    UNION ALL SELECT 'live', '', '', amount, 1 FROM orders WHERE known_as = 'adopted'
    UNION ALL SELECT 'live', '', item, amount, 1 FROM orders WHERE known_as = 'adopted' AND item <> ''
  ) GROUP BY lane, strategy, item;
`;

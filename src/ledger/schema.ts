/** Marks the file as Magpie's ledger: "MgPi" in ASCII. */
export const APPLICATION_ID = 0x4d_67_50_69;

/** The tables from which caps, claims and evidence are computed. */
export const moneyTables = ['purchases', 'evidence', 'orders', 'transactions_used', 'totals', 'halts'] as const;

/** Which live purchases forbid another one of their listing, as src/domain/purchase.ts has it. */
export const closesListing =
  "(state IN ('intended', 'unknown', 'bought', 'completed', 'refunded') OR (state = 'rejected' AND (held = 1 OR was_unknown = 1)))";

/**
 * Amounts are whole micro-dollars, times epoch milliseconds with a fraction. `amount`, `committed`, `net` and `counted` say in
 * SQL what src/domain/purchase.ts and src/risk/usage.ts say of a purchase; the tests hold them to each other. (The first two are
 * written and checked, since an index over generated columns is not used alone.) `accepted_seq` is a place in
 * the evidence: what came before what must not depend on a clock that may be set back between two runs. `surplus`: a refusal that
 * was confirmed and turned out bought after all, when its listing had been tried again meanwhile. What happened is booked, though
 * it should not have; for a new purchase of the listing both stand in the way.
 */
const purchases = `
CREATE TABLE purchases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  lane TEXT NOT NULL CHECK (lane IN ('live', 'paper')),
  state TEXT NOT NULL CHECK (state IN
    ('intended', 'unknown', 'bought', 'completed', 'refunded', 'rejected', 'expired', 'simulated')),
  strategy TEXT NOT NULL CHECK (strategy <> ''),
  strategy_hash TEXT NOT NULL,
  market TEXT NOT NULL CHECK (market <> ''),
  listing_id TEXT NOT NULL CHECK (listing_id <> ''),
  item_id TEXT NOT NULL CHECK (item_id <> ''),
  market_hash_name TEXT NOT NULL CHECK (market_hash_name <> ''),
  wear REAL,
  paint_seed REAL,
  price REAL NOT NULL CHECK (price > 0),
  price_micros INTEGER NOT NULL CHECK (price_micros >= 0),
  price_with_fee REAL NOT NULL CHECK (price_with_fee > 0),
  cost INTEGER NOT NULL CHECK (cost > 0),
  steam INTEGER CHECK (steam >= 0),
  service_order_id TEXT,
  upstream_order_id TEXT,
  order_status TEXT,
  paid INTEGER CHECK (paid >= 0),
  refunded INTEGER NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND coalesce(paid, cost)),
  reason TEXT,
  held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
  was_unknown INTEGER NOT NULL DEFAULT 0 CHECK (was_unknown IN (0, 1)),
  refusal_cause TEXT,
  debit_seen INTEGER NOT NULL DEFAULT 0 CHECK (debit_seen IN (0, 1)),
  surplus INTEGER NOT NULL DEFAULT 0 CHECK (surplus IN (0, 1)),
  base_seq INTEGER NOT NULL CHECK (base_seq >= 0),
  base_total INTEGER,
  base_balance INTEGER,
  seen_at REAL NOT NULL,
  decided_at REAL NOT NULL,
  created_at REAL NOT NULL,
  sent_at REAL,
  wire_answered_at REAL,
  updated_at REAL NOT NULL,
  moved_at REAL NOT NULL,
  accepted_at REAL,
  accepted_seq INTEGER,
  answered_at REAL,
  completed_at REAL,
  settlement_at REAL,
  proof TEXT,
  amount INTEGER NOT NULL CHECK (amount = coalesce(paid, cost)),
  committed INTEGER NOT NULL CHECK (committed = CASE WHEN state = 'expired' OR (state = 'rejected' AND held = 0) THEN 0 ELSE 1 END),
  net INTEGER GENERATED ALWAYS AS (CASE WHEN committed = 1 THEN max(0, amount - refunded) ELSE 0 END) VIRTUAL,
  counted INTEGER GENERATED ALWAYS AS (CASE WHEN committed = 1 AND (amount = 0 OR amount > refunded) THEN 1 ELSE 0 END) VIRTUAL,
  CHECK ((lane = 'paper') = (state = 'simulated')),
  CHECK (held = 0 OR state = 'rejected'),
  CHECK (state <> 'unknown' OR was_unknown = 1)
) STRICT;

CREATE UNIQUE INDEX one_live_purchase ON purchases (account, market, listing_id) WHERE lane = 'live' AND surplus = 0 AND ${closesListing};
CREATE UNIQUE INDEX one_simulated_purchase ON purchases (account, market, listing_id, price) WHERE lane = 'paper';
CREATE UNIQUE INDEX one_order_each ON purchases (account, service_order_id) WHERE service_order_id IS NOT NULL;
CREATE INDEX purchases_of_listing ON purchases (market, listing_id);
CREATE INDEX purchases_by_state ON purchases (lane, state, moved_at);
CREATE INDEX purchases_held ON purchases (id) WHERE held = 1;
CREATE INDEX purchases_undebited ON purchases (id)
  WHERE lane = 'live' AND debit_seen = 0 AND state IN ('bought', 'completed', 'refunded');
CREATE INDEX purchases_accepted ON purchases (accepted_seq) WHERE accepted_seq IS NOT NULL;
CREATE INDEX purchases_settling ON purchases (settlement_at) WHERE state = 'completed' AND settlement_at IS NOT NULL;
CREATE INDEX purchases_recent ON purchases (lane, committed, created_at, amount, strategy, market_hash_name, state);

CREATE TABLE evidence (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  purchase_id INTEGER NOT NULL REFERENCES purchases (id),
  at REAL NOT NULL,
  from_state TEXT,
  to_state TEXT NOT NULL,
  kind TEXT NOT NULL,
  note TEXT,
  json TEXT
) STRICT;
CREATE INDEX evidence_of_purchase ON evidence (purchase_id, seq);
`;

/**
 * An order that a list shows under another id than the answer to its buy has two rows; the later one is the `same_as` the earlier
 * and does not count again. `listed`: a list has shown it under this id. `after_seq`: the newest evidence when a transaction was used.
 */
const orders = `
CREATE TABLE orders (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  account TEXT NOT NULL,
  order_id TEXT NOT NULL,
  known_as TEXT NOT NULL CHECK (known_as IN ('ours', 'baseline', 'adopted')),
  purchase_id INTEGER REFERENCES purchases (id),
  listed INTEGER NOT NULL CHECK (listed IN (0, 1)),
  same_as INTEGER REFERENCES orders (seq),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  name TEXT NOT NULL,
  item_id TEXT,
  currency TEXT,
  status_code TEXT NOT NULL,
  status_label TEXT,
  ordered_at REAL,
  settlement_at REAL,
  cancel_reason TEXT,
  first_seen REAL NOT NULL,
  last_seen REAL NOT NULL,
  UNIQUE (account, order_id),
  CHECK ((known_as = 'ours') = (purchase_id IS NOT NULL)),
  CHECK (same_as IS NULL OR known_as = 'ours')
) STRICT;
CREATE UNIQUE INDEX one_order_of_purchase ON orders (purchase_id) WHERE same_as IS NULL AND purchase_id IS NOT NULL;
CREATE UNIQUE INDEX one_listed_order ON orders (purchase_id) WHERE listed = 1 AND purchase_id IS NOT NULL;
CREATE INDEX orders_of_purchase ON orders (purchase_id) WHERE purchase_id IS NOT NULL;
CREATE INDEX orders_adopted ON orders (first_seen) WHERE known_as = 'adopted';

CREATE TABLE transactions_used (
  account TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  purchase_id INTEGER REFERENCES purchases (id),
  used_as TEXT NOT NULL CHECK (used_as IN ('bought', 'paid', 'refund', 'baseline')),
  amount INTEGER CHECK (amount >= 0),
  after_seq INTEGER NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (account, transaction_id),
  CHECK ((used_as = 'baseline') = (purchase_id IS NULL)),
  CHECK ((used_as = 'refund') = (amount IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX transactions_of_purchase ON transactions_used (purchase_id) WHERE purchase_id IS NOT NULL;
CREATE INDEX refunds_in_order ON transactions_used (after_seq, amount) WHERE used_as = 'refund';
`;

/** Sums over all time, so that a cap costs the same after a year; '' stands for every strategy or every item. */
const totals = `
CREATE TABLE totals (
  lane TEXT NOT NULL,
  strategy TEXT NOT NULL,
  item TEXT NOT NULL,
  spend INTEGER NOT NULL CHECK (spend >= 0),
  count INTEGER NOT NULL CHECK (count >= 0),
  PRIMARY KEY (lane, strategy, item)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER totals_of_new_purchase AFTER INSERT ON purchases BEGIN
  INSERT INTO totals (lane, strategy, item, spend, count) VALUES
    (NEW.lane, '', '', NEW.net, NEW.counted),
    (NEW.lane, '', NEW.market_hash_name, NEW.net, NEW.counted),
    (NEW.lane, NEW.strategy, '', NEW.net, NEW.counted),
    (NEW.lane, NEW.strategy, NEW.market_hash_name, NEW.net, NEW.counted)
  ON CONFLICT DO UPDATE SET spend = spend + excluded.spend, count = count + excluded.count;
END;
CREATE TRIGGER totals_of_changed_purchase AFTER UPDATE ON purchases WHEN NEW.net <> OLD.net OR NEW.counted <> OLD.counted BEGIN
  UPDATE totals SET spend = spend + NEW.net - OLD.net, count = count + NEW.counted - OLD.counted
  WHERE lane = NEW.lane AND strategy IN ('', NEW.strategy) AND item IN ('', NEW.market_hash_name);
END;
CREATE TRIGGER totals_of_new_order AFTER INSERT ON orders WHEN NEW.known_as = 'adopted' BEGIN
  INSERT INTO totals (lane, strategy, item, spend, count)
  SELECT 'live', '', item, NEW.amount, 1 FROM (SELECT '' AS item UNION SELECT NEW.name) WHERE true
  ON CONFLICT DO UPDATE SET spend = spend + excluded.spend, count = count + excluded.count;
END;
CREATE TRIGGER totals_of_explained_order AFTER UPDATE OF known_as ON orders
  WHEN OLD.known_as = 'adopted' AND NEW.known_as <> 'adopted' BEGIN
  UPDATE totals SET spend = spend - OLD.amount, count = count - 1
  WHERE lane = 'live' AND strategy = '' AND item IN ('', OLD.name);
END;
`;

const rest = `
CREATE TABLE halts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reason TEXT NOT NULL,
  by_whom TEXT NOT NULL,
  at REAL NOT NULL,
  resumed_at REAL
) STRICT;
CREATE INDEX halts_standing ON halts (id) WHERE resumed_at IS NULL;

CREATE TABLE balances (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  amount INTEGER NOT NULL,
  began_at REAL NOT NULL,
  ended_at REAL NOT NULL
) STRICT;

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('buy', 'reconcile', 'audit')),
  args TEXT NOT NULL,
  at REAL NOT NULL,
  claimed_at REAL,
  answer TEXT,
  answered_at REAL,
  CHECK ((answer IS NULL) = (answered_at IS NULL))
) STRICT;
CREATE INDEX requests_waiting ON requests (id) WHERE answer IS NULL;

CREATE TABLE alerts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  at REAL NOT NULL,
  message TEXT NOT NULL,
  next TEXT,
  purchase_id INTEGER
) STRICT;
CREATE INDEX alerts_of_purchase ON alerts (purchase_id, kind) WHERE purchase_id IS NOT NULL;

CREATE TABLE decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at REAL NOT NULL,
  lane TEXT NOT NULL,
  market TEXT NOT NULL,
  listing_id TEXT NOT NULL,
  market_hash_name TEXT NOT NULL,
  strategy TEXT NOT NULL,
  strategy_hash TEXT NOT NULL,
  cost INTEGER NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('admitted', 'refused')),
  reason TEXT,
  detail TEXT
) STRICT;
CREATE INDEX decisions_of_listing ON decisions (listing_id, id);

CREATE TABLE strategies (hash TEXT PRIMARY KEY, text TEXT NOT NULL, first_seen REAL NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE hours (hour REAL PRIMARY KEY, matches INTEGER NOT NULL CHECK (matches >= 0)) STRICT, WITHOUT ROWID;
`;

/** The first version of the ledger, as it was released: never edited, only migrated from. */
export const schemaV1 = `PRAGMA application_id = ${APPLICATION_ID};\n${purchases}${orders}${totals}${rest}`;

/** `MgTr`, so that no other program's database passes for one of these. */
export const APPLICATION_ID = 0x4d_67_54_72;

/**
 * The treasury's own journal. What was written of a transfer never changes but by being settled, once; one child has one open transfer at
 * most; nothing is ever deleted.
 */
export const TREASURY_SCHEMA = `
PRAGMA application_id = 1298617458;
PRAGMA user_version = 1;
CREATE TABLE transfers (
  id INTEGER PRIMARY KEY,
  idempotency_key TEXT NOT NULL UNIQUE CHECK (length(idempotency_key) BETWEEN 1 AND 128),
  child TEXT NOT NULL,
  to_email TEXT,
  to_key_id TEXT,
  amount_cents INTEGER NOT NULL CHECK (typeof(amount_cents) = 'integer' AND amount_cents >= 1),
  state TEXT NOT NULL CHECK (state IN ('open', 'made', 'refused', 'not-made')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  created_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  settled_at INTEGER,
  settled_by TEXT,
  request_id TEXT,
  said TEXT,
  CHECK ((to_email IS NULL) <> (to_key_id IS NULL)),
  CHECK ((state = 'open') = (settled_at IS NULL))
) STRICT;
CREATE UNIQUE INDEX one_open_transfer ON transfers (child) WHERE state = 'open';
CREATE INDEX transfers_by_settling ON transfers (settled_at);
CREATE TRIGGER transfers_are_kept BEFORE DELETE ON transfers BEGIN
  SELECT RAISE(ABORT, 'a transfer is never deleted');
END;
CREATE TRIGGER settled_transfers_stay BEFORE UPDATE ON transfers WHEN OLD.state <> 'open' BEGIN
  SELECT RAISE(ABORT, 'a settled transfer never changes');
END;
CREATE TRIGGER transfers_stay_what_they_are BEFORE UPDATE OF idempotency_key, child, to_email, to_key_id, amount_cents, created_at
ON transfers BEGIN
  SELECT RAISE(ABORT, 'what was sent never changes');
END;
CREATE TABLE halts (
  id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL,
  by_whom TEXT NOT NULL,
  at INTEGER NOT NULL,
  resumed_at INTEGER
) STRICT;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

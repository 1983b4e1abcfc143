/**
 * What was seen of each name's steamPrice and of its cheapest listing, a row for each name and day. Names stand in a table of their own,
 * since each has a row for every day that is kept; there the newest reading is kept too.
 */
export const schemaV5 = `
CREATE TABLE reference_names (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  last_day INTEGER NOT NULL,
  read_at REAL NOT NULL,
  floor INTEGER NOT NULL,
  next_floor INTEGER
) STRICT;
CREATE TABLE reference_days (
  name INTEGER NOT NULL,
  day INTEGER NOT NULL,
  readings INTEGER NOT NULL,
  steam INTEGER,
  floor INTEGER NOT NULL,
  PRIMARY KEY (name, day)
) STRICT, WITHOUT ROWID;
`;

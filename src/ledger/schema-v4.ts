/**
 * What became of the listings of purchases on paper: told apart from the purchases themselves, which stay as they were made. One without
 * a row was not checked yet.
 */
export const schemaV4 = `
CREATE TABLE shadows (
  purchase_id INTEGER PRIMARY KEY REFERENCES purchases (id),
  reason TEXT NOT NULL CHECK (reason <> ''),
  detail TEXT,
  latency_ms REAL CHECK (latency_ms >= 0),
  measured_on INTEGER CHECK (measured_on > 0),
  asked_after_ms REAL,
  at REAL NOT NULL
) STRICT;
`;

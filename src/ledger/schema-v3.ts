/** Which strategies and limits were in force from when on: each start and each change of them while Magpie runs, once. */
export const schemaV3 = `
CREATE TABLE rule_changes (
  seq INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  why TEXT NOT NULL,
  what TEXT NOT NULL,
  settings TEXT NOT NULL,
  strategies TEXT NOT NULL
) STRICT;
`;

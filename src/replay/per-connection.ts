import type Database from 'better-sqlite3';

/** What is made once for each connection, mostly statements: preparing those that are asked after every poll takes as long as its rows. */
export function perConnection<T>(make: (db: Database.Database) => T): (db: Database.Database) => T {
  const made = new WeakMap<Database.Database, T>();
  return (db) => {
    const before = made.get(db);
    if (before !== undefined) return before;
    const first = make(db);
    made.set(db, first);
    return first;
  };
}

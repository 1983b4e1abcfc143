/**
 * Takers and the rows that each may have, as many of them with one as can have one: where no row is free, one whose taker can have
 * another (augmenting paths, as Kuhn's method finds them).
 */
export class Assignment<T, R> {
  readonly #rowsOf: (taker: T) => readonly (readonly R[])[];
  readonly #takers = new Map<R, T>();

  /** `rowsOf` gives what a taker may have, best first, in groups: no row of a later one while there is one of an earlier. */
  constructor(rowsOf: (taker: T) => readonly (readonly R[])[]) {
    this.#rowsOf = rowsOf;
  }

  get pairs(): readonly (readonly [R, T])[] {
    return [...this.#takers];
  }

  /** Gives the taker a row; whether there was one. */
  give(taker: T): boolean {
    return this.#give(taker, new Set());
  }

  #give(taker: T, asked: Set<R>): boolean {
    for (const group of this.#rowsOf(taker)) {
      const rows = group.filter((row) => !asked.has(row));
      const free = rows.find((row) => !this.#takers.has(row));
      if (free !== undefined) {
        this.#takers.set(free, taker);
        return true;
      }
      for (const row of rows) {
        asked.add(row);
        const holder = this.#takers.get(row);
        if (holder === undefined || !this.#give(holder, asked)) continue;
        this.#takers.set(row, taker);
        return true;
      }
    }
    return false;
  }
}

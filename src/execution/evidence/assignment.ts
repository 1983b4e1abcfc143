/**
 * Takers and the rows that each may have, as many of them with one as can have one: where no row is free, one whose taker can have
 * another (augmenting paths, as Kuhn's method finds them).
 */
export class Assignment<T, R> {
  readonly #rowsOf: (taker: T) => readonly (readonly R[])[];
  readonly #known = new Map<T, readonly (readonly R[])[]>();
  readonly #takers = new Map<R, T>();
  /** Asked for in vain: none of their takers will ever have another. */
  readonly #taken = new Set<R>();

  /** `rowsOf` gives what a taker may have, best first, in groups: no row of a later one while there is one of an earlier. */
  constructor(rowsOf: (taker: T) => readonly (readonly R[])[]) {
    this.#rowsOf = rowsOf;
  }

  get pairs(): readonly (readonly [R, T])[] {
    return [...this.#takers];
  }

  /** Gives the taker a row; whether there was one. */
  give(taker: T): boolean {
    const asked = new Set<R>();
    const given = this.#give(taker, asked);
    if (!given) for (const row of asked) this.#taken.add(row);
    return given;
  }

  #groupsOf(taker: T): readonly (readonly R[])[] {
    const groups = this.#known.get(taker) ?? this.#rowsOf(taker);
    this.#known.set(taker, groups);
    return groups;
  }

  #give(taker: T, asked: Set<R>): boolean {
    for (const group of this.#groupsOf(taker)) {
      const rows = group.filter((row) => !asked.has(row) && !this.#taken.has(row));
      const free = rows.find((row) => !this.#takers.has(row));
      if (free !== undefined) {
        this.#takers.set(free, taker);
        return true;
      }
      for (const row of rows) {
        // Its holder may have been asked on the way from an earlier one.
        if (asked.has(row)) continue;
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

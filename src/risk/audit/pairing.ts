/** That a row may belong to somebody, and how well it fits: the smaller, the surer. */
export interface Fit<Owner> {
  readonly owner: Owner;
  readonly rank: number;
}

/**
 * Gives rows to owners, each once and the surest fits first. A row that finds only owners who have one still gets its place where
 * those can change theirs for another that fits them: of things that look alike none is left over because they were looked at in an
 * unlucky order.
 */
export function pairUp<Row, Owner>(rows: readonly Row[], fitsOf: (row: Row) => readonly Fit<Owner>[]): Map<Owner, Row> {
  const fits = new Map(rows.map((row) => [row, [...fitsOf(row)].sort((one, other) => one.rank - other.rank)]));
  const ranks = [...new Set([...fits.values()].flat().map(({ rank }) => rank))].sort((one, other) => one - other);
  const pairs = new Map<Owner, Row>();
  let left = rows;
  for (const rank of ranks) {
    const within = (row: Row): readonly Owner[] =>
      (fits.get(row) ?? []).filter((fit) => fit.rank <= rank).map(({ owner }) => owner);
    left = left.filter((row) => !place(row, within, pairs));
  }
  return pairs;
}

/** Looks for the shortest chain of changes at whose end somebody has nothing yet, and makes them. False where there is none. */
function place<Row, Owner>(row: Row, ownersOf: (row: Row) => readonly Owner[], pairs: Map<Owner, Row>): boolean {
  const wantedBy = new Map<Owner, Row>();
  const rowOf = new Map<Row, Owner>();
  const queue: Row[] = [row];
  for (const next of queue) {
    for (const owner of ownersOf(next)) {
      if (wantedBy.has(owner)) continue;
      wantedBy.set(owner, next);
      const has = pairs.get(owner);
      if (has === undefined) {
        changeAll(owner, { wantedBy, rowOf, pairs });
        return true;
      }
      rowOf.set(has, owner);
      queue.push(has);
    }
  }
  return false;
}

interface Chain<Row, Owner> {
  readonly wantedBy: ReadonlyMap<Owner, Row>;
  /** Who had a row before. */
  readonly rowOf: ReadonlyMap<Row, Owner>;
  readonly pairs: Map<Owner, Row>;
}

function changeAll<Row, Owner>(end: Owner, { wantedBy, rowOf, pairs }: Chain<Row, Owner>): void {
  let owner: Owner | undefined = end;
  while (owner !== undefined) {
    const row: Row | undefined = wantedBy.get(owner);
    if (row === undefined) return;
    pairs.set(owner, row);
    owner = rowOf.get(row);
  }
}

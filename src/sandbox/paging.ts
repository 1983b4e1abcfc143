/** The document gives 1 and 20 for the ledger; the same is assumed elsewhere, and that more than 100 are never given. */
const DEFAULT_LIMIT = 20;
const MOST = 100;

/** One page of rows. */
export function paged<T>(
  rows: readonly T[],
  query: { readonly page?: number | undefined; readonly limit?: number | undefined },
): { page: readonly T[]; number: number; limit: number } {
  const number = query.page ?? 1;
  const limit = Math.min(MOST, query.limit ?? DEFAULT_LIMIT);
  return { page: rows.slice((number - 1) * limit, number * limit), number, limit };
}

/** How much slower than usual a life goes: from lives of an hour to lives of a day and more. */
export const paces = [1, 3, 3, 8, 8, 20, 20, 50] as const;

/** What keeps people and orders waiting grows less than the pace of polls. */
export function patienceOf({ pace }: { readonly pace: number }): number {
  return Math.min(pace, 20);
}

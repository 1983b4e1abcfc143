/** How much slower than usual a life goes: from lives of an hour to lives of a day and more. */
export const paces = [1, 3, 3, 8, 8, 20, 20, 50] as const;

/** At this pace even a short life lasts longer than a day: the windows of a day move on while faults strike. */
export const PACE_OF_DAYS = 200;
export const DAYS_SHARE = 1 / 24;

/** What keeps people and orders waiting grows less than the pace of polls. */
export function patienceOf({ pace }: { readonly pace: number }): number {
  return Math.min(pace, 20);
}

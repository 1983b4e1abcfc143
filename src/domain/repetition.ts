/** Of a row of the same failures the first, the second, the fourth … is told: never a flood, never silence. */
export function isTold(timesInARow: number): boolean {
  return timesInARow > 0 && (timesInARow & (timesInARow - 1)) === 0;
}

/** Longer words are cut before they are compared: nobody mistypes a key of this length. */
const LENGTH_MAX = 64;

/**
 * The candidate that a mistyped word most likely meant: least edits (a character added, left out, changed, or two swapped),
 * without case, and at most a third of the word's length of them. A word that continues or begins a candidate counts as near.
 * undefined when nothing is near.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = normal(word);
  if (wanted === '') return undefined;
  let best: string | undefined;
  let least = Infinity;
  for (const candidate of candidates) {
    const other = normal(candidate);
    const limit = Math.max(1, Math.floor(Math.max(wanted.length, other.length) / 3));
    const distance = edits(wanted, other);
    // One that only lacks its end, or has one too many, is nearer than one that would have to be rewritten.
    const near = distance <= limit ? distance : continues(wanted, other) ? limit + distance / LENGTH_MAX : Infinity;
    if (near < least) [best, least] = [candidate, near];
  }
  return best;
}

function normal(word: string): string {
  return word
    .slice(0, LENGTH_MAX)
    .toLowerCase()
    .replace(/[\s_-]+/g, '');
}

function continues(a: string, b: string): boolean {
  const shorter = a.length < b.length ? a : b;
  return shorter.length >= 3 && (a.startsWith(b) || b.startsWith(a));
}

/** Optimal string alignment distance. */
export function edits(a: string, b: string): number {
  let twoBack: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (twoBack[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [twoBack, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

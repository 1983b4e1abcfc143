/**
 * Whether a regular expression has no unbounded repetition inside another one, which is what makes the time for a text grow out of
 * all proportion. A repetition with an upper bound counts as one when the bound is above 1,000.
 */
export function isLinear(pattern: string): boolean {
  return unboundedDepth(withoutClasses(pattern)) <= 1;
}

/** Escapes and character classes stand for one character each. */
function withoutClasses(pattern: string): string {
  return pattern.replace(/\\(?:[pPu]\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|k<\w+>|[^])|\[(?:\\[^]|[^\]\\])*\]/gi, '.');
}

/** How deep unbounded repetitions stand inside each other. */
function unboundedDepth(pattern: string): number {
  const open: number[] = [];
  let [deepest, last] = [0, 0];
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === '(') {
      open.push(deepest);
      deepest = 0;
      last = 0;
    } else if (sign === ')') {
      last = deepest;
      deepest = Math.max(open.pop() ?? 0, last);
    } else if (repeatsWithoutBound(pattern.slice(at))) {
      last += 1;
      deepest = Math.max(deepest, last);
    } else if (sign !== '{' && sign !== '?') last = 0;
    if (sign === '{') at = Math.max(at, pattern.indexOf('}', at));
  }
  return deepest;
}

function repeatsWithoutBound(rest: string): boolean {
  const [, upTo] = /^\{\d*,(\d*)\}/.exec(rest) ?? [];
  return /^[*+]/.test(rest) || upTo === '' || Number(upTo) > 1_000;
}

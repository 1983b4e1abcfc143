const KEPT_MAX = 1000;

/** The same function of a text, with its last answers kept. Forgets all when it holds too many, so that it stays small. */
export function remembered<T>(answer: (text: string) => T, keptMax = KEPT_MAX): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= keptMax) known.clear();
    const fresh = answer(text);
    known.set(text, fresh);
    return fresh;
  };
}

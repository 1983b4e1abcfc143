import type { Verdict } from './strategy.ts';

/** A comparison that could be made. */
export function verdictOf(holds: boolean): Verdict {
  return holds ? 'true' : 'false';
}

/** What is absent stays absent. */
export function negated(verdict: Verdict): Verdict {
  if (verdict === 'absent') return 'absent';
  return verdict === 'true' ? 'false' : 'true';
}

/** Judges a value by itself and by what is around it. */
type Judge<T, A> = (value: T, around: A) => Verdict;

/** A verdict on many: as soon as one is `deciding`, that is it; else absent if any is; else the opposite. */
function combined<T, A>(deciding: 'true' | 'false', judges: readonly Judge<T, A>[]): Judge<T, A> {
  const otherwise = negated(deciding);
  return (value, around) => {
    let outcome = otherwise;
    for (const judge of judges) {
      const verdict = judge(value, around);
      if (verdict === deciding) return deciding;
      if (verdict === 'absent') outcome = 'absent';
    }
    return outcome;
  };
}

/** All must hold: one that is false decides, whatever is absent. */
export function allOf<T, A>(judges: readonly Judge<T, A>[]): Judge<T, A> {
  return combined('false', judges);
}

/** One must hold: one that is true decides, whatever is absent. */
export function anyOf<T, A>(judges: readonly Judge<T, A>[]): Judge<T, A> {
  return combined('true', judges);
}

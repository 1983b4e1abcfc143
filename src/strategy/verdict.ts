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

/** A verdict on many: as soon as one is `deciding`, that is it; else absent if any is; else the opposite. */
function combined<T>(deciding: 'true' | 'false', judges: readonly ((value: T) => Verdict)[]): (value: T) => Verdict {
  const otherwise = negated(deciding);
  return (value) => {
    let outcome = otherwise;
    for (const judge of judges) {
      const verdict = judge(value);
      if (verdict === deciding) return deciding;
      if (verdict === 'absent') outcome = 'absent';
    }
    return outcome;
  };
}

/** All must hold: one that is false decides, whatever is absent. */
export function allOf<T>(judges: readonly ((value: T) => Verdict)[]): (value: T) => Verdict {
  return combined('false', judges);
}

/** One must hold: one that is true decides, whatever is absent. */
export function anyOf<T>(judges: readonly ((value: T) => Verdict)[]): (value: T) => Verdict {
  return combined('true', judges);
}

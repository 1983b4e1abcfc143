/** none, little: too few purchases to say anything; some: enough to be held against others. */
export type Evidence = 'none' | 'little' | 'some';

const EVIDENCE_MIN = { little: 20, some: 100 } as const;

/** What so many purchases are worth as evidence. */
export function evidenceOf(count: number): Evidence {
  if (count < EVIDENCE_MIN.little) return 'none';
  return count < EVIDENCE_MIN.some ? 'little' : 'some';
}

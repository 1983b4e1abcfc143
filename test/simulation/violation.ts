import type { EpochMs } from '../../src/domain/clock.ts';

/** A broken promise. */
export interface Violation {
  /** A short constant: which promise. */
  readonly check: string;
  readonly detail: string;
  readonly at: EpochMs | undefined;
  /** `market:listing id`. */
  readonly listing: string | undefined;
  readonly purchaseId: number | undefined;
}

export function violation(check: string, detail: string, about: Partial<Omit<Violation, 'check' | 'detail'>> = {}): Violation {
  return { check, detail, at: about.at, listing: about.listing, purchaseId: about.purchaseId };
}

import type { EpochMs } from '../domain/clock.ts';
import type { Service } from '../engine/ports.ts';

/** Whom to ask, and how. */
export interface Asking {
  readonly service: Service;
  readonly signal: AbortSignal | undefined;
  /** Which of these transactions are evidence or baseline already: with one on a page, older pages hold nothing new. */
  readonly isUsed: (ids: readonly string[]) => ReadonlySet<string>;
  /** Transactions since then may still become evidence, though newer ones are used: some purchase waits for its own. */
  readonly awaitedSince?: EpochMs | undefined;
}

/** Reconciling goes before polling. */
export function requestOf(signal: AbortSignal | undefined): { readonly urgency: 'reconcile'; readonly signal?: AbortSignal } {
  return signal === undefined ? { urgency: 'reconcile' } : { urgency: 'reconcile', signal };
}

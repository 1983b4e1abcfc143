import type { KeptTransfer } from './journal.ts';

/** What happened in a round of the treasury, for a person to read. */
export type TreasuryEvent =
  | {
      readonly kind: 'made' | 'refused' | 'open' | 'kept-back';
      readonly transfer: KeptTransfer;
      readonly why: string | undefined;
    }
  | { readonly kind: 'not-written'; readonly child: string; readonly why: string }
  | { readonly kind: 'unread'; readonly who: string; readonly why: string }
  | { readonly kind: 'halted' | 'clock-wrong'; readonly why: string };

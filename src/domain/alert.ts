import type { EpochMs } from './clock.ts';

export const alertKinds = {
  halt: 'buying stopped by itself or by a person',
  unknown: 'a purchase has an unknown outcome',
  'late-bought': 'a purchase that was thought refused or disproved was bought after all',
  adopted: 'an order that no purchase explains',
  debit: 'more was debited than expected',
  stuck: 'an order stays pending or active too long',
  refund: 'money came back',
  reverted: 'an order failed or was reverted',
  'feed-stale': 'no complete poll for a while',
  'orders-unread': 'the orders of the account cannot be read',
  health: 'the health of the markets cannot be read',
  key: 'the service refuses the key',
  owner: 'the service wants a person to act (trade URL, account)',
  'slowed-down': 'the service asked us to slow down',
  clock: 'the clock of this machine jumped or is wrong',
  disk: 'the journal or the recording cannot be written',
  reserve: 'the balance has reached the reserve',
  listing: 'something odd about listings: bad entries, an old answer given again',
  'order-odd': 'an order shows something unheard of',
  'balance-odd': 'the balance moved in a way that no purchase explains',
} as const;

export type AlertKind = keyof typeof alertKinds;

/** Something a person should know, with one next step. */
export interface Alert {
  readonly kind: AlertKind;
  readonly at: EpochMs;
  readonly message: string;
  /** What to do; undefined when there is nothing to do. */
  readonly next: string | undefined;
  readonly purchaseId: number | undefined;
}

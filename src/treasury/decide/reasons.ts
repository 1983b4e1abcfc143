import type { VerdictReason } from './step.ts';

/** What each reason means, for a person. */
export const reasonTexts: Readonly<Record<VerdictReason, string>> = {
  transfer: 'below its floor',
  enough: 'at its floor or above',
  halted: 'the treasury is halted',
  clock: "this machine's clock is wrong",
  open: 'a transfer to it is not settled',
  unread: 'its balance is not known',
  recent: 'a transfer was made less than a minute before its balance was read',
  resting: 'the service refused a transfer to it a short while ago',
  'top-unread': 'the balance of the top-level account is not known',
  reserve: 'the top-level account has nothing to spare above its reserve',
  'cap-perTransfer': 'limits.perTransfer allows nothing',
  'cap-child-day': 'limits.childDay is used up',
  'cap-hour': 'limits.hour is used up',
  'cap-day': 'limits.day is used up',
};

import type { AddCommand } from './command.ts';
import { addPartnerStats } from './partner-stats.ts';
import { addPartnerTransfer } from './partner-transfer.ts';
import { addPartnerUsers } from './partner-users.ts';

/** `magpie partner`: what only a top-level key may ask. */
export const addPartner: AddCommand = (program, context) => {
  const partner = program
    .command('partner')
    .summary('make child keys, fund them, and read the figures of all children (top-level key)');
  addPartnerUsers(partner, context);
  addPartnerTransfer(partner, context);
  addPartnerStats(partner, context);
};

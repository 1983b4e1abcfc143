import { measureAccounts } from '../accounts.ts';
import { type Figure, figure, time } from '../figure.ts';

/** Many accounts on one feed: 1,000 of them with five strategies each, 1,000 listings, ten new ones in each answer. */
export function accountsRow(part: number): readonly Figure[] {
  const polls = Math.max(5, Math.ceil(30 * part));
  const { pollMs } = measureAccounts({ accounts: 1_000, strategies: 5, listings: 1_000, changed: 10, polls });
  const what = 'one answer told to 1,000 accounts of 5 strategies, turns given, 1 % of 1,000 listings new, CPU';
  const note = 'engines and turns alone: each purchase commits in its ledger besides';
  return [figure({ id: 'accounts-poll', what, floor: '', ours: time(pollMs), value: pollMs, unit: 'ms', note }, 100)];
}

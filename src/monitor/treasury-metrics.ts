import { type Definition, gauge } from './definition.ts';
import { childNames, treasuryReasonNames, transferStates, treasuryWindows } from './labels.ts';

/** What `magpie treasury run` tells, at an address of its own. */
export const treasuryMetrics = {
  magpie_treasury_halted: gauge('1 while no transfer leaves, by a person or by itself, until `magpie treasury resume`.'),
  magpie_treasury_round_age_seconds: gauge('Since the last round of the treasury ended; since the start before the first.'),
  magpie_treasury_round_late: gauge('1 while that is longer than `/readyz` allows.'),
  magpie_treasury_interval_seconds: gauge('`treasury.interval`.'),
  magpie_treasury_balance_dollars: gauge('The balance of the top-level account, as the last round read it.'),
  magpie_treasury_reserve_dollars: gauge('`treasury.reserve`: balance of the top-level account that is never gone under.'),
  magpie_treasury_children: gauge('Children, by the reason that the last round had for each.', { reason: treasuryReasonNames }),
  magpie_treasury_child_balance_dollars: gauge(
    'The balance of a child, as the last round read it. Missing while it is not known.',
    {
      child: childNames,
    },
  ),
  magpie_treasury_child_floor_dollars: gauge('A child with less than this is filled up.', { child: childNames }),
  magpie_treasury_transfers: gauge('Transfers in the journal, by state.', { state: transferStates }),
  magpie_treasury_transferred_dollars: gauge('What all transfers of a state come to.', { state: transferStates }),
  magpie_treasury_oldest_open_seconds: gauge('Age of the oldest transfer that is not settled; 0 where none is open.'),
  magpie_treasury_moved_dollars: gauge('What the caps over all children count, open transfers included.', {
    window: treasuryWindows,
  }),
  magpie_treasury_moved_limit_dollars: gauge('`treasury.limits`. Missing where there is no cap.', { window: treasuryWindows }),
} as const satisfies Record<string, Definition>;

import { type Definition, gauge } from './definition.ts';
import { lanes, strategyNames, windowNames } from './labels.ts';

/** What metrics tell of money and of the caps on it. A cap that is not set has no series. */
export const moneyMetrics = {
  magpie_balance_dollars: gauge('The balance of the account, as last believed.'),
  magpie_balance_age_seconds: gauge('Age of the reading of the balance.'),
  magpie_free_dollars: gauge('The balance less everything that is held; the reserve is still in it.'),
  magpie_reserve_dollars: gauge('`limits.reserve`: balance that is never spent.'),
  magpie_low_balance_dollars: gauge('A free balance below this raises an alert; 0 where none does.'),
  magpie_reserved_dollars: gauge('Money of purchases of which nobody can say yet whether they were made.'),
  magpie_spent_dollars: gauge('What accepted purchases cost in all, before refunds; on paper, what they would have cost.', {
    lane: lanes,
  }),
  magpie_refunded_dollars: gauge('What came back of that, up to what was paid.', { lane: lanes }),

  magpie_spend_dollars: gauge('Spend that the caps of the account count, orders of others included.', { window: windowNames }),
  magpie_spend_limit_dollars: gauge('`limits.spend`.', { window: windowNames }),
  magpie_open_purchases: gauge('Purchases that `limits.openPurchases` counts.'),
  magpie_open_purchases_limit: gauge('`limits.openPurchases`.'),
  magpie_unknown_purchases: gauge('Purchases of unknown outcome.'),
  magpie_unknown_purchases_limit: gauge('`limits.unknown`: as many pause buying.'),
  magpie_hour_purchases: gauge('Purchases of the last hour, as `limits.breaker.perHour` counts them.'),
  magpie_hour_purchases_limit: gauge('`limits.breaker.perHour`.'),
  magpie_item_purchases_max: gauge('Purchases of the item that was bought most, where `limits.perItem` has a cap.', {
    window: windowNames,
  }),
  magpie_item_purchases_limit: gauge('`limits.perItem`.', { window: windowNames }),
  magpie_refusals_in_row: gauge('Refusals in a row that count for the breaker.'),
  magpie_refusals_in_row_limit: gauge('`limits.breaker.refusalsInRow`.'),

  magpie_strategies: gauge('Strategies in force, by whether they spend.', { lane: lanes }),
  magpie_strategy_spend_dollars: gauge('Spend that a cap of a strategy counts.', {
    strategy: strategyNames,
    window: windowNames,
  }),
  magpie_strategy_spend_limit_dollars: gauge('`limits.spend` of a strategy.', { strategy: strategyNames, window: windowNames }),
  magpie_strategy_purchases: gauge('Purchases that a cap of a strategy counts.', {
    strategy: strategyNames,
    window: windowNames,
  }),
  magpie_strategy_purchases_limit: gauge('`limits.count` of a strategy.', { strategy: strategyNames, window: windowNames }),
} as const satisfies Record<string, Definition>;

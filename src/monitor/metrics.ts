import { type Definition, counter, gauge, histogram } from './definition.ts';
import * as the from './labels.ts';
import { machineMetrics } from './machine-metrics.ts';
import { moneyMetrics } from './money-metrics.ts';
import { treasuryMetrics } from './treasury-metrics.ts';

/** Requests over a network, seconds. */
const REQUEST_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** From what takes a tenth of a millisecond inside to what takes a request, seconds. */
const STAGE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/**
 * Every metric: what is exposed, the reference page, and what the dashboard and the alert rules may name are made from this table
 * or held to it.
 */
export const metrics = {
  magpie_polls_total: counter('Polls of the live listings, by what came of them.', { result: the.pollResults }),
  magpie_poll_failures_total: counter('Polls that failed, by cause.', { cause: the.faultCauses }),
  magpie_poll_duration_seconds: histogram('From when a poll left to the end of its answer, or its failure.', REQUEST_BUCKETS),
  magpie_poll_bytes_total: counter('Bytes of the answers to polls, decoded.'),
  magpie_poll_age_seconds: gauge('Age of the last complete answer of the live listings; since the start where there was none.'),
  magpie_poll_interval_seconds: gauge('From the start of one poll to the start of the next, as configured.'),
  magpie_listings: gauge('Listings in the newest answer.'),
  magpie_listings_bad: gauge('Listings in the newest answer that cannot be judged, and are never bought.'),
  magpie_listings_matching: gauge('Listings that stand and that a strategy wants.'),
  magpie_listings_changed_total: counter('Listings that appeared, were repriced or changed, or went.', { kind: the.changeKinds }),

  magpie_decisions_total: counter('What was decided about matches; the reason is `none` where one was admitted.', {
    lane: the.lanes,
    verdict: ['admitted', 'refused'],
    reason: ['none', ...the.reasonNames],
  }),
  magpie_decision_age_seconds: gauge('Since the engine last judged an answer of the live listings; since the start before that.'),
  magpie_reconciliation_age_seconds: gauge(
    'Since the orders of the account were last read and held against ours; since the start before that.',
  ),
  magpie_ready: gauge('1 while `/readyz` says so: polls, decisions and reconciliation are none of them late.'),

  magpie_buying_open: gauge('1 where something may be bought on a market now, 0 where nothing may be.', { market: the.markets }),
  magpie_buying_closed: gauge('1 for each reason for which nothing may be bought now, everywhere or on a market.', {
    reason: the.reasonNames,
  }),
  magpie_halted: gauge('1 while buying is halted, by a person or by itself, until `magpie resume`.'),
  magpie_key_refused: gauge('1 while the service refuses the key.'),
  magpie_market_healthy: gauge('1 where a market satisfies `feed.health.require`.', { market: the.markets }),
  magpie_market_status: gauge('1 for the word by which a market last told its health.', {
    market: the.markets,
    status: the.marketStatuses,
  }),

  magpie_requests_total: counter('Requests to the service, by endpoint and by what came of them.', {
    endpoint: the.endpointNames,
    result: the.requestResults,
  }),
  magpie_request_duration_seconds: histogram(
    'From when a request left to the end of its answer, or its failure.',
    REQUEST_BUCKETS,
    {
      endpoint: the.endpointNames,
    },
  ),
  magpie_too_many_requests_total: counter('Answers of the service with status 429.', { endpoint: the.endpointNames }),
  magpie_slowed_seconds: gauge('How long buying still waits since the service asked us to slow down; 0 when it does not.'),
  magpie_limiter_queue: gauge('What waits for the limiter: reads, and matches whose buy may not leave yet.', {
    limiter: ['reads', 'buys'],
  }),

  magpie_purchases: gauge('Purchases in the ledger, by state.', { state: the.stateNames }),
  magpie_purchase_moves_total: counter('How often a purchase came into a state, since the start.', { state: the.stateNames }),
  magpie_purchase_stage_seconds: histogram('How long the stages of live purchases took.', STAGE_BUCKETS, { stage: the.stages }),

  ...moneyMetrics,

  magpie_alerts_total: counter('Alerts since the start, and purchases as channels are told of them.', { kind: the.alertNames }),
  magpie_alerts_told_total: counter('Alerts that a channel has taken.', { channel: the.channelNames }),
  magpie_alerts_pending: gauge('Alerts that wait for a channel.', { channel: the.channelNames }),
  magpie_channel_failures_total: counter('Messages that a channel did not take.', { channel: the.channelNames }),
  magpie_channel_failing: gauge('1 while a channel takes no messages.', { channel: the.channelNames }),
  magpie_dead_man_pings_total: counter('Pings of `deadMan.url`, by whether they were taken.', { result: ['taken', 'failed'] }),

  ...treasuryMetrics,

  ...machineMetrics,
} as const satisfies Record<string, Definition>;

export type MetricName = keyof typeof metrics;

type NamesOf<T extends Definition['type']> = { [N in MetricName]: (typeof metrics)[N]['type'] extends T ? N : never }[MetricName];

export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
export type HistogramName = NamesOf<'histogram'>;

type LabelNames<N extends MetricName> = Extract<keyof (typeof metrics)[N]['labels'], string>;

/** Gauges without labels. */
export type PlainGauge = { [N in GaugeName]: LabelNames<N> extends never ? N : never }[GaugeName];

/** The labels of a metric, with a value each. */
export type LabelsOf<N extends MetricName> = Readonly<Record<LabelNames<N>, string>>;

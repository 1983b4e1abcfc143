import { endpoints } from '../api/endpoints.ts';
import { alertKinds } from '../domain/alert.ts';
import type { FaultCause } from '../domain/fault.ts';
import { legs } from '../domain/latency.ts';
import { windows } from '../domain/limits.ts';
import { purchaseStates } from '../domain/purchase.ts';
import { buyableMarkets } from '../domain/readings.ts';
import { reasons } from '../domain/reason.ts';

/** Every value that a label of a metric may take. What comes from outside is not among them, so that no stranger makes series. */

/** What a poll came to: an answer that is whole and sound, one that says nothing of what is gone, or none. */
export const pollResults = ['complete', 'incomplete', 'failed'] as const;

export const changeKinds = ['appeared', 'repriced', 'changed', 'gone'] as const;

const causes: Readonly<Record<FaultCause, true>> = {
  ...{ gone: true, repriced: true, funds: true, owner: true, key: true, rate: true, ban: true, request: true, service: true },
  ...{ timeout: true, connection: true, unreadable: true, redirect: true, stale: true, other: true },
};
export const faultCauses = Object.keys(causes);

/** What a request came to: an answer, a request that never left, or the cause of its failure. */
export const requestResults = ['ok', 'unsent', ...faultCauses];

export const endpointNames = Object.keys(endpoints);
export const stateNames = Object.keys(purchaseStates);
export const alertNames = Object.keys(alertKinds);
export const reasonNames = Object.keys(reasons);
export const lanes = ['live', 'paper'] as const;
export const windowNames = windows;
export const markets = buyableMarkets;

/** What a market says of itself; any other word is `other`, and `unknown` is no word at all. */
export const marketStatuses = ['ok', 'degraded', 'down', 'other', 'unknown'] as const;

/** The ways of a purchase that are timed. */
export const stages = legs.map(({ from, to }) => `${from}-${to}`);

export const channelNames = ['discord', 'telegram', 'webhook', 'command'] as const;

/** Strategies that are told of one by one: those of the highest priority. */
export const STRATEGIES_TOLD = 200;
export const strategyNames = { of: 'the name of a strategy', atMost: STRATEGIES_TOLD } as const;

/** Children of a treasury that are told of one by one: the first of the configuration. */
export const CHILDREN_TOLD = 400;
export const childNames = { of: 'the name of a child', atMost: CHILDREN_TOLD } as const;

/** Why a child gets something from the treasury, or nothing. */
export const treasuryReasonNames = [
  ...(['transfer', 'enough', 'halted', 'clock', 'open', 'unread', 'recent', 'resting', 'top-unread', 'reserve'] as const),
  ...(['cap-perTransfer', 'cap-child-day', 'cap-hour', 'cap-day'] as const),
] as const;

export const transferStates = ['open', 'made', 'refused', 'not-made'] as const;
export const treasuryWindows = ['hour', 'day'] as const;

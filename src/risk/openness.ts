import { buyableMarkets } from '../domain/readings.ts';
import type { ReasonCode } from '../domain/reason.ts';
import { type Situation, standstills } from './admit.ts';
import { type Refusal, everyRefusals } from './caps.ts';
import { marketRefusal } from './health.ts';

/** What decides whether anything at all may be bought at one moment, before there is a listing. */
export type Moment = Pick<
  Situation,
  'now' | 'halted' | 'blockers' | 'slowedUntil' | 'health' | 'healthPolicy' | 'limits' | 'usage' | 'available'
>;

/** Whether buying is open, and if not why. */
export interface Openness {
  /** Why nothing is bought, whatever its market; undefined when something may be. */
  readonly everywhere: Refusal | undefined;
  /** Why nothing would be either if that were gone. */
  readonly also: readonly Refusal[];
  /** Why nothing is bought on each market; undefined where something may be. */
  readonly markets: readonly { readonly market: string; readonly refusal: Refusal | undefined }[];
}

/** As admission would answer an ordinary offer of one cent that nobody has asked for before. */
export function openness(moment: Moment): Openness {
  const { health, healthPolicy, now, limits, usage, available } = moment;
  const [everywhere, ...also] = [...standstills(moment), ...everyRefusals(limits, usage, available)];
  return {
    everywhere,
    also,
    markets: buyableMarkets.map((market) => ({ market, refusal: marketRefusal(market, health, healthPolicy, now) })),
  };
}

export interface Closed {
  /** Markets on which buying is open all the same. */
  readonly only: readonly string[];
  /** For a person. */
  readonly why: string;
  /** What else keeps it closed, and would when that is gone. */
  readonly also: readonly Besides[];
}

export interface Besides {
  readonly reason: ReasonCode;
  readonly why: string;
}

/** What is closed and why; undefined when buying is open everywhere. */
export function closedWords({ everywhere, also, markets }: Openness): Closed | undefined {
  const onMarkets = closedMarkets(markets);
  if (everywhere === undefined) return onMarkets && { ...onMarkets, also: [] };
  // While it starts or stops too little is known to say what else there is.
  const isPassing = everywhere.reason === 'starting' || everywhere.reason === 'stopping';
  const others = also.map((refusal) => ({ reason: refusal.reason, why: refusalWords(refusal) }));
  const reason = markets.find(({ refusal }) => refusal !== undefined)?.refusal?.reason;
  if (onMarkets !== undefined && reason !== undefined) others.push({ reason, why: onMarkets.why });
  return { only: [], why: refusalWords(everywhere), also: isPassing ? [] : others };
}

function closedMarkets(markets: Openness['markets']): Pick<Closed, 'only' | 'why'> | undefined {
  const closed = markets.flatMap(({ market, refusal }) =>
    refusal === undefined ? [] : [{ market, words: refusalWords(refusal) }],
  );
  const [first] = closed;
  if (first === undefined) return undefined;
  const only = markets.flatMap(({ market, refusal }) => (refusal === undefined ? [market] : []));
  const alike = only.length === 0 && closed.every(({ words }) => words === first.words);
  return {
    only,
    why: alike
      ? first.words
      : closed.map(({ market, words }) => (words.includes(market) ? words : `${market}: ${words}`)).join('; '),
  };
}

/** What a reason is in a few words, where its figures do not say it by themselves. */
const leads: Partial<Record<ReasonCode, string>> = {
  halted: 'halted',
  slowed: 'the service asked us to slow down',
  caution: 'the service could not be reached or refused us a moment ago',
  'unknown-pause': 'purchases of unknown outcome',
  'open-purchases': 'limits.openPurchases is reached',
  'breaker-per-hour': 'limits.breaker.perHour is reached',
  'balance-unknown': 'the balance is not known',
  reserve: 'nothing is free above limits.reserve',
  'spend-hour': 'limits.spend.hour is used up',
  'spend-day': 'limits.spend.day is used up',
  'spend-total': 'limits.spend.total is used up',
  'health-unknown': 'the health of the markets is not known',
};

function refusalWords({ reason, detail }: Refusal): string {
  const lead = leads[reason];
  return lead === undefined ? detail : `${lead} (${detail})`;
}

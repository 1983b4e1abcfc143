import type { DataOf } from '../../api/endpoints.ts';
import type { EpochMs } from '../../domain/clock.ts';
import type { Fault } from '../../domain/fault.ts';
import { type Micros, formatDollars } from '../../domain/money.ts';
import { type HealthMissing, type HealthReading, buyableMarkets } from '../../domain/readings.ts';
import { counted, printable } from '../../domain/text.ts';
import { stepWhereUnreached } from '../../domain/unreached.ts';
import { readBalance } from '../../engine/balance-answer.ts';
import type { Reply } from '../../engine/ports.ts';
import { readHealth } from '../../feed/health.ts';
import { type HealthPolicy, marketRefusal } from '../../risk/health.ts';
import { type Finding, bad, doubt, good } from './finding.ts';

/** Further from the service's clock than this nothing is bought. */
const CLOCK_OFF_MS = 5 * 60_000;

/** A clock that is kept right is nearer than this. */
const CLOCK_GOOD_MS = 2_500;

/** A Date header has no fractions: half a second is what it lacks on average. */
const DATE_LACKS_MS = 500;

/** What was asked of the service, and what it answered. */
export interface Answered {
  readonly user: Reply<DataOf<'user'>>;
  readonly listings: Reply<DataOf<'liveListings'>>;
  readonly health: Reply<DataOf<'marketHealth'>>;
}

/** Whether the key is taken, what kind of key it is and what that may do, and what is on its account. */
export function keyFindings(user: Answered['user'], reserve: Micros, account: string | undefined): readonly Finding[] {
  if (!user.ok) return [refusal(user.fault)];
  const read = readBalance(user);
  const { type, profile } = user.data;
  const findings = [kindOf(type, profile.id)];
  if (account !== undefined && account !== profile.id)
    findings.push(
      bad(
        'account',
        `the data folder belongs to account ${account}, the key to account ${profile.id}`,
        'give each account a folder of its own with `data:`',
      ),
    );
  if (!read.ok)
    return [...findings, bad('balance', read.message, 'ask the service about it: without a balance nothing is bought')];
  const { amount } = read.reading;
  const words = `${formatDollars(amount)} on the account`;
  if (amount > reserve) return [...findings, good('balance', words)];
  return [
    ...findings,
    doubt(
      'balance',
      `${words}, of which ${formatDollars(reserve)} are the reserve: nothing is bought`,
      'pay money in, or lower limits.reserve',
    ),
  ];
}

function refusal({ cause, status, message, sent }: Fault): Finding {
  const said = `${printable(message, 300)}${status === undefined ? '' : ` (HTTP ${status})`}`;
  if (cause === 'key' || status === 401)
    return bad(
      'key',
      `refused: ${said}`,
      'compare the key with the one the service shows; a new one goes where account.apiKey comes from',
    );
  if (cause === 'rate' || cause === 'ban')
    return bad('service', `it wants us to slow down: ${said}`, 'wait; see the line about rates');
  return bad('service', `no answer that can be used: ${said}`, stepWhereUnreached({ sent }));
}

/** Keys are of two kinds; the profile says which by the kind of its account. */
function kindOf(type: string, id: string): Finding {
  const of = `taken, for account ${printable(id, 60)}`;
  if (type === 'apiKey')
    return good('key', `${of}. A child key: it buys and sees its own balance only, and may not read market health`);
  if (type !== 'user') return good('key', `${of}, which the service calls ${printable(type, 60)}`);
  const words = `${of}. A top-level key: it may read market health, and also make other keys and move money between them`;
  return doubt('key', words, 'make a child key for Magpie with a few days’ budget, and give this one as account.partnerKey');
}

/** The machine's clock against the service's; undefined where there was no answer to read it from. */
export function clockFinding(user: Answered['user'], newestRowAt: EpochMs | undefined, now: EpochMs): Finding | undefined {
  const next = 'have the clock of this machine kept right (NTP)';
  const dated = user.ok ? user.serviceDate : undefined;
  if (newestRowAt !== undefined && newestRowAt > now) return rowFinding(newestRowAt, now, dated);
  if (!user.ok) return undefined;
  const { serviceDate, beganAt, endedAt } = user;
  if (serviceDate === undefined) return doubt('clock', 'the service does not say what time it is', next);
  const offMs = (beganAt + endedAt) / 2 - (serviceDate + DATE_LACKS_MS);
  const seconds = `${Math.abs(offMs / 1_000).toFixed(1)} s ${offMs < 0 ? 'behind' : 'ahead of'} the service's`;
  if (Math.abs(offMs) <= CLOCK_GOOD_MS)
    return good('clock', 'agrees with the service’s to the second. Times are UTC; the time zone of this machine plays no part');
  if (Math.abs(offMs) <= CLOCK_OFF_MS) return doubt('clock', `${seconds}; beyond five minutes nothing is bought`, next);
  return bad('clock', `${seconds}: nothing is bought`, next);
}

/** A record that is dated later than now: the clock was wrong when it was written, or is now. */
function rowFinding(newestRowAt: EpochMs, now: EpochMs, serviceDate: EpochMs | undefined): Finding {
  const words = `the newest record is of ${iso(newestRowAt)}, and this machine says ${iso(now)}`;
  const agrees = serviceDate !== undefined && Math.abs(now - serviceDate) <= CLOCK_OFF_MS;
  if (agrees && newestRowAt - now > CLOCK_OFF_MS)
    return doubt(
      'clock',
      `${words}, as the service does: an earlier run had a wrong clock`,
      'nothing: buying opens once three answers of the service bear that out',
    );
  return bad('clock', `${words}: nothing is bought until then`, 'have the clock of this machine kept right (NTP)');
}

/** Whether live listings can be read, and how long that takes. */
export function listingsFinding(reply: Answered['listings'], intervalMs: number): Finding {
  if (!reply.ok)
    return bad(
      'listings',
      `cannot be read: ${printable(reply.fault.message, 300)}`,
      'ask the service whether this key may read live listings',
    );
  const ms = Math.round(reply.endedAt - reply.beganAt);
  const words = `${counted(reply.data.listings.length, 'live listing')} in ${ms} ms`;
  if (ms <= intervalMs) return good('listings', words);
  return doubt(
    'listings',
    `${words}, longer than feed.interval (${intervalMs} ms)`,
    'use a machine nearer to the service, or a longer interval',
  );
}

/** Whether market health can be read, and whether buying is open by it. */
export function healthFindings(reply: Answered['health'], policy: HealthPolicy, now: EpochMs): readonly Finding[] {
  return healthOf(readHealth(reply), policy, now);
}

/** The same of what a daemon has read. */
export function healthOf(health: HealthReading | HealthMissing, policy: HealthPolicy, now: EpochMs): readonly Finding[] {
  const isOff = policy.require === 'off';
  if ('reason' in health) {
    const words = `cannot be read: ${printable(health.message, 300)}`;
    if (isOff) return [good('market health', `${words}; feed.health.require is off, so buying does without`)];
    return health.reason === 'forbidden'
      ? [
          bad(
            'market health',
            `${words}: nothing is bought`,
            'give a top-level key as account.partnerKey, or set feed.health.require: off',
          ),
        ]
      : [doubt('market health', `${words}: nothing is bought meanwhile`, 'try again in a minute')];
  }
  return buyableMarkets.map((market) => {
    const status = printable(health.markets[market]?.status ?? 'not named', 60);
    const refused = isOff ? undefined : marketRefusal(market, health, policy, now);
    if (refused === undefined) return good('market health', `${market} ${status}`);
    return doubt(
      'market health',
      `${market} ${status}: ${printable(refused.detail, 200)}`,
      'nothing to be done: buying there opens by itself',
    );
  });
}

function iso(at: EpochMs): string {
  return new Date(at).toISOString();
}

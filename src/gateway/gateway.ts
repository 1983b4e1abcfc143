import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { secretsOfTradeUrl, type Secret } from '../domain/secret.ts';
import type { Log, Permit, Permits, Service } from '../engine/ports.ts';
import { withoutOldAnswers } from './answer-history.ts';
import { Backoff, type KeyName, type Slowed } from './backoff.ts';
import { HttpService, type ListingsReader } from './http.ts';
import type { Line } from './line.ts';
import { Pace, type Rate } from './pace.ts';
import { baseOf } from './target.ts';

export interface GatewayOptions {
  readonly baseUrl: string;
  readonly apiKey: Secret;
  /** Top-level key for the market health; undefined: the account's key asks. */
  readonly partnerKey: Secret | undefined;
  /** Only so that it is scrubbed from what the service says: whoever makes a venue gives it the trade URL to send. */
  readonly tradeUrl: Secret | undefined;
  readonly rates: {
    readonly reads: Rate;
    readonly buys: Rate;
    /** For one request, milliseconds. */
    readonly timeoutMs: number;
  };
  /** Left out, the live listings are read as any other answer. */
  readonly listingsReader?: ListingsReader | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Until when an earlier run was asked to slow down with the account's key, steady epoch milliseconds; undefined when it was not. */
  readonly slowUntil: EpochMs | undefined;
  /** To be kept for the next start and told to the engine, which stops admitting. */
  readonly onSlowed: (slowed: Slowed) => void;
}

export interface Gateway {
  readonly service: Service;
  /** Leave to buy; nothing is granted while the account's key is slowed. */
  readonly permits: Permits;
  /** What `createVenue` needs: the gateway alone cannot buy. */
  readonly line: Line;
  /** Reads that wait for their turn. */
  waiting(): number;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

/** The partner API for one account. Throws TypeError for a base URL, RangeError for a rate that cannot be used. */
export function createGateway(options: GatewayOptions): Gateway {
  const { apiKey, partnerKey, tradeUrl, rates, listingsReader, clock, random, log } = options;
  const base = baseOf(options.baseUrl);
  const secrets = [apiKey, ...(partnerKey ? [partnerKey] : []), ...(tradeUrl ? secretsOfTradeUrl(tradeUrl) : [])];
  const onSlowed = (slowed: Slowed): void => {
    log.warn('slowed-down', { key: slowed.key, cause: slowed.cause, until: slowed.until, message: slowed.message });
    options.onSlowed(slowed);
  };
  const backoffOf = (key: KeyName, slowUntil: EpochMs | undefined): Backoff =>
    new Backoff({ key, clock, random, slowUntil, onSlowed });
  const paceOf = (of: string, rate: Rate): Pace => new Pace(rate, clock, () => log.warn('clock-stepped', { limiter: of }));

  const account = { key: apiKey, backoff: backoffOf('account', options.slowUntil) };
  const ownPartner = partnerKey && partnerKey.reveal() !== apiKey.reveal();
  const partner = ownPartner ? { key: partnerKey, backoff: backoffOf('partner', undefined) } : account;
  const reads = paceOf('reads', rates.reads);
  const buys = paceOf('buys', rates.buys);
  const { timeoutMs } = rates;
  const http = new HttpService({ base, keys: { account, partner }, timeoutMs, clock, pace: reads, secrets, listingsReader });
  return {
    service: withoutOldAnswers(http),
    permits: permitsOf(buys, account.backoff),
    line: { base, key: apiKey, timeoutMs, clock, random, log, secrets, backoff: account.backoff, buys },
    waiting: () => reads.waiting,
    close: async () => {
      reads.close();
      buys.close();
      await http.close();
    },
  };
}

/** Buys have a pace of their own, so they never wait for reads. */
function permitsOf(pace: Pace, backoff: Backoff): Permits {
  return {
    async take(signal: AbortSignal): Promise<Permit> {
      for (;;) {
        await backoff.passed(signal);
        const permit = await pace.take('first', signal);
        if (backoff.leftMs === 0) return permit;
        permit.done();
      }
    },
  };
}

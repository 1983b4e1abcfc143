import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { Secret, secretsOfTradeUrl } from '../domain/secret.ts';
import type { Log } from '../engine/ports.ts';
import { slicesReader } from '../feed/slices/reader.ts';
import type { Slowed } from '../gateway/backoff.ts';
import { type Gateway, createGateway } from '../gateway/gateway.ts';
import type { Settings } from '../settings/settings.ts';
import type { Holdings } from './holdings.ts';

/** Everything that no output may hold, the keys of an embedded exchange included. */
export function secretsOf(settings: Settings, { partner }: Pick<Holdings, 'partner'>): readonly Secret[] {
  const { account } = partner;
  if (account === undefined) return settings.secrets;
  return [
    ...settings.secrets,
    account.apiKey,
    account.partnerKey,
    ...(account.tradeUrl === undefined ? [] : secretsOfTradeUrl(account.tradeUrl)),
  ];
}

/** Without a key requests carry none: the service will say that it wants one. */
const noKey = new Secret('none');

/** The way to the service, with the rates of the configuration. */
export function gatewayOf(
  { settings, clock, random }: { readonly settings: Settings; readonly clock: Clock; readonly random: Random },
  { ledger, partner }: Pick<Holdings, 'partner'> & Partial<Pick<Holdings, 'ledger'>>,
  log: Log,
  onSlowed: (until: number, why: Pick<Slowed, 'cause' | 'message'>) => void,
): Gateway {
  const { reads, buys, timeoutMs } = settings.rate;
  return createGateway({
    baseUrl: partner.baseUrl,
    apiKey: partner.account?.apiKey ?? noKey,
    partnerKey: partner.account?.partnerKey,
    tradeUrl: partner.account?.tradeUrl,
    rates: { reads, buys, timeoutMs },
    listingsReader: settings.feed.parse === 'whole' ? undefined : slicesReader,
    clock,
    random,
    log,
    slowUntil: ledger?.slowUntil(),
    onSlowed: ({ key, until, cause, message }) => {
      if (key === 'account') onSlowed(until, { cause, message });
    },
  });
}

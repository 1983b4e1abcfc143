import type { AccountLimits, PerWindow } from '../domain/limits.ts';
import type { Micros } from '../domain/money.ts';
import { microsFromDollars } from '../domain/money.ts';
import { Secret, secretsOfAddress, secretsOfTradeUrl } from '../domain/secret.ts';
import type { Config } from './schema.ts';
import type { AccountSettings, ServiceSettings, Settings } from './settings.ts';
import { resolveNotify } from './resolve-notify.ts';
import { resolveReference } from './reference-schema.ts';
import { resolveTreasury } from './treasury-schema.ts';
import { resolveWebhooks } from './webhooks-schema.ts';
import { durationMs, sizeBytes } from './units.ts';
import type { LocalSettings } from './what-counts.ts';

/** Where the configuration lies, and the folders it means, all absolute; and which of its accounts is meant. */
export type Places = Pick<Settings, 'file' | 'strategies' | 'data' | 'recordingFolder' | 'account' | 'accountNames'>;

/** A configuration that has passed every check, in the types that the rooms take. Throws only where a check was forgotten. */
export function resolveSettings(config: Config, places: Places): Settings {
  return { ...resolveLocal(config, places), service: serviceOf(config) };
}

/** The same without the way to the service, which may be missing. */
export function resolveLocal(config: Config, places: Places): LocalSettings {
  const service = config.service?.sandbox === undefined ? ({ kind: 'remote' } as const) : onPlayMoney(config.service.sandbox);
  const { notify, secrets } = resolveNotify(config.notify);
  const { treasury, secrets: treasurySecrets } = resolveTreasury(config.treasury, config.accounts);
  const { webhooks, secrets: hookSecrets } = resolveWebhooks(config.webhooks);
  const deadMan = config.deadMan && { url: secretOf(config.deadMan.url), everyMs: ms(config.deadMan.every) };
  const web = config.web && { ...config.web, token: secretOf(config.web.token) };
  return {
    ...places,
    mode: config.mode,
    service,
    dedicated: config.account?.dedicated ?? false,
    feed: {
      intervalMs: ms(config.feed.interval),
      health: {
        intervalMs: ms(config.feed.health.interval),
        require: config.feed.health.require,
        staleAfterMs: ms(config.feed.health.staleAfter),
      },
      parse: config.feed.parse,
    },
    rate: { reads: config.rate.reads, buys: config.rate.buys, timeoutMs: ms(config.rate.timeout) },
    limits: limitsOf(config.limits),
    web,
    watch: config.watch,
    log: config.log,
    recording: config.recording.off
      ? undefined
      : { maxAgeMs: ms(config.recording.maxAge), maxBytes: known(sizeBytes(config.recording.maxSize)) },
    reconcile: { intervalMs: ms(config.reconcile.interval) },
    alerts: {
      stuckAfterMs: ms(config.alerts.stuckAfter),
      lowBalance: config.alerts.lowBalance === undefined ? undefined : atLeast(config.alerts.lowBalance),
    },
    settle: settleOf(config.dryRun.settle),
    notify,
    metrics: config.metrics,
    webhooks,
    treasury,
    deadMan,
    reference: resolveReference(config.reference),
    reload: config.reload,
    decisions: { keepMs: ms(config.decisions.keep) },
    backup: config.backup.off ? undefined : { everyMs: ms(config.backup.every), keep: config.backup.keep },
    disk: { minFreeBytes: known(sizeBytes(config.disk.minFree)) },
    secrets: [
      ...secretsOf(config.account, web?.token),
      ...secrets,
      ...hookSecrets,
      ...treasurySecrets,
      ...(deadMan?.url ? secretsOfAddress(deadMan.url) : []),
    ],
  };
}

function settleOf({ off, latency, margin, perMinute }: Config['dryRun']['settle']): LocalSettings['settle'] {
  return off ? undefined : { latencyMs: latency === 'auto' ? undefined : ms(latency), marginMs: ms(margin), perMinute };
}

function serviceOf({ service, account, accounts }: Config): ServiceSettings {
  if (service?.sandbox) return onPlayMoney(service.sandbox);
  const buyer = accounts === undefined ? account : operatorOf(account);
  return { kind: 'remote', baseUrl: known(service?.baseUrl).replace(/\/+$/, ''), account: accountOf(buyer) };
}

/** Beside several accounts the top has only its own key, and no trade URL: it reads, and can buy nothing. */
function operatorOf(account: Config['account']): Config['account'] {
  return account && { ...account, apiKey: account.partnerKey, tradeUrl: undefined };
}

function onPlayMoney(
  sandbox: NonNullable<NonNullable<Config['service']>['sandbox']>,
): Extract<ServiceSettings, { kind: 'sandbox' }> {
  const { webhooks } = sandbox;
  const told = webhooks && { url: webhooks.url, secret: secretOf(webhooks.secret) };
  return { kind: 'sandbox', sandbox: { ...sandbox, balance: atMost(sandbox.balance), webhooks: told } };
}

function accountOf(account: Config['account']): AccountSettings | undefined {
  const apiKey = secretOf(account?.apiKey);
  if (!apiKey) return undefined;
  return { apiKey, partnerKey: secretOf(account?.partnerKey) ?? apiKey, tradeUrl: secretOf(account?.tradeUrl) };
}

function limitsOf(limits: Config['limits']): AccountLimits {
  return {
    maxPrice: limits.maxPrice === undefined ? undefined : atMost(limits.maxPrice),
    spend: caps(limits.spend),
    perItem: limits.perItem ?? {},
    never: limits.never,
    reserve: atLeast(limits.reserve),
    openPurchases: limits.openPurchases,
    unknown: limits.unknown,
    breaker: limits.breaker,
  };
}

function caps({ hour, day, total }: NonNullable<Config['limits']['spend']> = {}): PerWindow<Micros> {
  const cap = (dollars: number | undefined): Micros | undefined => (dollars === undefined ? undefined : atMost(dollars));
  return { hour: cap(hour), day: cap(day), total: cap(total) };
}

/** Each for itself: one of them is secret even where another is missing. */
function secretsOf(account: Config['account'], webToken: Secret | undefined): Secret[] {
  const tradeUrl = secretOf(account?.tradeUrl);
  const ofTradeUrl = tradeUrl === undefined ? [] : secretsOfTradeUrl(tradeUrl);
  const keys = [secretOf(account?.apiKey), secretOf(account?.partnerKey)];
  return [...keys, ...ofTradeUrl, webToken].filter((secret) => secret !== undefined);
}

function secretOf(text: string | undefined): Secret | undefined {
  return text === undefined ? undefined : new Secret(text);
}

/** A cap written with more than six decimals is never rounded to more than was written. */
function atMost(dollars: number): Micros {
  return known(microsFromDollars(dollars, 'down'));
}

function atLeast(dollars: number): Micros {
  return known(microsFromDollars(dollars, 'up'));
}

function ms(duration: string): number {
  return known(durationMs(duration));
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a configuration was resolved that had not passed its checks');
  return value;
}

import type { Settings } from './settings.ts';

/** The settings without the way to the service: what a command needs that sends nothing. */
export type LocalSettings = Omit<Settings, 'service'> & {
  readonly service: { readonly kind: 'remote' } | Extract<Settings['service'], { readonly kind: 'sandbox' }>;
};

/**
 * What a daemon goes by, by the key of the configuration and as plain JSON, so that what it took at its start can be held against
 * the file. Keys, addresses and folders are not in it: they may come from an environment that other terminals do not have.
 */
export function settingsThatCount(settings: LocalSettings): Readonly<Record<string, unknown>> {
  const { mode, service, dedicated, feed, rate, limits, recording, reconcile, alerts, decisions } = settings;
  const counting = {
    mode,
    service: service.kind === 'sandbox' ? service.sandbox : 'baseUrl',
    'account.dedicated': dedicated,
    'feed.interval': feed.intervalMs,
    'feed.health': feed.health,
    'feed.parse': feed.parse,
    rate,
    'limits.maxPrice': limits.maxPrice ?? null,
    'limits.spend': limits.spend,
    'limits.perItem': limits.perItem,
    'limits.never': limits.never,
    'limits.reserve': limits.reserve,
    'limits.openPurchases': limits.openPurchases,
    'limits.unknown': limits.unknown,
    'limits.breaker': limits.breaker,
    recording: recording ?? null,
    'reconcile.interval': reconcile.intervalMs,
    'alerts.stuckAfter': alerts.stuckAfterMs,
    'decisions.keep': decisions.keepMs,
  };
  return JSON.parse(JSON.stringify(counting)) as Record<string, unknown>;
}

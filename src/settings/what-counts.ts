import type { NotifySettings, Only, Settings } from './settings.ts';

/** The settings without the way to the service: what a command needs that sends nothing. */
export type LocalSettings = Omit<Settings, 'service'> & {
  readonly service: { readonly kind: 'remote' } | Extract<Settings['service'], { readonly kind: 'sandbox' }>;
};

/**
 * What a daemon goes by, by the key of the configuration and as plain JSON, so that what it took from the file can be held against
 * it. Keys, addresses and folders are not in it: they may come from an environment that other terminals do not have.
 */
export function settingsThatCount(settings: LocalSettings): Readonly<Record<string, unknown>> {
  const {
    mode,
    service,
    dedicated,
    feed,
    rate,
    limits,
    recording,
    reconcile,
    alerts,
    settle,
    notify,
    reference,
    reload,
    decisions,
    backup,
    disk,
  } = settings;
  const { metrics, deadMan, webhooks, watch } = settings;
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
    'alerts.lowBalance': alerts.lowBalance ?? null,
    'alerts.stuckAfter': alerts.stuckAfterMs,
    'dryRun.settle': settle ?? null,
    'watch.items': watch?.items ?? [],
    watch: watch === undefined ? null : { share: watch.share, pages: watch.pages },
    notify: notify === undefined ? null : toldKinds(notify),
    metrics: metrics ?? null,
    webhooks:
      webhooks === undefined
        ? null
        : { host: webhooks.host, port: webhooks.port, header: webhooks.header, names: webhooks.names },
    'deadMan.every': deadMan?.everyMs ?? null,
    reference,
    'reload.onSave': reload.onSave,
    'decisions.keep': decisions.keepMs,
    backup: backup ?? null,
    'disk.minFree': disk.minFreeBytes,
  };
  return JSON.parse(JSON.stringify(counting)) as Record<string, unknown>;
}

/** By the name of each channel, what is told there. */
function toldKinds({ discord, telegram, webhook, command, digestMs }: NotifySettings): Readonly<Record<string, unknown>> {
  const kinds = (channel: { readonly only: Only } | undefined): unknown =>
    channel === undefined ? null : (channel.only ?? 'all');
  return {
    discord: kinds(discord),
    telegram: kinds(telegram),
    webhook: kinds(webhook),
    command: kinds(command),
    digest: digestMs ?? null,
  };
}

/** Whether a key of those changes while a daemon runs; what else is changed counts from its next start on. */
export function changesWhileRunning(key: string): boolean {
  return key.startsWith('limits.') || key === 'watch.items';
}

import { counted } from '../domain/text.ts';
import type { Log } from '../engine/ports.ts';
import type { DaemonOptions } from './daemon.ts';
import type { Holdings } from './holdings.ts';

/** What a start says: what it is, where, on which terms, and what a person should know first. */
export function tellStart(
  { settings, strategies, notices, version }: DaemonOptions,
  { partner, notices: more, alerts, ledger }: Holdings,
  log: Log,
): void {
  const mode = settings.mode === 'live' ? 'live' : 'dry-run (nothing can be bought)';
  log.info('started', { version, mode, service: partner.name, data: settings.data, config: settings.file });
  for (const message of [...notices, ...more]) log.info('notice', { message });
  for (const { kind, message, next, purchaseId } of alerts) log.warn('alert', { kind, message, next, purchaseId });
  const names = strategies.map(({ name, lane }) => (lane === 'paper' && settings.mode === 'live' ? `${name} (on paper)` : name));
  log.info('watching', {
    interval: `${settings.feed.intervalMs / 1000} s`,
    strategies: `${counted(strategies.length, 'strategy', 'strategies')}: ${names.join(', ')}`,
  });
  const halt = ledger.halted();
  if (halt !== undefined) log.error('halted', { reason: halt.reason, by: halt.by });
}

import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import { Secret } from '../domain/secret.ts';
import type { Log } from '../engine/ports.ts';
import { createGateway } from '../gateway/gateway.ts';
import { acquireFolderLock } from '../ledger/lock.ts';
import { withSteps } from '../ledger/failure.ts';
import { openReader } from '../ledger/open.ts';
import type { Settings } from '../settings/settings.ts';
import { type AuditOutcome, auditAccount } from './account-audit.ts';
import { lockKey } from './holdings.ts';
import { partnerOf } from './surroundings.ts';

export interface AuditAlone {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export type AuditedAlone =
  | AuditOutcome
  | {
      readonly ok: false;
      readonly message: string;
      readonly foreign: false;
      /** Another process is at work with the folder or the key. */
      readonly held: true;
    };

/**
 * An audit where no daemon runs: it holds the folder and the key as one would, so that rates hold and no daemon starts meanwhile, but
 * opens the ledger for reading only.
 */
export async function auditAlone(options: AuditAlone): Promise<AuditedAlone> {
  const { settings, env } = options;
  const folder = acquireFolderLock(settings.data);
  if (!folder.ok) return refused(folder);
  try {
    const locked = lockKey(settings, env);
    if (locked?.ok === false) return refused(locked);
    try {
      return await withLedger(options);
    } finally {
      locked?.lock.release();
    }
  } finally {
    folder.lock.release();
  }
}

function refused({ held, fault }: { readonly held: boolean; readonly fault: { readonly message: string } }): AuditedAlone {
  const { message } = fault;
  return held ? { ok: false, message, foreign: false, held } : { ok: false, message, foreign: false };
}

async function withLedger({ settings, clock, random, log, signal }: AuditAlone): Promise<AuditOutcome> {
  const opened = openReader(settings.data);
  if (!opened.ok) return { ok: false, message: withSteps(opened.fault), foreign: false };
  const ledger = opened.value;
  const slowUntil = ledger.slowUntil();
  try {
    const partner = await partnerOf(settings, clock, (error) => log.error('sandbox-not-kept', { message: String(error) }));
    const { account, baseUrl } = partner;
    const { reads, buys, timeoutMs } = settings.rate;
    const gateway = createGateway({
      baseUrl,
      apiKey: account?.apiKey ?? new Secret('none'),
      partnerKey: account?.partnerKey,
      tradeUrl: account?.tradeUrl,
      rates: { reads, buys, timeoutMs },
      ...{ clock, random, log, slowUntil },
      onSlowed: () => undefined,
    });
    try {
      return await auditAccount({ service: gateway.service, clock, ledger, look: undefined, signal });
    } finally {
      await gateway.close();
      await partner.sandbox?.close();
    }
  } finally {
    ledger.close();
  }
}

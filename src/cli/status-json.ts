import { alertJson } from '../domain/alert.ts';
import { awaitedOf, progressOf } from '../app/awaited.ts';
import type { EpochMs } from '../domain/clock.ts';
import { type Window, windows } from '../domain/limits.ts';
import { type Micros, dollarsFromMicros } from '../domain/money.ts';
import { purchaseJson } from '../domain/purchase.ts';
import { closedWords } from '../risk/openness.ts';
import type { CapUse } from './cap-use.ts';
import { type Drift, needsRestart } from './in-force.ts';
import { shadowFiguresJson } from './shadow-text.ts';
import { speedJson } from './speed.ts';
import type { StatusFacts } from './status-facts.ts';
import { watchedJson } from './status-watched.ts';

/** `status --json`: dollars as numbers, times ISO 8601 in UTC, absent values null. */
export function statusJson(facts: StatusFacts): Record<string, unknown> {
  const { settings, holder, halts, balance, usage } = facts;
  const { heartbeat } = holder;
  const first = halts[0];
  return {
    mode: facts.mode,
    playMoney: settings.service.kind === 'sandbox',
    halted: first !== undefined,
    haltReason: first?.reason ?? null,
    balance: dollars(balance?.amount),
    health: healthJson(facts),
    lastPollAt: iso(heartbeat?.lastPollAt),
    spend: perWindow((window) => dollarsFromMicros(usage.spend[window])),
    reserved: dollarsFromMicros(facts.reserved),
    purchases: facts.counts,
    shadow: shadowFiguresJson(facts.shadows),
    ...{ config: settings.file, data: settings.data, account: facts.account ?? null },
    daemon: holder.running ? daemonJson(facts) : null,
    rules: rulesJson(facts),
    ...{ restartNeeded: restartNeeded(facts.drift), changed: changedJson(facts.drift) },
    buying: buyingJson(facts),
    halts: halts.map(({ reason, by, at }) => ({ reason, by, at: iso(at) })),
    ...{ balanceAt: iso(balance?.endedAt), free: dollars(facts.free), reserve: dollarsFromMicros(settings.limits.reserve) },
    caps: facts.caps.map(capJson),
    unknown: facts.unknown.map((purchase) => ({
      ...purchaseJson(purchase),
      soFar: progressOf(facts.proofs.get(purchase.id), facts.now),
      awaited: awaitedOf(purchase, facts.proofs.get(purchase.id), facts.now),
    })),
    speed: speedJson(facts.speed),
    badListings: { count: heartbeat?.bad ?? 0, example: heartbeat?.badExample ?? null },
    watched: watchedJson(heartbeat?.watched),
    alerts: facts.alerts.map(alertJson),
  };
}

function capJson({ of, name, key, amount }: CapUse): Record<string, unknown> {
  if (amount.unit === 'count') return { of, name: name ?? null, key, unit: 'purchases', used: amount.used, cap: amount.cap };
  return { of, name: name ?? null, key, unit: 'dollars', used: dollarsFromMicros(amount.used), cap: dollars(amount.cap) };
}

function healthJson({ holder, markets }: StatusFacts): unknown {
  const health = holder.heartbeat?.health;
  if (!holder.running || health === undefined) return null;
  const states = markets?.map(({ market, status, refusal }) => [
    market,
    { status: status ?? null, buyable: refusal === undefined, why: refusal?.detail ?? null },
  ]);
  const whole = 'status' in health ? { status: health.status, at: iso(health.receivedAt), message: null } : unread(health);
  return { ...whole, markets: Object.fromEntries(states ?? []) as unknown };
}

function unread({ at, message }: { readonly at: EpochMs; readonly message: string }): Record<string, unknown> {
  return { status: 'unknown', at: iso(at), message };
}

/** What is in force, by the hashes of the strategies' wording, and how it differs from what was before. */
function rulesJson({ rules }: StatusFacts): unknown {
  return rules === undefined ? null : { since: iso(rules.at), why: rules.why, changes: rules.what, strategies: rules.strategies };
}

/** The files say something that the daemon that runs does not take from them. */
function restartNeeded(drift: Drift | undefined): boolean {
  return drift !== undefined && needsRestart(drift);
}

function changedJson(drift: Drift | undefined): unknown {
  if (drift === undefined) return null;
  const { readAt, otherConfig, keys, strategies, faulty } = drift;
  return { since: iso(readAt), configuration: keys, otherConfiguration: otherConfig ?? null, strategies, faulty };
}

/** `open`: something may be bought somewhere; `also`: what keeps it closed besides `why`; null while no daemon runs. */
function buyingJson({ openness }: StatusFacts): unknown {
  if (openness === undefined) return null;
  const closed = closedWords(openness);
  const open = closed === undefined || closed.only.length > 0;
  const onlyOn = open && closed !== undefined ? closed.only : null;
  return { open, onlyOn, why: closed?.why ?? null, reason: openness.everywhere?.reason ?? null, also: closed?.also ?? [] };
}

function daemonJson({ holder: { heartbeat } }: StatusFacts): unknown {
  return {
    pid: heartbeat?.pid ?? null,
    version: heartbeat?.version ?? null,
    startedAt: iso(heartbeat?.startedAt),
    signOfLifeAt: iso(heartbeat?.at),
    lastLookAt: iso(heartbeat?.lastLookAt),
    listings: heartbeat?.listings ?? 0,
    matching: heartbeat?.matching ?? 0,
    blockers: heartbeat?.blockers ?? [],
  };
}

function perWindow<T>(of: (window: Window) => T): Record<string, T> {
  return Object.fromEntries(windows.map((window) => [window, of(window)]));
}

function dollars(amount: Micros | undefined): number | null {
  return amount === undefined ? null : dollarsFromMicros(amount);
}

function iso(at: EpochMs | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

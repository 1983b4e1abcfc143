import type { Clock } from '../domain/clock.ts';
import type { Log } from '../engine/ports.ts';
import type { InForce } from '../ledger/heartbeat.ts';
import type { Watchlist } from '../feed/watchlist.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RuleChangeRow } from '../ledger/rule-changes.ts';
import type { Tape } from '../replay/tape.ts';
import type { RuleFiles } from '../settings/rule-files.ts';
import type { Settings } from '../settings/settings.ts';
import { watchedItems } from '../settings/watched-items.ts';
import { settingsThatCount } from '../settings/what-counts.ts';
import type { Core } from './core.ts';
import { type ReadRules, Reloader } from './reloader.ts';
import { rulesAfter } from './rules.ts';
import type { Upkeep } from './upkeep.ts';

/** Whoever takes other rules while it runs. */
export interface Followed {
  readonly core: Core;
  readonly upkeep: Upkeep;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly tape: Tape | undefined;
  /** Missing: there is none, and one that the files ask for begins with the next start. */
  readonly watchlist?: Watchlist | undefined;
  readonly scrub: (text: string) => string;
  /** As at the start. */
  readonly rules: ReadRules;
  /** The mode is dry-run because it was asked for, whatever the configuration says. */
  readonly dryRunAsked: boolean;
  readonly intervalMs?: number | undefined;
  readonly offsetMs?: number | undefined;
  readonly onDone?: (() => void) | undefined;
  readonly onDefect: (error: unknown) => void;
}

/** A daemon that takes other limits and strategies from its files while it runs. */
export function followFiles(files: RuleFiles, followed: Followed): Reloader {
  const { core, clock, log, rules, intervalMs, offsetMs, onDone, onDefect } = followed;
  return new Reloader({
    ...{ files, clock, log, intervalMs, offsetMs, onDone, onDefect, current: rules, onSave: rules.settings.reload.onSave },
    bell: core.bell,
    apply: (next, why, what, breathe) => putInForce(followed, next, { why, what }, breathe),
  });
}

/** Puts other rules in force, written first: what cannot be kept does not count. False where it could not. */
export async function putInForce(
  { core, upkeep, ledger, clock, tape, watchlist, scrub, rules, dryRunAsked }: Followed,
  next: ReadRules,
  { why, what }: Pick<RuleChangeRow, 'why' | 'what'>,
  breathe: () => Promise<void>,
): Promise<boolean> {
  const { strategies } = next;
  for (const strategy of strategies) {
    core.keep(() => ledger.keepStrategy(strategy.hash, scrub(strategy.text), clock.now()));
    await breathe();
  }
  const { limits, watch } = next.settings;
  // Share and pages are those of the start.
  const settings: Settings = {
    ...rules.settings,
    limits,
    watch: rules.settings.watch && { ...rules.settings.watch, items: watch?.items ?? [] },
  };
  const written = core.keep(() => {
    ledger.noteRules({ ...rulesRow({ settings, strategies }, clock.now(), why), what });
    return true;
  });
  if (written !== true) return false;
  watchlist?.follow(watchedItems({ settings: next.settings, strategies })?.items ?? []);
  core.reload(rulesAfter(core.state.rules, settings.mode, settings.limits, strategies));
  upkeep.goBy(inForceOf({ settings, strategies }, dryRunAsked));
  recordRules(tape, { settings, strategies }, clock.now());
  return true;
}

/** What is in force from now on: the files may change, the daemon goes on with what it has taken from them. */
export function inForceOf({ settings, strategies }: ReadRules, dryRunAsked: boolean): Omit<InForce, 'startedAt' | 'readAt'> {
  const { file, strategies: folder, limits, feed } = settings;
  const { mode, ...counting } = settingsThatCount(settings);
  return {
    ...{ config: file, folder, limits, health: feed.health },
    settings: dryRunAsked ? counting : { mode, ...counting },
    strategies: strategies.map(({ name, hash }) => ({ name, hash })),
  };
}

/** The same as the ledger keeps it. */
export function rulesRow({ settings, strategies }: ReadRules, at: number, why: RuleChangeRow['why']): RuleChangeRow {
  const hashes = strategies.map(({ name, hash }) => ({ name, hash }));
  return { at, why, what: [], settings: settingsThatCount(settings), strategies: hashes };
}

/** Keeps with the recording what its decisions were made by. */
export function recordRules(tape: Tape | undefined, { settings, strategies }: ReadRules, at: number): void {
  const { limits, feed, mode } = settings;
  tape?.input(
    'strategies',
    at,
    strategies.map(({ name, hash, lane, priority }) => ({ name, hash, lane: mode === 'live' ? lane : 'paper', priority })),
  );
  tape?.input('settings', at, { limits, feed, mode });
}

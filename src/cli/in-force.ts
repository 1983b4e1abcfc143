import type { InForce } from '../ledger/heartbeat.ts';
import type { Reader } from '../ledger/ledger.ts';
import { loadStrategies, strategyOfText } from '../settings/strategies.ts';
import { type LocalSettings, changesWhileRunning, settingsThatCount } from '../settings/what-counts.ts';
import type { EpochMs } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import type { Strategy } from '../strategy/strategy.ts';
import type { Holder } from './folder.ts';
import { utc } from './time.ts';

/** How the files differ from what the running daemon took from them. */
export interface Drift {
  /** When it took it. */
  readonly readAt: EpochMs;
  /** It takes limits and strategies as they are saved. */
  readonly follows: boolean;
  /** The configuration of the daemon, where it is another file than this command's. */
  readonly otherConfig: string | undefined;
  /** Keys of the configuration whose values are others now. */
  readonly keys: readonly string[];
  readonly strategies: readonly { readonly name: string; readonly how: 'changed' | 'added' | 'removed' }[];
  /** The strategies cannot be read now, so nothing is taken from them. */
  readonly faulty: boolean;
}

/** What buying goes by: the running daemon's where one runs, else what the files say. */
export interface Standing {
  readonly settings: LocalSettings;
  /** undefined where the files are faulty and no daemon has kept its own. */
  readonly strategies: readonly Strategy[] | undefined;
  /** undefined where the files say what is in force, or nobody can tell. */
  readonly drift: Drift | undefined;
}

/** The files' settings with what the daemon that runs has taken in place of theirs. */
export function settingsInForce(settings: LocalSettings, { inForce }: Holder): LocalSettings {
  if (inForce === undefined) return settings;
  const health = { ...settings.feed.health, ...inForce.health };
  return { ...settings, limits: inForce.limits, feed: { ...settings.feed, health } };
}

/** What is in force in a data folder. */
export function standingOf(settings: LocalSettings, holder: Holder, reader: Reader | undefined): Standing {
  const { inForce } = holder;
  if (inForce === undefined || reader === undefined) {
    const loaded = loadStrategies(settings.strategies);
    return { settings, strategies: loaded.ok ? loaded.strategies : undefined, drift: undefined };
  }
  const loaded = loadStrategies(inForce.folder);
  const onFile = loaded.ok ? loaded.strategies : undefined;
  return {
    settings: settingsInForce(settings, holder),
    strategies: inForce.strategies.length === 0 ? onFile : strategiesInForce(inForce, onFile ?? [], reader),
    drift: driftOf(settings, inForce, onFile),
  };
}

/** By the hash: from the file while it is the same, else from the wording that the ledger keeps. */
function strategiesInForce({ strategies }: InForce, onFile: readonly Strategy[], reader: Reader): readonly Strategy[] {
  return strategies.flatMap(({ hash }) => {
    const same = onFile.find((strategy) => strategy.hash === hash);
    const text = same === undefined ? reader.strategyText(hash) : undefined;
    return same ?? (text === undefined ? [] : (strategyOfText(text, hash) ?? []));
  });
}

function driftOf(settings: LocalSettings, inForce: InForce, onFile: readonly Strategy[] | undefined): Drift | undefined {
  const { readAt, config } = inForce;
  const follows = inForce.settings['reload.onSave'] === true;
  const otherConfig = config === settings.file ? undefined : config;
  const counting = settingsThatCount(settings);
  const keys = Object.keys(inForce.settings).filter(
    (key) => JSON.stringify(counting[key]) !== JSON.stringify(inForce.settings[key]),
  );
  const strategies = inForce.strategies.length === 0 || onFile === undefined ? [] : strategyDrift(inForce, onFile);
  const faulty = onFile === undefined;
  if (otherConfig === undefined && keys.length === 0 && strategies.length === 0 && !faulty) return undefined;
  return { readAt, follows, otherConfig, keys: otherConfig === undefined ? keys : [], strategies, faulty };
}

function strategyDrift(inForce: InForce, onFile: readonly Strategy[]): Drift['strategies'] {
  const now = new Map(onFile.map(({ name, hash }) => [name, hash]));
  const then = new Map(inForce.strategies.map(({ name, hash }) => [name, hash]));
  const moved = [...then].flatMap(([name, hash]) => {
    const other = now.get(name);
    if (other === hash) return [];
    return [{ name, how: other === undefined ? ('removed' as const) : ('changed' as const) }];
  });
  const added = [...now.keys()].filter((name) => !then.has(name)).map((name) => ({ name, how: 'added' as const }));
  return [...moved, ...added];
}

/** Sentences for a person: what differs, and what to do. */
export function driftWords(drift: Drift, file: string): readonly string[] {
  const { readAt, otherConfig, keys, strategies, faulty } = drift;
  const since = `since the daemon read the files at ${utc(readAt)}`;
  const shown = (text: string): string => printable(text, 300);
  return [
    ...(otherConfig === undefined ? [] : [`the daemon was started with another configuration, ${shown(otherConfig)}`]),
    ...(keys.length === 0 ? [] : [`${shown(file)} has changed ${since}: ${keys.join(', ')}`]),
    ...strategies.map(({ name, how }) => `strategy ${shown(name)} was ${how} ${since}`),
    ...(faulty ? [`a strategy has a fault ${since}, so what counted before goes on → \`magpie check\` shows it`] : []),
    ...nextSteps(drift),
  ];
}

function nextSteps(drift: Drift): string[] {
  const { keys, strategies, faulty, follows } = drift;
  const whileRunning = keys.some(changesWhileRunning) || strategies.length > 0 || faulty;
  const restart = 'stop the daemon and start `magpie run` again';
  if (!whileRunning) return needsRestart(drift) ? [`→ none of it counts yet: ${restart}`] : [];
  if (!follows) return [`→ none of it counts yet: send the daemon SIGHUP, or ${restart}`];
  return [
    '→ limits and strategies count a second or two after they were saved; where they do not, `magpie check` says why',
    ...(needsRestart(drift) ? [`→ the other keys count from the next start on: ${restart}`] : []),
  ];
}

/** Something was changed that no running daemon takes. */
export function needsRestart({ keys, strategies, follows }: Drift): boolean {
  return keys.some((key) => !changesWhileRunning(key)) || (!follows && keys.length + strategies.length > 0);
}

import type { InForce } from '../ledger/heartbeat.ts';
import type { Reader } from '../ledger/ledger.ts';
import { loadStrategies, strategyOfText } from '../settings/strategies.ts';
import { type LocalSettings, settingsThatCount } from '../settings/what-counts.ts';
import type { EpochMs } from '../domain/clock.ts';
import { printable } from '../domain/text.ts';
import type { Strategy } from '../strategy/strategy.ts';
import type { Holder } from './folder.ts';
import { utc } from './time.ts';

/** How the files differ from what the running daemon took from them at its start. */
export interface Drift {
  readonly startedAt: EpochMs;
  /** The configuration of the daemon, where it is another file than this command's. */
  readonly otherConfig: string | undefined;
  /** Keys of the configuration whose values are others now. */
  readonly keys: readonly string[];
  readonly strategies: readonly { readonly name: string; readonly how: 'changed' | 'added' | 'removed' }[];
  /** The strategies could not be read now, so a restart would be refused. */
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

/** What is in force in a data folder. */
export function standingOf(settings: LocalSettings, { inForce }: Holder, reader: Reader | undefined): Standing {
  if (inForce === undefined || reader === undefined) {
    const loaded = loadStrategies(settings.strategies);
    return { settings, strategies: loaded.ok ? loaded.strategies : undefined, drift: undefined };
  }
  const loaded = loadStrategies(inForce.folder);
  const onFile = loaded.ok ? loaded.strategies : undefined;
  const health = { ...settings.feed.health, ...inForce.health };
  return {
    settings: { ...settings, limits: inForce.limits, feed: { ...settings.feed, health } },
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
  const { startedAt, config } = inForce;
  const otherConfig = config === settings.file ? undefined : config;
  const counting = settingsThatCount(settings);
  const keys = Object.keys(inForce.settings).filter(
    (key) => JSON.stringify(counting[key]) !== JSON.stringify(inForce.settings[key]),
  );
  const strategies = inForce.strategies.length === 0 || onFile === undefined ? [] : strategyDrift(inForce, onFile);
  const faulty = onFile === undefined;
  if (otherConfig === undefined && keys.length === 0 && strategies.length === 0 && !faulty) return undefined;
  return { startedAt, otherConfig, keys: otherConfig === undefined ? keys : [], strategies, faulty };
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
export function driftWords({ startedAt, otherConfig, keys, strategies, faulty }: Drift, file: string): readonly string[] {
  const since = `since the start at ${utc(startedAt)}`;
  const shown = (text: string): string => printable(text, 300);
  return [
    ...(otherConfig === undefined ? [] : [`the daemon was started with another configuration, ${shown(otherConfig)}`]),
    ...(keys.length === 0 ? [] : [`${shown(file)} has changed ${since}: ${keys.join(', ')}`]),
    ...strategies.map(({ name, how }) => `strategy ${shown(name)} was ${how} ${since}`),
    ...(faulty ? [`the strategies cannot be read any more ${since} → \`magpie check\``] : []),
    ...(otherConfig !== undefined && keys.length + strategies.length === 0 && !faulty
      ? []
      : ['→ none of it counts yet: stop the daemon and start `magpie run` again']),
  ];
}

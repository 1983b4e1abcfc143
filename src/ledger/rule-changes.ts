import type { EpochMs } from '../domain/clock.ts';
import type { Store } from './store.ts';

/** Rules that came into force. */
export interface RuleChangeRow {
  readonly at: EpochMs;
  /** A start, a file that was saved, or a signal. */
  readonly why: 'start' | 'saved' | 'signal';
  /** How they differ from those before, in words; none at a start. */
  readonly what: readonly string[];
  /** The settings that count, by the key of the configuration, as plain JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Their wording is kept by the hash. */
  readonly strategies: readonly { readonly name: string; readonly hash: string }[];
}

export interface RuleChangeQueries {
  /** The newest so many, the newest first. */
  ruleChanges(limit: number): readonly RuleChangeRow[];
}

export interface RuleChanges extends RuleChangeQueries {
  /** Rules come into force; the same as those before are not written again. */
  noteRules(change: RuleChangeRow): void;
}

interface Row {
  readonly at: EpochMs;
  readonly why: RuleChangeRow['why'];
  readonly what: string;
  readonly settings: string;
  readonly strategies: string;
}

export function createRuleChangeQueries(store: Store): RuleChangeQueries {
  const newest = store.reading<[number], Row>(
    'SELECT at, why, what, settings, strategies FROM rule_changes ORDER BY seq DESC LIMIT ?',
  );
  return { ruleChanges: (limit) => newest.all(limit).map(changeOf) };
}

export function createRuleChanges(store: Store): RuleChanges {
  const queries = createRuleChangeQueries(store);
  const insert = store.writing<[EpochMs, string, string, string, string]>(
    'INSERT INTO rule_changes (at, why, what, settings, strategies) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    ...queries,
    noteRules({ at, why, what, settings, strategies }) {
      const [last] = queries.ruleChanges(1);
      const texts = [JSON.stringify(settings), JSON.stringify(strategies)] as const;
      if (last && JSON.stringify(last.settings) === texts[0] && JSON.stringify(last.strategies) === texts[1]) return;
      store.transaction('rules', () => void insert(at, why, JSON.stringify(what), ...texts));
    },
  };
}

function changeOf({ what, settings, strategies, ...row }: Row): RuleChangeRow {
  return {
    ...row,
    what: JSON.parse(what) as RuleChangeRow['what'],
    settings: JSON.parse(settings) as RuleChangeRow['settings'],
    strategies: JSON.parse(strategies) as RuleChangeRow['strategies'],
  };
}

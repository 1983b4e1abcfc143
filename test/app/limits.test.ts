import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rulesOf } from '../../src/app/rules.ts';
import type { Purchase } from '../../src/domain/purchase.ts';
import type { Effect } from '../../src/engine/effect.ts';
import type { Event } from '../../src/engine/event.ts';
import { type EngineState, initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/step.ts';
import { loadStrategies } from '../../src/settings/strategies.ts';
import { outcomes } from '../ledger/support.ts';
import { folderWith, settingsOf } from '../settings/written.ts';
import { NOON, dollars, listing, purchase } from '../support/values.ts';

type Block = Readonly<Record<string, unknown>>;

/** Every key of a block in a JSON Schema that holds a value, by its path. */
function keysOf(file: string, block: string): string[] {
  const schema = JSON.parse(readFileSync(new URL(`../../schemas/${file}`, import.meta.url), 'utf8')) as Node;
  interface Node {
    readonly properties?: Readonly<Record<string, Node>>;
  }
  const below = (node: Node | undefined, path: string): string[] =>
    node?.properties === undefined
      ? [path]
      : Object.entries(node.properties).flatMap(([key, each]) => below(each, `${path}.${key}`));
  return below(schema.properties?.[block], block);
}

/** `{ a: { b: value } }` of `a.b`. */
function nested(path: string, value: unknown): Block {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Block;
}

/** The engine by a configuration and a strategy as a person writes them, open and with $10,000. */
class Market {
  #state: EngineState;
  #polls = 0;

  constructor(account: Block, own: Block, past: readonly Purchase[]) {
    const { limits = {} } = account as { readonly limits?: Block };
    const spend = { day: 100_000, ...(limits['spend'] as Block | undefined) };
    const text = {
      mode: 'live',
      service: { sandbox: {} },
      limits: { maxPrice: 1_000, ...limits, spend },
      feed: { health: { require: 'off' } },
    };
    const folder = folderWith({
      'a.yaml': JSON.stringify({ name: 'cheap', when: { name: '*' }, price: { max: 1_000 }, ...own }),
    });
    const strategies = loadStrategies(folder, folder);
    if (!strategies.ok) throw new Error(JSON.stringify(strategies.faults));
    const rules = rulesOf(settingsOf(JSON.stringify(text)), strategies.strategies, false);
    this.#state = initialState(rules, {
      purchases: past,
      adopted: [],
      halt: undefined,
      slowedUntil: undefined,
      refusalsInRow: 0,
      now: NOON,
    });
    this.send({ type: 'unblocked', name: 'starting', at: NOON });
    this.send({ type: 'balance', reading: { amount: dollars(10_000), beganAt: NOON, endedAt: NOON }, at: NOON });
    this.shows(0);
    this.send({ type: 'permit', at: NOON });
  }

  send(event: Event): readonly Effect[] {
    const { state, effects } = step(this.#state, event);
    this.#state = state;
    return effects;
  }

  shows(count: number): readonly Effect[] {
    const changed = Array.from({ length: count }, (_, position) => ({
      ...{ kind: 'appeared', listing: listing({ id: String(position + 1) }), seenAt: NOON, position, chunk: 0, raw: {} },
    })) as never;
    const poll = { pollSeq: ++this.#polls, beganAt: NOON, endedAt: NOON, first: this.#polls === 1, complete: true, count };
    const change = { ...poll, changed, gone: [], bad: [], badCount: 0, unchangedInARow: 0, trouble: undefined };
    return this.send({ type: 'snapshot', change, at: NOON });
  }
}

/** What becomes of the first match: bought, or the reason why not. */
function becomes(effects: readonly Effect[]): string {
  if (effects.some(({ type }) => type === 'halt')) return 'halt';
  if (effects.some(({ type }) => type === 'buy')) return 'bought';
  const reasons = effects.flatMap((effect) =>
    effect.type === 'decide' ? effect.decisions.map(({ reason }) => reason ?? 'admitted') : [],
  );
  return reasons[0] ?? 'nothing';
}

const before = purchase({ listingId: '77', createdAt: NOON - 1_000, debitSeen: true });
interface Row {
  /** A value that forbids one more, and one that does not. */
  readonly tight: unknown;
  readonly loose: unknown;
  readonly says: string;
  readonly past?: readonly Purchase[];
  readonly happens?: (market: Market) => void;
  readonly matches?: number;
}

const account: Readonly<Record<string, Row>> = {
  'limits.maxPrice': { tight: 10.49, loose: 10.5, says: 'max-price' },
  'limits.spend.hour': { tight: 20.99, loose: 21, says: 'spend-hour' },
  'limits.spend.day': { tight: 20.99, loose: 21, says: 'spend-day' },
  'limits.spend.total': { tight: 20.99, loose: 21, says: 'spend-total' },
  'limits.perItem.hour': { tight: 1, loose: 2, says: 'item-hour' },
  'limits.perItem.day': { tight: 1, loose: 2, says: 'item-day' },
  'limits.perItem.total': { tight: 1, loose: 2, says: 'item-total' },
  'limits.never': { tight: ['AK-47*'], loose: ['AK-47'], says: 'never' },
  'limits.reserve': { tight: 9_989.51, loose: 9_989.5, says: 'reserve' },
  'limits.openPurchases': { tight: 1, loose: 2, says: 'open-purchases' },
  'limits.unknown': { tight: 1, loose: 2, says: 'unknown-pause', past: [{ ...before, state: 'unknown', wasUnknown: true }] },
  'limits.breaker.perHour': { tight: 1, loose: 2, says: 'halt' },
  'limits.breaker.refusalsInRow': {
    ...{ tight: 2, loose: 3, says: 'halted' },
    happens(market) {
      for (let n = 0; n < 2; n++)
        market.send({ type: 'outcome', purchase: before, outcome: outcomes.refused('other'), at: NOON });
    },
  },
  'limits.breaker.unusual': {
    ...{ tight: 10, loose: 100, says: 'halt', matches: 30, past: [] },
    happens(market) {
      market.send({ type: 'usual', usual: { days: 7, matchesPerHour: 1, spendPerHour: dollars(1_000) }, at: NOON });
    },
  },
};

const own: Readonly<Record<string, Row>> = {
  'limits.spend.hour': { tight: 20.99, loose: 21, says: 'strategy-spend-hour' },
  'limits.spend.day': { tight: 20.99, loose: 21, says: 'strategy-spend-day' },
  'limits.spend.total': { tight: 20.99, loose: 21, says: 'strategy-spend-total' },
  'limits.count.hour': { tight: 1, loose: 2, says: 'strategy-count-hour' },
  'limits.count.day': { tight: 1, loose: 2, says: 'strategy-count-day' },
  'limits.count.total': { tight: 1, loose: 2, says: 'strategy-count-total' },
  'limits.perItem.hour': { tight: 1, loose: 2, says: 'strategy-item-hour' },
  'limits.perItem.day': { tight: 1, loose: 2, says: 'strategy-item-day' },
  'limits.perItem.total': { tight: 1, loose: 2, says: 'strategy-item-total' },
};

describe('a limit that a person writes', () => {
  const tried = (row: Row, value: Block, where: 'account' | 'strategy'): string => {
    const market = new Market(where === 'account' ? value : {}, where === 'strategy' ? value : {}, row.past ?? [before]);
    row.happens?.(market);
    return becomes(market.shows(row.matches ?? 1));
  };

  it.each(Object.entries(account))(
    'of the account keeps from buying, and nothing else does: %s [money-14 money-15]',
    (path, row) => {
      expect([tried(row, nested(path, row.tight), 'account'), tried(row, nested(path, row.loose), 'account')]).toEqual([
        row.says,
        'bought',
      ]);
    },
  );

  it.each(Object.entries(own))('of a strategy keeps from buying, and nothing else does: %s [money-14 money-15]', (path, row) => {
    expect([tried(row, nested(path, row.tight), 'strategy'), tried(row, nested(path, row.loose), 'strategy')]).toEqual([
      row.says,
      'bought',
    ]);
  });

  it('is each of those that the schemas allow [money-14]', () => {
    expect(Object.keys(account).sort()).toEqual(keysOf('config.schema.json', 'limits').sort());
    expect(Object.keys(own).sort()).toEqual(keysOf('strategy.schema.json', 'limits').sort());
  });
});

import { join } from 'node:path';
import { seededRandom } from '../../../src/domain/random.ts';
import { wantedByAny, wantedIn } from '../../../src/replay/match/match.ts';
import type { OfferColumns } from '../../../src/replay/match/offer-columns.ts';
import { type Figure, figure, time } from '../figure.ts';
import { type Found, OffersInDuckDb, sqlOf } from '../floors/duckdb.ts';
import { type MadeUp, madeUp, madeUpColumns } from '../recorded/offers.ts';
import { medianOfRatios, median, quantile } from '../statistics.ts';
import { type Drawn, drawStrategies } from '../strategies.ts';

const TEMPLATES = 20_000;
const OFFERS = 1_000_000;
/** A query for each of a thousand strategies takes DuckDB too long at as many. */
const SWEEP_OFFERS = 100_000;
const ROUNDS = 2;
const UNLIKE = 24;
const SWEPT = 1_000;

/** What a backtest looks for in what was recorded: strategies one by one, then a thousand at once, beside DuckDB in the same run. */
export async function backtestRows(place: string, part: number): Promise<readonly Figure[]> {
  const made = madeUp(TEMPLATES);
  const offers = Math.ceil(OFFERS * part);
  const columns = madeUpColumns(made, offers);
  const floor = await OffersInDuckDb.of(join(place, 'offers.duckdb'), made, offers);
  let figures: readonly Figure[];
  try {
    figures = await oneByOne(columns, floor, inSql(made, UNLIKE));
  } finally {
    floor.close();
  }
  return [...figures, await atOnce(place, made, Math.ceil(SWEEP_OFFERS * part), Math.ceil(SWEPT * Math.min(1, part * 2)))];
}

/** Drawn ones that SQL can say as well. */
function inSql({ catalogue }: MadeUp, count: number): readonly (Drawn & { readonly sql: string })[] {
  const drawn = drawStrategies({ random: seededRandom(5, 'backtest'), catalogue }, count * 2);
  const said = drawn.flatMap((each) => {
    try {
      return [{ ...each, sql: sqlOf(each.wish) }];
    } catch (error) {
      if (error instanceof TypeError) return [];
      throw error;
    }
  });
  return said.slice(0, count);
}

async function oneByOne(
  columns: OfferColumns,
  floor: OffersInDuckDb,
  strategies: readonly (Drawn & { readonly sql: string })[],
): Promise<readonly Figure[]> {
  const pairs = strategies.map(() => ({ ours: [] as number[], floor: [] as number[] }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, { strategy, sql }] of strategies.entries()) {
      const asked = await timed(() => floor.ask(sql));
      const found = await timed(() => summed(columns, (add) => wantedIn(columns, strategy, add)));
      mustBeEqual(found.value, asked.value, sql);
      // The first round warms both.
      if (round === 0) continue;
      pairs[at]!.ours.push(found.ms);
      pairs[at]!.floor.push(asked.ms);
    }
  }
  const ratios = pairs.map(medianOfRatios);
  const typical = {
    floor: time(median(pairs.map((pair) => median(pair.floor)))),
    ours: time(median(pairs.map((pair) => median(pair.ours)))),
  };
  const what = `a backtest's matching over ${count(columns.cost.length)} events, ${strategies.length} unlike strategies one by one, beside DuckDB`;
  return [
    figure({ ...typical, id: 'backtest-matching', what: `${what}, median`, value: median(ratios) }, 1 / 20),
    figure({ ...typical, id: 'backtest-matching-worst', what: `${what}, worst`, value: quantile(ratios, 1) }, 1 / 3),
  ];
}

async function atOnce(place: string, made: MadeUp, offers: number, swept: number): Promise<Figure> {
  const columns = madeUpColumns(made, offers);
  const floor = await OffersInDuckDb.of(join(place, 'sweep.duckdb'), made, offers);
  try {
    const strategies = inSql(made, swept);
    const asked = await timed(async () => {
      const found: Found[] = [];
      for (const { sql } of strategies) found.push(await floor.ask(sql));
      return found;
    });
    const search = (): readonly Found[] => {
      const found = strategies.map(() => ({ count: 0, sum: 0 }));
      wantedByAny(
        columns,
        strategies.map(({ strategy }) => strategy),
        (strategy, offer, sure) => {
          if (!sure) throw new Error('the columns do not say what was asked for');
          found[strategy]!.count += 1;
          found[strategy]!.sum += columns.cost[offer] as number;
        },
      );
      return found;
    };
    const found = await timed(search);
    for (const [at, { sql }] of strategies.entries()) mustBeEqual(found.value[at]!, asked.value[at]!, sql);
    return figure(
      {
        ...{
          id: 'sweep-matching',
          what: `the same over ${count(offers)} events, a sweep of ${count(strategies.length)} strategies at once`,
        },
        ...{ floor: time(asked.ms), ours: time(found.ms), value: found.ms / asked.ms },
      },
      1 / 30,
    );
  } finally {
    floor.close();
  }
}

function summed({ cost }: OfferColumns, search: (add: (offer: number, sure: boolean) => void) => void): Found {
  let [found, sum] = [0, 0];
  search((offer, sure) => {
    if (!sure) throw new Error('the columns do not say what was asked for');
    found += 1;
    sum += cost[offer] as number;
  });
  return { count: found, sum };
}

function mustBeEqual(ours: Found, floor: Found, sql: string): void {
  if (ours.count !== floor.count || ours.sum !== floor.sum)
    throw new Error(`found ${ours.count} for ${ours.sum}, DuckDB ${floor.count} for ${floor.sum}: ${sql}`);
}

async function timed<T>(work: () => T | Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const before = performance.now();
  const value = await work();
  return { ms: performance.now() - before, value };
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

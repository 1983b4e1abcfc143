import { DuckDBInstance } from '@duckdb/node-api';
import { MICROS_PER_DOLLAR } from '../../../src/domain/money.ts';
import type { Conditions, PriceRules } from '../../../src/strategy/schema.ts';
import { type MadeUp, deliveries, draws, markets } from '../recorded/offers.ts';
import type { Wish } from '../strategies.ts';

type Connection = Awaited<ReturnType<DuckDBInstance['connect']>>;

/** What a query comes to. */
export interface Found {
  readonly count: number;
  readonly sum: number;
}

const THREADS = 2;

/** The same made-up offers in a file of DuckDB, sorted by item, for two threads. */
export class OffersInDuckDb {
  readonly #instance: DuckDBInstance;
  readonly #connection: Connection;

  private constructor(instance: DuckDBInstance, connection: Connection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async of(path: string, { items, templates }: MadeUp, count: number): Promise<OffersInDuckDb> {
    const instance = await DuckDBInstance.create(path, { threads: String(THREADS) });
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE template (no INTEGER, name VARCHAR, type VARCHAR, exterior VARCHAR, rarity VARCHAR,
      collection VARCHAR, cost BIGINT, steam BIGINT, net BIGINT, wears BOOLEAN)`);
    const appender = await connection.createAppender('template');
    for (const [no, { item, cost, steam, net, wears }] of templates.entries()) {
      const { name, type, exterior, rarity, collection } = items[item] as MadeUp['items'][number];
      appender.appendInteger(no);
      for (const word of [name, type, exterior, rarity, collection]) {
        if (word === undefined) appender.appendNull();
        else appender.appendVarchar(word);
      }
      for (const amount of [cost, steam, net]) appender.appendBigInt(BigInt(amount));
      appender.appendBoolean(wears);
      appender.endRow();
    }
    appender.flushSync();
    appender.closeSync();
    const drawn = (by: number): string => `(((i + 1) * ${by}) % 4294967296)`;
    await connection.run(`CREATE TABLE offer AS
      SELECT name, type, exterior, rarity, collection, steam, net, (template.cost * (900 + ${drawn(draws.cost)} % 200)) // 1000 AS cost,
        CASE WHEN wears THEN (${drawn(draws.wear)} % 10000)::DOUBLE / 10000::DOUBLE END AS wear,
        CASE WHEN wears THEN ${drawn(draws.seed)} % 1001 END AS seed,
        CASE WHEN ${drawn(draws.words)} % 2 = 0 THEN '${markets[0]}' ELSE '${markets[1]}' END AS market,
        CASE WHEN (${drawn(draws.words)} // 2) % 10 < 3 THEN '${deliveries[0]}' ELSE '${deliveries[1]}' END AS delivery
      FROM range(${count}) AS numbers(i) JOIN template ON no = ${drawn(draws.template)} % ${templates.length} ORDER BY name`);
    await connection.run('CHECKPOINT');
    return new OffersInDuckDb(instance, connection);
  }

  /** How many offers a query of `sqlOf` finds, and what they cost together. */
  async ask(sql: string): Promise<Found> {
    const rows = (await this.#connection.runAndReadAll(sql)).getRows();
    const [count, sum] = rows[0] ?? [];
    return { count: Number(count), sum: Number(sum) };
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** A strategy as one writes it in SQL; throws TypeError where it asks for what the table does not hold. */
export function sqlOf({ when, price }: Wish): string {
  return `SELECT count(*), coalesce(sum(cost), 0)::BIGINT FROM offer WHERE ${[...conditions(when), ...rules(price)].join(' AND ')}`;
}

function conditions(when: Conditions): string[] {
  return Object.entries(when).flatMap(([key, wanted]) => {
    const compile = (compilers as Readonly<Record<string, ((wanted: never) => readonly string[]) | undefined>>)[key];
    if (compile === undefined) throw new TypeError(`no column for ${key}`);
    return compile(wanted as never);
  });
}

type Compilers = { readonly [K in keyof Conditions]?: (wanted: NonNullable<Conditions[K]>) => readonly string[] };

const compilers: Compilers = {
  name: (wanted) => [nameTest(wanted)],
  market: (wanted) => [word('market', wanted)],
  type: (wanted) => [word('type', wanted)],
  delivery: (wanted) => [word('delivery', wanted)],
  exterior: (wanted) => [word('exterior', wanted)],
  rarity: (wanted) => [word('rarity', wanted)],
  collection: (wanted) => [word('collection', wanted)],
  wear: (range) => within('wear', range, 1),
  steamPrice: (range) => within('steam', range, MICROS_PER_DOLLAR),
  paintSeed: (wanted) => (Array.isArray(wanted) ? [`seed IN (${wanted.join(', ')})`] : within('seed', wanted, 1)),
  any: (groups) => [`(${groups.map((group) => `(${conditions(group).join(' AND ')})`).join(' OR ')})`],
  not: (group) => [`NOT (${conditions(group).join(' AND ')})`],
};

function rules({ max, maxOfSteam, minProfit }: PriceRules): readonly string[] {
  // Steam shows one price for all phases of a Doppler, so no strategy goes by it unless it says so.
  const byReference = maxOfSteam !== undefined || minProfit !== undefined;
  return [
    ...(byReference ? ["name NOT LIKE '%Doppler%'"] : []),
    ...(max === undefined ? [] : [`cost <= ${Math.round(max * MICROS_PER_DOLLAR)}`]),
    ...(maxOfSteam === undefined ? [] : [`cost * 100 <= steam * ${Math.round(maxOfSteam * 100)}`]),
    ...(minProfit === undefined ? [] : [`net - cost >= ${minProfit * MICROS_PER_DOLLAR}`]),
  ];
}

function within(column: string, range: Readonly<Record<string, number | undefined>>, unit: number): readonly string[] {
  const signs: Readonly<Record<string, string>> = { min: '>=', max: '<=', above: '>', below: '<' };
  return Object.entries(range).map(([edge, value]) => `${column} ${signs[edge]} ${(value as number) * unit}`);
}

function word(column: string, wanted: string | readonly string[]): string {
  const words = typeof wanted === 'string' ? [wanted] : wanted;
  if (words.some((each) => /[*?]/.test(each))) throw new TypeError(`a glob on ${column}`);
  return `${column} IN (${words.map(quoted).join(', ')})`;
}

/** Whole names by equality, the others by LIKE. */
function nameTest(wanted: string | readonly string[]): string {
  const names = typeof wanted === 'string' ? [wanted] : wanted;
  const [globs, whole] = [names.filter((name) => /[*?]/.test(name)), names.filter((name) => !/[*?]/.test(name))];
  const tests = [
    ...(whole.length === 0 ? [] : [`name IN (${whole.map(quoted).join(', ')})`]),
    ...globs.map((glob) => `name LIKE ${quoted(likeOf(glob))} ESCAPE '\\'`),
  ];
  return `(${tests.join(' OR ')})`;
}

function likeOf(glob: string): string {
  return glob
    .replace(/[%_\\]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

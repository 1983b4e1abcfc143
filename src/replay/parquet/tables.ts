import type { SchemaElement } from 'hyparquet';

/** What is kept of one row: by column. Times and amounts are bigints of micros already; undefined: not known, or not so. */
export type Row = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

export type TableName = 'sessions' | 'polls' | 'events' | 'standing' | 'listings' | 'gaps' | 'inputs';

/** Text; a whole number; a real one; yes or no; a moment in UTC; dollars. */
type ColumnType = 'text' | 'whole' | 'real' | 'flag' | 'time' | 'money';

type Columns = Readonly<Record<string, ColumnType>>;

const elements: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  whole: { type: 'INT64' },
  real: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  time: {
    ...{ type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  money: {
    ...{ type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6 },
    logical_type: { type: 'DECIMAL', precision: 18, scale: 6 },
  },
};

/** What an event is; what stood has the same columns. */
const eventColumns: Columns = {
  ...{ poll: 'whole', session: 'whole', time: 'time', not_before: 'time', kind: 'text', market: 'text', listing: 'text' },
  ...{ name: 'text', price: 'money', cost: 'money', steam_price: 'money', position: 'whole', chunk: 'whole', reason: 'text' },
  ...{ offer: 'whole', at: 'real' },
};

/**
 * The tables and their columns. `poll` counts the polls of the export; what was noted between two polls has the number of the second one.
 * Times stand twice: as one for people, and as the exact number of milliseconds that was recorded.
 */
export const tables: Readonly<Record<TableName, Columns>> = {
  sessions: {
    ...{ session: 'whole', started: 'time', stopped: 'time', version: 'text', mode: 'text' },
    ...{ started_at: 'real', stopped_at: 'real' },
  },
  polls: {
    ...{ poll: 'whole', session: 'whole', seq: 'whole', began: 'time', ended: 'time', outcome: 'text', complete: 'flag' },
    ...{ first: 'flag', status: 'whole', bytes: 'whole', count: 'whole', bad: 'whole', request_id: 'text', message: 'text' },
    ...{ events: 'whole', began_at: 'real', ended_at: 'real', service_date: 'real' },
  },
  events: eventColumns,
  standing: eventColumns,
  listings: {
    ...{ offer: 'whole', market: 'text', listing: 'text', name: 'text', item_id: 'text', price: 'money', cost: 'money' },
    ...{ steam_price: 'money', wear: 'real', paint_seed: 'whole', json: 'text' },
  },
  gaps: {
    ...{ poll: 'whole', session: 'whole', begins: 'time', ends: 'time', polls: 'whole', inputs: 'whole', reason: 'text' },
    ...{ from_at: 'real', to_at: 'real' },
  },
  inputs: { poll: 'whole', session: 'whole', time: 'time', kind: 'text', value: 'text', at: 'real' },
};

export const tableNames = Object.keys(tables) as readonly TableName[];

/** Of one table, as Parquet has it. */
export function schemaOf(table: TableName): SchemaElement[] {
  const leaves = Object.entries(tables[table]).map(([name, type]): SchemaElement => ({
    name,
    repetition_type: 'OPTIONAL',
    ...elements[type],
  }));
  return [{ name: 'root', num_children: leaves.length }, ...leaves];
}

/** Those that a recording is made of again: dates and amounts are there for people. */
export function exactColumns(table: TableName): string[] {
  return Object.entries(tables[table]).flatMap(([name, type]) => (type === 'time' || type === 'money' ? [] : [name]));
}

/** The columns that a schema names, and what each of them is, as one text: what two schemas are compared by. */
export function shapeOf(schema: readonly SchemaElement[]): string {
  return schema
    .slice(1)
    .map(({ name, type, converted_type: converted }) => `${name} ${type ?? ''} ${converted ?? ''}`)
    .join(', ');
}

/** The form of the files; the list of them says it. */
export const PARQUET_FORM = 1;

/** Rows that are packed together, and can be left out together by whoever asks for a few. No group has more. */
export const GROUP_ROWS = 32_768;

/** The list of the files, written last: with it, it can be told whether all is there, and as it was written. */
export const LIST_FILE = 'recording.json';

/** A part of a table: `events-0001.parquet`. Files of one number belong together, and need those of no other but the sessions. */
export function partName(table: TableName, part: number): string {
  return `${table}-${String(part).padStart(4, '0')}.parquet`;
}

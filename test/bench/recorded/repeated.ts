import Database from 'better-sqlite3';
import type { Layout } from '../../../src/replay/segment/columns.ts';
import type { SegmentShape } from '../../../src/replay/segment/pieces.ts';
import { PIECES_MAX, openForWriting } from '../../../src/replay/tape-schema.ts';

type Row = Readonly<Record<string, number | string | null>>;

const tables = ['session', 'poll', 'input', 'segment'] as const;

/**
 * Makes a long recording of a short one, which is of one session and compacted: so many copies of it, one after the other in time, each a session
 * of its own. Their columns are moved and not made anew, so that a month takes seconds. Throws where they cannot be.
 */
export function repeated(from: string, to: string, times: number): void {
  const source = new Database(from, { readonly: true });
  const db = openForWriting(to, 2 ** 47);
  try {
    const rows = Object.fromEntries(
      tables.map((table) => [table, source.prepare(`SELECT * FROM ${table} ORDER BY id`).all() as Row[]] as const),
    ) as Record<(typeof tables)[number], Row[]>;
    if (rows.session.length !== 1 || source.prepare('SELECT count(*) FROM event').pluck().get() !== 0)
      throw new Error('only one session that is compacted can be repeated');
    for (let copy = 0; copy < times; copy++) db.transaction(() => copied(db, source, rows, copy))();
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    source.close();
    db.close();
  }
}

function copied(
  db: Database.Database,
  source: Database.Database,
  rows: Record<(typeof tables)[number], Row[]>,
  copy: number,
): void {
  const last = (table: (typeof tables)[number], column: string): number => rows[table].at(-1)?.[column] as number;
  const later = copy * (last('poll', 'ended_at') - last('session', 'started_at') + 3_000);
  const [polls, events, segments] = [copy * last('poll', 'id'), copy * last('poll', 'last_event'), copy * last('segment', 'id')];
  const moved = (row: Row, by: Readonly<Record<string, number>>): Row => ({
    ...row,
    ...Object.fromEntries(Object.entries(by).map(([column, more]) => [column, (row[column] as number) + more])),
  });
  const insert = (table: string, row: Row): void => {
    const columns = Object.keys(row);
    db.prepare(`INSERT INTO ${table} VALUES (${columns.map((column) => `@${column}`).join(', ')})`).run(row);
  };
  for (const row of rows.session) insert('session', moved(row, { id: copy, started_at: later, stopped_at: later }));
  for (const row of rows.poll)
    insert('poll', moved(row, { id: polls, session: copy, began_at: later, ended_at: later, last_event: events }));
  for (const row of rows.input) {
    const value = String(row['value']).replace(
      /"(receivedAt|beganAt|endedAt)":(\d+)/g,
      (_, key: string, at: string) => `"${key}":${Number(at) + later}`,
    );
    insert('input', { ...moved(row, { id: copy * last('input', 'id'), session: copy, at: later }), value });
  }
  for (const row of rows.segment) {
    const by = { id: segments, session: copy, first_event: events, last_event: events, last_poll: polls, to_at: later };
    const shape = JSON.parse(String(row['shape'])) as SegmentShape;
    const columns = shape.columns.map((layout) => movedLayout(layout, { momentPoll: polls, momentAt: later }));
    insert('segment', { ...moved(row, by), shape: JSON.stringify({ ...shape, columns }) });
  }
  for (const row of source.prepare('SELECT * FROM piece ORDER BY id').iterate() as IterableIterator<Row>)
    insert('piece', moved(row, { id: segments * PIECES_MAX }));
}

function movedLayout(layout: Layout, by: Readonly<Record<string, number>>): Layout {
  const more = by[layout.name] ?? 0;
  if (more > 0 && layout.width === 8) throw new Error(`${layout.name} is of numbers that cannot be moved`);
  return { ...layout, base: layout.base + more };
}

import type { AlertKind } from '../domain/alert.ts';
import type { EpochMs } from '../domain/clock.ts';
import { type Micros, formatDollars, micros } from '../domain/money.ts';
import type { Meta } from './meta.ts';
import type { Store } from './store.ts';

/** How far somebody has been told: the newest alert, and the newest evidence. */
export interface NewsCursor {
  readonly alert: number;
  readonly evidence: number;
}

export interface NewsRow {
  /** The same for the same news. */
  readonly id: string;
  readonly at: EpochMs;
  readonly message: string;
  readonly next: string | undefined;
  readonly purchaseId: number | undefined;
}

export interface NewsOfKind {
  readonly kind: AlertKind;
  readonly count: number;
  /** A few of the newest, oldest first. */
  readonly newest: readonly NewsRow[];
}

export interface NewsQueries {
  /** Where somebody begins who has been told nothing yet: before the alerts since then, and after every purchase that was made. */
  newsSince(since: EpochMs): NewsCursor;
  /** What happened after a cursor, by kind, and the cursor of the newest. Purchases are told from their evidence: they have no alert. */
  newsAfter(cursor: NewsCursor): { readonly upTo: NewsCursor; readonly groups: readonly NewsOfKind[] };
  /** How far a channel has been told; undefined when it never was. */
  newsCursor(channel: string): NewsCursor | undefined;
}

export interface NewsKeeper extends NewsQueries {
  saveNewsCursor(channel: string, cursor: NewsCursor): void;
}

const SHOWN = 5;

interface AlertRow {
  readonly id: number;
  readonly at: EpochMs;
  readonly message: string;
  readonly next: string | null;
  readonly purchase_id: number | null;
}

/** Written often and of little worth, hence on the connection that does not wait for the disk: after a power cut some is told twice. */
export function createNews(relaxed: Store, meta: Meta): NewsKeeper {
  const end = relaxed.reading<[], { alert: number; evidence: number }>(
    'SELECT (SELECT coalesce(max(id), 0) FROM alerts) AS alert, (SELECT coalesce(max(seq), 0) FROM evidence) AS evidence',
  );
  const before = relaxed.value<[EpochMs], number>('SELECT coalesce(max(id), 0) FROM alerts WHERE at < ?');
  const counts = relaxed.reading<[number, number], { kind: AlertKind; count: number }>(
    'SELECT kind, count(*) AS count FROM alerts WHERE id > ? AND id <= ? GROUP BY kind',
  );
  const newest = relaxed.reading<[AlertKind, number, number, number], AlertRow>(
    'SELECT id, at, message, next, purchase_id FROM alerts WHERE kind = ? AND id > ? AND id <= ? ORDER BY id DESC LIMIT ?',
  );
  const bought = createBought(relaxed);
  const now = (): NewsCursor => end.get() ?? { alert: 0, evidence: 0 };
  return {
    newsSince: (since) => ({ ...now(), alert: before(since) ?? 0 }),
    newsAfter(cursor) {
      const upTo = now();
      const alerts = counts.all(cursor.alert, upTo.alert).map(({ kind, count }) => {
        const rows = newest.all(kind, cursor.alert, upTo.alert, SHOWN).reverse();
        return { kind, count, newest: rows.map(newsOf) };
      });
      const purchases = upTo.evidence > cursor.evidence ? bought(cursor.evidence, upTo.evidence) : [];
      return { upTo, groups: [...alerts, ...purchases] };
    },
    newsCursor(channel) {
      const text = meta.text(`news:${channel}`);
      return text === undefined ? undefined : (JSON.parse(text) as NewsCursor);
    },
    saveNewsCursor(channel, { alert, evidence }) {
      relaxed.transaction('news', () => meta.set(`news:${channel}`, JSON.stringify({ alert, evidence })));
    },
  };
}

function newsOf({ id, at, message, next, purchase_id }: AlertRow): NewsRow {
  return { id: `alert-${id}`, at, message, next: next ?? undefined, purchaseId: purchase_id ?? undefined };
}

interface BoughtRow {
  readonly seq: number;
  readonly at: EpochMs;
  readonly id: number;
  readonly name: string;
  readonly amount: Micros;
  readonly market: string;
  readonly strategy: string;
}

/** The evidence by which a live purchase came to be bought: each has one. */
const BOUGHT = `FROM evidence JOIN purchases ON purchases.id = evidence.purchase_id
  WHERE seq > ? AND seq <= ? AND to_state = 'bought' AND from_state IN ('intended', 'unknown', 'rejected')`;

function createBought(store: Store): (after: number, upTo: number) => NewsOfKind[] {
  const total = store.reading<[number, number], { count: number; spent: number | null }>(
    `SELECT count(*) AS count, sum(amount) AS spent ${BOUGHT}`,
  );
  const newest = store.reading<[number, number, number], BoughtRow>(
    `SELECT seq, at, purchases.id AS id, market_hash_name AS name, amount, market, strategy ${BOUGHT} ORDER BY seq DESC LIMIT ?`,
  );
  return (after, upTo) => {
    const { count, spent } = total.get(after, upTo) ?? { count: 0, spent: null };
    if (count === 0) return [];
    const rows = newest.all(after, upTo, SHOWN).reverse();
    const all = count > rows.length ? ` (${count} for ${formatDollars(micros(spent ?? 0))} in all)` : '';
    return [{ kind: 'purchase', count, newest: rows.map((row, place) => boughtNews(row, place === rows.length - 1 ? all : '')) }];
  };
}

function boughtNews({ seq, at, id, name, amount, market, strategy }: BoughtRow, all: string): NewsRow {
  const message = `Bought ${name} for ${formatDollars(amount)} on ${market} by ${strategy}: purchase ${id}${all}`;
  return { id: `purchase-${seq}`, at, message, next: undefined, purchaseId: id };
}

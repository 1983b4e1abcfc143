import type { Meta } from './meta.ts';
import type { Store } from './store.ts';

/** How many orders of the account a list has never shown though its total counts them: a list may end after the newest so many. */
export interface HiddenOrders {
  /**
   * Orders that are known together with those of a list that has just been read: in all, and those that any list has shown (an order of
   * ours may be known by the answer to its buy alone).
   */
  knownWith(orderIds: readonly string[]): { readonly all: number; readonly listed: number };
  /** What was taken for granted last; undefined before anything was bought, when there is nothing yet that an order could be unknown to. */
  hiddenOrders(): number | undefined;
  keepHiddenOrders(count: number): void;
}

export function createHiddenOrders(store: Store, meta: Meta): HiddenOrders {
  const known = store.reading<[{ shown: string }], { everything: number; listed: number; among: number; listedAmong: number }>(
    `SELECT count(*) FILTER (WHERE same_as IS NULL) AS everything, count(*) FILTER (WHERE listed = 1) AS listed,
       count(*) FILTER (WHERE order_id IN (SELECT value FROM json_each(@shown))) AS among,
       count(*) FILTER (WHERE listed = 1 AND order_id IN (SELECT value FROM json_each(@shown))) AS listedAmong FROM orders`,
  );
  const bought = store.value<[], 0 | 1>("SELECT EXISTS (SELECT 1 FROM purchases WHERE lane = 'live')");
  return {
    knownWith(orderIds) {
      const shown = new Set(orderIds);
      const { everything, listed, among, listedAmong } = known.get({ shown: JSON.stringify([...shown]) }) ?? none;
      return { all: everything + shown.size - among, listed: listed + shown.size - listedAmong };
    },
    hiddenOrders: () => meta.number('hiddenOrders') ?? (bought() === 1 ? 0 : undefined),
    keepHiddenOrders(count) {
      store.transaction('hidden-orders', () => meta.set('hiddenOrders', count));
    },
  };
}

const none = { everything: 0, listed: 0, among: 0, listedAmong: 0 };

import type { EpochMs } from '../domain/clock.ts';
import type { Purchase } from '../domain/purchase.ts';
import type { Meta } from './meta.ts';
import type { Moves } from './moves.ts';
import { PURCHASE_COLUMNS, type PurchaseRow, purchaseOf } from './purchase-row.ts';
import type { Store } from './store.ts';

export interface DatesAhead {
  /**
   * To be called once it is certain what time it is: what an earlier run dated later than `now` has happened before. From now on it
   * counts as of now, the latest that it can be; else what waits for looks and minutes after it would wait for as long as that clock was
   * ahead. The first look at the orders is drawn back likewise. Returns the purchases that it was about.
   */
  drawBack(now: EpochMs): readonly Purchase[];
}

export function createDatesAhead(store: Store, moves: Moves, meta: Meta): DatesAhead {
  const ahead = store.reading<[{ now: EpochMs }], PurchaseRow>(
    `SELECT ${PURCHASE_COLUMNS} FROM purchases WHERE lane = 'live'
     AND (answered_at > @now OR moved_at > @now OR accepted_at > @now OR completed_at > @now) ORDER BY id`,
  );
  const draw = store.writing<[{ now: EpochMs; id: number }]>(
    'UPDATE purchases SET moved_at = min(moved_at, @now), accepted_at = min(accepted_at, @now) WHERE id = @id',
  );
  return {
    drawBack: (now) =>
      store.transaction('dates', () => {
        for (const first of ['baselineAt', 'transactionsBaselineAt'] as const)
          if ((meta.number(first) ?? now) > now) meta.set(first, now);
        return ahead.all({ now }).map((row) => {
          const before = purchaseOf(row);
          const { answeredAt, completedAt } = before;
          const change = { answeredAt: noLater(answeredAt, now), completedAt: noLater(completedAt, now) };
          const note = 'an earlier run, whose clock was ahead, had dated it later than now: it counts as of now';
          const after = moves.change(before, change, { kind: 'clock', note }, now);
          draw({ now, id: before.id });
          return after;
        });
      }),
  };
}

function noLater(at: EpochMs | undefined, now: EpochMs): EpochMs | undefined {
  return at === undefined ? undefined : Math.min(at, now);
}

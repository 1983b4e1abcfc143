import { describe, expect, it } from 'vitest';
import type { AlertKind } from '../../src/domain/alert.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { NOON, dollars } from '../support/values.ts';
import { begun, freshFolder, freshLedger, opened, order, outcomes, settled } from './support.ts';

function alert(ledger: Ledger, kind: AlertKind, message: string, at = NOON): void {
  ledger.recordAlert({ kind, at, message, next: undefined, purchaseId: undefined });
}

const shown = (ledger: Ledger, cursor = ledger.newsSince(0)): unknown =>
  ledger.newsAfter(cursor).groups.map(({ kind, count, newest }) => [kind, count, newest.map(({ message }) => message)]);

describe('news', () => {
  it('are the alerts after a cursor, by kind, the newest of each', () => {
    const ledger = freshLedger();
    alert(ledger, 'halt', 'before');
    const { upTo } = ledger.newsAfter(ledger.newsSince(0));
    for (let number = 1; number <= 7; number++) alert(ledger, 'refund', `refund ${number}`);
    alert(ledger, 'halt', 'after');
    expect(shown(ledger, upTo)).toEqual([
      ['halt', 1, ['after']],
      ['refund', 7, ['refund 3', 'refund 4', 'refund 5', 'refund 6', 'refund 7']],
    ]);
    expect(shown(ledger, ledger.newsAfter(upTo).upTo)).toEqual([]);
  });

  it('begin with the start for who has been told nothing yet', () => {
    const ledger = freshLedger();
    settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    alert(ledger, 'halt', 'long ago', NOON);
    alert(ledger, 'trade-url', 'at this start', NOON + 60_000);
    expect(shown(ledger, ledger.newsSince(NOON + 60_000))).toEqual([['trade-url', 1, ['at this start']]]);
  });

  it('tell each purchase once: when it is accepted, or when evidence shows it; no refused one, and none on paper', () => {
    const ledger = freshLedger();
    const cursor = ledger.newsSince(0);
    settled(ledger, begun(ledger, 1), outcomes.bought('o1'));
    settled(ledger, begun(ledger, 2), outcomes.refused());
    settled(ledger, begun(ledger, 3), outcomes.unknown());
    const first = ledger.newsAfter(cursor);
    expect(first.groups.map(({ kind, count }) => [kind, count])).toEqual([['purchase', 1]]);
    expect(first.groups[0]?.newest).toMatchInlineSnapshot(`
      [
        {
          "at": 1767614400002,
          "id": "purchase-2",
          "message": "Bought AK-47 | Redline (Field-Tested) for $10.50 on c5game by cheap: purchase 1",
          "next": undefined,
          "purchaseId": 1,
        },
      ]
    `);
    ledger.apply(
      [{ kind: 'bought', purchaseId: 3, order: order('o3'), transactionId: 't3', paid: dollars(10), note: 'an order' }],
      NOON + 9,
    );
    ledger.apply([{ kind: 'completed', purchaseId: 1, order: order('o1') }], NOON + 10);
    const second = ledger.newsAfter(first.upTo);
    expect(second.groups.map(({ kind, count, newest }) => [kind, count, newest[0]?.purchaseId])).toEqual([['purchase', 1, 3]]);
    expect(ledger.newsAfter(second.upTo).groups).toEqual([]);
    expect(ledger.alerts(0, 10)).toEqual([]);
  });

  it('are known to have been told after a restart, for each channel by itself', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    alert(ledger, 'halt', 'a');
    expect(ledger.newsCursor('discord')).toBeUndefined();
    const { upTo } = ledger.newsAfter(ledger.newsSince(0));
    ledger.saveNewsCursor('discord', upTo);
    ledger.close();
    const again = opened(folder);
    expect(again.newsCursor('discord')).toEqual(upTo);
    expect(again.newsCursor('telegram')).toBeUndefined();
  });
});

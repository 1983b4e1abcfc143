import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/engine/evidence.ts';
import { NOON, dollars, listing, wideLimits } from '../support/values.ts';
import { freshFolder, freshLedger, order, outcomes, raw, settled, wish } from './support.ts';

const statements = [
  "'; DROP TABLE purchases; --",
  '" OR 1=1; DELETE FROM evidence; --',
  "x'); UPDATE purchases SET state = 'rejected'; --",
  '$name',
  '?1',
  '\u0000',
  '%_\\',
];
const text = fc.oneof(fc.constantFrom(...statements), fc.string({ minLength: 1 }));

function tables(folder: string): unknown[] {
  const db = raw(folder);
  const found = db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
  db.close();
  return found;
}

describe('texts from outside', () => {
  it('are values wherever they are kept, and come back as they were [S20]', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    const before = tables(folder);
    let number = 0;
    fc.assert(
      fc.property(text, text, text, text, text, (name, itemId, statusCode, note, strategy) => {
        const id = ++number;
        const orderId = `${note} ${id}`;
        const offer = listing({ id: String(id), name, itemId });
        const committed = ledger.commitIntent(wish({ listing: offer, strategy }), wideLimits, NOON + 1);
        if (!committed.ok) throw new Error(committed.detail);
        expect(ledger.purchase(id)).toStrictEqual(committed.purchase);
        settled(ledger, committed.purchase, outcomes.unknown(note));
        const seen = order(orderId, { statusCode });
        const bought: Finding = {
          kind: 'bought',
          purchaseId: id,
          order: seen,
          transactionId: orderId,
          paid: dollars(10.5),
          note,
        };
        ledger.apply([bought], NOON + 2);
        ledger.halt(note, 'person', NOON + 3);
        expect(ledger.halted()?.reason).toBe(note);
        ledger.resume(NOON + 3);
        expect(ledger.purchase(id)).toMatchObject({
          ...{ marketHashName: name, itemId, strategy, state: 'bought' },
          ...{ upstreamOrderId: note, serviceOrderId: orderId, orderStatus: statusCode },
        });
      }),
      { numRuns: 60 },
    );
    expect(tables(folder)).toEqual(before);
    expect(ledger.countsByState()).toMatchObject({ bought: 60, rejected: 0 });
  });
});

import { describe, expect, it } from 'vitest';
import { closesListing, isCommitted } from '../../src/domain/purchase.ts';
import { attack } from './attack.ts';
import { freshFolder, opened, raw } from './support.ts';

describe('whatever happens, in whatever order', () => {
  it('no admission passes a cap, no listing is bought twice, and every sum is what the rows say', () => {
    expect(attack(25).admitted, 'not vacuous').toBeGreaterThan(60);
  });
});

describe('the schema', () => {
  it('says of every combination what the domain says', () => {
    const folder = freshFolder();
    opened(folder).close();
    const db = raw(folder);
    const where = db
      .prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'one_live_purchase'")
      .pluck()
      .get()!
      .replace(/^.* WHERE /s, '');
    const states = ['intended', 'unknown', 'bought', 'completed', 'refunded', 'rejected', 'expired'] as const;
    const row = db.prepare<[string, number, number], number>(
      `SELECT ${where} FROM (SELECT 'live' AS lane, 0 AS surplus, ? AS state, ? AS held, ? AS was_unknown)`,
    );
    for (const state of states) {
      for (const held of [false, true]) {
        for (const wasUnknown of [false, true]) {
          const closes = row.pluck().get(state, held ? 1 : 0, wasUnknown ? 1 : 0) === 1;
          expect(closes).toBe(closesListing({ state, held, wasUnknown }));
        }
      }
    }
    expect(isCommitted({ state: 'rejected', held: false })).toBe(false);
  });

  it('lets exactly the moves of the domain happen', () => {
    const folder = freshFolder();
    const ledger = opened(folder);
    ledger.bindAccount('a');
    const sql = raw(folder).prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'rule_legal_moves'").pluck().get()!;
    expect(sql.match(/'\w+ \w+'/g)).toMatchInlineSnapshot(`
      [
        "'intended unknown'",
        "'intended bought'",
        "'intended rejected'",
        "'intended expired'",
        "'unknown bought'",
        "'unknown rejected'",
        "'bought completed'",
        "'bought refunded'",
        "'completed refunded'",
        "'rejected bought'",
      ]
    `);
  });
});

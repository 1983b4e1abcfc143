import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/domain/decision.ts';
import { NOON, dollars } from '../support/values.ts';
import { freshFolder, freshLedger, opened } from './support.ts';

const decision = (given: Partial<Decision> = {}): Decision => ({
  at: NOON,
  lane: 'live',
  market: 'c5game',
  listingId: '1',
  marketHashName: 'AK-47 | Redline (Field-Tested)',
  strategy: 'cheap',
  strategyHash: 'hash',
  cost: dollars(10.5),
  verdict: 'refused',
  reason: 'reserve',
  detail: 'too little is left',
  ...given,
});

describe('decisions', () => {
  it('are told of a listing, newest first, as they were made', () => {
    const ledger = freshLedger();
    const admitted = decision({ at: NOON + 1, verdict: 'admitted', reason: undefined, detail: undefined });
    ledger.recordDecisions([decision(), decision({ listingId: '2' }), decision({ market: 'ecosteam' }), admitted]);
    ledger.recordDecisions([]);
    expect(ledger.decisionsOf('1')).toEqual([admitted, decision({ market: 'ecosteam' }), decision()]);
    expect(ledger.decisionsOf('1', { market: 'c5game', limit: 1 })).toEqual([admitted]);
    expect(ledger.decisions(2)).toEqual([admitted, decision({ market: 'ecosteam' })]);
    expect(ledger.decisionsOf('3')).toEqual([]);
  });

  it('are forgotten by age in small steps [P28]', () => {
    const ledger = freshLedger();
    ledger.recordDecisions(Array.from({ length: 10 }, (_, n) => decision({ at: NOON + n })));
    expect(ledger.pruneDecisions(NOON + 7, 5)).toBe(5);
    expect(ledger.pruneDecisions(NOON + 7, 5)).toBe(2);
    expect(ledger.pruneDecisions(NOON + 7, 5)).toBe(0);
    expect(ledger.decisions(99).map(({ at }) => at - NOON)).toEqual([9, 8, 7]);
  });

  it('do not let the write-ahead log grow without end', () => {
    const folder = freshFolder();
    const ledger = freshLedger(folder);
    for (let batch = 0; batch < 40; batch++) {
      ledger.recordDecisions(Array.from({ length: 500 }, () => decision({ detail: 'x'.repeat(1_000) })));
    }
    expect(statSync(join(folder, 'magpie.db')).size).toBeGreaterThan(20_000_000);
    expect(statSync(join(folder, 'magpie.db-wal')).size).toBeLessThan(9_000_000);
  });

  it('name a wording that is kept once', () => {
    const folder = freshFolder();
    const first = opened(folder);
    first.keepStrategy('h1', 'name: a', NOON);
    first.keepStrategy('h1', 'name: a', NOON + 1);
    first.close();
    const ledger = opened(folder);
    expect(ledger.strategyText('h1')).toBe('name: a');
    expect(ledger.strategyText('h2')).toBeUndefined();
  });
});

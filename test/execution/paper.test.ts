import { describe, expect, it } from 'vitest';
import { JournalFailure } from '../../src/engine/journal.ts';
import { Paper } from '../../src/execution/paper.ts';
import { freshLedger, wish } from '../ledger/support.ts';
import { NOON, listing, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';
import { Ear } from './support/desk.ts';

function setUp(ledger = freshLedger()) {
  const ear = new Ear();
  return {
    ear,
    ledger,
    paper: new Paper({ journal: ledger, clock: new VirtualClock(NOON), limits: () => wideLimits, told: ear }),
  };
}

const offer = (price = 10) => wish({ lane: 'paper', listing: listing({ price }) });

describe('on paper', () => {
  it('a purchase is written as simulated, once for each offer', () => {
    const { ear, ledger, paper } = setUp();
    expect(paper.simulate(offer())).toMatchObject({ state: 'simulated', lane: 'paper' });
    expect(paper.simulate(offer())).toBeUndefined();
    expect(paper.simulate(offer(9))).toMatchObject({ state: 'simulated', price: 9 });
    expect(ear.heard).toEqual(['1 simulated', 'not committed: already-simulated', '2 simulated']);
    expect(ledger.purchase(1)?.serviceOrderId).toBeUndefined();
  });

  it('a journal that fails is told, and nothing is counted', () => {
    const { ear, paper } = setUp(
      freshLedger(undefined, (name) => {
        if (name === 'intent:commit') throw new JournalFailure('disk full');
      }),
    );
    expect(paper.simulate(offer())).toBeUndefined();
    expect(ear.heard).toEqual(['not committed: journal-failed']);
    expect(ear.failures).toEqual(['disk full']);
  });
});

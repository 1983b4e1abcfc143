import { describe, expect, it } from 'vitest';
import { LowBalance } from '../../src/app/low-balance.ts';
import { Bell } from '../../src/app/bell.ts';
import { JournalGuard } from '../../src/app/journal-guard.ts';
import { type EngineState, initialState } from '../../src/engine/state.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { freshLedger } from '../ledger/support.ts';
import { dollars, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

function stage({ reserve, lowBalance }: { reserve: number; lowBalance?: number }) {
  const [clock, ledger] = [new VirtualClock(), freshLedger()];
  const limits = { ...wideLimits, reserve: dollars(reserve) };
  const health = { require: 'off', staleAfterMs: 15_000 } as const;
  const rules = { strategies: new StrategyIndex([]), limits, never: () => false, health, patienceMs: 2_000 };
  const state: EngineState = initialState(rules, {
    ...{ purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0 },
    now: clock.now(),
  });
  const guard = new JournalGuard({ clock, post: () => undefined, log: silent, probe: () => undefined, onTurn: () => undefined });
  const watch = new LowBalance({
    ...{ clock, bell: new Bell(silent, ledger, guard), state: () => state },
    lowBalance: lowBalance === undefined ? undefined : dollars(lowBalance),
  });
  const read = (amount: number): void => {
    state.balance = { amount: dollars(amount), beganAt: clock.now(), endedAt: clock.now() };
    watch.tick();
  };
  const rung = (): string[] => ledger.alerts(0, 9).map(({ kind, message }) => `${kind}: ${message}`);
  return { clock, state, watch, read, rung };
}

describe('a balance that runs low', () => {
  it('is told of before the reserve is reached, once until it has risen', () => {
    const { read, rung } = stage({ reserve: 100 });
    read(120);
    expect(rung()).toEqual([]);
    read(119.99);
    read(110);
    read(121);
    read(119);
    expect(rung()).toEqual([
      'low-balance: The free balance is $119.99, below $120.00 (the reserve and 20 % of it); nothing is bought below the reserve of $100.00',
    ]);
    read(126);
    read(100);
    expect(rung()).toHaveLength(2);
  });

  it('is what alerts.lowBalance says, where it says something', () => {
    const { read, rung } = stage({ reserve: 0, lowBalance: 50 });
    read(50);
    read(49);
    expect(rung()).toEqual(['low-balance: The free balance is $49.00, below $50.00 (alerts.lowBalance)']);
  });

  it('is nobody’s concern without a reserve and a bound, nor while it is not known', async () => {
    const unbounded = stage({ reserve: 0 });
    unbounded.read(0.01);
    expect(unbounded.rung()).toEqual([]);
    const { clock, state, watch, rung } = stage({ reserve: 100 });
    watch.tick();
    state.balance = { amount: dollars(1), beganAt: clock.now(), endedAt: clock.now() };
    await clock.advance(60_001);
    watch.tick();
    expect(rung()).toEqual([]);
  });

  it('is what is free: what purchases hold is gone', () => {
    const { state, read, rung } = stage({ reserve: 100 });
    state.lanes.live.exposure.holds.set('1', { purchaseId: 1, amount: dollars(30), answeredAt: undefined });
    read(140);
    expect(rung()[0]).toContain('The free balance is $110.00');
  });
});

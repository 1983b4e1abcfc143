import { expect, it } from 'vitest';
import { stateFrom } from '../../src/app/past.ts';
import { standstill } from '../../src/risk/admit.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { freshLedger } from '../ledger/support.ts';
import { NOON, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const YEAR = 365 * 86_400_000;
const LONGEST = 75 * 60_000;

it('a wait that a clock far ahead has dated keeps buying closed no longer than a service is ever waited for [N16]', () => {
  const ledger = freshLedger();
  ledger.saveSlowUntil(NOON + 10 * YEAR);
  const health = { require: 'off', staleAfterMs: 15_000 } as const;
  const rules = { strategies: new StrategyIndex([]), limits: wideLimits, never: () => false, health, patienceMs: 2_000 };
  const { slowedUntil } = stateFrom({ ledger, rules, clock: new VirtualClock(NOON) }, () => undefined);
  const refusal = (now: number): unknown => standstill({ now, halted: undefined, blockers: [], slowedUntil })?.reason;
  expect(refusal(NOON + LONGEST - 1)).toBe('slowed');
  expect(refusal(NOON + LONGEST)).toBeUndefined();
});

import { describe, expect, it } from 'vitest';
import { Bell } from '../../src/app/bell.ts';
import type { Posted } from '../../src/app/engine-loop.ts';
import { JournalGuard } from '../../src/app/journal-guard.ts';
import { Lookout } from '../../src/app/lookout.ts';
import type { HealthMissing, HealthReading } from '../../src/domain/readings.ts';
import { opennessOf } from '../../src/engine/judge.ts';
import { type EngineState, initialState } from '../../src/engine/state.ts';
import { step } from '../../src/engine/step.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { StrategyIndex } from '../../src/strategy/strategy-index.ts';
import { begun, freshLedger, outcomes, settled } from '../ledger/support.ts';
import { NOON, dollars, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const MINUTE = 60_000;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

function stateOf(clock: VirtualClock): EngineState {
  const health = { require: 'ok', staleAfterMs: 15_000 } as const;
  const rules = { strategies: new StrategyIndex([]), limits: wideLimits, never: () => false, health, patienceMs: 2_000 };
  return initialState(rules, {
    ...{ purchases: [], adopted: [], halt: undefined, slowedUntil: undefined, refusalsInRow: 0 },
    now: clock.now(),
  });
}

/** A lookout on a ledger of its own, to which each second is told what the test says. */
function watching(ledger: Ledger = freshLedger()) {
  const clock = new VirtualClock(NOON);
  const state = stateOf(clock);
  const guard = new JournalGuard({ clock, post: () => undefined, log: silent, probe: () => undefined, onTurn: () => undefined });
  const bell = new Bell(silent, ledger, guard);
  const post = (event: Posted): void => void step(state, { ...event, at: clock.now() });
  const lookout = new Lookout({ clock, bell, ledger, journal: guard, post, state: () => state });
  const pass = (ms: number, each: () => void = () => undefined): void => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      clock.advanceSync(1_000);
      each();
      lookout.tick();
    }
  };
  const rung = (): { kind: string; message: string; next: string | undefined }[] =>
    ledger.alerts(0, 100).map(({ kind, message, next }) => ({ kind, message, next }));
  const well = (): void => void (state.health = { status: 'ok', markets: {}, receivedAt: clock.now() } satisfies HealthReading);
  return { clock, state, ledger, lookout, pass, rung, well };
}

describe('a purchase of unknown outcome', () => {
  it('is told of once when nothing has settled it for ten minutes, with how far the proof is and what to do', () => {
    const { ledger, lookout, pass, rung, well } = watching();
    lookout.know(settled(ledger, begun(ledger, 1), outcomes.unknown()));
    pass(9 * MINUTE, well);
    expect(rung()).toEqual([]);
    const proof = {
      completeLooks: 4,
      firstLookAt: NOON,
      lastLookAt: NOON,
      healthyMs: 9 * MINUTE,
      standingAt: undefined,
      balanceUnchangedAt: undefined,
      mayBeIts: [],
    };
    ledger.apply([{ kind: 'proof', purchaseId: 1, proof }], NOON + 9 * MINUTE);
    pass(5 * MINUTE, well);
    expect(rung()).toMatchInlineSnapshot(`
      [
        {
          "kind": "unknown",
          "message": "Nobody can say after 10 min whether purchase 1 (AK-47 | Redline (Field-Tested), $10.50) was bought: 4 whole looks at the orders without it, balance not yet shown unchanged, listing not seen standing since, 9 of 30 healthy minutes",
          "next": "look at the service for it, then run \`magpie resolve 1 --as bought|not-bought --reason TEXT\`",
        },
      ]
    `);
  });

  it('is not told of again after a restart, nor when it is settled in time', () => {
    const ledger = freshLedger();
    const first = settled(ledger, begun(ledger, 1), outcomes.unknown());
    for (let run = 0; run < 2; run++) {
      const { lookout, pass, well } = watching(ledger);
      lookout.know(first);
      pass(20 * MINUTE, well);
    }
    expect(ledger.alerts(0, 9)).toHaveLength(1);
    const { lookout, pass, well } = watching(ledger);
    lookout.know(settled(ledger, begun(ledger, 2), outcomes.unknown()));
    pass(5 * MINUTE, well);
    lookout.know(ledger.resolve(2, 'not-bought', 'not there', NOON + 6 * MINUTE));
    pass(20 * MINUTE, well);
    expect(ledger.alerts(0, 9)).toHaveLength(1);
  });
});

describe('a purchase that was bought after all', () => {
  it('is told of where no look has told of it already', () => {
    const { ledger, lookout, rung } = watching();
    const purchase = settled(ledger, begun(ledger, 1), outcomes.refused());
    lookout.lateBought({ ...purchase, state: 'bought', reason: 'bought after all: a late answer said so (it was rejected)' });
    lookout.lateBought({ ...purchase, state: 'bought' });
    expect(rung()).toMatchInlineSnapshot(`
      [
        {
          "kind": "late-bought",
          "message": "Purchase 1 (AK-47 | Redline (Field-Tested), $10.50): bought after all: a late answer said so (it was rejected)",
          "next": "its money counts again; nothing needs to be done",
        },
      ]
    `);
  });
});

describe('the clock of the machine', () => {
  it('is told of when it jumps by more than a minute, each jump once, and not when it slips a little', () => {
    const { clock, pass, rung, well } = watching();
    clock.stepWall(-59_000);
    pass(MINUTE, well);
    expect(rung()).toEqual([]);
    clock.stepWall(61 * MINUTE);
    pass(MINUTE, well);
    clock.stepWall(-120 * MINUTE);
    pass(MINUTE, well);
    expect(rung().map(({ kind, message }) => `${kind}: ${message}`)).toMatchInlineSnapshot(`
      [
        "clock: The clock of this machine jumped 120 min back: this run goes on by its own steady time",
        "clock: The clock of this machine jumped 60 min ahead, or it slept: this run goes on by its own steady time",
      ]
    `);
  });
});

describe('a machine that slept', () => {
  /** A bot that has all it needs to buy, and what reads it anew. */
  function awake() {
    const watched = watching();
    const { clock, state } = watched;
    state.blockers.clear();
    const market = { status: 'ok', staleMs: 10, service: true };
    const readHealth = (): void =>
      void (state.health = { status: 'ok', markets: { c5game: market, ecosteam: market }, receivedAt: clock.now() });
    const readBalance = (beganAt = clock.now()): void =>
      void (state.balance = { amount: dollars(1_000), beganAt, endedAt: clock.now() });
    const open = (): boolean => {
      const { everywhere, markets } = opennessOf(state, 'live', clock.now());
      return everywhere === undefined && markets.every(({ refusal }) => refusal === undefined);
    };
    readHealth();
    readBalance();
    return { ...watched, readHealth, readBalance, open };
  }

  it('buys nothing by the health and the balance from before: both are read anew first', () => {
    const { clock, state, lookout, readHealth, readBalance, open } = awake();
    lookout.tick();
    expect(open()).toBe(true);
    clock.stepWall(60 * MINUTE);
    expect(lookout.slept(), 'also to a purchase that is about to leave').toBe(true);
    expect(open()).toBe(false);
    expect(state.blockers.get('slept')).toMatchObject({ reason: 'slept' });
    const asleep = clock.now() - 1;
    clock.advanceSync(1_000);
    readHealth();
    readBalance(asleep);
    lookout.tick();
    readHealth();
    lookout.tick();
    expect(open(), 'one answer of each may have been under way').toBe(false);
    clock.advanceSync(1_000);
    readBalance();
    lookout.tick();
    expect(open()).toBe(false);
    readHealth();
    lookout.tick();
    expect(open()).toBe(true);
    expect(lookout.slept()).toBe(false);
  });

  it('is not waited for where health is not wanted, and a clock that is set back or slips is no sleep', () => {
    const { clock, state, lookout, readBalance, open } = awake();
    clock.stepWall(-60 * MINUTE);
    lookout.tick();
    clock.stepWall(1_500);
    lookout.tick();
    expect(open()).toBe(true);
    (state.rules.health as { require: string }).require = 'off';
    clock.stepWall(3_000);
    lookout.tick();
    expect(open()).toBe(false);
    clock.advanceSync(10);
    readBalance();
    lookout.tick();
    expect(open()).toBe(true);
  });
});

describe('health', () => {
  it('that is not read for a minute is told of once, and again after it was well', () => {
    const { state, pass, rung, well, clock } = watching();
    pass(MINUTE);
    expect(rung()).toEqual([]);
    state.health = { reason: 'failed', message: 'the service failed (503)', at: clock.now() } satisfies HealthMissing;
    pass(30 * MINUTE);
    expect(rung()).toMatchInlineSnapshot(`
      [
        {
          "kind": "health",
          "message": "The health of the markets could not be read for 1 min (the service failed (503)): nothing is bought meanwhile",
          "next": "see whether the service is up; Magpie goes on asking",
        },
      ]
    `);
    pass(MINUTE, well);
    state.health = { reason: 'failed', message: 'the service failed (503)', at: clock.now() };
    pass(3 * MINUTE);
    expect(rung()).toHaveLength(2);
  });

  it('that is not wanted, or may not be read, is no matter of the lookout', () => {
    const forbidden = watching();
    forbidden.state.health = { reason: 'forbidden', message: 'no', at: NOON };
    forbidden.pass(30 * MINUTE);
    const off = watching();
    (off.state.rules.health as { require: string }).require = 'off';
    off.pass(30 * MINUTE);
    expect([forbidden.rung(), off.rung()]).toEqual([[], []]);
  });
});

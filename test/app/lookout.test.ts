import { describe, expect, it } from 'vitest';
import { Bell } from '../../src/app/bell.ts';
import { JournalGuard } from '../../src/app/journal-guard.ts';
import { Lookout } from '../../src/app/lookout.ts';
import type { HealthMissing, HealthReading } from '../../src/domain/readings.ts';
import { type EngineState, initialState } from '../../src/engine/state.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { begun, freshLedger, outcomes, settled } from '../ledger/support.ts';
import { NOON, wideLimits } from '../support/values.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const MINUTE = 60_000;
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

function stateOf(clock: VirtualClock): EngineState {
  const health = { require: 'ok', staleAfterMs: 15_000 } as const;
  const rules = { strategies: [], limits: wideLimits, never: () => false, health, patienceMs: 2_000 };
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
  const lookout = new Lookout({ clock, bell, ledger, journal: guard, state: () => state });
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
